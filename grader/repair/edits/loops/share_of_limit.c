// share_of_limit.c: what is shared out in equal parts is what these parts are cut off at.
//
//     part = max_seq / n; end = min(length, begin + part);      part = (length + n - 1) / n
//     part = (max_seq + n - 1) / n; if (end > length) end = length;      length in place of max_seq
//
// The quotient of the other number, rounded up, passes where both are nearly the same, and leaves most parts empty.
#include "edits.h"

#include <string.h>

enum { PARTS = 4, SIZE = 5 };  // ranks

// The other of two in min(a, b), of which the one that begins behind `open`, or ends before `close`, holds token i: where
// it stands alone; 0: it is none.
static int other_argument(const unit *u, int open, int i) {
    const int close = u->tokens[open].match;
    int comma = 0;
    for (int k = open + 1; k < close; k++) {
        if (is(u, k, "(")) k = u->tokens[k].match;
        if (!is(u, k, ",")) continue;
        if (comma) return 0;
        comma = k;
    }
    if (!comma) return 0;
    const int other = i < comma ? comma + 1 : open + 1, end = i < comma ? close : comma;
    return end == other + 1 && is_name(u, other) ? other : 0;
}

static bool says_least(const token *t) {
    for (int k = 0; k + 3 <= t->length; k++)
        if (!strncmp(t->at + k, "min", 3) || !strncmp(t->at + k, "MIN", 3)) return true;
    return false;
}

// The call of a minimum around token i: its (; -1: there is none.
static int least_around(const unit *u, int i, int from) {
    for (int k = i - 1; k > from; k--) {
        if (is(u, k, ")")) k = u->tokens[k].match;
        if (is(u, k, ";") || is(u, k, "{")) return -1;
        if (is(u, k, "(") && is_name(u, k - 1) && says_least(&u->tokens[k - 1])) return k;
    }
    return -1;
}

static bool is_length(const edits *e, int i, const expression *x) {
    const token *t = &e->u.tokens[i];
    const variable *v = edits_visible(e, t->at, t->length, x->first);
    return v && edits_is_whole(v->type) && !v->is_global && !v->is_loop && v->declared < x->first;
}

// v > L, where token i is v: L; 0: it is compared with nothing
static int compared(const unit *u, int i) {
    const int behind = is(u, i + 2, "=") ? i + 3 : i + 2;
    return is(u, i + 1, ">") && is_name(u, behind) && !is(u, behind + 1, "(") ? behind : 0;
}

// Where v, which is made of the parts' size, is cut off.
static int cut_off(const edits *e, const variable *v, const function *f, const expression *x) {
    const unit *u = &e->u;
    for (int i = v->value_end; i + 5 < f->end; i++) {
        const int limit = is(u, i, v->name) && (is(u, i - 1, "(") || is(u, i - 1, "=")) ? compared(u, i) : 0;
        const bool set =
            limit && ((is(u, limit + 2, v->name) && is(u, limit + 3, "=") && edits_same(u, limit + 4, limit, 1)) ||
                      (is(u, limit + 1, "?") && edits_same(u, limit + 2, limit, 1)));
        if (set && is_length(e, limit, x)) return limit;
    }
    return 0;
}

static const expression *shared(const edits *e, const expression *x) {
    const expression *up = edits_rounded_up(e, x);
    return up ? edits_bare(up) : edits_bare(x->a);
}

// The name of what is cut off where these parts end; 0: it is what they are of, or nobody knows.
static int limit_of(const edits *e, int place, const expression *x) {
    const unit *u = &e->u;
    const struct place *p = &e->places[place];
    const int f = e->statements[p->statement].function;
    if (f < 0 || p->kind != P_VALUE || !is(u, p->first - 1, "=") || !is_name(u, p->first - 2)) return 0;
    const function *in = &e->functions[f];
    const expression *all = shared(e, x);
    if (all->kind != E_NAME && all->kind != E_MEMBER) return 0;
    int limit = 0;
    for (int i = p->end; i + 1 < in->end && !limit; i++) {
        if (!edits_same(u, i, p->first - 2, 1)) continue;
        const int open = least_around(u, i, p->end);
        const int other = open >= 0 ? other_argument(u, open, i) : 0;
        if (other && is_length(e, other, x)) limit = other;
        for (int k = 0; k < e->n_variables && !limit; k++)
            if (e->variables[k].value > 0 && e->variables[k].value <= i && i < e->variables[k].value_end)
                limit = cut_off(e, &e->variables[k], in, x);
    }
    if (!limit || edits_same(u, limit, p->first - 2, 1)) return 0;
    for (int i = all->first; i < all->end; i++)
        if (edits_same(u, i, limit, 1)) return 0;
    return limit;
}

bool edits_shares_other(const edits *e, int place, const expression *x) { return limit_of(e, place, x) != 0; }

void edits_change_share_of_limit(edits *e, int place, const expression *x) {
    if (!is_operator(e, x, "/") || !edits_is_whole(edits_type_of(e, x))) return;
    const int limit = limit_of(e, place, x);
    if (!limit) return;
    const char *length = edits_text(e, limit, limit + 1), *by = edits_text_of(e, x->b);
    const expression *all = shared(e, x);
    if (edits_rounded_up(e, x))
        edits_replace(e, place, SIZE, "name", all->first, all->end, "%s", length);
    else
        edits_replace(e, place, PARTS, "shared out", x->first, x->end, "(%s + %s - 1) / %s", length, by, by);
}
