// cleared.c: a function of the file adds to what it is handed; who calls it sets that to 0 before.
//
//     static void axpy(float *y, ...) { y[i] += ... }      for (j < n; j++) axpy(o, w[j], v, dim);
//     before the loop is missing: for (int i = 0; i < dim; i++) o[i] = 0;
#include "edits.h"

#include <string.h>

enum { MOST_SIZES = 8, CLEAR = 14, FURTHER = 20, PRODUCT = 4 };  // ranks

static bool names(const edits *e, int i, const variable *v) { return is(&e->u, i, v->name) && !is(&e->u, i - 1, "."); }

// Its elements are added to, y[...] += or *y++ +=, and never set.
static bool only_adds(const edits *e, const function *f, const variable *v) {
    bool adds = false, sets = false;
    for (int p = 0; p < e->n_places; p++) {
        const expression *x = e->places[p].tree;
        if (!x || x->first <= f->body || x->end > f->end || x->kind != E_ASSIGN || x->a->kind == E_NAME) continue;
        bool its = false;
        for (int i = x->a->first; i < x->a->end && !is(&e->u, i, "["); i++) its |= names(e, i, v);
        if (!its) continue;
        adds |= adjacent(&e->u, x->op, "+=");
        sets |= x->op_end == x->op + 1;
    }
    for (int i = f->body; i < f->end; i++)
        sets |= is(&e->u, i, "memset") && is(&e->u, i + 1, "(") && names(e, i + 2, v);
    return adds && !sets;
}

// Which parameter of the function it adds to: 0, 1, ...; -1: none.
static int added_to(const edits *e, const function *f) {
    int n = 0;
    for (int i = 0; i < e->n_variables; i++) {
        const variable *v = &e->variables[i];
        if (!v->is_parameter || v->from != f->body) continue;
        if (v->type.base == BASE_FLOAT && v->type.pointers == 1 && !v->type.constant && only_adds(e, f, v)) return n;
        n++;
    }
    return -1;
}

static bool counted_in(const edits *e, const statement *loop, const expression *x) {
    for (int i = 0; i < e->n_variables; i++) {
        const variable *v = &e->variables[i];
        if (!v->is_loop || v->declared < loop->first || v->declared >= loop->end) continue;
        for (int k = x->first; k < x->end; k++)
            if (names(e, k, v)) return true;
    }
    return false;
}

static void clear(edits *e, int s, int rank, const expression *what, const char *count) {
    const char *text = edits_text(e, what->first, what->end);
    edits_insert(e, s, false, rank, "statement",
                 format(&e->u, "for (int i = 0; i < %s; i++) %s[i] = 0;", count,
                        what->kind == E_NAME ? text : format(&e->u, "(%s)", text)));
}

void edits_change_cleared(edits *e, int place, expression *x) {
    const expression *size[MOST_SIZES], *what = x->arguments;
    int n = 0, at = -1, s = e->places[place].statement;
    if (e->places[place].kind != P_STATEMENT || x->parent || x->kind != E_CALL || x->a->kind != E_NAME) return;
    for (int f = 0; f < e->n_functions && at < 0; f++)
        if (is(&e->u, x->first, e->functions[f].name)) at = added_to(e, &e->functions[f]);
    for (int i = 0; i < at && what; i++) what = what->next;
    if (at < 0 || !what) return;
    for (const expression *a = x->arguments; a && n < MOST_SIZES; a = a->next) {
        const value_type type = edits_type_of(e, a);
        if (type.base == BASE_INT && !type.pointers && (a->kind == E_NAME || a->kind == E_MEMBER)) size[n++] = a;
    }
    for (int rank = CLEAR; s >= 0; s = e->statements[s].parent) {
        const statement *st = &e->statements[s];
        const ingredient its = {.first = what->first, .end = what->end};
        if (st->kind == S_LOOP && counted_in(e, st, what)) return;
        if (!st->listed || !edits_usable(e, &its, st->first)) continue;
        for (int i = 0; i < n; i++) {
            const char *a = edits_text(e, size[i]->first, size[i]->end);
            clear(e, s, rank, what, a);
            for (int k = 0; k < i; k++)
                clear(e, s, rank + PRODUCT, what,
                      format(&e->u, "%s * %s", edits_text(e, size[k]->first, size[k]->end), a));
        }
        rank = FURTHER;
    }
}
