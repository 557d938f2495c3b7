// nests.c: two loops, one right within the other, in the other order: it decides what a running index counts.
//
//     for (s ...) for (h ...) X[(b * S + s) * E + h * D + d] = Y[n++];      Y has all s of a head before the next h
#include "edits.h"

enum { ORDER = 16 };  // rank

// The ) of `for (...)` at statement s; -1: it is no such loop.
static int header_end(const edits *e, int s) {
    const statement *st = &e->statements[s];
    return st->kind == S_LOOP && is(&e->u, st->first, "for") ? e->u.tokens[st->first + 1].match : -1;
}

// The loop that is all of s's body.
static int inner_loop(const edits *e, int s) {
    const int body = e->statements[s].body;
    if (body < 0 || e->statements[body].kind != S_BLOCK) return body;
    for (int k = body + 1; k < e->n_statements; k++)
        if (e->statements[k].first == e->statements[body].first + 1)
            return e->statements[k].end == e->statements[body].end - 1 ? k : -1;
    return -1;
}

void edits_change_nests(edits *e) {
    for (int s = 0; s < e->n_statements; s++) {
        const int close = header_end(e, s), in = close >= 0 ? inner_loop(e, s) : -1;
        const int in_close = in >= 0 ? header_end(e, in) : -1;
        if (in_close < 0 || !edits_wanted(e, s)) continue;
        const statement *outer = &e->statements[s], *inner = &e->statements[in];
        if (edits_directive_before(e, outer->first) >= 0 || edits_directive_within(e, outer->first, outer->end))
            continue;
        const ingredient header = {.first = inner->first, .end = in_close + 1};
        bool own = true;  // what the inner header names is known before the outer one
        for (int i = header.first; i < header.end && own; i++) {
            const token *t = &e->u.tokens[i];
            const variable *v = t->kind == TOKEN_NAME ? edits_visible(e, t->at, t->length, i) : NULL;
            own = !v || v->declared < outer->first || v->declared > inner->first;
        }
        if (!own) continue;
        const char *a = edits_text(e, outer->first, close + 1), *b = edits_text(e, inner->first, in_close + 1);
        edits_exchange(e, s, ORDER, "order", format(&e->u, "%s %s %s", b, a, edits_text(e, in_close + 1, inner->end)));
        change *c = &e->changes[e->n_changes - 1];
        if (!e->n_changes || c->remove != s || c->insert != s) continue;
        c->old_shown = format(&e->u, "%s ... %s", a, b), c->new_shown = format(&e->u, "%s ... %s", b, a);
    }
}
