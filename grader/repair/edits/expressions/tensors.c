// tensors.c: another array of the same kind: V for K, the tile of values for that of keys.
#include "../edits.h"

enum { ELEMENT = 18, HANDED = 22 };  // ranks

// Arrays of one function: what it is given, or what it has in shared memory or of its own.
void edits_change_tensors(edits *e, int place, const expression *x) {
    const token *t = &e->u.tokens[x->first];
    const variable *v = x->kind == E_NAME ? edits_visible(e, t->at, t->length, x->first) : NULL;
    if (!v || v->type.pointers < 1 || v->type.base != BASE_FLOAT || v->is_global || edits_is_set(e, x)) return;
    const bool element = x->parent && x->parent->kind == E_INDEX;
    for (int i = 0; i < e->n_variables; i++) {
        const variable *w = &e->variables[i];
        if (w != v && w->type.pointers == v->type.pointers && w->type.base == BASE_FLOAT && !w->is_global &&
            edits_alike(v->type, w->type) && edits_sees(e, w, x->first))
            edits_replace(e, place, element && w->is_parameter == v->is_parameter ? ELEMENT : HANDED, "array", x->first,
                          x->end, "%s", w->name);
    }
}
