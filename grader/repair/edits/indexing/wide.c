// wide.c: who widens a number multiplies it: what is computed in size_t, and has no factor, lacks one. And where the
// number of a row is multiplied by its length, a column is meant.
//
//     src[(size_t)(first + r) + d]              src[(size_t)(first + r) * D + d]
//     const size_t head = size_t(blockIdx.x);   size_t(blockIdx.x) * rows
//     L[(size_t)row * parts]                    L[(size_t)row * parts + part]
#include <string.h>

#include "expressions/habits.h"

enum { USUAL = 5, OTHER = 9 };  // ranks: by what the function multiplies elsewhere, by another number
enum { COLUMN = 4, PART = 8 };  // of a loop around, of a thread or a block

static bool is_wide(edits *e, const expression *x) {
    static const char *const types[] = {"size_t", "long", "ptrdiff_t", "int64_t", "uint64_t", NULL};
    const bool call = x->kind == E_CALL && x->arguments && !x->arguments->next;
    if (x->kind != E_CAST && !call) return false;
    for (int i = x->first; i < (call ? x->op : x->op_end); i++)
        if (is_any(&e->u, i, types)) return true;
    return false;
}

static bool has(const edits *e, const expression *x, const char *name) {
    for (int i = x->first; i < x->end; i++)
        if (is(&e->u, i, name)) return true;
    return false;
}

// A subscript, by how much a pointer moves on, or what a function is given of a block.
static bool is_place(edits *e, const expression *x) {
    const expression *p = x->parent;
    if (!p || p->kind == E_INDEX) return p && p->b == x;
    if (p->kind == E_ASSIGN) return p->b == x && adjacent(&e->u, p->op, "+=") && edits_type_of(e, p->a).pointers;
    return p->kind == E_CALL && p->a != x && is(&e->u, x->first, "blockIdx");
}

// The whole of it, row * length.
static void column(edits *e, int place, const expression *x) {
    for (int i = 0; i < e->n_variables; i++) {
        const variable *v = &e->variables[i];
        if (!edits_is_whole(v->type) || v->is_global || v->is_parameter || v->declared < 0 ||
            !edits_sees(e, v, x->first) || has(e, x, v->name))
            continue;
        if (v->is_loop || edits_is_of_block(e, v))
            edits_replace(e, place, v->is_loop ? COLUMN : PART, "column", x->first, x->end, "%s + %s",
                          edits_text_of(e, x), v->name);
    }
}

void edits_change_wide(edits *e, int place, const expression *x) {
    int n;
    if (is_operator(e, x, "*") && is_place(e, x)) column(e, place, x);
    if (!is_wide(e, x) || is_operator(e, x->parent, "*/%")) return;
    const char *text = edits_text_of(e, x);
    const habit *by = edits_habits(AS_FACTOR, &n);
    for (int i = 0; i < n; i++)
        if (by[i].what.end - by[i].what.first <= 3 && edits_usable(e, &by[i].what, x->first))
            edits_replace(e, place, USUAL, "wide", x->first, x->end, "%s * %s", text, by[i].what.text);
    for (int i = 0; i < e->n_variables; i++) {
        const variable *v = &e->variables[i];
        if (edits_is_whole(v->type) && v->is_parameter && edits_sees(e, v, x->first))
            edits_replace(e, place, OTHER, "wide", x->first, x->end, "%s * %s", text, v->name);
    }
}
