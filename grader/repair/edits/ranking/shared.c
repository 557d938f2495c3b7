// shared.c: does a change alter what many parts of the file work with: a size that many lines read, or a helper that
// several places call? With tiles as large as the sequence many a mistake does not show, and stands as before.
#include "edits.h"

#include <string.h>

enum { CALLS = 3, CALLS_OF_LEAST = 2, READS = 2 };

int edits_statement_of(const edits *e, const change *c) {
    return c->place >= 0 ? e->places[c->place].statement : c->insert >= 0 ? c->insert : c->remove;
}

// Which sizes are refused: what such a function says is no number.
bool edits_answers(const edits *e, const function *f) {
    for (int i = statement_start(&e->u, f->open); i < f->open; i++)
        if (is(&e->u, i, "bool") || is(&e->u, i, "_Bool")) return true;
    for (int i = f->body; i < f->end; i++)
        if (is(&e->u, i, "return"))
            for (int k = i; k < f->end && !is(&e->u, k, ";"); k++)
                if (adjacent(&e->u, k, "&&") || adjacent(&e->u, k, "||")) return true;
    return false;
}

// return n < most ? n : most;
static bool gives_least(const edits *e, const function *f) {
    const unit *u = &e->u;
    for (int i = f->body; i + 9 < f->end; i++)
        if (is(u, i, "return") && (is(u, i + 2, "<") || is(u, i + 2, ">")) && is(u, i + 4, "?") && is(u, i + 6, ":") &&
            is(u, i + 8, ";"))
            return true;
    return false;
}

// How many keys a query sees is the mask, and no size: that function asks whether it is causal.
static bool makes_mask(const edits *e, const function *f) {
    for (int i = f->body; i < f->end; i++)
        if (is(&e->u, i, "causal")) return true;
    return false;
}

// A small function that gives a whole number: min, or how many tiles there are.
static bool in_helper(const edits *e, const change *c) {
    const function *f = &e->functions[e->statements[edits_statement_of(e, c)].function];
    const int n = (int)strlen(f->name);
    int calls = 0;
    if (f->result.base != BASE_INT || f->result.pointers || edits_answers(e, f) || makes_mask(e, f)) return false;
    for (int i = 0; i + 1 < e->u.token_count; i++)
        calls += (i < f->open - 1 || i >= f->end) && e->u.tokens[i].length == n &&
                 !memcmp(e->u.tokens[i].at, f->name, (size_t)n) && is(&e->u, i + 1, "(");
    return calls >= (gives_least(e, f) ? CALLS_OF_LEAST : CALLS);
}

// if (tile > n) tile = n; with the change in its condition: does it set this number?
static bool sets_under_condition(const edits *e, const statement *st, const variable *v, const change *c) {
    if (st->kind != S_IF || e->places[c->place].kind != P_CONDITION) return false;
    for (int i = e->places[c->place].end; i + 1 < st->end; i++)
        if (is(&e->u, i, v->name) && is(&e->u, i + 1, "=") && !is(&e->u, i + 2, "=") && edits_sees(e, v, i))
            return true;
    return false;
}

// tile = least(tile, n); in which the change is.
static bool sets_here(const edits *e, const variable *v, const change *c) {
    const expression *x = e->places[c->place].tree;
    return e->places[c->place].kind == P_STATEMENT && x && x->kind == E_ASSIGN && x->a->kind == E_NAME &&
           c->first >= x->b->first && is(&e->u, x->a->first, v->name) && edits_sees(e, v, x->a->first);
}

// Sq = shape.seq_kv, where Sk is that, too: one of both is another side of the shape, and no other tile.
static bool is_twice_a_side(const edits *e, const variable *v, const change *c) {
    const unit *u = &e->u;
    const int field = v->value_end - 1;
    if (v->value_end - v->value != 3 || !edits_listed(c->old_shown, "batch,heads,seq_q,seq_kv,head_dim") ||
        !edits_listed(c->new_shown, "batch,heads,seq_q,seq_kv,head_dim") || !is(u, field, c->old_shown))
        return false;
    for (int i = 0; i < e->n_variables; i++) {
        const variable *o = &e->variables[i];
        if (o->value != v->value && o->value_end - o->value == 3 && o->from >= v->from && o->from < v->to &&
            is(u, o->value_end - 1, c->old_shown))
            return true;
    }
    return false;
}

// int failed = 1; ... if (failed) continue; is a flag, and no size.
static bool is_flag(const edits *e, int number) {
    const unit *u = &e->u;
    const variable *v = &e->variables[number];
    if (v->value_end - v->value != 1 || !(is(u, v->value, "0") || is(u, v->value, "1"))) return false;
    for (const int *at = e->stands ? e->stands[number] : NULL; at && *at >= 0; at++)
        if (is(u, *at - 1, "!") || (is(u, *at - 1, "(") && is(u, *at + 1, ")")) || is(u, *at + 1, "?")) return true;
    return false;
}

// A whole number that a function of the host sets once and for all; in a kernel it is more often an index.
static bool in_size(const edits *e, const change *c) {
    const int s = edits_statement_of(e, c);
    if (!edits_top(e, s) || e->functions[e->statements[s].function].device) return false;
    const statement *st = &e->statements[s];
    for (int i = 0; i < e->n_variables; i++) {
        const variable *v = &e->variables[i];
        int reads = 0;
        if (v->is_loop || v->type.base != BASE_INT || v->type.pointers || is_flag(e, i)) continue;
        const bool begins = c->at >= v->value && c->at < v->value_end;
        if (!begins && !sets_here(e, v, c) && !sets_under_condition(e, st, v, c)) continue;
        if (begins && is_twice_a_side(e, v, c)) return false;
        const int behind = begins ? v->value_end : st->end;
        for (const int *at = e->stands ? e->stands[i] : NULL; at && *at >= 0; at++) reads += *at >= behind;
        if (reads >= READS) return true;
    }
    return false;
}

static bool in_loop(const edits *e, int s) {
    for (s = e->statements[s].parent; s >= 0; s = e->statements[s].parent)
        if (e->statements[s].kind == S_LOOP) return true;
    return false;
}

// if (tile > n) tile = n; loses its `tile = n;`, or it comes to stand elsewhere.
static bool moves_size(const edits *e, const change *c) {
    const unit *u = &e->u;
    const statement *st = c->remove >= 0 ? &e->statements[c->remove] : NULL;
    if (!st || in_loop(e, c->remove) || e->functions[st->function].device || !is_name(u, st->first) ||
        !is(u, st->first + 1, "=") || is(u, st->first + 2, "="))
        return false;
    for (int i = 0; i < e->n_variables; i++) {
        const variable *v = &e->variables[i];
        int reads = 0;
        if (v->is_loop || v->type.base != BASE_INT || v->type.pointers || !is(u, st->first, v->name) ||
            !edits_sees(e, v, st->first))
            continue;
        for (const int *at = e->stands ? e->stands[i] : NULL; at && *at >= 0; at++) reads += *at >= st->end;
        if (reads >= READS) return true;
    }
    return false;
}

// layout(int D) : quads(D / 4), pitch(D / 4 + 1) {}: a field of all that are made there.
static bool begins_field(const edits *e, const change *c) {
    const unit *u = &e->u;
    int open = c->place >= 0 ? e->places[c->place].first - 1 : -1;
    if (open < 2 || !is(u, open, "(") || !is_name(u, open - 1) || !(is(u, open - 2, ":") || is(u, open - 2, ",")))
        return false;
    int end = u->tokens[open].match + 1;
    while (is(u, end, ",") && is_name(u, end + 1) && is(u, end + 2, "(")) end = u->tokens[end + 2].match + 1;
    return is(u, end, "{");
}

bool edits_shared(const edits *e, const change *c) {
    if (!strcmp(c->kind, "unread")) return false;  // it reads what its function is given, and is no other tile
    return c->of_size || begins_field(e, c) || in_helper(e, c) || (c->place >= 0 && in_size(e, c)) ||
           moves_size(e, c) || edits_hands_tile(e, c);
}

static bool ends_with(const char *text, const char *field) {
    const size_t n = strlen(text), m = strlen(field);
    return n >= m && !strcmp(text + n - m, field);
}

// br = t.Br ? t.Br : 64 becomes t.Br ? t.Bc : 64: another tile than was asked for hides what is wrong elsewhere.
bool edits_takes_other_tile(const edits *e, const change *c) {
    static const char *const sides[] = {"Br", "Bc"};
    for (int k = 0; k < 2 && c->place >= 0; k++) {
        int reads = 0;
        if (!ends_with(c->old_shown, sides[k]) || !ends_with(c->new_shown, sides[!k])) continue;
        for (int i = e->places[c->place].first; i < e->places[c->place].end; i++) reads += is(&e->u, i, sides[k]);
        if (reads > 1) return true;
    }
    return false;
}
