// results.c: what a function gives back and nobody takes.
//
//     all_of(THE_MAX, top, ring);     top = all_of(THE_MAX, top, ring);
#include "edits.h"

#include <string.h>

enum { OWN = 1, OTHER = 8 };  // ranks: a name that the function is given, any other one

static const function *function_at(const edits *e, const expression *call) {
    for (int i = 0; i < e->n_functions; i++)
        if (is(&e->u, call->a->first, e->functions[i].name)) return &e->functions[i];
    return NULL;
}

static bool is_given(edits *e, const expression *call, const char *text) {
    for (const expression *x = call->arguments; x; x = x->next)
        if (!strcmp(edits_text_of(e, x), text)) return true;
    return false;
}

static void take(edits *e, int place, const expression *call, const char *name) {
    const struct place *p = &e->places[place];
    edits_replace(e, place, is_given(e, call, name) ? OWN : OTHER, "result", p->first, p->end, "%s = %s", name,
                  edits_text(e, p->first, p->end));
}

void edits_change_results(edits *e, int place, const expression *x) {
    const struct place *p = &e->places[place];
    if (p->kind != P_STATEMENT || p->tree != x || x->kind != E_CALL || x->a->kind != E_NAME || x->c ||
        e->statements[p->statement].kind != S_EXPRESSION)
        return;
    const function *f = function_at(e, x);
    if (!f || f->result.pointers || (f->result.base != BASE_FLOAT && f->result.base != BASE_INT)) return;
    for (int i = 0; i < e->n_variables; i++) {
        const variable *v = &e->variables[i];
        if (v->is_const || v->type.constant || v->is_loop || v->is_global || v->is_enumerator || v->declared < 0 ||
            v->type.base != f->result.base || v->type.pointers || !edits_sees(e, v, p->first))
            continue;
        take(e, place, x, v->name);
    }
    for (const expression *a = x->arguments; a; a = a->next)  // top[r] = all_of(top[r]);
        if (a->kind == E_INDEX && edits_alike(edits_type_of(e, a), f->result)) take(e, place, x, edits_text_of(e, a));
}
