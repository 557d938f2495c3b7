// habits.c: what a student multiplies by, adds, divides by and walks by elsewhere is what is missing here. In one
// large function any name fits anywhere; those that stand in the same role elsewhere are few.
#include "habits.h"

#include <string.h>

enum { MOST = 96 };

static habit habits[ROLES][MOST];
static int n_habits[ROLES];
static bool collected;

static bool is_whole(edits *e, const expression *x) {
    const value_type t = edits_type_of(e, x);
    return t.base == BASE_INT && !t.pointers;
}

static void note(edits *e, role r, const expression *x, int function) {
    const char *text = edits_text(e, x->first, x->end);
    for (int i = 0; i < n_habits[r]; i++)
        if (!strcmp(habits[r][i].what.text, text) && habits[r][i].what.function == function) {
            habits[r][i].n++;
            return;
        }
    if (n_habits[r] == MOST || x->end - x->first > 8) return;
    habits[r][n_habits[r]++] =
        (habit){{.first = x->first, .end = x->end, .function = function, .type = edits_type_of(e, x), .text = text}, 1};
}

static void collect(edits *e, expression *x, int function) {
    static const char *const least[] = {"min", "MIN", "min_int", NULL};
    if (!x) return;
    const expression *p = x->parent;
    const bool atom = x->kind == E_NAME || x->kind == E_MEMBER || x->kind == E_INDEX;
    if (is_operator(e, p, "+-") && atom && is_whole(e, x))
        note(e, is_operator(e, p, "-") && p->b == x ? LESS : AS_SUMMAND, x, function);
    if (is_operator(e, p, "*") && (atom || x->kind == E_PAREN || x->kind == E_NUMBER) && is_whole(e, x))
        note(e, AS_FACTOR, x, function);
    if (is_operator(e, p, "/%") && p->b == x && atom && is_whole(e, x)) note(e, AS_DIVISOR, x, function);
    if (p && p->kind == E_ASSIGN && p->b == x && adjacent(&e->u, p->op, "+=") && is_whole(e, x))
        note(e, AS_STEP, x, function);
    const bool bound = p && p->kind == E_BINARY && p->b == x && *edits_operator_text(&e->u, p->op) == '<';
    const bool limit = p && p->kind == E_CALL && p->a != x && is_any(&e->u, p->first, least);
    if ((bound || limit) && atom && is_whole(e, x)) note(e, AS_BOUND, x, function);
    const bool steps = p && p->kind == E_ASSIGN && p->a == x && adjacent(&e->u, p->op, "+=");
    if (steps && x->kind == E_NAME && is_whole(e, x) && p->b->kind != E_NUMBER) note(e, AS_START, x, function);
    if (x->kind == E_CALL && x->c && x->c->next) note(e, AS_STEP, x->c->next, function);  // <<<grid, block>>>
    collect(e, x->a, function), collect(e, x->b, function);
    for (expression *c = x->c; c; c = c->next) collect(e, c, function);
    for (expression *c = x->arguments; c; c = c->next) collect(e, c, function);
}

static void collect_all(edits *e) {
    collected = true;
    for (int p = 0; p < e->n_places; p++) collect(e, e->places[p].tree, e->statements[e->places[p].statement].function);
}

bool edits_contains(const edits *e, const expression *x, const ingredient *g) {
    const int n = g->end - g->first;
    for (int i = x->first; i + n <= x->end; i++) {
        bool same = true;
        for (int k = 0; k < n && same; k++) {
            const token *a = &e->u.tokens[i + k], *b = &e->u.tokens[g->first + k];
            same = a->length == b->length && !memcmp(a->at, b->at, (size_t)a->length);
        }
        if (same) return true;
    }
    return false;
}

const habit *edits_habits(role r, int *n) {
    *n = n_habits[r];
    return habits[r];
}

// min(size, n), where a larger size would be a larger tile: with one tile many a mistake does not show.
static bool is_limited(edits *e, const expression *x) {
    const expression *p = x->parent;
    while (p && p->kind == E_PAREN) p = p->parent;
    const ingredient its = {.first = x->first, .end = x->end};
    if (p && p->kind == E_TERNARY && edits_contains(e, p->a, &its)) return true;  // n > 0 ? n : 32
    const char *name = p && p->kind == E_CALL && p->a != x ? edits_text(e, p->first, p->first + 1) : "";
    return strstr(name, "min") || strstr(name, "MIN");
}

// i < i + n is no question.
static bool compared_with(const edits *e, const expression *x, const ingredient *g) {
    const expression *p = x->parent;
    if (!p || p->kind != E_BINARY || is_operator(e, p, "+-*/%")) return false;
    return edits_contains(e, p->a == x ? p->b : p->a, g);
}

// Of this function, and usable at x, which does not have it.
bool edits_habit_fits(const edits *e, int place, const expression *x, const habit *h) {
    return h->what.function == e->statements[e->places[place].statement].function && !edits_contains(e, x, &h->what) &&
           !compared_with(e, x, &h->what) && edits_usable(e, &h->what, x->first);
}

static bool is_set(const expression *x) {
    const expression *p = x->parent;
    return p &&
           ((p->kind == E_ASSIGN && p->a == x) || p->kind == E_POSTFIX || p->kind == E_UNARY || p->kind == E_MEMBER);
}

// Does the if set what it asks?
static bool is_cut_off(edits *e, int place, const expression *x) {
    const statement *st = &e->statements[e->places[place].statement];
    const char *name = edits_text(e, x->first, x->first + 1);
    for (int i = e->places[place].end; i + 1 < st->end; i++)
        if (is(&e->u, i, name) && is(&e->u, i + 1, "=")) return true;
    return false;
}

void edits_change_habits(edits *e, int place, expression *x) {
    if (!collected) collect_all(e);
    const expression *p = x->parent;
    const bool called = p && p->kind == E_CALL && p->a == x;
    if (called || is_set(x) || x->kind == E_ASSIGN || x->kind == E_COMMA || x->kind == E_OPAQUE) return;
    const bool boolean = x->kind == E_BINARY && !is_operator(e, x, "+-*/%");
    if (!is_whole(e, x) || boolean || e->places[place].tree == NULL) return;
    if (!p && e->places[place].kind != P_VALUE && e->statements[e->places[place].statement].kind != S_RETURN) return;
    const bool asks = e->statements[e->places[place].statement].kind == S_IF;  // if (size > n) size = n
    if (!is_limited(e, x) && !(asks && is_cut_off(e, place, x))) edits_change_summands(e, place, x);
    if (!is_limited(e, x) && !asks) edits_change_factors(e, place, x);
    edits_change_limits(e, place, x);
    if (x->kind == E_NAME || x->kind == E_MEMBER) edits_change_padded(e, place, x);
    if (is_operator(e, p, "/%") && p->b == x && x->kind == E_NAME) edits_change_role(e, place, x, AS_DIVISOR);
    if (p && p->kind == E_ASSIGN && p->b == x && adjacent(&e->u, p->op, "+=")) edits_change_role(e, place, x, AS_STEP);
}
