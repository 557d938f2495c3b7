// tensors.c: another array of the same kind: V for K, the tile of values for that of keys; right.cols for left.cols.
#include "edits.h"

#include <string.h>

enum { ELEMENT = 18, HANDED = 22 };  // ranks

// Arrays of one function: what it is given, or what it has in shared memory or of its own.
void edits_change_tensors(edits *e, int place, const expression *x) {
    const token *t = &e->u.tokens[x->first];
    const variable *v = x->kind == E_NAME ? edits_visible(e, t->at, t->length, x->first) : NULL;
    const bool element = x->parent && x->parent->kind == E_INDEX, field = x->parent && x->parent->kind == E_MEMBER;
    if (!v || v->is_global || edits_is_set(e, x)) return;
    if (v->type.base == BASE_STRUCT ? !field : v->type.base != BASE_FLOAT || v->type.pointers < 1) return;
    const char *cast = e->places[place].cast;  // float *x = ...: no array that is only read
    const bool stored_to = cast && !element && strchr(cast, '*') && !strstr(cast, "const");
    for (int i = 0; i < e->n_variables; i++) {
        const variable *w = &e->variables[i];
        if (stored_to && w->type.constant) continue;
        if (w != v && w->type.pointers == v->type.pointers && w->type.base == v->type.base && !w->is_global &&
            edits_alike(v->type, w->type) && edits_sees(e, w, x->first))
            edits_replace(e, place, (element || field) && w->is_parameter == v->is_parameter ? ELEMENT : HANDED,
                          "array", x->first, x->end, "%s", w->name);
    }
}
