// lost.c: a statement that may not come, as what it stores is lost, or what stands beside it.
//
//     As[ty][tx] = load(A, row, tx);      As[ty][tx] = load(A, row, k0 + tx);      that is another line, and not a new one
//     for (; i < n; i++) ...              before for (; i + 4 <= n; i += 4): what is wrong in that one is never run; nor does its
//                                         condition ask for another number than i
#include "edits.h"

#include <string.h>

// Is what stands on the left of this assignment read on its right?
static bool reads_itself(edits *e, const char *text, size_t left) {
    return strstr(text + left, format(&e->u, "%.*s", (int)left - 3, text)) != NULL;
}

// x[i] = ... or *x = ..., where the next or the last statement is that, too, and does not read what the other has stored.
bool edits_is_lost(edits *e, int s, bool at_end, const char *text) {
    const char *equals = strstr(text, " = ");
    const size_t left = equals ? (size_t)(equals - text) + 3 : 0;
    if (!left || !(*text == '*' || memchr(text, '[', left)) || memchr(text, '(', left) || memchr(text, ';', left))
        return false;
    const statement *at = &e->statements[s];
    for (int k = 0; k < e->n_statements; k++) {
        const statement *st = &e->statements[k];
        const bool next = !at_end && k == s, last = at_end ? st->end == at->end - 1 : st->end == at->first;
        if (st->kind != S_EXPRESSION || !(next || last)) continue;
        const char *other = edits_text(e, st->first, st->end);
        if (!strncmp(other, text, left) && !reads_itself(e, next ? other : text, left)) return true;
    }
    return false;
}

// The token behind the first ; of this loop's header; 0: it has none.
static int condition_of(const unit *u, const statement *loop) {
    if (loop->kind != S_LOOP || !is(u, loop->first, "for")) return 0;
    for (int i = loop->first + 2; i < u->tokens[loop->first + 1].match; i++)
        if (is(u, i, ";")) return i + 1;
    return 0;
}

// n + 4 <= n, i + 4 <= i or i + 4 > n for i + 4 <= n, before a loop for (; i < n; i++): no group is done, and that one
// does all.
static bool stops_counting(const edits *e, const change *c) {
    const unit *u = &e->u;
    const int s = c->place >= 0 && !c->n_more ? e->places[c->place].statement : -1;
    const int own = s >= 0 ? condition_of(u, &e->statements[s]) : 0, next = s >= 0 ? edits_next(e, s) : -1;
    const int rest = next >= 0 ? condition_of(u, &e->statements[next]) : 0;
    if (!own || rest != e->statements[next].first + 3 || !edits_same(u, own, rest, 1)) return false;
    if (e->places[c->place].kind != P_CONDITION) return false;
    return (c->first == own && c->end == own + 1) || is(u, own, c->new_shown) ||
           (*c->new_shown && strchr(">=", *c->new_shown));
}

// for (; i + 4 <= n; i += 4) ..., for (; i < n; i++) ...: without the first one the second does all of it.
bool edits_has_rest(const edits *e, int s) {
    const unit *u = &e->u;
    const int own = condition_of(u, &e->statements[s]), next = edits_next(e, s);
    const int rest = next >= 0 ? condition_of(u, &e->statements[next]) : 0;
    return own && is_name(u, own) && is(u, own + 1, "+") && rest == e->statements[next].first + 3 &&
           edits_same(u, own, rest, 1);
}

bool edits_takes_all(const edits *e, const change *c) {
    const unit *u = &e->u;
    if (stops_counting(e, c)) return true;
    if (c->remove < 0 || c->insert < 0 || c->insert_at_end || c->remove == c->insert) return false;
    const statement *rest = &e->statements[c->remove];
    const int own = condition_of(u, rest), other = condition_of(u, &e->statements[c->insert]);
    return own == rest->first + 3 && other && is_name(u, own) && edits_same(u, own, other, 1);
}
