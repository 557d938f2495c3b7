// digit_order.c: of a number that is taken apart by / and % into digits: which of two counts faster, and one digit that has
// no end. Places a and b stand side by side.
//
//     h = n % H, s = n / H % S       h = n / S % H, s = n % S
//     c = i % n, r = i / n           r = i / n % rows
#include <string.h>

#include "edits.h"

enum { DIGITS = 8, DIGIT = 9 };  // ranks

static bool same(edits *e, const expression *a, const expression *b) {
    return !strcmp(edits_text_of(e, a), edits_text_of(e, b));
}

// The quotient in int(x / n), x / n
static const expression *quotient_in(const edits *e, const expression *x) {
    while (x && (x->kind == E_PAREN || x->kind == E_CAST || (x->kind == E_CALL && is(&e->u, x->first, "int"))))
        x = x->kind == E_CALL ? x->arguments : x->a;
    return x && is_operator(e, x, "/%") ? x : NULL;
}

// r = i / n beside c = i % n, where i counts more than one matrix: r = i / n % rows.
static void one_more_digit(edits *e, int a, int b) {
    const expression *x = quotient_in(e, e->places[a].tree), *y = quotient_in(e, e->places[b].tree);
    if (!x || !y || !is_operator(e, x, "/") || !is_operator(e, y, "%") || !same(e, x->a, y->a) || !same(e, x->b, y->b))
        return;
    for (int i = 0; i < e->n_variables; i++) {
        const variable *v = &e->variables[i];
        if (v->is_parameter && v->type.base == BASE_INT && !v->type.pointers && edits_sees(e, v, x->first) &&
            strcmp(v->name, edits_text_of(e, x->b)))
            edits_replace(e, a, DIGIT, "quotient", x->first, x->end, "%s %% %s", edits_text_of(e, x), v->name);
    }
}

// The text of the digit's number, of what the faster digits count in all, "" for none, and of how many values it has.
typedef struct {
    const char *what, *below, *values;
} digit;

// n % H, n / H % S, n / (D * H) % S
static bool is_digit(edits *e, const expression *x, digit *d) {
    if (!is_operator(e, x, "%")) return false;
    const bool more = is_operator(e, x->a, "/");
    const expression *below = more ? x->a->b : NULL;
    while (below && below->kind == E_PAREN) below = below->a;
    *d = (digit){edits_text_of(e, more ? x->a->a : x->a), below ? edits_text_of(e, below) : "", edits_text_of(e, x->b)};
    return true;
}

// Is y's digit the next one after x's: does it count as often as x's has values?
static bool is_next(edits *e, const digit *x, const digit *y) {
    const char *a = format(&e->u, "%s * %s", x->below, x->values), *b = format(&e->u, "%s * %s", x->values, x->below);
    if (strcmp(x->what, y->what))
        return !strcmp(format(&e->u, "%s / %s", x->what, x->below), y->what) && *x->below &&
               !strcmp(x->values, y->below);
    return *x->below ? !strcmp(a, y->below) || !strcmp(b, y->below) : !strcmp(x->values, y->below);
}

// h = n % H, s = n / H % S becomes h = n / S % H, s = n % S: which of the two counts faster. The same behind a faster
// one: h = n / D % H, s = n / (D * H) % S becomes h = n / (D * S) % H, s = n / D % S.
static void exchange_digits(edits *e, int a, int b) {
    const expression *x = e->places[a].tree, *y = e->places[b].tree;
    digit fast, slow;
    if (!is_digit(e, x, &fast) || !is_digit(e, y, &slow) || !is_next(e, &fast, &slow)) return;
    const char *what = fast.what, *below = fast.below;
    const char *first = *below ? format(&e->u, "%s / %s %% %s", what, below, slow.values)
                               : format(&e->u, "%s %% %s", what, slow.values);
    const char *form = !*below                        ? "%s%s / %s %% %s"
                       : strcmp(fast.what, slow.what) ? "%s / %s / %s %% %s"
                                                      : "%s / (%s * %s) %% %s";
    const char *second = format(&e->u, form, what, below, slow.values, fast.values);
    const replacement one = {a, x->first, x->end, second}, other = {b, y->first, y->end, first};
    edits_replace_two(e, DIGITS, "quotient", a < b ? &one : &other, a < b ? &other : &one);
}

void edits_exchange_digits(edits *e, int a, int b) {
    one_more_digit(e, a, b), one_more_digit(e, b, a);
    exchange_digits(e, a, b), exchange_digits(e, b, a);
}
