// lost.c: a statement that may not come, as what it stores is lost, or what stands beside it.
//
//     As[ty][tx] = load(A, row, tx);      As[ty][tx] = load(A, row, k0 + tx);      that is another line, and not a new one
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
