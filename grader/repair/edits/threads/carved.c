// carved.c: shared memory that a kernel cuts into tiles: where the next one begins is said with the size of another one.
//
//     float *keys = shared, *values = keys + BR * dim;        keys + BC * dim
#include "edits.h"

enum { SIZE = 6 };  // a rank

static bool is_size(const variable *v) {
    return v && v->is_global && v->is_const && v->type.base == BASE_INT && !v->type.pointers;
}

static bool names(const edits *e, const function *f, const char *name) {
    for (int i = f->body; i < f->end; i++)
        if (is(&e->u, i, name)) return true;
    return false;
}

// Is it what a pointer begins with?
static bool leads(const edits *e, int place) {
    for (int i = 0; i < e->n_variables; i++)
        if (e->variables[i].value == e->places[place].first && e->variables[i].type.pointers == 1) return true;
    return false;
}

void edits_change_carved(edits *e, int place, expression *x) {
    const function *f = &e->functions[e->statements[e->places[place].statement].function];
    const token *t = &e->u.tokens[x->first];
    const expression *sum = x->parent;
    if (!f->device || e->places[place].kind != P_VALUE || x->kind != E_NAME || !is_operator(e, x->parent, "*") ||
        !is_size(edits_visible(e, t->at, t->length, x->first)))
        return;
    while (sum && (is_operator(e, sum, "*") || sum->kind == E_PAREN)) sum = sum->parent;
    if (!is_operator(e, sum, "+") || !leads(e, place)) return;
    for (int i = 0; i < e->n_variables; i++) {
        const variable *v = &e->variables[i];
        if (is_size(v) && !is(&e->u, x->first, v->name) && edits_sees(e, v, x->first) && names(e, f, v->name))
            edits_replace(e, place, SIZE, "room", x->first, x->end, "%s", v->name);
    }
}
