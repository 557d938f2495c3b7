// bare.c: a counter that is multiplied in one subscript, and stands alone in another one of the same statement.
//
//     o[e] += p * v[e * TEAM]                         o[e] += p * v[e]
#include "edits.h"

enum { BARE = 6 };  // rank

// Is the name all of a subscript within x?
static bool stands_alone(const edits *e, const expression *x, int name) {
    if (!x) return false;
    if (x->kind == E_INDEX && x->b->kind == E_NAME && edits_same(&e->u, x->b->first, name, 1)) return true;
    bool alone = stands_alone(e, x->a, name) || stands_alone(e, x->b, name);
    for (const expression *c = x->c; c; c = c->next) alone |= stands_alone(e, c, name);
    for (const expression *c = x->arguments; c; c = c->next) alone |= stands_alone(e, c, name);
    return alone;
}

void edits_change_bare(edits *e, int place, const expression *x) {
    const expression *up = x->parent;
    if (!is_operator(e, x, "*") || !up || up->kind != E_INDEX || up->b != x || !edits_is_whole(edits_type_of(e, x)))
        return;
    const expression *const factors[] = {x->a, x->b};
    for (int k = 0; k < 2; k++)
        if (factors[k]->kind == E_NAME && stands_alone(e, e->places[place].tree, factors[k]->first))
            edits_replace(e, place, BARE, "left out", x->first, x->end, "%s", edits_text_of(e, factors[k]));
}
