// nobody.c: NULL among the arguments, where what stands beside it as a pointer is to be handed over.
//
//     attend<<<grid, N>>>(work, NULL, Q)     attend<<<grid, N>>>(work, L, Q)
#include "edits.h"

#include <string.h>

enum { HANDED = 3 };  // a rank

static bool is_argument(const expression *x) {
    for (const expression *a = x->parent && x->parent->kind == E_CALL ? x->parent->arguments : NULL; a; a = a->next)
        if (a == x) return true;
    return false;
}

void edits_change_nobody(edits *e, int place, const expression *x) {
    static const char *const nobody[] = {"NULL", "nullptr", NULL};
    if (x->kind != E_NAME || !is_any(&e->u, x->first, nobody) || !is_argument(x)) return;
    for (int i = 0; i < e->n_variables; i++) {
        const variable *v = &e->variables[i];
        if (v->type.pointers == 1 && !v->type.constant && !v->is_parameter && edits_sees(e, v, x->first))
            edits_replace(e, place, HANDED, "handed over", x->first, x->end, "%s", v->name);
    }
}
