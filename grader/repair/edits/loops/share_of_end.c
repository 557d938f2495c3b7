// share_of_end.c: a counter that runs over rows of one length is compared with a number of rows: they have that length.
//
//     for (int i = tx; i < BC * D; i += BR) tile[i] = i < n * BC ? ...        i < n * D
#include "edits.h"

enum { SHARE = 4 };  // a rank

static bool is_product(const edits *e, const expression *x) {
    return x && x->kind == E_BINARY && is_operator(e, x, "*") && x->a->kind == E_NAME && x->b->kind == E_NAME;
}

// The condition of the loop that counts with this name around statement s: counter < A * B. NULL: there is none.
static const expression *end_of(const edits *e, int s, int counter) {
    for (int loop = e->statements[s].parent; loop >= 0; loop = e->statements[loop].parent)
        for (int p = 0; p < e->n_places && e->statements[loop].kind == S_LOOP; p++) {
            const expression *x =
                e->places[p].statement == loop && e->places[p].kind == P_CONDITION ? e->places[p].tree : NULL;
            if (x && x->kind == E_BINARY && is_operator(e, x, "<") && x->a->kind == E_NAME &&
                edits_same(&e->u, x->a->first, counter, 1))
                return is_product(e, x->b) ? x->b : NULL;
        }
    return NULL;
}

static bool is_same(const edits *e, const expression *x, const expression *y) {
    return edits_same(&e->u, x->first, y->first, 1);
}

void edits_change_share_of_end(edits *e, int place, const expression *x) {
    if (x->kind != E_BINARY || !is_operator(e, x, "<") || x->a->kind != E_NAME || !is_product(e, x->b)) return;
    const expression *all = end_of(e, e->places[place].statement, x->a->first);
    if (!all || is_same(e, all->a, all->b)) return;
    // n * BC of BC * D: as many as a row of the tile is long is the other factor.
    for (int left = 0; left < 2; left++) {
        const expression *one = left ? x->b->a : x->b->b, *rest = left ? x->b->b : x->b->a;
        if (is_same(e, rest, all->a) || is_same(e, rest, all->b)) continue;
        const expression *other = is_same(e, one, all->a) ? all->b : is_same(e, one, all->b) ? all->a : NULL;
        if (other)
            edits_replace(e, place, SHARE, "length", one->first, one->end, "%s",
                          edits_text(e, other->first, other->end));
    }
}
