// zeroed.c: an element that a loop adds to, and that nothing sets before the loop, begins with 0.
//
//     for (d = 0; d < D; d++) *score += q[d] * k[d];        before it: *score = 0.0f;
//     for (k = 0; k < n; k++) y[i * m + j] += a[k] * b[k];  before it: y[i * m + j] = 0.0f;
#include "edits.h"

enum { ZEROED = 3 };  // a rank

static bool names(const edits *e, const expression *x, const char *name) {
    for (int i = x->first; i < x->end; i++)
        if (is(&e->u, i, name) && !is(&e->u, i - 1, ".") && !is(&e->u, i - 1, "->")) return true;
    return false;
}

// Does the element move on with the loop, or is it found anew in each round? Where nobody sees a counter it may.
static bool moves_with(const edits *e, int loop, const expression *x) {
    const statement *st = &e->statements[loop];
    bool counted = false;
    for (int i = 0; i < e->n_variables; i++) {
        const variable *v = &e->variables[i];
        if (v->declared < st->first || v->declared >= st->end || v->owner) continue;
        counted |= v->is_loop && st->body >= 0 && v->declared < e->statements[st->body].first;
        if (names(e, x, v->name)) return true;
    }
    return !counted;
}

// `x = ...` before the loop, in the same function, or where what it points to is declared.
static bool is_set_before(const edits *e, int loop, const expression *x) {
    const statement *st = &e->statements[loop];
    for (int p = 0; p < e->n_places; p++) {
        const expression *y = e->places[p].tree;
        if (y && y->kind == E_ASSIGN && y->op_end == y->op + 1 && is(&e->u, y->op, "=") && y->end <= st->first &&
            e->statements[e->places[p].statement].function == st->function &&
            y->a->end - y->a->first == x->end - x->first && edits_same(&e->u, y->a->first, x->first, x->end - x->first))
            return true;
    }
    return false;
}

void edits_change_zeroed(edits *e, int place, const expression *x) {
    if (x->parent || x->kind != E_ASSIGN || !adjacent(&e->u, x->op, "+=") || !edits_is_real(edits_type_of(e, x->a)))
        return;
    if (x->a->kind != E_INDEX && !(x->a->kind == E_UNARY && is(&e->u, x->a->first, "*"))) return;
    int loop = e->statements[e->places[place].statement].parent, outer = -1;
    for (; loop >= 0; loop = e->statements[loop].parent) {
        if (e->statements[loop].kind != S_LOOP) continue;
        if (moves_with(e, loop, x->a)) break;
        outer = loop;
    }
    if (outer < 0 || !e->statements[outer].listed || e->statements[outer].fixed || !edits_wanted(e, outer) ||
        is_set_before(e, outer, x->a))
        return;
    edits_insert(e, outer, false, ZEROED, "zeroed", format(&e->u, "%s = 0.0f;", edits_text_of(e, x->a)));
}
