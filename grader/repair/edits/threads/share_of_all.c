// share_of_all.c: the number of a block, divided by how many blocks there are, is 0: a share of all is meant.
//
//     lo = blockIdx.y / gridDim.y;              lo = count * blockIdx.y / gridDim.y
#include "edits.h"

enum { ALL = 4 };  // a rank

void edits_change_share_of_all(edits *e, int place, const expression *x) {
    if (!is_operator(e, x, "/") || !is(&e->u, x->b->first, "gridDim") || x->b->kind != E_MEMBER) return;
    const expression *block = edits_bare(x->a);
    if (!is(&e->u, block->first, "blockIdx") || is_operator(e, block, "*")) return;
    for (int i = 0; i < e->n_variables; i++) {
        const variable *v = &e->variables[i];
        if (edits_is_whole(v->type) && !v->is_global && !v->is_loop && edits_sees(e, v, x->first))
            edits_replace(e, place, ALL, "length", x->a->first, x->a->end, "%s * %s", v->name, edits_text_of(e, x->a));
    }
}
