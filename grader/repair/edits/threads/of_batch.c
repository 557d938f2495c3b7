// of_batch.c: a grid has a block for each head of one batch, and the other batches have none.
//
//     kernel<<<dim3(c.heads, n), 128>>>(...)       dim3(c.batch * c.heads, n)
#include "edits.h"

#include <string.h>

enum { BATCH = 4 };  // a rank

// Is it a side of the grid?
static bool is_side(const edits *e, const expression *x) {
    const expression *up = x->parent;
    if (!up || up->kind != E_CALL) return false;
    if (is(&e->u, up->first, "dim3")) return up->a != x;
    return up->c == x;
}

void edits_change_of_batch(edits *e, int place, const expression *x) {
    if (x->kind != E_MEMBER || !is(&e->u, x->end - 1, "heads") || !is_side(e, x)) return;
    const expression *all = x->parent;
    if (strstr(edits_text(e, all->first, all->end), "batch")) return;
    const char *of = edits_text(e, x->first, x->end - 1);
    edits_replace(e, place, BATCH, "length", x->first, x->end, "%sbatch * %sheads", of, of);
}
