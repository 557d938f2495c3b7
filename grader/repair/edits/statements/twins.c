// twins.c: a statement that stands twice, and one that does less than its neighbour; the loop around a condition.
//
//     m = fmaxf(m, s); f = expf(m_old - m); ... m_old = m;    twice: one of them goes
//     l = fa * l + fb * b.l;   o = fa * o + b.o;              o = fa * o + fb * b.o
//     for (base < j1) { if (j < n)                            if (j < j1)
//     for (h = 0; h < step; h += step)                        for (h = 0; h < H; h += step)
//     __shfl_sync(mask, p, lane)                              __shfl_sync(mask, p, k)
#include "edits.h"

#include <string.h>

enum { TWICE = 2, FACTOR = 5, AROUND = 12, BOUND = 8, LANE = 8 };  // ranks

static int function_of(const edits *e, int place) { return e->statements[e->places[place].statement].function; }

static bool is_plain(const edits *e, int place) {
    const expression *x = e->places[place].tree;
    return e->places[place].kind == P_STATEMENT && x && x->kind == E_ASSIGN && x->op_end == x->op + 1;
}

// a = b; in two places of a function: the first comes too early, or the second too late.
static void stands_twice(edits *e, int a) {
    for (int b = a + 1; b < e->n_places; b++) {
        const expression *x = e->places[a].tree, *y = e->places[b].tree;
        const statement *s = &e->statements[e->places[a].statement], *t = &e->statements[e->places[b].statement];
        if (!is_plain(e, b) || s->function != t->function || !s->listed || !t->listed || s->parent != t->parent ||
            strcmp(edits_text_of(e, x), edits_text_of(e, y)))
            continue;
        edits_remove(e, e->places[a].statement, TWICE, "twin");
        edits_remove(e, e->places[b].statement, TWICE, "twin");
    }
}

static void multiply(edits *e, int place, const expression *x, const char *factor) {
    edits_replace(e, place, FACTOR, "twin", x->first, x->end, "%s * %s", factor, edits_text_of(e, x));
}

// The names by which the summands of x are multiplied.
static void each_factor(edits *e, const expression *x, int place, const expression *to) {
    if (is_operator(e, x, "+")) each_factor(e, x->a, place, to), each_factor(e, x->b, place, to);
    if (!is_operator(e, x, "*")) return;
    for (int i = 0; i < 2; i++) {
        const expression *f = i ? x->b : x->a;
        const ingredient its = {.first = f->first, .end = f->end};
        if (f->kind == E_NAME && edits_is_real(edits_type_of(e, f)) && edits_usable(e, &its, to->first) &&
            !edits_contains(e, to, &its))
            multiply(e, place, to, edits_text_of(e, f));
    }
}

// The summands that nothing multiplies.
static void each_summand(edits *e, const expression *x, int place, const expression *of) {
    if (is_operator(e, x, "+"))
        each_summand(e, x->a, place, of), each_summand(e, x->b, place, of);
    else if ((x->kind == E_NAME || x->kind == E_MEMBER || x->kind == E_INDEX) && edits_is_real(edits_type_of(e, x)))
        each_factor(e, of, place, x);
}

static void does_less(edits *e, int a, int b) {
    const expression *x = e->places[a].tree, *y = e->places[b].tree;
    if (edits_is_real(edits_type_of(e, x->a)) && edits_is_real(edits_type_of(e, y->a))) each_summand(e, y->b, b, x->b);
}

void edits_change_twins(edits *e) {
    for (int a = 0; a < e->n_places; a++) {
        if (!is_plain(e, a) || !edits_wanted(e, e->places[a].statement)) continue;
        stands_twice(e, a);
        for (int b = 0, near = 0; b < e->n_places; b++)
            if (b != a && is_plain(e, b) && function_of(e, a) == function_of(e, b) && near < 64 &&
                e->places[a].first - e->places[b].end < 60 && e->places[b].first - e->places[a].end < 60)
                near++, does_less(e, a, b);
    }
}

// ---- What a condition compares with ---------------------------------------------------------------------------------

static bool compares(const edits *e, const expression *x) {
    const char *op = x->kind == E_BINARY ? edits_operator_text(&e->u, x->op) : "";
    return *op == '<' && (!op[1] || op[1] == '=');
}

// Where the loops around it end, of what is a whole number as they are.
static void ends_of_loops(edits *e, int place, const expression *x) {
    if (edits_type_of(e, x->a).base == BASE_FLOAT || edits_type_of(e, x->b).base == BASE_FLOAT) return;
    for (int s = e->statements[e->places[place].statement].parent; s >= 0; s = e->statements[s].parent)
        for (int p = 0; p < e->n_places && e->statements[s].kind == S_LOOP; p++) {
            const expression *of = e->places[p].statement == s ? e->places[p].tree : NULL;
            if (of && compares(e, of) && (of->b->kind == E_NAME || of->b->kind == E_MEMBER))
                edits_replace(e, place, AROUND, "twin", x->b->first, x->b->end, "%s", edits_text_of(e, of->b));
        }
}

// h < step; h += step: it goes round once.
static void ends_with_step(edits *e, int place, const expression *x) {
    const struct place *p = &e->places[place];
    const statement *st = &e->statements[p->statement];
    if (st->kind != S_LOOP || p->kind != P_CONDITION) return;
    bool step = false;
    for (int q = 0; q < e->n_places; q++) {
        const expression *y = e->places[q].statement == p->statement ? e->places[q].tree : NULL;
        step |= y && y->kind == E_ASSIGN && adjacent(&e->u, y->op, "+=") &&
                !strcmp(edits_text_of(e, y->b), edits_text_of(e, x->b));
    }
    for (int i = 0; i < e->n_variables && step; i++) {
        const variable *v = &e->variables[i];
        if (v->type.base == BASE_INT && !v->type.pointers && !v->is_global && !v->is_loop && edits_sees(e, v, x->first))
            edits_replace(e, place, BOUND, "twin", x->b->first, x->b->end, "%s", v->name);
    }
}

// Whose number is asked for: the lane of the round.
static void lane_of_round(edits *e, int place, const expression *x) {
    const expression *of = x->arguments && x->arguments->next ? x->arguments->next->next : NULL;
    if (!of || !is(&e->u, x->first, "__shfl_sync")) return;
    for (int i = 0; i < e->n_variables; i++)
        if (e->variables[i].is_loop && edits_sees(e, &e->variables[i], of->first))
            edits_replace(e, place, LANE, "twin", of->first, of->end, "%s", e->variables[i].name);
    edits_replace(e, place, LANE + 4, "twin", of->first, of->end, "0");
}

void edits_change_bounds(edits *e, int place, expression *x) {
    if (compares(e, x)) ends_of_loops(e, place, x), ends_with_step(e, place, x);
    if (x->kind == E_CALL) lane_of_round(e, place, x);
}
