// offset.c: an element that is some way behind another one of the same array, in the same statement: that one's place is
// missing in its own.
//
//     part[t] = join(part[t], part[half]);      part[t + half]
//     row[i] += row[step];                      row[i + step]
//     room[t] += room[t];                       room[t + n], where the loop around counts by n
#include "edits.h"

enum { OFFSET = 4, COUNTED = 5 };  // ranks

// Twice the same element: the second one is as far behind it as the loop around counts.
static void twin(edits *e, int place, const expression *x) {
    const int s = e->places[place].statement;
    for (int i = 0; i < e->n_variables; i++) {
        const variable *v = &e->variables[i];
        if (v->is_loop && edits_is_whole(v->type) && edits_sees(e, v, e->statements[s].first) &&
            !edits_same(&e->u, x->first, v->declared, 1))
            edits_replace(e, place, COUNTED, "offset", x->first, x->end, "%s + %s", edits_text_of(e, x), v->name);
    }
}

void edits_change_offset(edits *e, int place) {
    subscripts all = {.n = 0};
    edits_subscripts(e->places[place].tree, &all);
    for (int i = 0; i < all.n; i++)
        for (int k = 0; k < all.n; k++) {
            const expression *x = all.list[i]->b, *of = all.list[k]->b;
            if (k < i && edits_same(&e->u, all.list[k]->first, all.list[i]->first, of->end - all.list[k]->first))
                twin(e, place, x);
            if (i == k || edits_same(&e->u, x->first, of->first, 1) ||
                !edits_same(&e->u, all.list[i]->a->first, all.list[k]->a->first, 1) ||
                !edits_is_whole(edits_type_of(e, x)) || !edits_is_whole(edits_type_of(e, of)))
                continue;
            edits_replace(e, place, OFFSET, "offset", x->first, x->end, "%s + %s", edits_text_of(e, of),
                          edits_text_of(e, x));
        }
}
