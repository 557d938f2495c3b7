// pieces.c: the end of a piece of a walk: the last one ends where all ends. And what hides that: a piece that is as
// long as all there is, a tile that is cut off at a size it has nothing to do with.
//
//     for (k0 = 0; k0 < n; k0 += PIECE) { k1 = k0 + PIECE; ...      k1 = smaller(k0 + PIECE, n)
#include "edits.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

enum { ENDS = 1 };  // rank

typedef struct {
    int counter, step, step_end, limit, limit_end;  // tokens: for (...; counter < limit; counter += step)
} piece;

static bool reads_alike(const unit *u, int a, int b, int n) { return n > 0 && edits_same(u, a, b, n); }

// for (size_t k0 = 0; k0 < x.cols; k0 += PIECE)
static bool read_loop(const edits *e, const statement *s, piece *p) {
    const unit *u = &e->u;
    if (s->kind != S_LOOP || !is(u, s->first, "for") || !is(u, s->first + 1, "(")) return false;
    const int close = u->tokens[s->first + 1].match;
    int semicolon[2] = {0, 0}, n = 0;
    for (int i = s->first + 2; i < close; i++)
        if (is(u, i, ";") && n < 2) semicolon[n++] = i;
    if (n < 2) return false;
    p->counter = semicolon[0] + 1, p->limit = p->counter + 2, p->limit_end = semicolon[1];
    p->step = semicolon[1] + 4, p->step_end = close;
    for (int i = p->limit; i < p->limit_end; i++)
        if (is(u, i, "&") || is(u, i, "|") || is(u, i, "=") || is(u, i, ",")) return false;
    for (int i = p->step; i < close; i++)
        if (is(u, i, ",")) return false;
    return is(u, p->counter + 1, "<") && p->limit < p->limit_end && p->step < close &&
           reads_alike(u, p->counter, semicolon[1] + 1, 1) && adjacent(u, semicolon[1] + 2, "+=");
}

// Is [first, end) counter + step, or step + counter, of a loop around the statement?
static bool is_end_of_piece(const edits *e, int s, int first, int end, piece *p) {
    const unit *u = &e->u;
    for (int k = e->statements[s].parent; k >= 0; k = e->statements[k].parent) {
        if (!read_loop(e, &e->statements[k], p)) continue;
        const int n = p->step_end - p->step;
        if (end - first != n + 2) continue;
        if (reads_alike(u, first, p->counter, 1) && is(u, first + 1, "+") && reads_alike(u, first + 2, p->step, n))
            return true;
        if (reads_alike(u, end - 1, p->counter, 1) && is(u, end - 2, "+") && reads_alike(u, first, p->step, n))
            return true;
    }
    return false;
}

void edits_change_pieces(edits *e, int place, const expression *x) {
    const struct place *at = &e->places[place];
    piece p;
    if (!is_operator(e, x, "+") || !is_end_of_piece(e, at->statement, x->first, x->end, &p)) return;
    const expression *up = x->parent;
    const bool value = !up ? at->kind == P_VALUE : up->kind == E_ASSIGN && up->b == x && is(&e->u, up->op, "=");
    const bool bound = up && !up->parent && at->kind == P_CONDITION && up->kind == E_BINARY && up->b == x &&
                       e->statements[at->statement].kind == S_LOOP && is(&e->u, up->op, "<");
    const ingredient limit = {.first = p.limit, .end = p.limit_end};
    if ((!value && !bound) || !edits_usable(e, &limit, x->first)) return;
    const char *text = edits_text_of(e, x), *all = edits_text(e, p.limit, p.limit_end);
    const char *least = edits_least(e, x->first);
    if (least)
        edits_replace(e, place, ENDS, "cut off", x->first, x->end, "%s(%s, %s)", least, text, all);
    else
        edits_replace(e, place, ENDS, "cut off", x->first, x->end, bound ? "(%s < %s ? %s : %s)" : "%s < %s ? %s : %s",
                      text, all, text, all);
}

static bool has_small_letter(const char *text) {
    for (; *text; text++)
        if (islower((unsigned char)*text)) return true;
    return false;
}

// k0 + n in place of k0 + PIECE, and n for both: the whole walk in one piece.
static bool is_one_piece(edits *e, const change *c) {
    const struct place *at = c->place >= 0 ? &e->places[c->place] : NULL;
    piece p;
    if (!at || strpbrk(c->new_shown, "(?+") || !has_small_letter(c->new_shown)) return false;
    int first = c->first, end = c->end;
    if (is(&e->u, first - 1, "+")) first -= 2;
    if (first == c->first && is(&e->u, end, "+")) end += 2;
    const statement *loop = &e->statements[at->statement];
    if (read_loop(e, loop, &p) && c->first == p.step && c->end == p.step_end)  // k0 += n, which is where it ends
        return !strcmp(c->new_shown, edits_text(e, p.limit, p.limit_end));
    if (first < at->first || end > at->end || !is_end_of_piece(e, at->statement, first, end, &p)) return false;
    if (first != c->first || end != c->end) {
        const int other = first != c->first ? first : end - 1;
        if (!edits_same(&e->u, other, p.counter, 1)) return false;  // it is the counter that changes
    }
    const char *name = c->new_shown + strspn(c->new_shown, " ");  // nk, what is left of the tile, is known within alone
    const variable *v = edits_visible(e, name, (int)strcspn(name, ".-[ "), c->first);
    return !v || v->declared < p.counter;
}

// Is it the step of a loop, what a number is divided by, or a constant to begin with: 32, n > 0 ? n : SIZE?
static bool is_tile(edits *e, const variable *v) {
    const unit *u = &e->u;
    for (int i = v->value; i < v->value_end && v->value > 0; i++) {
        const bool whole = i == v->value || is(u, i - 1, "?") || is(u, i - 1, ":");
        if (whole && (i + 1 == v->value_end || is(u, i + 1, ":")) && !has_small_letter(edits_text(e, i, i + 1)) &&
            u->tokens[i].length > 1)
            return true;
    }
    for (int i = v->from; i < v->to && i < u->token_count; i++) {
        if (u->tokens[i].kind != TOKEN_NAME || !is(u, i, v->name)) continue;
        if (adjacent(u, i - 2, "+=") || is(u, i - 1, "/")) return true;
    }
    return false;
}

// if (block > batch) block = batch; comes: with one tile, or another one, the mistake does not show.
static bool cuts_tile(edits *e, const change *c) {
    const char *at = c->insert >= 0 && c->remove < 0 && c->inserted ? c->inserted : "";
    char name[64], limit[96], again[64], from[96];
    if (sscanf(at, "if (%63[A-Za-z0-9_] > %95[^) ]) %63[A-Za-z0-9_] = %95[^; ];", name, limit, again, from) != 4 ||
        strcmp(name, again) || strcmp(limit, from) || !has_small_letter(limit))
        return false;
    const variable *v = edits_visible(e, name, (int)strlen(name), e->statements[c->insert].first);
    return (v && is_tile(e, v)) || strstr(limit, "batch") || strstr(limit, "heads");
}

bool edits_is_disguise(edits *e, const change *c) { return is_one_piece(e, c) || cuts_tile(e, c); }
