// offset.c: an element that is some way behind another one of the same array, in the same statement: that one's place is
// missing in its own.
//
//     part[t] = join(part[t], part[half]);      part[t + half]
//     row[i] += row[step];                      row[i + step]
#include "edits.h"

enum { OFFSET = 4, MOST = 16 };  // rank; subscripts of a place

typedef struct {
    const expression *list[MOST];
    int n;
} found;

static void collect(const expression *x, found *f) {
    if (!x) return;
    if (x->kind == E_INDEX && x->a->kind == E_NAME && f->n < MOST) f->list[f->n++] = x;
    collect(x->a, f), collect(x->b, f);
    for (const expression *c = x->c; c; c = c->next) collect(c, f);
    for (const expression *c = x->arguments; c; c = c->next) collect(c, f);
}

// Is the name somewhere in it?
static bool names(const edits *e, const expression *in, const expression *name) {
    for (int i = in->first; i < in->end; i++)
        if (edits_same(&e->u, i, name->first, 1)) return true;
    return false;
}

void edits_change_offset(edits *e, int place) {
    found all = {.n = 0};
    collect(e->places[place].tree, &all);
    for (int i = 0; i < all.n; i++)
        for (int k = 0; k < all.n; k++) {
            const expression *x = all.list[i]->b, *of = all.list[k]->b;
            if (i == k || of->kind != E_NAME || x->kind != E_NAME || names(e, x, of) ||
                !edits_same(&e->u, all.list[i]->a->first, all.list[k]->a->first, 1) ||
                !edits_is_whole(edits_type_of(e, x)) || !edits_is_whole(edits_type_of(e, of)))
                continue;
            edits_replace(e, place, OFFSET, "offset", x->first, x->end, "%s + %s", edits_text_of(e, of),
                          edits_text_of(e, x));
        }
}
