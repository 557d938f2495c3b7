// by_counter.c: a number as the subscript, within a loop by whose counter the function reads or writes the same array.
//
//     for (int e = 0; e < OWN; e++) { ... state->o[0] * alpha ...; state->o[e] = sum; }        state->o[e] * alpha
#include "edits.h"

enum { COUNTER = 5 };  // a rank

void edits_change_by_counter(edits *e, int place, const expression *x) {
    const unit *u = &e->u;
    if (x->kind != E_INDEX || x->b->kind != E_NUMBER) return;
    const function *f = &e->functions[e->statements[e->places[place].statement].function];
    const int array = x->a->first, n = x->a->end - array;
    for (int i = f->body; i + n + 2 < f->end; i++) {
        const int by = i + n + 1;
        if (!edits_same(u, i, array, n) || !is(u, i + n, "[") || !is_name(u, by) || !is(u, by + 1, "]")) continue;
        if (is(u, i - 1, ".") || is(u, i - 1, "->")) continue;
        const variable *v = edits_visible(e, u->tokens[by].at, u->tokens[by].length, x->b->first);
        if (!v || !v->is_loop) continue;
        edits_replace(e, place, COUNTER, "subscript", x->b->first, x->b->end, "%s", v->name);
        return;
    }
}
