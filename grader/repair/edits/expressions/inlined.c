// inlined.c: a condition of another line, with a name in it written out: where it belongs, the name is not known.
//
//     const int row = tile * SIZE + i; if (row >= n) break;      ... elsewhere: for (i = 0; i < SIZE; i++) out[...] = ...
//                                                                i < SIZE && tile * SIZE + i < n
#include "edits.h"

#include <string.h>

enum { LOOP = 30, IF = 34, LONGEST = 12 };  // ranks; tokens of what is written out

typedef struct {
    const char *inside, *outside;  // the condition that lets go on, and its contrary
} limit;

// v OP w, where v is a number of its own that is computed once. Both ways of asking; NULL: it is none.
static limit written_out(edits *e, const ingredient *g, int token) {
    const unit *u = &e->u;
    static const char *const signs[][2] = {{"<", ">="}, {"<=", ">"}, {">", "<="}, {">=", "<"}};
    const limit none = {NULL, NULL};
    const variable *v = edits_visible(e, u->tokens[g->first].at, u->tokens[g->first].length, g->first);
    const int n = g->end - g->first > 1 ? edits_operator(u, g->first + 1) : 0, rest = g->first + 1 + n;
    if (!v || v->value < 0 || v->is_loop || v->is_global || !n || rest >= g->end || v->value_end - v->value > LONGEST ||
        v->value_end - v->value < 3)
        return none;
    const ingredient made = {.first = v->value, .end = v->value_end}, bound = {.first = rest, .end = g->end};
    if (!edits_usable(e, &made, token) || !edits_usable(e, &bound, token)) return none;
    for (int i = rest; i < g->end; i++)
        if (is(u, i, "&") || is(u, i, "|") || is(u, i, "?")) return none;
    const char *op = edits_operator_text(u, g->first + 1), *left = edits_text(e, v->value, v->value_end);
    const char *right = edits_text(e, rest, g->end);
    for (int k = 0; k < 4; k++)
        if (!strcmp(op, signs[k][0])) {
            const char *as_is = format(&e->u, "%s %s %s", left, signs[k][0], right);
            const char *other = format(&e->u, "%s %s %s", left, signs[k][1], right);
            return *op == '<' ? (limit){as_is, other} : (limit){other, as_is};
        }
    return none;
}

// Of a loop's own counter: what an inner loop has nothing to do with is no end of it.
static bool names_counter(const edits *e, const ingredient *g, const statement *loop) {
    const unit *u = &e->u;
    const variable *v = edits_visible(e, u->tokens[g->first].at, u->tokens[g->first].length, g->first);
    for (int k = 0; k < e->n_variables; k++) {
        const variable *c = &e->variables[k];
        if (!c->is_loop || c->declared < loop->first || c->declared >= loop->end) continue;
        const int body = loop->body >= 0 ? e->statements[loop->body].first : loop->end;
        for (int i = v->value; c->declared < body && i < v->value_end; i++)
            if (is(u, i, c->name)) return true;
    }
    return false;
}

void edits_change_inlined(edits *e, int place, expression *x) {
    const struct place *p = &e->places[place];
    const statement *st = &e->statements[p->statement];
    if (x->parent || p->kind != P_CONDITION || (st->kind != S_LOOP && st->kind != S_IF)) return;
    const char *text = edits_text(e, x->first, x->end);
    const bool or = strstr(text, "||") || strchr(text, '?');
    for (int i = 0; i < e->n_ingredients; i++) {
        const ingredient *g = &e->ingredients[i];
        const limit l = g->kind == I_CONDITION ? written_out(e, g, x->first) : (limit){NULL, NULL};
        if (!l.inside || (st->kind == S_LOOP && !names_counter(e, g, st))) continue;
        edits_replace(e, place, st->kind == S_LOOP ? LOOP : IF, "inlined", x->first, x->end,
                      or ? "(%s) && %s" : "%s && %s", text, l.inside);
        if (st->kind == S_IF) edits_replace(e, place, IF + 2, "inlined", x->first, x->end, "%s || %s", text, l.outside);
    }
}
