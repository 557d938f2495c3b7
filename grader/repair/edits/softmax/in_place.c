// in_place.c: what is made of an element and summed up is not put back, and the element is set nowhere.
//
//     sum += expf(s[c] - m);                   sum += s[c] = expf(s[c] - m)
//     float p = expf(s[c] - m); sum += p;      float p = s[c] = expf(s[c] - m)
#include "edits.h"

#include <string.h>

enum { IN_PLACE = 3, WALKED = 4 };  // ranks

// s[c] or *s in x, by the name of a pointer to what may be set; NULL: there is none.
static const expression *element_in(edits *e, const expression *x) {
    if (!x || x->kind == E_ASSIGN) return NULL;
    const bool star = x->kind == E_UNARY && is(&e->u, x->op, "*");
    if ((x->kind == E_INDEX || star) && edits_is_real(edits_type_of(e, x)) && x->a->kind == E_NAME) {
        const token *t = &e->u.tokens[x->a->first];
        const variable *v = edits_visible(e, t->at, t->length, x->a->first);
        if (v && v->type.pointers == 1 && !v->type.constant) return x;
    }
    const expression *found = element_in(e, x->a);
    if (!found) found = element_in(e, x->b);
    for (const expression *a = x->arguments; a && !found; a = a->next) found = element_in(e, a);
    return found;
}

void edits_change_in_place(edits *e, int place, const expression *x) {
    const function *f = &e->functions[e->statements[e->places[place].statement].function];
    const bool added = x->parent && x->parent->kind == E_ASSIGN && x->parent->b == x;
    if (x->kind != E_CALL || !(added || (!x->parent && e->places[place].kind == P_VALUE))) return;
    if (!strstr(edits_text(e, x->first, x->a->end), "exp")) return;
    const expression *element = x->arguments ? element_in(e, x->arguments) : NULL;
    if (element && !edits_sets(e, f, element->first, element->end))
        edits_replace(e, place, element->kind == E_INDEX ? IN_PLACE : WALKED, "put back", x->first, x->end, "%s = %s",
                      edits_text_of(e, element), edits_text_of(e, x));
}
