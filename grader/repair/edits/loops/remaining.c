// remaining.c: what is left of a walk is counted from the end of that walk, and not from the end of something larger.
//
//     for (j = lo; j < hi; j += SIZE) n = len - j < SIZE ? len - j : SIZE;       hi - j, in both
#include "edits.h"

#include <string.h>

enum { REMAINING = 4 };  // a rank

// The end of the loop around this statement whose counter is read at `token`; NULL: there is none.
static const expression *end_of_walk(const edits *e, int s, int token) {
    for (s = e->statements[s].parent; s >= 0; s = e->statements[s].parent)
        for (int p = 0; p < e->n_places && e->statements[s].kind == S_LOOP; p++) {
            const expression *x = e->places[p].tree;
            if (e->places[p].statement == s && e->places[p].kind == P_CONDITION && x && is_operator(e, x, "<") &&
                x->a->kind == E_NAME && edits_same(&e->u, x->a->first, token, 1))
                return x->b;
        }
    return NULL;
}

void edits_change_remaining(edits *e, int place, const expression *x) {
    const struct place *p = &e->places[place];
    if (!is_operator(e, x, "-") || x->b->kind != E_NAME || !edits_is_whole(edits_type_of(e, x))) return;
    const expression *end = end_of_walk(e, p->statement, x->b->first);
    const int n = x->a->end - x->a->first;
    if (!end || (end->end - end->first == n && edits_same(&e->u, end->first, x->a->first, n))) return;
    const ingredient names = {.first = end->first, .end = end->end};
    if (!edits_usable(e, &names, x->first)) return;
    const char *own = edits_text(e, end->first, end->end), *text = "";
    int at = x->first, last = x->end;
    for (int i = p->first; i + x->end - x->first <= p->end; i++) {
        if (!edits_same(&e->u, i, x->first, x->end - x->first)) continue;
        if (i < x->first) return;  // the first of them stands for all
        if (i > at) text = format(&e->u, "%s %s ", text, edits_text(e, at, i));
        text = format(&e->u, "%s%s %s", text, own, edits_text(e, x->op, x->end));
        at = last = i + x->end - x->first;
    }
    edits_replace(e, place, REMAINING, "bound", x->first, last, "%s", text);
}
