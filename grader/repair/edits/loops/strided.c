// strided.c: by how much a loop goes on whose rounds do more than one element each, and where each thread begins.
//
//     for (int j = threadIdx.x; j < n; j++)         j += blockDim.x
//     for (int at = first; at < end; at++)          at += TILE, where the body takes min(TILE, end - at) of them, walks
//                                                   to c < TILE with at + c, or reads at + 1 and at + 2
//     for (t.j0 = 0; t.j0 < n; t.j0++)              t.j0 += t.Bc, where the body takes min(t.Bc, n - t.j0) of them
//     for (int j = 0; j < n; j += blockDim.x)       j = threadIdx.x; j = first + threadIdx.x
//     for (int e = 0; e < OWN; e += LANES) o[e] *= a;   e++, where each round does one element
//     for (int d = threadIdx.x; d < D; d += 32)     d = threadIdx.x % 32: as many threads share it as its step says
#include "edits.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum {
    ALL = 2,
    LIKE = 3,
    TAKEN = 5,
    READ = 8,
    GROUP = 10,
    NAMED = 14,
    BEGIN = 3,
    OWN = 4,
    ONE = 6,
    LANE = 2,
    LONE = 9
};  // ranks

static bool is_thread(const edits *e, int first, int end) {
    for (int i = first; i < end; i++) {
        const token *t = &e->u.tokens[i];
        if (is(&e->u, i, "threadIdx")) return true;
        const variable *v = t->kind == TOKEN_NAME ? edits_visible(e, t->at, t->length, i) : NULL;
        for (int k = v && !v->is_global ? v->value : 0; v && !v->is_global && k < v->value_end; k++)
            if (is(&e->u, k, "threadIdx")) return true;
    }
    return false;
}

// The place in which the loop's counter begins; -1: none.
static int start_of(const edits *e, int loop) {
    for (int p = 0; p < e->n_places && e->places[p].statement <= loop; p++)
        if (e->places[p].statement == loop && e->places[p].kind == P_VALUE) return p;
    return -1;
}

// ---- The step

static void step(edits *e, int place, const expression *x, int rank, const char *by) {
    edits_replace(e, place, rank, "step", x->first, x->end, "%s += %s", edits_text_of(e, x->a), by);
}

static bool is_size(const edits *e, int i) {  // TILE, kTile: a constant by its name
    const token *t = &e->u.tokens[i];
    bool lower = false;
    for (int k = 0; k < t->length; k++) lower |= islower((unsigned char)t->at[k]) != 0;
    return t->kind == TOKEN_NAME && t->length > 1 && !is(&e->u, i - 1, ".") && !is(&e->u, i + 1, "(") &&
           (lower ? t->at[0] == 'k' && isupper((unsigned char)t->at[1]) : isupper((unsigned char)t->at[0]) != 0);
}

static bool is_same(const edits *e, int i, const expression *counter) {
    return e->u.tokens[i].kind == TOKEN_NAME && edits_same(&e->u, i, counter->first, 1) && !is(&e->u, i - 1, ".");
}

// clamp(end - at, 0, TILE), smaller(TILE, end - at): an argument of a function of the file.
static bool is_given(const edits *e, int difference, int from) {
    const unit *u = &e->u;
    int open = difference, depth = 0;
    while (open > from && !(is(u, open, "(") && !depth)) {
        depth += is(u, open, ")"), depth -= is(u, open, "(");
        open--;
    }
    for (int f = 0; f < e->n_functions && open > from; f++)
        if (is(u, open - 1, e->functions[f].name)) return true;
    return false;
}

// TILE in `min(TILE, end - at)` or `end - at < TILE ? ...`: a name beside a difference with the counter, in its statement.
static void taken(edits *e, int place, const expression *x, int difference, int from, int to) {
    const unit *u = &e->u;
    int first = difference, end = difference;
    while (first > from && !is(u, first - 1, ";") && !is(u, first - 1, "{") && !is(u, first - 1, "}")) first--;
    while (end < to && !is(u, end, ";")) end++;
    bool compared = is_given(e, difference, first);
    for (int i = first; i < end; i++)
        compared |= is(u, i, "<") || is(u, i, ">") || is(u, i, "min") || is(u, i, "MIN") || is(u, i, "std");
    for (int i = first; i < end && compared; i++) {
        const token *t = &u->tokens[i];
        const variable *v = t->kind == TOKEN_NAME ? edits_visible(e, t->at, t->length, i) : NULL;
        const bool known = v && edits_is_whole(v->type) && !v->is_loop && edits_sees(e, v, x->first);
        if ((known || is_size(e, i)) && !is(u, i - 1, "-") && !is(u, i + 1, "-") && !is_same(e, i, x->a))
            step(e, place, x, TAKEN, edits_text(e, i, i + 1));
    }
}

// In `for (c = ...; c < TILE; c++) ... at + c`: TILE.
static void walked(edits *e, int place, const expression *x, int added) {
    for (int p = 0; p < e->n_places; p++) {
        const statement *st = &e->statements[e->places[p].statement];
        const expression *end = e->places[p].kind == P_CONDITION && st->kind == S_LOOP ? e->places[p].tree : NULL;
        if (!end || st->first > added || st->end < added || st->first < x->end || !is_operator(e, end, "<")) continue;
        if (end->a->kind == E_NAME && edits_same(&e->u, end->a->first, added, 1))
            step(e, place, x, TAKEN, edits_text_of(e, end->b));
    }
}

// rows = e.rows / TILE * TILE, where the loop ends at rows: TILE.
static void cut_to_whole(edits *e, int place, const expression *x, int condition) {
    const unit *u = &e->u;
    for (int i = e->places[condition].first; condition >= 0 && i < e->places[condition].end; i++) {
        const token *t = &u->tokens[i];
        const variable *v = t->kind == TOKEN_NAME ? edits_visible(e, t->at, t->length, i) : NULL;
        for (int k = v ? v->value : 0; v && k < v->value_end; k++)
            if (is(u, k - 1, "/") && is_size(e, k)) step(e, place, x, TAKEN, edits_text(e, k, k + 1));
    }
}

// for (q = 0; q < T / ROWS; q++, row++): ROWS.
static void by_divisor(edits *e, int place, const expression *x, int condition) {
    const struct place *p = &e->places[condition];
    for (int i = p->first + 1; i < p->end && x->parent; i++)
        if (is(&e->u, i - 1, "/") && is_size(e, i)) step(e, place, x, TAKEN, edits_text(e, i, i + 1));
}

static void by_what_the_body_does(edits *e, int place, const expression *x, int from, int to) {
    const unit *u = &e->u;
    int most = 0;
    for (int i = from; i < to; i++) {
        if (is_size(e, i)) step(e, place, x, NAMED, edits_text(e, i, i + 1));
        if (!is_same(e, i, x->a)) continue;
        if (is(u, i - 1, "-")) taken(e, place, x, i, from, to);
        if (!is(u, i + 1, "+") || adjacent(u, i + 1, "++") || adjacent(u, i + 1, "+=")) continue;
        if (u->tokens[i + 2].kind == TOKEN_NAME) walked(e, place, x, i + 2);
        const int number = u->tokens[i + 2].kind == TOKEN_NUMBER ? atoi(u->tokens[i + 2].at) : 0;
        most = number > most ? number : most;
    }
    if (most > 0 && most < 16) step(e, place, x, READ, format(&e->u, "%d", most + 1));
}

// What other loops go on by that begin where this one does; where each thread has its own, any size.
static void by_other_loops(edits *e, int place, const expression *x, int start) {
    const unit *u = &e->u;
    const struct place *own = &e->places[start];
    const int n = own->end - own->first;
    for (int p = 0; p + 2 < e->n_places; p++) {
        const struct place *other = &e->places[p];
        const expression *by = e->places[p + 2].kind == P_VOID ? e->places[p + 2].tree : NULL;
        if (p == start || other->kind != P_VALUE || e->places[p + 2].statement != other->statement || !by) continue;
        if (other->end - other->first == n && edits_same(u, own->first, other->first, n) && by->kind == E_ASSIGN &&
            e->statements[other->statement].kind == S_LOOP && adjacent(u, by->op, "+="))
            step(e, place, x, LIKE, edits_text_of(e, by->b));
    }
}

static void by_any_size(edits *e, int place, const expression *x) {
    for (int i = 0; i < e->n_variables; i++) {
        const variable *v = &e->variables[i];
        if (v->is_global && v->declared >= 0 && is_size(e, v->declared)) step(e, place, x, GROUP, v->name);
    }
}

// Is there another loop that ends where this one does and counts one by one?
static bool is_counted_elsewhere(const edits *e, int condition) {
    const unit *u = &e->u;
    const place *own = &e->places[condition];
    for (int p = 0; p + 1 < e->n_places; p++) {
        const place *other = &e->places[p];
        const expression *by = e->places[p + 1].kind == P_VOID ? e->places[p + 1].tree : NULL;
        const int n = own->end - own->first;
        if (p == condition || other->kind != P_CONDITION || e->places[p + 1].statement != other->statement || !by)
            continue;
        if (other->end - other->first == n && edits_same(u, own->first, other->first, n) && adjacent(u, by->op, "++"))
            return true;
    }
    return false;
}

// From a number on, and each round has one element of its own: a[e], and nowhere e + 1 or f(e); 8 * e is its number.
static void one_by_one(edits *e, int place, const expression *x, int from, int to, int start) {
    const unit *u = &e->u;
    const expression *first = start >= 0 ? e->places[start].tree : NULL;
    bool element = false;
    if (x->kind != E_ASSIGN || !adjacent(u, x->op, "+=") || !first || first->kind != E_NUMBER) return;
    for (int i = from; i < to; i++) {
        if (!is_same(e, i, x->a)) continue;
        const bool is_element = is(u, i - 1, "[") && is(u, i + 1, "]");
        if (!is_element && !is(u, i - 1, "*") && !is(u, i + 1, "*")) return;
        element |= is_element;
    }
    if (!element || place < 1 || e->places[place - 1].kind != P_CONDITION) return;
    edits_replace(e, place, is_counted_elsewhere(e, place - 1) ? LIKE : ONE, "step", x->first, x->end, "%s++",
                  edits_text_of(e, x->a));
}

// t.Bc in `min_int(t.Bc, end - t.j0)`, where the loop counts a field of its own: t.j0++.
static void taken_by_field(edits *e, int place, const expression *x, int from, int to) {
    const unit *u = &e->u;
    const int n = x->a->end - x->a->first;
    for (int i = from; i < to; i++) {
        int open = i, comma;
        if (!is(u, i - 1, "-") || !edits_same(u, i, x->a->first, n)) continue;
        while (open > from && !(is(u, open, "(") && u->tokens[open].match > i)) open--;
        for (comma = open + 1; comma < i && !is(u, comma, ","); comma++)
            if (is(u, comma, "(")) comma = u->tokens[comma].match;
        if (open > from && u->tokens[open - 1].kind == TOKEN_NAME && comma < i)
            step(e, place, x, TAKEN, edits_text(e, open + 1, comma));
    }
}

// ---- The start

static bool is_handed_on(const edits *e, int from, int to, const expression *counter) {  // at + t: a tile's elements
    for (int i = from; i < to; i++)
        if (is_same(e, i, counter) && is(&e->u, i + 1, "+") && is_thread(e, i + 2, i + 3)) return true;
    return false;
}

static void begin(edits *e, int start, const char *thread, int rank) {
    const place *p = &e->places[start];
    const char *old = edits_text(e, p->first, p->end);
    edits_replace(e, start, rank, "begins", p->first, p->end, strcmp(old, "0") ? "%s + %s" : "%.0s%s", old, thread);
}

static void by_its_thread(edits *e, int start, const expression *x) {
    const int function = e->statements[e->places[start].statement].function;
    begin(e, start, "threadIdx.x", BEGIN);
    for (int i = 0; i < e->n_variables; i++) {
        const variable *v = &e->variables[i];
        if (v->is_global || v->owner || v->declared < e->functions[function].open || v->type.pointers) continue;
        if (edits_is_whole(v->type) && edits_sees(e, v, x->first) && is_thread(e, v->value, v->value_end))
            begin(e, start, v->name, OWN);
    }
}

// The loop goes on by N, and begins at the thread's number in the block: at its number among N, and likelier where the
// function counts the groups of N threads.
static void by_its_lane(edits *e, int start, const expression *x) {
    const unit *u = &e->u;
    const expression *thread = e->places[start].tree, *by = x->b;
    const bool size = by->end == by->first + 1 && (by->kind == E_NUMBER || is_size(e, by->first));
    if (!size || !thread || (thread->kind != E_NAME && thread->kind != E_MEMBER)) return;
    const int n = thread->end - thread->first, function = e->statements[e->places[start].statement].function;
    for (int i = thread->first; thread->kind == E_NAME && i < thread->end; i++) {  // t = threadIdx.x, and no part of it
        const variable *v = edits_visible(e, u->tokens[i].at, u->tokens[i].length, i);
        if (!v || !is(u, v->value, "threadIdx") || v->value_end != v->value + 3) return;
    }
    bool groups = false;
    for (int i = e->functions[function].body; i < e->functions[function].end; i++)
        groups |= is(u, i, "/") && edits_same(u, i + 1, by->first, 1) && edits_same(u, i - n, thread->first, n);
    edits_replace(e, start, groups ? LANE : LONE, "begins", thread->first, thread->end, "%s %% %s",
                  edits_text_of(e, thread), edits_text_of(e, by));
}

void edits_change_strided(edits *e, int place, const expression *x) {
    const int s = e->places[place].statement;
    const statement *st = &e->statements[s];
    const expression *root = x->parent;
    while (root && root->kind == E_COMMA) root = root->parent;
    if (root || e->places[place].kind != P_VOID || st->kind != S_LOOP || !x->a) return;
    const int from = e->places[place].end, start = start_of(e, s);
    const bool device = e->functions[st->function].device, by_one = adjacent(&e->u, x->op, "++");
    if (by_one && x->a->kind == E_MEMBER) taken_by_field(e, place, x, from, st->end);
    if (x->a->kind != E_NAME) return;
    const bool thread = start >= 0 && is_thread(e, e->places[start].first, e->places[start].end);
    if (by_one && device && thread) step(e, place, x, ALL, "blockDim.x");
    if (by_one) by_what_the_body_does(e, place, x, from, st->end);
    if (by_one && place > 0 && e->places[place - 1].kind == P_CONDITION)
        cut_to_whole(e, place, x, place - 1), by_divisor(e, place, x, place - 1);
    one_by_one(e, place, x, from, st->end, start);
    const bool named = start >= 0 && e->places[start].tree && e->places[start].tree->kind == E_NAME;
    if (by_one && device && (named || thread)) by_other_loops(e, place, x, start);
    if (by_one && device && (thread || named || is_handed_on(e, from, st->end, x->a))) by_any_size(e, place, x);
    if (device && start >= 0 && !thread && x->kind == E_ASSIGN && adjacent(&e->u, x->op, "+=") &&
        !is_handed_on(e, from, st->end, x->a))
        by_its_thread(e, start, x);
    if (device && thread && x->kind == E_ASSIGN && adjacent(&e->u, x->op, "+=")) by_its_lane(e, start, x);
}
