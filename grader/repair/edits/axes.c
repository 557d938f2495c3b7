// axes.c: the number of a thread along one axis in place of that along another.
//
//     const int tx = threadIdx.x, ty = threadIdx.y;      kb = k0 + tx      kb = k0 + ty
#include "edits.h"

enum { OTHER = 6 };  // rank

// tx = threadIdx.x: the token of its axis; 0: it is no such number.
static int axis_of(const edits *e, const variable *v) {
    static const char *const built_in[] = {"threadIdx", "blockIdx", NULL};
    return v->value_end - v->value == 3 && is_any(&e->u, v->value, built_in) ? v->value + 2 : 0;
}

void edits_change_axes(edits *e, int place, expression *x) {
    const unit *u = &e->u;
    const token *t = &u->tokens[x->first];
    const variable *v = x->kind == E_NAME ? edits_visible(e, t->at, t->length, x->first) : NULL;
    if (!v || !axis_of(e, v) || edits_is_set(e, x)) return;
    for (int i = 0; i < e->n_variables; i++) {
        const variable *w = &e->variables[i];
        if (w != v && axis_of(e, w) && edits_sees(e, w, x->first) && *u->tokens[w->value].at == *u->tokens[v->value].at)
            edits_replace(e, place, OTHER, "axis", x->first, x->end, "%s", w->name);
    }
}
