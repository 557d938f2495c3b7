// weighed.c: what an average of earlier keys weighs is their sum, brought to the new maximum, as it is where the sum grows.
//
//     l_new = alpha * l; ... acc = acc * (l / l_new) + p / l_new;      acc * (alpha * l / l_new)
#include "edits.h"

#include <string.h>

enum { WEIGHED = 6 };  // a rank

static bool is_exponential(const edits *e, int name) {
    const token *t = &e->u.tokens[name];
    const variable *v = is_name(&e->u, name) ? edits_visible(e, t->at, t->length, name) : NULL;
    if (!v || v->value <= 0 || !edits_is_real(v->type)) return false;
    for (int i = v->value; i + 1 < v->value_end; i++) {
        const token *call = &e->u.tokens[i];
        for (int k = 0; is(&e->u, i + 1, "(") && k + 3 <= call->length; k++)
            if (!strncmp(call->at + k, "exp", 3)) return true;
    }
    return false;
}

// The exponential by which this sum is multiplied at another place before: its token; 0: there is none.
static int factor_before(const edits *e, const expression *x, int from) {
    const unit *u = &e->u;
    const int n = x->end - x->first;
    for (int i = from; i + n < x->first; i++) {
        if (!edits_same(u, i, x->first, n) || is(u, i - 1, ".") || is(u, i + n, ".")) continue;
        if (is(u, i - 1, "*") && is_exponential(e, i - 2)) return i - 2;
        if (is(u, i + n, "*") && is_exponential(e, i + n + 1)) return i + n + 1;
    }
    return 0;
}

// It is divided, or a factor of what is; by itself, or as one of a sum.
static bool is_above(const edits *e, const expression *x) {
    for (const expression *up = x->parent; up; x = up, up = up->parent) {
        if (is_operator(e, up, "/")) return up->a == x;
        if (up->kind != E_PAREN && !is_operator(e, up, "*+")) return false;
    }
    return false;
}

void edits_change_weighed(edits *e, int place, const expression *x) {
    if ((x->kind != E_NAME && x->kind != E_MEMBER && x->kind != E_INDEX) || !edits_is_real(edits_type_of(e, x)) ||
        !is_above(e, x))
        return;
    const struct place *p = &e->places[place];
    const int f = e->statements[p->statement].function;
    const int factor = f >= 0 ? factor_before(e, x, e->functions[f].body) : 0;
    if (!factor) return;
    for (int i = p->first; i < p->end; i++)
        if (edits_same(&e->u, i, factor, 1)) return;
    edits_replace(e, place, WEIGHED, "factor", x->first, x->end, "%s * %s", edits_text(e, factor, factor + 1),
                  edits_text_of(e, x));
}
