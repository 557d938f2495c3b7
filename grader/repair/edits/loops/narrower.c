// narrower.c: a loop that goes on only while a whole tile fits: the last one, which is narrower, is left out.
//
//     for (at = 0; at + size <= end; at += size)     at < end; the same for at + size < end, at < end - size, at <= end - size
//     for (; at <= end; at += 4)                     at + 4 <= end: what is left is the business of another loop
#include "edits.h"

#include <string.h>

enum { NARROWER = 7, WHOLE = 10 };  // ranks

// at + size or end - size, where the loop goes on by size, a number with a name: of at, or end, the expression. NULL: it
// is neither. Loops that do four at a time have a number there, and another loop behind them for the rest.
static const expression *without_step(const edits *e, const expression *x, const char *sign, const expression *step) {
    const int n = step->b->end - step->b->first;
    if (!is_operator(e, x, sign) || x->b->end - x->b->first != n || step->b->kind == E_NUMBER) return NULL;
    return edits_same(&e->u, x->b->first, step->b->first, n) ? x->a : NULL;
}

// The last part of the loop whose condition stands there, if that is at += size, of a name or a field; NULL: it is another.
static const expression *step_of(const edits *e, int place) {
    const expression *step = NULL;
    for (int p = place + 1; p < e->n_places && e->places[p].statement == e->places[place].statement; p++)
        if (e->places[p].kind == P_VOID) step = e->places[p].tree;
    if (!step || step->kind != E_ASSIGN || !adjacent(&e->u, step->op, "+=")) return NULL;
    return step->a->kind == E_NAME || step->a->kind == E_MEMBER ? step : NULL;
}

static bool is_bound(const edits *e, int place, const expression *x) {
    const struct place *p = &e->places[place];
    if (p->kind != P_CONDITION || e->statements[p->statement].kind != S_LOOP || x->kind != E_BINARY) return false;
    const char *op = edits_operator_text(&e->u, x->op);
    return !strcmp(op, "<") || !strcmp(op, "<=");
}

void edits_change_narrower(edits *e, int place, const expression *x) {
    const expression *step = is_bound(e, place, x) ? step_of(e, place) : NULL;
    if (!step) return;
    const int length = step->a->end - step->a->first;
    const bool bare = x->a->end - x->a->first == length && edits_same(&e->u, x->a->first, step->a->first, length);
    const bool number = step->b->kind == E_NUMBER && !is(&e->u, step->b->first, "1");
    if (bare && (number || !strcmp(edits_operator_text(&e->u, x->op), "<=")))
        edits_replace(e, place, WHOLE, "bound", x->first, x->end, "%s + %s <= %s", edits_text_of(e, x->a),
                      edits_text_of(e, step->b), edits_text_of(e, x->b));
    const expression *at = without_step(e, x->a, "+", step), *end = without_step(e, x->b, "-", step);
    if (!at == !end) return;
    if (!at) at = x->a;
    if (!end) end = x->b;
    if (at->end == at->first + length && edits_same(&e->u, at->first, step->a->first, length))
        edits_replace(e, place, NARROWER, "bound", x->first, x->end, "%s < %s", edits_text_of(e, at),
                      edits_text_of(e, end));
}

// at - size <= end in place of at + size <= end: the last tile is done, and an empty one behind it.
bool edits_runs_past(const edits *e, const change *c) {
    if (c->place < 0 || c->end != c->first + 1 || e->places[c->place].kind != P_CONDITION) return false;
    const bool turned =
        is(&e->u, c->first, "+") ? !strcmp(c->new_shown, "-") : is(&e->u, c->first, "-") && !strcmp(c->new_shown, "+");
    const expression *step = turned ? step_of(e, c->place) : NULL;
    const int n = step ? step->b->end - step->b->first : 0;
    return n && e->statements[e->places[c->place].statement].kind == S_LOOP &&
           edits_same(&e->u, c->first + 1, step->b->first, n);
}
