// skipped_tile.c: a row that skips the tiles that begin behind its last key sees no key behind that one in other tiles.
//
//     n = min(Bc, Sk - j0);  if (causal && j0 > i + gap) continue;     n = min(Bc, (causal ? i + gap + 1 : Sk) - j0)
//     if (causal && j0 > last) continue;  end = min(j0 + Bc, Sk)       end = min(j0 + Bc, (causal ? last + 1 : Sk))
//     if (causal && j0 >= seen) continue; for (...; j0 + c < Sk; ...)  j0 + c < (causal ? seen : Sk)
//     to = min(j0 + Bc, Sk); if (...) continue; for (j = j0; j < to;)  j < (causal && last + 1 < to ? last + 1 : to)
//     n = j0 + Bc <= Sk ? Bc : Sk - j0; if (...) continue;             (causal && last + 1 - j0 < (n) ? last + 1 - j0 : (n))
#include "edits.h"

#include <string.h>

enum { BEHIND = 4, LONGEST = 16 };  // a rank; tokens

typedef struct {
    int first, end;
} range;

// if (asks && begin > last) continue;
typedef struct {
    range asks, begin, last;
    bool is_end;  // begin >= last
} skip;

// One comparison, and nothing else. Returns whether it is one.
static bool compares(const edits *e, range of, skip *k) {
    const unit *u = &e->u;
    for (int i = of.first; i < of.end; i++) {
        const int n = edits_operator(u, i);
        const char *op = n ? edits_operator_text(u, i) : "";
        if (is(u, i, "(")) i = u->tokens[i].match;
        if (!n || !strchr("<>", *op) || strlen(op) > 2 || (op[1] && op[1] != '=')) continue;
        const range left = {of.first, i}, right = {i + n, of.end};
        k->begin = *op == '>' ? left : right, k->last = *op == '>' ? right : left, k->is_end = op[1] == '=';
        return k->begin.end - k->begin.first == 1 && k->last.end - k->last.first <= LONGEST;
    }
    return false;
}

static bool skips(const edits *e, const statement *jump, skip *k) {
    const unit *u = &e->u;
    int up = jump->parent;
    if (up >= 0 && e->statements[up].kind == S_BLOCK) up = e->statements[up].parent;
    if (jump->kind != S_JUMP || !is(u, jump->first, "continue") || up < 0 || e->statements[up].kind != S_IF)
        return false;
    const int open = e->statements[up].first + 1, close = u->tokens[open].match;
    int both = 0;  // where && stands
    for (int i = open + 1; i < close; i++) {
        const char *op = edits_operator(u, i) ? edits_operator_text(u, i) : "";
        if (is(u, i, "(")) i = u->tokens[i].match;
        if (!strcmp(op, "||") || !strcmp(op, "?") || is(u, i, "?") || (both && !strcmp(op, "&&"))) return false;
        if (!strcmp(op, "&&")) both = i;
    }
    const range all = {open + 1, close}, first = {open + 1, both}, second = {both + edits_operator(u, both), close};
    if (!both) return compares(e, all, k);
    if (compares(e, second, k)) return k->asks = first, true;
    return compares(e, first, k) ? k->asks = second, true : false;
}

static bool has(const edits *e, const expression *x, range of) {
    for (int i = x->first; i + of.end - of.first <= x->end; i++)
        if (edits_same(&e->u, i, of.first, of.end - of.first)) return true;
    return false;
}

// Sk of Sk - j0, of j0 + c < Sk, of min(j0 + Bc, Sk).
static bool ends_tile(const edits *e, const expression *x, range begin) {
    const expression *up = x->parent;
    if (!up) return false;
    if (is_operator(e, up, "-") && up->a == x) return up->b->end - up->b->first == 1 && has(e, up->b, begin);
    if (is_operator(e, up, "<") && up->b == x) return has(e, up->a, begin);
    if (up->kind != E_CALL) return false;
    const expression *other = up->arguments == x ? x->next : up->arguments;
    const bool two = other && (other == x->next ? !other->next : other->next == x && !x->next);
    return two && is_operator(e, other, "+") && has(e, other, begin);
}

static bool usable(const edits *e, range of, int token) {
    const ingredient g = {.first = of.first, .end = of.end};
    return of.first == of.end || edits_usable(e, &g, token);
}

// A name that is made of where the tile begins: to = min(j0 + Bc, Sk).
static bool is_made_of(const edits *e, const expression *x, range begin) {
    const token *t = &e->u.tokens[x->first];
    const variable *v = x->kind == E_NAME ? edits_visible(e, t->at, t->length, x->first) : NULL;
    for (int i = v ? v->value : 0; v && v->value > 0 && i < v->value_end; i++)
        if (edits_same(&e->u, i, begin.first, 1)) return true;
    return false;
}

// C ? Bc : Sk - j0, all of a first value: how many keys a tile has.
static bool counts_tile(const edits *e, int place, const expression *x, range begin) {
    if (x->parent || e->places[place].kind != P_VALUE || x->kind != E_TERNARY) return false;
    for (int i = x->first + 1; i < x->end; i++)
        if (is(&e->u, i - 1, "-") && edits_same(&e->u, i, begin.first, 1)) return true;
    return false;
}

static void keep_below(edits *e, int place, const expression *x, const skip *k, const char *end) {
    const char *asks =
        k->asks.first == k->asks.end ? "" : format(&e->u, "%s && ", edits_text(e, k->asks.first, k->asks.end));
    const bool name = x->kind == E_NAME;
    const char *all = format(&e->u, name ? "%s" : "(%s)", edits_text_of(e, x));
    if (!name) end = format(&e->u, "%s - %s", end, edits_text(e, k->begin.first, k->begin.end));
    edits_replace(e, place, BEHIND, "own end", x->first, x->end, "(%s%s < %s ? %s : %s)", asks, end, all, end, all);
}

void edits_change_skipped_tile(edits *e, int place, const expression *x) {
    const bool limit = x->kind == E_NAME || x->kind == E_MEMBER, count = x->kind == E_TERNARY && !x->parent;
    if ((!limit && !count) || !edits_is_whole(edits_type_of(e, x))) return;
    const int function = e->statements[e->places[place].statement].function;
    for (int s = 0; s < e->n_statements; s++) {
        skip k = {.is_end = false};
        if (e->statements[s].function != function || !skips(e, &e->statements[s], &k)) continue;
        int loop = s;
        while (loop >= 0 && e->statements[loop].kind != S_LOOP) loop = e->statements[loop].parent;
        if (loop < 0 || x->first < e->statements[loop].first || x->first >= e->statements[loop].end) continue;
        if (!usable(e, k.last, x->first) || !usable(e, k.asks, x->first)) continue;
        const char *end = format(&e->u, k.is_end ? "%s" : "%s + 1", edits_text(e, k.last.first, k.last.end));
        const bool asks = k.asks.first != k.asks.end, is_end = x->parent && is_operator(e, x->parent, "<");
        if (limit && ends_tile(e, x, k.begin))
            edits_replace(
                e, place, BEHIND, "own end", x->first, x->end, "(%s)",
                asks ? format(&e->u, "%s ? %s : %s", edits_text(e, k.asks.first, k.asks.end), end, edits_text_of(e, x))
                     : end);
        else if ((limit && is_made_of(e, x, k.begin) &&
                  ((is_end && x->parent->b == x) || (!x->parent && e->places[place].kind == P_VALUE))) ||
                 counts_tile(e, place, x, k.begin))
            keep_below(e, place, x, &k, end);
    }
}
