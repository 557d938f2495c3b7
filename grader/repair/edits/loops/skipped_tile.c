// skipped_tile.c: who is skipped where a tile begins behind the last key has no keys behind that key in other tiles, either.
//
//     n = min(Bc, Sk - j0);  if (causal && j0 > i + gap) continue;     n = min(Bc, (causal ? i + gap + 1 : Sk) - j0)
//     if (causal && j0 > last) continue;  end = min(j0 + Bc, Sk)       end = min(j0 + Bc, (causal ? last + 1 : Sk))
//     if (causal && j0 >= seen) continue; for (...; j0 + c < Sk; ...)  j0 + c < (causal ? seen : Sk)
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
    int and = 0;
    for (int i = open + 1; i < close; i++) {
        const char *op = edits_operator(u, i) ? edits_operator_text(u, i) : "";
        if (is(u, i, "(")) i = u->tokens[i].match;
        if (!strcmp(op, "||") || !strcmp(op, "?") || is(u, i, "?") || (and&&!strcmp(op, "&&"))) return false;
        if (!strcmp(op, "&&")) and = i;
    }
    const range all = {open + 1, close}, first = {open + 1, and}, second = {and+edits_operator(u, and), close};
    if (!and) return compares(e, all, k);
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

void edits_change_skipped_tile(edits *e, int place, const expression *x) {
    if (!x->parent || (x->kind != E_NAME && x->kind != E_MEMBER) || !edits_is_whole(edits_type_of(e, x))) return;
    const int function = e->statements[e->places[place].statement].function;
    for (int s = 0; s < e->n_statements; s++) {
        skip k = {.is_end = false};
        if (e->statements[s].function != function || !skips(e, &e->statements[s], &k)) continue;
        int loop = s;
        while (loop >= 0 && e->statements[loop].kind != S_LOOP) loop = e->statements[loop].parent;
        if (loop < 0 || x->first < e->statements[loop].first || x->first >= e->statements[loop].end) continue;
        if (!ends_tile(e, x, k.begin) || !usable(e, k.last, x->first) || !usable(e, k.asks, x->first)) continue;
        const char *end = format(&e->u, k.is_end ? "%s" : "%s + 1", edits_text(e, k.last.first, k.last.end));
        if (k.asks.first == k.asks.end)
            edits_replace(e, place, BEHIND, "own end", x->first, x->end, "(%s)", end);
        else
            edits_replace(e, place, BEHIND, "own end", x->first, x->end, "(%s ? %s : %s)",
                          edits_text(e, k.asks.first, k.asks.end), end, edits_text_of(e, x));
    }
}
