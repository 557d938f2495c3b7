// same_offset.c: a pointer is handed over as it is, where another one is handed over some way behind its beginning.
//
//     dots(s, q, k + c * D);  add(o, s, v);                  add(o, s, v + c * D)
#include "edits.h"

enum { OFFSET = 6, MOST = 6 };  // a rank; offsets of a function

typedef struct {
    const expression *list[MOST];
    int n;
} offsets;

static bool is_pointer(edits *e, const expression *x) {
    return (x->kind == E_NAME || x->kind == E_MEMBER) && edits_type_of(e, x).pointers == 1;
}

// Of each argument p + offset in x.
static void collect(edits *e, const expression *x, offsets *f) {
    if (!x) return;
    for (const expression *a = x->kind == E_CALL ? x->arguments : NULL; a; a = a->next) {
        if (!is_operator(e, a, "+") || !is_pointer(e, a->a) || f->n == MOST) continue;
        bool known = false;
        for (int i = 0; i < f->n; i++)
            known |= f->list[i]->end - f->list[i]->first == a->end - a->b->first &&
                     edits_same(&e->u, f->list[i]->first, a->b->first, a->end - a->b->first);
        if (!known) f->list[f->n++] = a->b;
    }
    collect(e, x->a, f), collect(e, x->b, f);
    for (const expression *c = x->c; c; c = c->next) collect(e, c, f);
    for (const expression *c = x->arguments; c; c = c->next) collect(e, c, f);
}

void edits_change_same_offset(edits *e, int place, const expression *x) {
    const int function = e->statements[e->places[place].statement].function;
    const bool handed = x->parent && x->parent->kind == E_CALL && x->parent->a != x;
    offsets all = {.n = 0};
    if (!handed || !is_pointer(e, x)) return;
    for (int p = 0; p < e->n_places; p++)
        if (e->statements[e->places[p].statement].function == function) collect(e, e->places[p].tree, &all);
    for (int i = 0; i < all.n; i++) {
        const ingredient offset = {.first = all.list[i]->first, .end = all.list[i]->end};
        if (edits_usable(e, &offset, x->first))
            edits_replace(e, place, OFFSET, "offset", x->first, x->end, "%s + %s", edits_text_of(e, x),
                          edits_text_of(e, all.list[i]));
    }
}
