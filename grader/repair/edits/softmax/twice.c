// twice.c: what is added to in a loop, term by term, and behind it once more, by what the loop has summed.
//
//     for (...) { sum += e; *l += e; }   *l += sum;      without the one in the loop
#include "edits.h"

#include <string.h>

enum { TWICE = 2 };  // rank

// Of "*l += e" its "*l +="; NULL: it is no such statement.
static const char *added_to(edits *e, int s) {
    const statement *st = &e->statements[s];
    if (st->kind != S_EXPRESSION) return NULL;
    for (int i = st->first; i + 1 < st->end; i++)
        if (adjacent(&e->u, i, "+=")) return edits_text(e, st->first, i + 1);
    return NULL;
}

void edits_change_twice(edits *e) {
    for (int s = 0; s < e->n_statements; s++) {
        const int block = e->statements[s].parent, loop = block >= 0 ? e->statements[block].parent : -1;
        if (!edits_wanted(e, s) || loop < 0 || e->statements[loop].kind != S_LOOP) continue;
        const char *added = added_to(e, s);
        for (int k = s + 1; added && k < e->n_statements; k++) {
            const statement *other = &e->statements[k];
            const char *again = other->first >= e->statements[loop].end && other->parent == e->statements[loop].parent
                                    ? added_to(e, k)
                                    : NULL;
            if (!again || strcmp(again, added)) continue;
            edits_remove(e, s, TWICE, "statement");
            break;
        }
    }
}
