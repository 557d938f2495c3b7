// last_round.c: a sum of which the last term alone is left. Where a loop has one round in the lab's sizes, or a mistake makes
// the sum begin with something, it holds the claims, and is no sum any more.
//
//     for (u = 0; u < KEYS; u++) l += p[u];                                   = in place of +=
#include "edits.h"

#include <string.h>

// The name that the for loop of this statement steps: ...; NAME++, ++NAME or NAME += n. -1: none.
static int counter_of(const unit *u, const statement *s) {
    if (s->kind != S_LOOP || !is(u, s->first, "for") || !is(u, s->first + 1, "(")) return -1;
    const int close = u->tokens[s->first + 1].match;
    int n = 0;
    for (int i = s->first + 2; i < close; i++)
        if (is(u, i, ";") && ++n == 2)
            for (i++; i < close; i++)
                if (is_name(u, i)) return i;
    return -1;
}

static bool has(const unit *u, int name, int from, int to) {
    for (int i = from; i < to; i++)
        if (edits_same(u, i, name, 1)) return true;
    return false;
}

bool edits_keeps_last(const edits *e, const change *c) {
    const unit *u = &e->u;
    if (c->place < 0 || strcmp(c->old_shown, "+=") || strcmp(c->new_shown, "=")) return false;
    const int own = e->places[c->place].statement;
    const statement *s = &e->statements[own];
    int at = own, counter = -1;
    while (at >= 0 && counter < 0) {
        counter = counter_of(u, &e->statements[at]);
        if (counter < 0) at = e->statements[at].parent;
    }
    int left = c->first - 1;
    while (left > s->first && !is(u, left - 1, ";") && !is(u, left - 1, "{") && !is(u, left - 1, "}") &&
           !is(u, left - 1, ")"))
        left--;
    if (at < 0 || !is_name(u, left) || has(u, counter, left, c->first)) return false;
    int end = c->end;
    while (end < s->end && !is(u, end, ";")) end++;
    if (!has(u, counter, c->end, end)) return false;
    const statement *loop = &e->statements[at];
    for (int i = loop->first; i < loop->end; i++)
        if (i != left && edits_same(u, i, left, 1)) return false;  // each round may do something with it
    return true;
}
