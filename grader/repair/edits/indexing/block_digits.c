// block_digits.c: a place that is made of two numbers of a block: which of them counts more, and by what.
//
//     where = part * gridDim.x + head          head * gridDim.y + part
//     split = n % SPLITS, row = n / SPLITS     row * SPLITS + split, and not split * rows + row
#include "edits.h"

#include <string.h>

enum { ORDER = 4 };  // rank

typedef struct {
    edits *e;
    int at;
    int first, end;    // the tokens that say what it is: blockIdx.x, n % SPLITS
    char axis;         // of a block; 0: it is taken out of another number
    int op;            // % or /, where it is
    const char *text;  // as it stands in the sum
} digit;

static const expression *without_cast(const expression *x) {
    x = edits_bare(x);
    return x->kind == E_CAST ? edits_bare(x->a) : x;
}

static char axis_of(const edits *e, const char *struct_name, int first, int end) {
    if (end != first + 3 || !is(&e->u, first, struct_name) || !is(&e->u, first + 1, ".")) return 0;
    return *e->u.tokens[first + 2].at;
}

static int operator_between(const edits *e, int first, int end) {
    int depth = 0;
    for (int i = first; i < end; i++) {
        depth += is(&e->u, i, "(") - is(&e->u, i, ")");
        if (!depth && i > first && (is(&e->u, i, "%") || is(&e->u, i, "/"))) return i;
    }
    return 0;
}

static bool read_digit(edits *e, const expression *x, digit *d) {
    const token *t = &e->u.tokens[x->first];
    const variable *v = x->kind == E_NAME ? edits_visible(e, t->at, t->length, x->first) : NULL;
    if ((x->kind != E_NAME && x->kind != E_MEMBER) || (v && v->value <= 0)) return false;
    *d = (digit){.e = e, .at = x->first, .first = v ? v->value : x->first, .end = v ? v->value_end : x->end};
    d->axis = axis_of(e, "blockIdx", d->first, d->end);
    d->op = d->axis || !v ? 0 : operator_between(e, d->first, d->end);
    d->text = edits_text_of(e, x);
    return d->axis || d->op;
}

// Two axes of a grid, or n % M and n / M.
static bool belong_together(const digit *d, const digit *other) {
    if (d->axis || other->axis) return d->axis && other->axis && d->axis != other->axis;
    if (!is(&d->e->u, d->op, "%") || !is(&d->e->u, other->op, "/")) return false;
    return !strcmp(edits_text(d->e, d->first, d->op), edits_text(d->e, other->first, other->op)) &&
           !strcmp(edits_text(d->e, d->op + 1, d->end), edits_text(d->e, other->op + 1, other->end));
}

// How many values it has, under the file's own name.
static const char *count_of(const digit *d) {
    static char grid[] = "gridDim.x";
    const edits *e = d->e;
    if (!d->axis) return edits_text(d->e, d->op + 1, d->end);
    for (int i = 0; i < e->n_variables; i++) {
        const variable *v = &e->variables[i];
        if (v->value > 0 && axis_of(e, "gridDim", v->value, v->value_end) == d->axis && edits_sees(e, v, d->at))
            return v->name;
    }
    grid[sizeof grid - 2] = d->axis;
    return grid;
}

// The factor of this product, with its cast, that is a digit of the same number as another one.
static const expression *low_digit(edits *e, const expression *product, const digit *other, digit *d) {
    for (const expression *x = edits_bare(product); is_operator(e, x, "*"); x = edits_bare(x->a))
        for (int i = 0; i < 2; i++) {
            const expression *low = i ? x->b : x->a;
            if (read_digit(e, without_cast(low), d) && belong_together(d, other)) return low;
        }
    return NULL;
}

void edits_change_block_digits(edits *e, int place, expression *x) {
    const function *f = &e->functions[e->statements[e->places[place].statement].function];
    if (!f->device || !is_operator(e, x, "+")) return;
    for (int turned = 0; turned < 2; turned++) {
        const expression *one = turned ? x->b : x->a, *two = turned ? x->a : x->b;
        if (!turned && is_operator(e, one, "+")) one = one->b;  // pointer + a * n + b
        digit d, other;
        if (!is_operator(e, one, "*") || !read_digit(e, without_cast(two), &other)) continue;
        const expression *low = low_digit(e, one, &other, &d);
        if (!low) continue;
        const char *cast = low->kind == E_CAST ? edits_text(e, low->first, low->a->first) : "", *count = count_of(&d);
        edits_replace(e, place, ORDER, "exchanged", turned ? x->first : one->first, x->end, "%s%s * %s + %s", cast,
                      other.text, count, d.text);
    }
}
