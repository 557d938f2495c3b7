// digits.c: a number that is made of two, or taken apart, as a number is of its digits: which one counts more, and by what.
//
//     tid = lane * 32 + warp        warp * 32 + lane             query = row / keys        row % queries
//     p[4 * x + u], where u < 4 and x = n % GROUP                p[u * GROUP + x]
#include "edits.h"

#include <string.h>

enum { ORDER = 4, OTHER = 6 };  // ranks

static bool is_atom(const expression *x) { return x->kind == E_NAME || x->kind == E_MEMBER; }

// Is it the number of a thread, or made of one?
static bool is_of_thread(const edits *e, const expression *x) {
    static const char *const numbers[] = {"threadIdx", "thread_rank", "meta_group_rank", NULL};
    const token *t = &e->u.tokens[x->first];
    if (is_any(&e->u, x->first, numbers)) return true;
    const variable *v = edits_visible(e, t->at, t->length, x->first);
    for (int i = v ? v->value : 0; v && i < v->value_end; i++)
        if (is_any(&e->u, i, numbers)) return true;
    return false;
}

// tiles = last / SIZE; ... n = tiles; is how many there are: no digit of a place.
static bool is_count(const edits *e, const place *p) {
    const unit *u = &e->u;
    for (int i = 0; i < e->n_variables; i++) {
        const variable *v = &e->variables[i];
        for (int k = v->value_end; v->value == p->first && v->value > 0 && k < v->to; k++)
            if (is(u, k, v->name) && is(u, k + 1, ";") && (is(u, k - 1, "=") || is(u, k - 1, "<"))) return true;
    }
    return false;
}

// How many values this digit has, by the loop that counts it, or as the rest of a division; NULL: nobody says.
static const char *range_of(edits *e, const expression *x) {
    const unit *u = &e->u;
    const token *t = &u->tokens[x->first];
    const variable *v = x->kind == E_NAME ? edits_visible(e, t->at, t->length, x->first) : NULL;
    if (!v || v->value <= 0) return NULL;
    const int last = v->value_end - 1, asks = v->value_end + 1;
    if (is(u, last - 1, "%")) return edits_text(e, last, last + 1);
    const bool counts =
        is(u, v->value_end, ";") && is(u, asks, v->name) && is(u, asks + 1, "<") && is(u, asks + 3, ";");
    return counts ? edits_text(e, asks + 2, asks + 3) : NULL;
}

// What is computed as one of several that lie GROUP apart is stored as if they lay side by side, or the other way round.
static void turn_order(edits *e, int place, const expression *x) {
    const expression *product = is_operator(e, x->a, "+") ? x->a->b : x->a;
    if (!is_operator(e, product, "*") || x->b->kind != E_NAME) return;
    const char *range = range_of(e, x->b);
    for (int i = 0; i < 2 && range; i++) {
        const expression *digit = i ? product->b : product->a, *base = i ? product->a : product->b;
        const char *other = digit->kind == E_NAME ? range_of(e, digit) : NULL;
        if (other && !strcmp(range, edits_text_of(e, base)) && strcmp(range, other))
            edits_replace(e, place, ORDER, "exchanged", product->first, x->end, "%s * %s + %s", edits_text_of(e, x->b),
                          other, edits_text_of(e, digit));
    }
}

void edits_change_digits(edits *e, int place, expression *x) {
    const function *f = &e->functions[e->statements[e->places[place].statement].function];
    if (!f->device) return;
    if (is_operator(e, x, "+")) turn_order(e, place, x);
    if (is_operator(e, x, "+") && is_operator(e, x->a, "*") && is_atom(x->b) && is_of_thread(e, x->b))
        for (int i = 0; i < 2; i++) {
            const expression *digit = i ? x->a->b : x->a->a, *base = i ? x->a->a : x->a->b;
            if (is_atom(digit) && is_of_thread(e, digit) && !is_of_thread(e, base))
                edits_replace(e, place, ORDER, "exchanged", x->first, x->end, "%s * %s + %s", edits_text_of(e, x->b),
                              edits_text_of(e, base), edits_text_of(e, digit));
        }
    if (!is_operator(e, x, "/%") || !is_atom(x->a) || !is_atom(x->b) || is_count(e, &e->places[place])) return;
    for (int i = 0; i < e->n_variables; i++) {
        const variable *v = &e->variables[i];
        if (v->is_parameter && v->type.base == BASE_INT && !v->type.pointers && edits_sees(e, v, x->first) &&
            strcmp(v->name, edits_text_of(e, x->b)))
            edits_replace(e, place, OTHER, "quotient", x->first, x->end, "%s %s %s", edits_text_of(e, x->a),
                          is(&e->u, x->op, "/") ? "%" : "/", v->name);
    }
}
