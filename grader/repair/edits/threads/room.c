// room.c: dynamic shared memory has room for all that lies in it: two tiles where one is counted, floats where bytes are.
//
//     const int bytes = BC * D * (int)sizeof(float);      2 * BC
//     kernel<<<blocks, threads, 2 * T * T>>>              2 * T * T * sizeof(float)
#include "edits.h"

#include <string.h>

enum { TWICE = 9, BYTES = 8 };  // ranks

// Between <<< and >>>?
static bool is_of_launch(const edits *e, int argument) {
    for (int i = argument - 1; i > 2 && !is(&e->u, i, ";") && !is(&e->u, i, "("); i--) {
        if (launch_open(&e->u, i)) return true;
        if (is(&e->u, i, ")")) i = e->u.tokens[i].match;
    }
    return false;
}

// The third argument of a launch, or the first value of what is named there.
static bool is_room(const edits *e, const expression *x) {
    const expression *root = x;
    while (root->parent && root->parent->kind != E_CALL) root = root->parent;
    const expression *grid = root->parent ? root->parent->c : NULL, *threads = grid ? grid->next : NULL;
    if (root->parent) return threads && threads->next == root;
    for (int i = 0; i < e->n_variables; i++) {
        const variable *v = &e->variables[i];
        if (v->value != root->first || v->value_end != root->end || v->type.base != BASE_INT || v->type.pointers)
            continue;
        for (int k = v->value_end; k < v->to && k + 1 < e->u.token_count; k++)
            if (is(&e->u, k, v->name) && is(&e->u, k - 1, ",") && (is(&e->u, k + 1, ",") || is(&e->u, k + 1, ">")) &&
                edits_sees(e, v, k) && is_of_launch(e, k))
                return true;
    }
    return false;
}

static bool has_size(const edits *e, const expression *x) {
    for (int i = x->first; i < x->end; i++)
        if (is(&e->u, i, "sizeof")) return true;
    return false;
}

void edits_change_room(edits *e, int place, expression *x) {
    const bool field = x->parent && x->parent->kind == E_MEMBER;
    const bool name = (x->kind == E_NAME && !field) || x->kind == E_MEMBER, whole = is_operator(e, x, "*+-");
    const bool root = !x->parent || (x->parent->kind == E_CALL && x->parent->a != x);
    if (!(name || whole) || !is_room(e, x)) return;
    const value_type t = edits_type_of(e, x);
    if (name && !root && t.base != BASE_FLOAT && !t.pointers && !is(&e->u, x->first - 1, "*"))
        edits_replace(e, place, TWICE, "room", x->first, x->end, "2 * %s", edits_text(e, x->first, x->end));
    if (whole && root && !has_size(e, x))
        edits_replace(e, place, BYTES, "room", x->first, x->end,
                      is_operator(e, x, "*") ? "%s * sizeof(float)" : "(%s) * sizeof(float)",
                      edits_text(e, x->first, x->end));
}
