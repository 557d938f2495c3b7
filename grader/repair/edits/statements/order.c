// order.c: a statement that stands too early, too late, or in the wrong loop, and what it sets and reads says so.
//
//     m = top; fix = expf(m - top);                 fix is to be had from the m of before: the two change places
//     nk = n - t.j0; t.j0 = j0;     the t.j0 of the round before: the two change places
//     memset(S, 0, n); for (tile ...) { S += }      what is added to in each round is cleared in each
//     for (d) { dot += ...; dot /= root; }          nothing in it counts with d: behind the loop
//     for (tile ...) { begin(&w); add(&w, tile); }      what begin clears is cleared once: before the loop
//     for (i) { ...; if (causal) seen++; }          a round begins with it, and does not end with it
//     while (j0 < n) { ...; j0 += BC; load(K, j0); add(V, j0); }      add is of this round: before j0 moves on
//     while (left > 0) { load(K, left); left -= BC; load(V, left); ... }      left moves on at the end of the round
//     for (c) { l += p[c]; p[c] /= l; }             l is complete behind the loop: in a loop of its own there
#include "edits.h"

#include <string.h>

enum {
    OVERTAKEN = 10,
    STALE = 4,
    UNSET = 12,
    RESET = 10,
    NEXT_LOOP = 14,
    CONSTANT = 12,
    COMPLETE = 8,
    ROUND = 14,
    LATE_ROUND = 22,
    ADVANCED = 3,
    LONG = 80
};  // ranks, and tokens

static bool names_one(const edits *e, int token, int first, int end) {
    for (int i = first; i < end; i++)
        if (e->u.tokens[i].kind == TOKEN_NAME && edits_same(&e->u, i, token, 1) && !is(&e->u, i - 1, ".")) return true;
    return false;
}

// The name that an expression sets: of O[i * D + d], *l and w.m[i] the first one.
static int set_name(const edits *e, const expression *x) {
    if (!x || x->kind != E_ASSIGN) return -1;
    for (int i = x->a->first; i < x->a->end; i++)
        if (e->u.tokens[i].kind == TOKEN_NAME) return i;
    return -1;
}

// Does `reader` read what `setter` sets? added: only what it adds to.
static bool reads_what(edits *e, int reader, int setter, bool added) {
    const statement *r = &e->statements[reader], *w = &e->statements[setter];
    for (int p = 0; p < e->n_places; p++) {
        const place *at = &e->places[p];
        const int name = at->first >= w->first && at->end <= w->end ? set_name(e, at->tree) : -1;
        const bool number = name >= 0 && edits_type_of(e, at->tree->a).base == BASE_FLOAT;  // and no status
        if (!number || (added && !adjacent(&e->u, at->tree->op, "+="))) continue;
        const int own = name;
        for (int i = r->first; i < r->end; i++)
            if (i != own && e->u.tokens[i].kind == TOKEN_NAME && edits_same(&e->u, i, own, 1)) return true;
    }
    return false;
}

// nk = n - t.j0; t.j0 = j0; a whole number that is read, and then set without a look at what it was.
static bool reads_before(edits *e, int reader, int setter) {
    const statement *r = &e->statements[reader], *w = &e->statements[setter];
    const expression *x = NULL;
    for (int p = 0; p < e->n_places; p++)
        if (e->places[p].statement == setter && e->places[p].kind == P_STATEMENT) x = e->places[p].tree;
    if (!x || x->kind != E_ASSIGN || x->op_end != x->op + 1 || r->kind != S_EXPRESSION || w->kind != S_EXPRESSION)
        return false;
    const value_type t = edits_type_of(e, x->a);
    const int n = x->a->end - x->a->first;
    if ((t.base != BASE_INT && !t.pointers) || n > 3) return false;
    for (int i = x->b->first; i + n <= x->b->end; i++)
        if (edits_same(&e->u, i, x->a->first, n)) return false;  // it goes on from what it was
    bool reads = false, assigned = false;
    for (int i = r->first; i + n <= r->end; i++) {
        reads |= assigned && edits_same(&e->u, i, x->a->first, n);
        assigned |= is(&e->u, i, "=") || is(&e->u, i, "(");
    }
    return reads;
}

// Behind s: before the next one, or at the end of the block. text: as what; NULL: as it is.
static void put_behind(edits *e, int moved, int s, int rank, const char *text) {
    const int next = edits_next(e, s), before = next >= 0 ? next : e->statements[s].parent;
    const statement *st = &e->statements[s];
    if (next < 0 && (!st->listed || st->end != st->block_end || before < 0 || e->statements[before].kind != S_BLOCK))
        return;
    if (text)
        edits_move_as(e, moved, before, next < 0, rank, "moved", text);
    else
        edits_move(e, moved, before, next < 0, rank, "moved");
}

// Two calls that get the same first: what the one makes, the other takes.
static bool work_on_one(const edits *e, int s, int next) {
    const expression *first[2] = {NULL, NULL};
    for (int p = 0; p < e->n_places; p++)
        for (int k = 0; k < 2; k++)
            if (e->places[p].statement == (k ? next : s) && e->places[p].kind == P_STATEMENT && e->places[p].tree &&
                e->places[p].tree->kind == E_CALL)
                first[k] = e->places[p].tree->arguments;
    if (!first[0] || !first[1] || first[0]->end - first[0]->first != first[1]->end - first[1]->first) return false;
    for (int i = 0; i < first[0]->end - first[0]->first; i++)
        if (!edits_same(&e->u, first[0]->first + i, first[1]->first + i, 1)) return false;
    return true;
}

// m = top, while the next one still reads m; or a sum over what the next one sets.
static void neighbours(edits *e, int s, int next) {
    const statement *st = &e->statements[s], *after = &e->statements[next];
    const bool plain = st->kind == S_EXPRESSION || st->kind == S_LOOP;
    if (!plain || st->end - st->first > LONG || after->end - after->first > LONG || after->kind == S_RETURN ||
        after->kind == S_JUMP)
        return;
    const bool overtaken = reads_what(e, next, s, false), unset = reads_what(e, s, next, false);
    if (overtaken && st->kind == S_EXPRESSION) put_behind(e, s, next, OVERTAKEN, NULL);
    const bool stale = reads_before(e, s, next);
    if ((overtaken || unset || stale || work_on_one(e, s, next)) && after->kind != S_DECLARATION)
        edits_move(e, next, s, false, stale ? STALE : UNSET, "moved");
}

static bool clears(const edits *e, const statement *st) {
    const unit *u = &e->u;
    const int first = st->kind == S_LOOP && is(u, st->first + 1, "(") ? u->tokens[st->first + 1].match : st->first;
    for (int i = first; i < st->end && st->end - st->first <= LONG; i++) {
        const bool value = is(u, i, "0") || is(u, i, "0.0f") || is(u, i, "0.f") || is(u, i, "0.0") ||
                           is(u, i, "INFINITY") || is(u, i, "FLT_MAX");
        const bool set = is(u, i - 1, "=") || is(u, i - 1, ",") || (is(u, i - 1, "-") && is(u, i - 2, "="));
        if (value && set && (is(u, i + 1, ";") || is(u, i + 1, ",") || is(u, i + 1, ")"))) return true;
    }
    return false;
}

// begin(&w, n): a function of the file that clears something.
static bool begins(const edits *e, const statement *st) {
    if (st->kind != S_EXPRESSION || !is(&e->u, st->first + 1, "(")) return false;
    for (int f = 0; f < e->n_functions; f++)
        for (int s = 0; s < e->n_statements && is(&e->u, st->first, e->functions[f].name); s++)
            if (e->statements[s].function == f && e->statements[s].kind == S_EXPRESSION && clears(e, &e->statements[s]))
                return true;
    return false;
}

static int first_in(const edits *e, int loop) {
    const int body = e->statements[loop].body;
    if (body < 0 || body >= e->n_statements) return -1;
    return e->statements[body].kind == S_BLOCK && body + 1 < e->n_statements ? body + 1 : body;
}

// Behind the declarations that a body begins with.
static int first_work(const edits *e, int s) {
    for (int next; s >= 0 && e->statements[s].kind == S_DECLARATION && (next = edits_next(e, s)) >= 0;) s = next;
    return s;
}

// What is cleared before a loop, and not in each of its rounds.
static void resets(edits *e, int s, int loop) {
    const statement *st = &e->statements[s];
    if ((!clears(e, st) && !begins(e, st)) || (st->kind != S_EXPRESSION && st->kind != S_LOOP)) return;
    for (int rank = RESET; loop >= 0 && e->statements[loop].kind == S_LOOP; rank = NEXT_LOOP) {
        const int first = first_in(e, loop), work = first_work(e, first);
        if (work < 0 || work >= e->n_statements) return;
        edits_move(e, s, work, false, rank, "moved");
        loop = work;
    }
}

// A loop `for (int c = ...; ...)`: its counter's token.
static int counter_of(const edits *e, int loop) {
    const statement *st = &e->statements[loop];
    const int close = is(&e->u, st->first, "for") ? e->u.tokens[st->first + 1].match : 0;
    for (int i = 0; i < e->n_variables && close; i++) {
        const variable *v = &e->variables[i];
        if (v->is_loop && v->declared > st->first && v->declared < close) return v->declared;
    }
    return -1;
}

// for (b) for (h) { ...; apply(Y, o); }: nothing in it counts with h, nor with b.
static void behind_nest(edits *e, int s, int loop) {
    const statement *st = &e->statements[s];
    while (!e->statements[loop].listed) {
        const int around = e->statements[loop].parent;
        if (around < 0 || e->statements[around].kind != S_LOOP || e->statements[around].body != loop) return;
        const int counter = counter_of(e, around);
        if (counter < 0 || names_one(e, counter, st->first, st->end)) return;
        loop = around;
    }
    if (st->kind == S_EXPRESSION) put_behind(e, s, loop, CONSTANT, NULL);
}

// The last statement of a loop's body.
static void last_in_loop(edits *e, int s, int loop) {
    const statement *st = &e->statements[s], *around = &e->statements[loop];
    const int counter = counter_of(e, loop), before = around->body + 1;
    if (counter >= 0 && !around->listed && before < s && !names_one(e, counter, st->first, st->end))
        behind_nest(e, s, loop);
    if (counter < 0 || st->kind != S_EXPRESSION || !around->listed || before >= s) return;
    if (!names_one(e, counter, st->first, st->end)) {
        put_behind(e, s, loop, CONSTANT, NULL);
        return;
    }
    bool complete = false;
    for (int k = before; k < s; k++) complete |= e->statements[k].kind != S_BLOCK && reads_what(e, s, k, true);
    const char *header = edits_text(e, around->first, e->u.tokens[around->first + 1].match + 1);
    if (complete) put_behind(e, s, loop, COMPLETE, format(&e->u, "%s %s", header, edits_text(e, st->first, st->end)));
}

// What a round ends with, and should begin with: if (causal) seen++; behind the walk over what is seen.
static void rounds(edits *e, int s, int loop) {
    const statement *st = &e->statements[s];
    if (e->statements[loop].body < 0 || st->end - st->first > LONG || st->kind == S_RETURN || st->kind == S_JUMP ||
        st->kind == S_DECLARATION)
        return;
    const int first = first_in(e, loop), work = first_work(e, first);
    if (first < 0 || first >= s) return;
    edits_move(e, s, first, false, st->kind == S_IF ? ROUND : LATE_ROUND, "moved");
    if (work != first && work > 0 && work < s)
        edits_move(e, s, work, false, st->kind == S_IF ? ROUND : LATE_ROUND, "moved");
}

// j0 += BC; of a loop that ends by j0, or that goes on with it from round to round: the token of j0, or 0.
static int moves_on(const edits *e, int s) {
    const statement *st = &e->statements[s];
    const int block = st->parent, loop = block >= 0 ? e->statements[block].parent : -1, name = st->first;
    if (st->kind != S_EXPRESSION || loop < 0 || e->statements[loop].kind != S_LOOP || st->end - name > LONG) return 0;
    static const char *const steps[] = {"+=", "-=", "++", "--"};
    bool steps_on = false;
    for (size_t k = 0; k < sizeof steps / sizeof *steps; k++) steps_on |= adjacent(&e->u, name + 1, steps[k]);
    if (!is_name(&e->u, name) || !steps_on) return 0;
    const statement *around = &e->statements[loop], *body = &e->statements[block];
    const token *t = &e->u.tokens[name];
    const variable *v = edits_visible(e, t->at, t->length, name);
    if (v && !v->is_global && v->declared < around->first && edits_is_whole(v->type) &&
        names_one(e, name, body->first, st->first))
        return name;
    return names_one(e, name, around->first, body->first) || names_one(e, name, body->end, around->end) ? name : 0;
}

// What a round ends with reads where the round is: before that moves on to the next one.
static void advanced(edits *e, int s) {
    const int name = moves_on(e, s);
    int last = name ? edits_next(e, s) : -1;
    bool reads = false;
    for (int k = last; k >= 0; k = edits_next(e, k))
        reads |= names_one(e, name, e->statements[k].first, e->statements[k].end);
    if (reads) edits_move(e, s, e->statements[s].parent, true, ADVANCED, "moved");
    for (int next; last >= 0 && (next = edits_next(e, last)) >= 0;) last = next;
    if (last < 0 || last == edits_next(e, s) || !e->statements[last].listed) return;
    const statement *st = &e->statements[last];
    if (names_one(e, name, st->first, st->end) && st->end - st->first <= LONG && st->kind != S_IF)
        edits_move(e, last, s, false, ADVANCED, "moved");
}

void edits_change_order(edits *e, int s) {
    const statement *st = &e->statements[s];
    if (!st->listed) return;
    const int next = edits_next(e, s);
    if (next >= 0) neighbours(e, s, next);
    advanced(e, s);
    if (e->cuda) return;  // whose lists of what is code are shorter
    if (next >= 0) resets(e, s, next);
    for (int k = next; k >= 0 && e->statements[k].kind == S_DECLARATION;) {  // declarations between it and the loop
        k = edits_next(e, k);
        if (k >= 0) resets(e, s, k);
    }
    const int around =
        st->parent >= 0 ? e->statements[st->parent].parent : -1;  // cleared in each round, and not before
    const bool anew = clears(e, st) || begins(e, st);
    if (around >= 0 && e->statements[around].kind == S_LOOP && anew && st->kind != S_DECLARATION &&
        (st->kind == S_LOOP || e->statements[st->parent].first + 1 == st->first))
        edits_move(e, s, around, false, RESET, "moved");
    const bool last = st->end == st->block_end && st->parent >= 0;
    const int loop = last ? e->statements[st->parent].parent : -1;
    if (loop >= 0 && e->statements[loop].kind == S_LOOP) last_in_loop(e, s, loop), rounds(e, s, loop);
}
