// like_parameter.c: a field is handed over as a parameter that is called like another field of its struct; a variable as one
// that is called like another variable.
//
//     void hide(float *S, int n, bool causal);      hide(S, n, s.heads)         hide(S, n, s.causal)
//     __global__ void count(int *lengths, int B);   count<<<1, 64>>>(l, H)      count<<<1, 64>>>(l, B)
#include "edits.h"

#include <string.h>

enum { NAMED = 3 };  // a rank

static const function *called(const edits *e, const expression *call) {
    for (int i = 0; i < e->n_functions && call->a->kind == E_NAME; i++)
        if (is(&e->u, call->a->first, e->functions[i].name)) return &e->functions[i];
    return NULL;
}

// Is it said of another struct, or of this one?
static bool has_field(const edits *e, const char *word, const char *name) {
    bool known = false;
    for (int i = 0; i < e->n_variables; i++) {
        const variable *f = &e->variables[i];
        if (!f->owner || strcmp(f->owner, word)) continue;
        if (!strcmp(f->name, name)) return true;
        known = true;
    }
    return !known && edits_listed(name, "batch,heads,seq_q,seq_kv,head_dim,causal") && !strcmp(word, "attn_shape");
}

// H, where the parameter is called B, and a B of the same type is visible that the call is not given.
static void as_it_is_called(edits *e, int place, const expression *x, const expression *call, const variable *p) {
    const variable *v = edits_visible(e, p->name, (int)strlen(p->name), x->first);
    if (!v || !edits_is_whole(v->type) || !edits_is_whole(edits_type_of(e, x))) return;
    for (const expression *a = call->arguments; a; a = a->next)
        for (int i = a->first; i < a->end; i++)
            if (is(&e->u, i, p->name)) return;
    edits_replace(e, place, NAMED, "parameter", x->first, x->end, "%s", p->name);
}

void edits_change_like_parameter(edits *e, int place, const expression *x) {
    const bool field = x->kind == E_MEMBER && x->a->kind == E_NAME;
    if (!field && x->kind != E_NAME) return;
    const expression *argument = x;
    while (field && argument->parent && argument->parent->kind != E_CALL) argument = argument->parent;
    const expression *call = argument->parent;
    const function *f = call && call->kind == E_CALL && call->a != argument ? called(e, call) : NULL;
    int number = 0;
    const expression *a = f ? call->arguments : NULL;
    while (a && a != argument) a = a->next, number++;
    const variable *p = a ? edits_parameter(e, f, number) : NULL;
    if (!p || is(&e->u, x->end - 1, p->name)) return;
    if (!field) {
        as_it_is_called(e, place, x, call, p);
        return;
    }
    const value_type t = edits_type_of(e, x->a);
    if (t.base != BASE_STRUCT || !t.word || !has_field(e, t.word, p->name)) return;
    edits_replace(e, place, NAMED, "parameter", x->first, x->end, "%s%s", edits_text(e, x->first, x->end - 1), p->name);
}
