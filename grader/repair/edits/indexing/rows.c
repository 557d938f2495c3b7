// rows.c: which row of how many, and how long a row is: what is added where it should be multiplied, a count of batches
// without their heads, and a loop that goes to its step in place of by it.
//
//     first = blockIdx.y + BR                  blockIdx.y * BR
//     part = bh + s                            bh * n + s
//     query = int(row)                         int(row % queries), where row is the number of a block's
//     for (bh = 0; bh < c.batch; bh++)         bh < c.batch * c.heads
//     for (c = t; c < n; c = THREADS)          c += THREADS
#include <string.h>

#include "expressions/habits.h"

enum { TIMES = 6, LENGTH = 6, SCALED = 8, HEADS = 5, STEP = 1 };  // ranks

// The number of a block or a thread, a part of one, or of a loop's round.
static bool is_index(const edits *e, const expression *x) {
    const token *t = &e->u.tokens[x->first];
    if (is(&e->u, x->first, "blockIdx") || is(&e->u, x->first, "threadIdx")) return x->kind == E_MEMBER;
    const variable *v = x->kind == E_NAME ? edits_visible(e, t->at, t->length, x->first) : NULL;
    if (!v || !edits_is_whole(v->type) || v->is_global) return false;
    for (int i = v->value; i < v->value_end && !v->is_loop; i++) {
        const token *its = &e->u.tokens[i];
        const variable *w = its->kind == TOKEN_NAME ? edits_visible(e, its->at, its->length, v->value) : NULL;
        if (w && w->is_loop) return true;
    }
    return v->is_loop || edits_is_of_block(e, v);
}

static bool is_size(edits *e, const expression *x) {
    return (x->kind == E_NAME || x->kind == E_MEMBER) && edits_is_whole(edits_type_of(e, x)) && !is_index(e, x);
}

// A factor by its name, which nobody changes.
static bool is_scale(const edits *e, const expression *x) {
    const token *t = &e->u.tokens[x->first];
    const variable *v = x->kind == E_NAME ? edits_visible(e, t->at, t->length, x->first) : NULL;
    return v && edits_is_real(v->type) && !v->type.pointers && (strstr(v->name, "scal") || strstr(v->name, "inv"));
}

static void multiply(edits *e, int place, const expression *x, int rank) {
    edits_replace(e, place, rank, "operator", x->op, x->op_end, "*");
}

// bh + s: bh * n + s, for each size that is known there.
static void with_length(edits *e, int place, const expression *x) {
    const char *index = edits_text_of(e, x->a), *rest = edits_text(e, x->op, x->end);
    for (int i = 0; i < e->n_variables; i++) {
        const variable *v = &e->variables[i];
        const bool own = !v->is_global && !v->is_loop && v->owner == NULL;
        const expression name = {.kind = E_NAME, .first = v->declared, .end = v->declared + 1};
        if (own && v->declared >= 0 && edits_is_whole(v->type) && edits_sees(e, v, x->first) &&
            (v->is_parameter || !is_index(e, &name)) && strcmp(v->name, index))
            edits_replace(e, place, LENGTH, "factor", x->first, x->end, "%s * %s %s", index, v->name, rest);
    }
}

// What is begun with the number of a block or a thread, of all heads: its place among those of one.
static void within_one(edits *e, int place, const expression *x) {
    const expression *p = x->parent;
    while (p && (p->kind == E_PAREN || p->kind == E_CAST || (p->kind == E_CALL && is(&e->u, p->first, "int"))))
        p = p->parent;
    if (p || e->places[place].kind != P_VALUE || x->kind != E_NAME || !is_index(e, x)) return;
    for (int i = 0; i < e->n_variables; i++) {
        const variable *v = &e->variables[i];
        if (v->is_parameter && v->type.base == BASE_INT && !v->type.pointers && edits_sees(e, v, x->first))
            edits_replace(e, place, LENGTH, "quotient", x->first, x->end, "%s %% %s", edits_text_of(e, x), v->name);
    }
}

void edits_change_rows(edits *e, int place, const expression *x) {
    const unit *u = &e->u;
    if (e->cuda) within_one(e, place, x);
    if (is_operator(e, x, "+") && is_index(e, x->a) && is_size(e, x->b)) multiply(e, place, x, TIMES);
    if (is_operator(e, x, "+") && is_scale(e, x->b)) multiply(e, place, x, SCALED);
    const bool sum = is_operator(e, x, "+") && is_index(e, x->a) && !is_operator(e, x->parent, "*/%");
    if (sum && (is_index(e, x->b) || x->b->kind == E_CALL)) with_length(e, place, x);
    if (x->kind == E_MEMBER && is(u, x->end - 1, "batch") && !is_operator(e, x->parent, "*/%")) {
        const char *of = edits_text(e, x->first, x->end - 1);
        edits_replace(e, place, HEADS, "factor", x->first, x->end, "%sbatch * %sheads", of, of);
    }
    const bool loop = e->statements[e->places[place].statement].kind == S_LOOP && e->places[place].kind == P_VOID;
    if (loop && x->kind == E_ASSIGN && x->op_end == x->op + 1 && x->b->kind != E_ASSIGN && !edits_begins_loop(u, x))
        edits_replace(e, place, STEP, "assignment", x->op, x->op_end, "+=");
}
