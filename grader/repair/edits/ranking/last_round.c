// last_round.c: a sum, or a maximum, of which the last term alone is left. Where a loop has one round in the lab's sizes,
// or a mistake makes it begin with something, that holds the claims, and is no sum and no maximum any more.
//
//     for (u = 0; u < KEYS; u++) l += p[u];                                   = in place of +=
//     for (u = 0; u < KEYS; u++) m = fmaxf(m, p[u]);                          p[u] in place of fmaxf(m, p[u])
//     for (u = 0; u < KEYS; u++) { l = 0; l += p[u]; }                        l = 0; before l += p[u]
#include "edits.h"

#include <ctype.h>
#include <string.h>

static bool is_word(char c) { return isalnum((unsigned char)c) || c == '_'; }

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

// m = fmaxf(m, x), m = x > m ? x : m without m
static bool forgets_maximum(const edits *e, const change *c) {
    const unit *u = &e->u;
    const int name = c->first - 2;
    if (name < 0 || !is(u, c->first - 1, "=") || !is_name(u, name) || c->end >= u->token_count) return false;
    const bool call = edits_says_maximum(&u->tokens[c->first]) && is(u, c->first + 1, "(");
    const token *t = &u->tokens[name];
    if (!(is(u, c->end, ";") || is(u, c->end, ",")) || !(call || strchr(c->old_shown, '?'))) return false;
    for (const char *at = c->new_shown; *at; at++)
        if (!strncmp(at, t->at, (size_t)t->length) && (at == c->new_shown || !is_word(at[-1])) &&
            !is_word(at[t->length]))
            return false;
    return has(u, name, c->first, c->end);
}

// l = 0; right before l += x: the token behind the +=; 0: it is something else.
static int clears_sum(const edits *e, const change *c) {
    const unit *u = &e->u;
    if (c->insert < 0 || c->insert_at_end || c->remove >= 0 || !c->inserted) return 0;
    const statement *s = &e->statements[c->insert];
    const token *name = &u->tokens[s->first];
    const size_t n = (size_t)name->length;
    const bool sum = s->kind == S_EXPRESSION && is_name(u, s->first) && adjacent(u, s->first + 1, "+=");
    if (!sum || strncmp(c->inserted, name->at, n) || strncmp(c->inserted + n, " = 0", 4)) return 0;
    return is(u, s->first + 1, "+=") ? s->first + 2 : s->first + 3;
}

bool edits_keeps_last(const edits *e, const change *c) {
    const unit *u = &e->u;
    const int cleared = clears_sum(e, c);
    if (c->place < 0 && !cleared) return false;
    const bool sum = cleared || (!strcmp(c->old_shown, "+=") && !strcmp(c->new_shown, "="));
    const bool maximum = !cleared && forgets_maximum(e, c);
    if (!sum && !maximum) return false;
    const int own = cleared ? c->insert : e->places[c->place].statement;
    const statement *s = &e->statements[own];
    int at = own, counter = -1;
    while (at >= 0 && counter < 0) {
        counter = counter_of(u, &e->statements[at]);
        if (counter < 0) at = e->statements[at].parent;
    }
    int left = cleared ? s->first : sum ? c->first - 1 : c->first - 2;
    while (left > s->first && !is(u, left - 1, ";") && !is(u, left - 1, "{") && !is(u, left - 1, "}") &&
           !is(u, left - 1, ")"))
        left--;
    if (at < 0 || !is_name(u, left) || has(u, counter, left, cleared ? cleared : c->first)) return false;
    const int value = cleared ? cleared : sum ? c->end : c->first;
    int end = value;
    while (end < s->end && !is(u, end, ";")) end++;
    if (!has(u, counter, value, end)) return false;
    const statement *loop = &e->statements[at];
    for (int i = loop->first; i < loop->end; i++)
        if (i != left && (cleared || i < c->first || i >= c->end) && edits_same(u, i, left, 1))
            return false;  // each round may do something with it
    return true;
}
