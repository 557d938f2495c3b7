// in_place.c: what is made of an element and summed up is not put back, and the loop sets the element nowhere.
//
//     sum += expf(s[c] - m);                   sum += s[c] = expf(s[c] - m)
//     float p = expf(s[c] - m); sum += p;      float p = s[c] = expf(s[c] - m), and of t.s[c]
#include "edits.h"

#include <string.h>

enum { IN_PLACE = 3, WALKED = 4, OF_FIELD = 4, SCORE = 5 };  // ranks; of what the function has set before: its scores

// s[c] or *s in x, by the name of a pointer to what may be set; NULL: there is none.
static const expression *element_in(edits *e, const expression *x) {
    if (!x || x->kind == E_ASSIGN) return NULL;
    const bool star = x->kind == E_UNARY && is(&e->u, x->op, "*");
    if ((x->kind == E_INDEX || star) && edits_is_real(edits_type_of(e, x)) && x->a->kind == E_NAME) {
        const token *t = &e->u.tokens[x->a->first];
        const variable *v = edits_visible(e, t->at, t->length, x->a->first);
        if (v && v->type.pointers == 1 && !v->type.constant) return x;
    }
    if (x->kind == E_INDEX && x->a->kind == E_MEMBER && edits_is_real(edits_type_of(e, x))) {
        const value_type type = edits_type_of(e, x->a);
        if (type.pointers == 1 && !type.constant) return x;
    }
    const expression *found = element_in(e, x->a);
    if (!found) found = element_in(e, x->b);
    for (const expression *a = x->arguments; a && !found; a = a->next) found = element_in(e, a);
    return found;
}

static bool is_set_within(const edits *e, const statement *st, int first, int n) {
    for (int i = st->first; i + n < st->end; i++)
        if (edits_same(&e->u, first, i, n) && edits_assigns(&e->u, i + n)) return true;
    return false;
}

// Is the element set in the innermost loop around that place, or, where there is none, in the function?
static bool is_set_there(const edits *e, int place, const expression *element) {
    int s = e->places[place].statement;
    while (s >= 0 && e->statements[s].kind != S_LOOP) s = e->statements[s].parent;
    if (s >= 0) return is_set_within(e, &e->statements[s], element->first, element->end - element->first);
    const function *f = &e->functions[e->statements[e->places[place].statement].function];
    return edits_sets(e, f, element->first, element->end);
}

void edits_change_in_place(edits *e, int place, const expression *x) {
    const function *f = &e->functions[e->statements[e->places[place].statement].function];
    const bool added = x->parent && x->parent->kind == E_ASSIGN && x->parent->b == x;
    if (x->kind != E_CALL || !(added || (!x->parent && e->places[place].kind == P_VALUE))) return;
    if (!strstr(edits_text(e, x->first, x->a->end), "exp")) return;
    const expression *element = x->arguments ? element_in(e, x->arguments) : NULL;
    if (!element || is_set_there(e, place, element)) return;
    const int rank = edits_sets(e, f, element->first, element->end) ? SCORE
                     : element->kind != E_INDEX                     ? WALKED
                     : element->a->kind == E_MEMBER                 ? OF_FIELD
                                                                    : IN_PLACE;
    edits_replace(e, place, rank, "put back", x->first, x->end, "%s = %s", edits_text_of(e, element),
                  edits_text_of(e, x));
}
