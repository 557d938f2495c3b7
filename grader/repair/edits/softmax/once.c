// once.c: what was summed is brought to the new maximum once, before the loop that adds to it, and not in each round.
//
//     for (c = 0; c < n; c++) for (d ...) o[d] = o[d] * fade + p[c] * v[d];        (c == 0 ? fade : 1.0f)
//     for (from = 0; ...) for (r ...) { begin(&row[r], ...); feed(&row[r], from); }  if (from == 0) begin(...)
//     for (from = 0; ...) { for (r ...) m[r] = -INFINITY;  for (r ...) feed(...); }  if (from == 0) m[r] = -INFINITY
#include "edits.h"

#include <string.h>

enum { ONCE = 4, FIRST = 9, OUTER = 3 };  // ranks: of a factor, of a statement; more for each loop further out

static bool names_within(const edits *e, int first, int end, int token) {
    for (int i = first; i < end; i++)
        if (e->u.tokens[i].kind == TOKEN_NAME && edits_same(&e->u, i, token, 1)) return true;
    return false;
}

static bool names(const edits *e, const expression *x, int token) { return names_within(e, x->first, x->end, token); }

static bool is_set_within(const edits *e, const expression *x, const statement *loop) {
    for (int i = x->first; i < x->end; i++) {
        const token *t = &e->u.tokens[i];
        const variable *v = t->kind == TOKEN_NAME ? edits_visible(e, t->at, t->length, i) : NULL;
        if (v && v->declared >= loop->first) return true;
    }
    return false;
}

// for (int c = START; ...): the token of its counter; 0: it has none, or begins with more than one token.
static int counter_of(const edits *e, const statement *loop) {
    const unit *u = &e->u;
    if (loop->kind != S_LOOP || !is(u, loop->first, "for")) return 0;
    for (int i = loop->first + 2; i < loop->end && !is(u, i, ";"); i++)
        if (is(u, i, "=")) return is_name(u, i - 1) && is(u, i + 2, ";") ? i - 1 : 0;
    return 0;
}

static void in_first_round(edits *e, int place, const expression *a, const expression *factor) {
    for (int s = e->statements[e->places[place].statement].parent; s >= 0; s = e->statements[s].parent) {
        const int c = counter_of(e, &e->statements[s]);
        if (!c || names(e, a, c) || names(e, factor, c) || is_set_within(e, factor, &e->statements[s])) continue;
        edits_replace(e, place, ONCE, "once", factor->first, factor->end, "(%s == %s ? %s : 1.0f)",
                      edits_text(e, c, c + 1), edits_text(e, c + 2, c + 3), edits_text(e, factor->first, factor->end));
    }
}

void edits_change_once(edits *e, int place, expression *x) {
    if (x->kind != E_ASSIGN || !edits_is_real(edits_type_of(e, x->a))) return;
    if (adjacent(&e->u, x->op, "*=")) in_first_round(e, place, x->a, x->b);
    if (x->op_end != x->op + 1 || !is_operator(e, x->b, "+")) return;
    const expression *const terms[] = {x->b->a, x->b->b};
    for (int i = 0; i < 2; i++) {
        if (!is_operator(e, terms[i], "*")) continue;
        const expression *const sides[] = {terms[i]->a, terms[i]->b};
        for (int k = 0; k < 2; k++)
            if (!strcmp(edits_text(e, sides[k]->first, sides[k]->end), edits_text(e, x->a->first, x->a->end)))
                in_first_round(e, place, x->a, sides[1 - k]);
    }
}

// Does it name what the loop's counter is a part of: `key` of `const int key = from + c`?
static bool follows_counter(const edits *e, const expression *x, const statement *loop, int counter) {
    if (names(e, x, counter)) return true;
    for (int i = 0; i < e->n_variables; i++) {
        const variable *v = &e->variables[i];
        if (v->declared <= counter || v->declared >= loop->end || v->value_end <= v->value) continue;
        if (names_within(e, v->value, v->value_end, counter) && edits_named(e, v, x->first, x->end)) return true;
    }
    return false;
}

// m[r] = -INFINITY; st[r] = (state){-INFINITY, 0.0f}: what is set is no number of the function.
static bool sets_constant(const edits *e, const expression *x) {
    if (x->kind != E_ASSIGN || x->op_end != x->op + 1 || x->a->kind != E_INDEX) return false;
    for (int i = x->b->first; i < x->b->end; i++) {
        const token *t = &e->u.tokens[i];
        if (t->kind == TOKEN_NAME && edits_visible(e, t->at, t->length, i)) return false;
    }
    return true;
}

static bool is_older(const edits *e, int name, const statement *loop) {
    const token *t = &e->u.tokens[name];
    const variable *v = t->kind == TOKEN_NAME ? edits_visible(e, t->at, t->length, name) : NULL;
    return v && v->declared < loop->first;
}

// begin(&row[r], ...), which is given something and says nothing of the tile in whose loop it stands; of the rows of an
// array each one.
void edits_change_begun_once(edits *e, int place, expression *x) {
    const struct place *p = &e->places[place];
    const int inner = e->statements[p->statement].parent;
    const bool sets = sets_constant(e, x);
    if (p->kind != P_STATEMENT || p->tree != x || (x->kind != E_CALL && !sets) ||
        e->statements[p->statement].kind != S_EXPRESSION || is(&e->u, x->first + 2, ")"))
        return;
    int loops = 0, rows = 0;
    for (int s = inner; s >= 0; s = e->statements[s].parent) {
        const statement *loop = &e->statements[s];
        const int c = counter_of(e, loop);
        const bool follows = c && follows_counter(e, x, loop, c);
        rows += follows;
        if (!c || follows || (sets && (!rows || !is_older(e, x->first, loop)))) continue;
        edits_replace(e, place, FIRST + OUTER * loops++, "first round", p->first, p->end, "if (%s == %s) %s",
                      edits_text(e, c, c + 1), edits_text(e, c + 2, c + 3), edits_text(e, p->first, p->end));
    }
}
