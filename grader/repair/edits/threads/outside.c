// outside.c: what is taken where a matrix ends is 0, which adds nothing to a sum: not 1, which changes no product.
//
//     float x = 1.0f; if (r < rows) x = M[r * n + c];      float x = 0.0f;
//     r < rows ? M[r * n + c] : 1.0f                       r < rows ? M[r * n + c] : 0.0f
//     if (r >= rows) return 1.0f; return M[r * n + c];     return 0.0f;
#include "edits.h"

#include <stdlib.h>

enum { OUTSIDE = 3 };  // rank

static bool has_element(const edits *e, int first, int end) {
    for (int i = first; i < end; i++)
        if (is(&e->u, i, "[")) return true;
    return false;
}

static int end_of_statement(const edits *e, int i) {
    while (i + 1 < e->u.token_count && !is(&e->u, i, ";")) i++;
    return i;
}

// It begins with this number, and all that it is set to later is an element.
static bool is_replaced(const edits *e, const expression *x) {
    const variable *v = NULL;
    for (int i = 0; i < e->n_variables && !v; i++)
        if (e->variables[i].value == x->first && e->variables[i].value_end == x->end) v = &e->variables[i];
    if (!v || v->type.pointers || v->is_const || v->is_global || edits_is_maximum(e, v)) return false;
    bool replaced = false;
    for (int i = v->value_end; i < v->to && i + 1 < e->u.token_count; i++) {
        if (!is(&e->u, i, v->name) || !edits_assigns(&e->u, i + 1)) continue;
        if (!is(&e->u, i + 1, "=") || !has_element(e, i + 2, end_of_statement(e, i))) return false;
        replaced = true;
    }
    return replaced;
}

static bool is_other_arm(const edits *e, const expression *x) {
    const expression *up = x->parent;
    if (!up || up->kind != E_TERNARY || up->a == x) return false;
    const expression *other = up->b == x ? up->c : up->b;
    return has_element(e, other->first, other->end);
}

// A function that returns an element elsewhere.
static bool is_returned_outside(const edits *e, int place, const expression *x) {
    const statement *s = &e->statements[e->places[place].statement];
    const function *f = &e->functions[s->function];
    if (s->kind != S_RETURN || x->parent) return false;
    for (int i = f->body; i < f->end; i++)
        if (is(&e->u, i, "return") && has_element(e, i + 1, end_of_statement(e, i))) return true;
    return false;
}

void edits_change_outside(edits *e, int place, const expression *x) {
    if (x->kind != E_NUMBER || x->end != x->first + 1 || edits_type_of(e, x).base != BASE_FLOAT ||
        strtod(e->u.tokens[x->first].at, NULL) == 0)
        return;
    if (is_replaced(e, x) || is_other_arm(e, x) || is_returned_outside(e, place, x))
        edits_replace(e, place, OUTSIDE, "outside", x->first, x->end, "0.0f");
}
