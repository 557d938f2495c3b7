// first_alone.c: what is subtracted before exp is raised in the first round alone, or where a flag says so: it is the largest
// of all so far.
//
//     if (j0 == 0) for (c ...) m = fmaxf(m, s[c]);            without the if
//     m = j0 == 0 ? tile : old;                               m = fmaxf(old, tile);
//     if (j0 > 0) m = old;                                    m = fmaxf(m, old);
#include "edits.h"

#include <string.h>

enum { RAISED = 2, NEAR = 10 };  // a rank; so many tokens from exp to the minus

// expf(s[c] - m): is what stands in n tokens from `first` on subtracted before an exponential?
static bool is_subtracted(const edits *e, const function *f, int first, int n) {
    const unit *u = &e->u;
    for (int i = f->body; i + n < f->end; i++) {
        if (!is(u, i, "-") || !edits_same(u, first, i + 1, n)) continue;
        for (int k = i - 1; k > f->body && k > i - NEAR && !is(u, k, ";"); k--)
            if (is_name(u, k) && is(u, k + 1, "(") && strstr(edits_text((edits *)e, k, k + 1), "exp")) return true;
    }
    return false;
}

// j0 == 0, !begun, l > 0, first: it asks for no other score.
static bool asks_for_round(const edits *e, const expression *x) {
    x = edits_bare(x);
    if (x->kind == E_UNARY) return is(&e->u, x->op, "!");
    if (x->kind == E_NAME || x->kind == E_MEMBER) return true;
    if (x->kind != E_BINARY) return false;
    return adjacent(&e->u, x->op, "==") || adjacent(&e->u, x->op, "!=") ||
           (is_operator(e, x, "<>") && x->b->kind == E_NUMBER);
}

static bool is_constant(const edits *e, const expression *x) {
    for (int i = x->first; i < x->end; i++)
        if (is(&e->u, i, "INFINITY") || is(&e->u, i, "FLT_MAX")) return true;
    return edits_bare(x)->kind == E_NUMBER;
}

static bool is_same(edits *e, const expression *a, const expression *b) {
    return !strcmp(edits_text_of(e, a), edits_text_of(e, b));
}

// m = C ? a : b, float m = C ? a : b
static void one_of_two(edits *e, int place, const expression *x, const function *f) {
    const struct place *p = &e->places[place];
    const expression *up = x->parent, *asked = edits_bare(x->a);
    int first = 0, n = 0;
    if (up && up->kind == E_ASSIGN && up->b == x && up->op_end == up->op + 1)
        first = up->a->first, n = up->a->end - up->a->first;
    for (int i = 0; !up && p->kind == P_VALUE && i < e->n_variables; i++)
        if (e->variables[i].value == x->first) first = e->variables[i].declared, n = 1;
    if (!n || !asks_for_round(e, x->a) || is_constant(e, x->b) || is_constant(e, x->c)) return;
    if (!edits_is_real(edits_type_of(e, x->b)) || !edits_is_real(edits_type_of(e, x->c))) return;
    if (asked->kind == E_BINARY && (is_same(e, asked->a, x->b) || is_same(e, asked->a, x->c))) return;
    if (is_subtracted(e, f, first, n))
        edits_replace(e, place, RAISED, "raised", x->first, x->end, "fmaxf(%s, %s)", edits_text_of(e, x->c),
                      edits_text_of(e, x->b));
}

// m = fmaxf(m, s), of any function that is called a maximum
static bool raises(edits *e, const expression *x) {
    const expression *call = edits_bare(x->b);
    bool itself = false;
    if (call->kind != E_CALL || !strstr(edits_text(e, call->first, call->a->end), "max")) return false;
    for (const expression *a = call->arguments; a; a = a->next) itself |= is_same(e, a, x->a);
    return itself;
}

// if (C) m = fmaxf(m, s), or m = a: all that it does, in whatever loops.
static void all_that_is_done(edits *e, int place, const expression *x, const function *f) {
    const int s = e->places[place].statement;
    const statement *st = &e->statements[s];
    const expression *only = NULL;
    int at = -1;
    if (st->kind != S_IF || is(&e->u, st->end, "else") || !asks_for_round(e, x)) return;
    for (int p = place + 1; p < e->n_places; p++) {
        const expression *sets = e->places[p].tree;
        const statement *within = &e->statements[e->places[p].statement];
        if (within->first < st->first || within->end > st->end || e->places[p].kind != P_STATEMENT) continue;
        if (only || !sets || sets->kind != E_ASSIGN || sets->op_end != sets->op + 1) return;
        only = sets, at = p;
    }
    if (!only || !edits_is_real(edits_type_of(e, only->a)) || is_constant(e, only->b)) return;
    if (!is_subtracted(e, f, only->a->first, only->a->end - only->a->first)) return;
    if (raises(e, only)) {
        edits_replace(e, place, RAISED, "always", x->first, x->end, "1");
        return;
    }
    const replacement asked = {place, x->first, x->end, "1"},
                      set = {at, only->b->first, only->b->end,
                             format(&e->u, "fmaxf(%s, %s)", edits_text_of(e, only->a), edits_text_of(e, only->b))};
    edits_replace_two(e, RAISED, "raised", &asked, &set);
}

void edits_change_first_alone(edits *e, int place, const expression *x) {
    const struct place *p = &e->places[place];
    const function *f = &e->functions[e->statements[p->statement].function];
    if (x->kind == E_TERNARY) one_of_two(e, place, x, f);
    if (!x->parent && p->kind == P_CONDITION) all_that_is_done(e, place, x, f);
}
