// told.c: of a change in several places the words: somebody will do them literally, and that is to be what was tried.
#include "edits.h"

enum { WIDEST = 6 };

// How often these tokens stand in their line.
static int in_line(const edits *e, int first, int length) {
    const token *t = e->u.tokens;
    int from = first, n = 0;
    while (from && t[from - 1].line == t[first].line) from--;
    for (int k = from; k + length <= e->u.token_count && t[k].line == t[first].line; k++)
        n += edits_same(&e->u, first, k, length);
    return n;
}

int edits_told_by_words(const edits *e, const int *first, int n, int length) {
    const token *t = e->u.tokens;
    int told = 1;
    for (int i = 0; i < n; i++) {
        const int there = in_line(e, first[i], length);
        int change = 0;
        for (int k = 0; k < n; k++)
            change += t[first[k]].line == t[first[i]].line && edits_same(&e->u, first[i], first[k], length);
        if (there != change) return 0;
        if (there > 1) told = 2;
    }
    return told;
}

// With so many tokens before and behind it that it stands once in its line. Returns false if there are none.
static bool widen(const edits *e, int first, int length, int *from, int *to) {
    const token *t = e->u.tokens;
    for (int before = 0; before <= WIDEST; before++)
        for (int behind = 0; behind <= 2 * WIDEST - 2 * before && behind <= WIDEST; behind++) {
            *from = first - before, *to = first + length + behind;
            if (*from < 0 || *to > e->u.token_count || t[*from].line != t[*to - 1].line) continue;
            const bool word = t[*from].kind != TOKEN_PUNCTUATION || !before;
            if (word && in_line(e, *from, *to - *from) == 1) return true;
        }
    return false;
}

bool edits_tell_both(edits *e, change *c, const int first[2], int length, const char *one, const char *other) {
    const char *was[2], *now[2], *const words[] = {one, other};
    if (e->u.tokens[first[0]].line == e->u.tokens[first[1]].line) return false;
    for (int i = 0; i < 2; i++) {
        int from, to;
        if (!widen(e, first[i], length, &from, &to)) return false;
        const int end = first[i] + length;
        was[i] = edits_text(e, from, to);
        now[i] =
            format(&e->u, "%s%s%s%s%s", from < first[i] ? edits_text(e, from, first[i]) : "",
                   from < first[i] ? " " : "", words[i], end < to ? " " : "", end < to ? edits_text(e, end, to) : "");
    }
    c->old_shown = format(&e->u, "%s ... %s", was[0], was[1]);
    c->new_shown = format(&e->u, "%s ... %s", now[0], now[1]);
    return true;
}
