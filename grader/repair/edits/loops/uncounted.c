// uncounted.c: the body of a loop never asks which round it is: a number in it is a step further in each.
//
//     for (int p = 0; p < ROWS; p++) { const int i = i0 + SIDE; ... }        i0 + SIDE * p
//     for (int c = 0; c < n; c++) sum += p[first];                           p[first + c]
#include "edits.h"

enum { TIMES = 8, FURTHER = 12, ITSELF = 10 };  // ranks

void edits_change_uncounted(edits *e, int place, const expression *x) {
    const bool zero = x->kind == E_NUMBER && is(&e->u, x->first, "0") && edits_in_subscript(x);
    if ((x->kind != E_NAME && !zero) || !edits_is_whole(edits_type_of(e, x)) || edits_is_set(e, x)) return;
    const token *t = &e->u.tokens[x->first];
    const variable *own = zero ? NULL : edits_visible(e, t->at, t->length, x->first);
    for (int s = e->statements[e->places[place].statement].parent; s >= 0; s = e->statements[s].parent) {
        if (e->statements[s].kind != S_LOOP) continue;
        const variable *v = edits_unread_counter(e, &e->statements[s]);
        if (!v || !edits_sees(e, v, x->first)) continue;
        const char *text = edits_text_of(e, x);
        if (zero)
            edits_replace(e, place, ITSELF, "round", x->first, x->end, "%s", v->name);
        else if (own && own->is_global)
            edits_replace(e, place, TIMES, "round", x->first, x->end, "%s * %s", text, v->name);
        else if (x->parent && (edits_in_subscript(x) || is_operator(e, x->parent, "+-")))
            edits_replace(e, place, FURTHER, "round", x->first, x->end, "%s + %s", text, v->name);
    }
}
