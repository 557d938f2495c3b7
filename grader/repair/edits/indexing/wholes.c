// wholes.c: a part of a number that the line above makes, where all of it is meant.
//
//     const int dim = e * STEP + lane;   e * STEP < D ? q[dim] : 0       dim < D ? q[dim] : 0
#include "edits.h"

#include <string.h>

enum { ASKED = 3, READ = 12, LONGEST = 16 };  // ranks: in a comparison, elsewhere; tokens

static bool is_part_of(const edits *e, const variable *v, const expression *x) {
    const unit *u = &e->u;
    const int n = x->end - x->first, first = v->value, last = v->value_end - n;
    if (v->value < 1 || v->value_end - v->value > LONGEST || last - first < 2) return false;
    return (edits_same(u, x->first, first, n) && is(u, first + n, "+")) ||
           (edits_same(u, x->first, last, n) && is(u, last - 1, "+"));
}

static bool is_compared(const edits *e, const expression *x) {
    const char *op = x->parent && x->parent->kind == E_BINARY ? edits_operator_text(&e->u, x->parent->op) : "";
    return !strcmp(op, "<") || !strcmp(op, "<=") || !strcmp(op, ">") || !strcmp(op, ">=");
}

void edits_change_wholes(edits *e, int place, const expression *x) {
    if (!is_operator(e, x, "*") || !edits_is_whole(edits_type_of(e, x))) return;
    for (int i = 0; i < e->n_variables; i++) {
        const variable *v = &e->variables[i];
        if (edits_is_whole(v->type) && edits_sees(e, v, x->first) && v->value_end <= x->first && is_part_of(e, v, x))
            edits_replace(e, place, is_compared(e, x) ? ASKED : READ, "whole", x->first, x->end, "%s", v->name);
    }
}
