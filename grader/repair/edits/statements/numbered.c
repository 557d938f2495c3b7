// numbered.c: lines that set one element of an array after the other, by its number, of which the last one is missing.
//
//     p[0] = s[c];  p[1] = s[ROW + c];  p[2] = s[2 * ROW + c];          p[3] = s[3 * ROW + c];
#include "edits.h"

#include <stdlib.h>

enum { NEXT = 4, MOST = 16 };  // rank; elements

// p[k] = ..., p[k] += ...: k. -1: the statement is no such line.
static int number_of(const edits *e, const statement *st) {
    const token *t = &e->u.tokens[st->first + 2];
    if (st->kind != S_EXPRESSION || !is_name(&e->u, st->first) || !is(&e->u, st->first + 1, "[") ||
        t->kind != TOKEN_NUMBER || !is(&e->u, st->first + 3, "]") || !edits_operator(&e->u, st->first + 4) ||
        !edits_assigns(&e->u, st->first + 4))
        return -1;
    return atoi(t->at);
}

static bool is_number(const token *t, int n) {
    return t->kind == TOKEN_NUMBER && t->length < 3 && atoi(t->at) == n && t->at[t->length - 1] != 'f';
}

static const char *next_of(edits *e, const statement *st, int number) {
    const char *text = "";
    for (int i = st->first; i < st->end; i++) {
        const token *t = &e->u.tokens[i];
        const bool gap = i + 1 < st->end && e->u.tokens[i + 1].at > t->at + t->length;
        text = is_number(t, number) ? format(&e->u, "%s%d%s", text, number + 1, gap ? " " : "")
                                    : format(&e->u, "%s%.*s%s", text, t->length, t->at, gap ? " " : "");
    }
    return text;
}

void edits_change_numbered(edits *e) {
    for (int s = 0; s < e->n_statements; s++) {
        const statement *st = &e->statements[s];
        const int number = st->listed && !st->fixed && edits_wanted(e, s) ? number_of(e, st) : -1,
                  next = edits_next(e, s);
        if (number < 1 || number >= MOST) continue;
        bool follows = false;  // the one before is there, and no line sets the next one
        for (int k = 0; k < e->n_statements; k++) {
            const statement *other = &e->statements[k];
            if (other->parent != st->parent || !edits_same(&e->u, other->first, st->first, 2)) continue;
            const int its = number_of(e, other);
            follows |= its == number - 1;
            if (its > number) {
                follows = false;
                break;
            }
        }
        if (!follows) continue;
        if (next >= 0)
            edits_insert(e, next, false, NEXT, "statement", next_of(e, st, number));
        else if (st->parent >= 0 && st->end == st->block_end)
            edits_insert(e, st->parent, true, NEXT, "statement", next_of(e, st, number));
    }
}
