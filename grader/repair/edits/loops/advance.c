// advance.c: a pointer or a position that a loop reads in each round, and that nobody moves on.
//
//     for (l = 0; l < k; l++) sum += a[l] * *b;     b += n; at the end of each round
//     for (i = 0; i < n; i++) out[place] = x;       place++;
#include "edits.h"

#include <string.h>

enum { STILL = 4, ROW = 24, FAR = 8 };  // ranks: always the same number, the same row; more for an outer loop

static bool changes(const edits *e, const variable *v, int first, int end) {
    const unit *u = &e->u;
    for (int i = first; i < end; i++)
        if (is(u, i, v->name) && edits_sees(e, v, i) && !is(u, i - 1, ".") && !is(u, i - 1, "->") &&
            (edits_assigns(u, i + 1) || adjacent(u, i + 1, "++") || adjacent(u, i + 1, "--") ||
             adjacent(u, i - 2, "++") || adjacent(u, i - 2, "--") || (is(u, i - 1, "&") && !is(u, i - 2, "&"))))
            return true;
    return false;
}

static bool reads(const edits *e, const variable *v, int first, int end) {
    for (int i = first; i < end; i++)
        if (is(&e->u, i, v->name) && edits_sees(e, v, i) && !is(&e->u, i - 1, ".") && !is(&e->u, i - 1, "->"))
            return true;
    return false;
}

// Does the round's number say where v is read: v[i * D], v + i, v[at] with an `at` of this round?
static bool is_of_round(const edits *e, int loop, int i) {
    const token *t = &e->u.tokens[i];
    const statement *st = &e->statements[loop];
    const variable *w = t->kind == TOKEN_NAME ? edits_visible(e, t->at, t->length, i) : NULL;
    if (!w) return false;
    if (w->is_loop) return w->declared < e->u.tokens[st->first + 1].match && w->declared > st->first;
    return (w->declared > st->first && w->declared < st->end) || changes(e, w, st->first, st->end);
}

static bool follows(const edits *e, const variable *v, int loop) {
    const unit *u = &e->u;
    const statement *st = &e->statements[loop];
    for (int i = st->first; i < st->end; i++) {
        if (!is(u, i, v->name) || !edits_sees(e, v, i)) continue;
        int end = is(u, i + 1, "[") ? u->tokens[i + 1].match : i + 1;
        while (!is(u, i + 1, "[") && is(u, i + 1, "+") && end < st->end && !is(u, end, ",") && !is(u, end, ";") &&
               !is(u, end, "]") && !is(u, end, ")"))
            end = skip_group(u, end);
        for (int k = i + 1; k < end; k++)
            if (is_of_round(e, loop, k)) return true;
    }
    return false;
}

// long k = 0; float *p = O; which nothing changes, neither here nor in a round.
static bool stays(const edits *e, const variable *v) {
    if (v->is_const || v->is_global || v->is_loop || v->is_enumerator || v->declared < 0 || v->from > v->to)
        return false;
    if (v->type.pointers ? v->type.pointers != 1 : v->type.base != BASE_INT || v->is_parameter) return false;
    if (!v->type.pointers && !(v->value_end == v->value + 1 && is(&e->u, v->value, "0"))) return false;
    return !changes(e, v, v->declared + 1, v->to);
}

// *v or v[0], and never v[i].
static bool is_one_number(const edits *e, const variable *v) {
    const unit *u = &e->u;
    int n = 0;
    for (int i = v->declared + 1; i < v->to; i++) {
        if (!is(u, i, v->name) || !edits_sees(e, v, i)) continue;
        const bool one = is(u, i + 1, "[") ? u->tokens[i + 2].kind == TOKEN_NUMBER : is(u, i - 1, "*");
        if (!one) return false;
        n++;
    }
    return n > 0;
}

// A parameter may be one row for all rounds. Where the loop moves another pointer on, its rows are walked along.
static bool another_walks(const edits *e, const variable *v, int loop) {
    const statement *st = &e->statements[loop];
    for (int i = 0; i < e->n_variables; i++) {
        const variable *w = &e->variables[i];
        if (w != v && w->type.pointers == 1 && w->declared >= 0 && w->declared < st->first &&
            edits_sees(e, w, st->first) && changes(e, w, st->first, st->end))
            return true;
    }
    return false;
}

static void move_on(edits *e, const variable *v, int loop, int rank) {
    const statement *st = &e->statements[loop];
    const int body = st->body;
    if (body < 0 || e->statements[body].kind != S_BLOCK || !edits_wanted(e, loop)) return;
    const int end = e->statements[body].end - 1;
    edits_insert(e, body, true, rank, "moved on", format(&e->u, "%s++;", v->name));
    for (int i = 0; i < e->n_variables; i++) {
        const variable *n = &e->variables[i];
        if (n != v && n->type.base == BASE_INT && !n->type.pointers && !n->is_loop && !n->is_enumerator &&
            edits_sees(e, n, end - 1) && !changes(e, n, n->declared + 1, n->to))
            edits_insert(e, body, true, rank, "moved on", format(&e->u, "%s += %s;", v->name, n->name));
    }
    for (int i = 0; i < e->n_ingredients; i++) {
        const ingredient *g = &e->ingredients[i];
        if (g->kind == I_ATOM && g->type.base == BASE_INT && !g->type.pointers && g->end > g->first + 1 &&
            e->u.tokens[g->first].kind == TOKEN_NAME && !is(&e->u, g->first, "threadIdx") &&
            edits_usable(e, g, end - 1))
            edits_insert(e, body, true, rank + 2, "moved on", format(&e->u, "%s += %s;", v->name, g->text));
    }
}

void edits_change_advance(edits *e) {
    for (int i = 0; i < e->n_variables; i++) {
        const variable *v = &e->variables[i];
        if (!stays(e, v)) continue;
        int rank = v->type.pointers && !is_one_number(e, v) ? ROW : STILL;
        for (int s = e->n_statements - 1; s >= 0; s--) {  // the inner ones first
            const statement *st = &e->statements[s];
            if (st->kind != S_LOOP || st->first < v->declared || !edits_sees(e, v, st->first) ||
                !reads(e, v, st->first, st->end) || follows(e, v, s) ||
                (rank >= ROW && v->is_parameter && !another_walks(e, v, s)))
                continue;
            move_on(e, v, s, rank);
            if (rank < ROW + 2 * FAR) rank += FAR;
        }
    }
}
