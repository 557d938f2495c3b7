// longest.c: the number of the first of many, where one is meant that suffices for all: a field beside it.
//
//     blocks = (tokens.count[0] + SIZE - 1) / SIZE      tokens.seq, as long as the longest
#include "edits.h"

#include <string.h>

enum { LONGEST = 4 };  // a rank

void edits_change_longest(edits *e, int place, const expression *x) {
    if (x->kind != E_INDEX || x->a->kind != E_MEMBER || x->b->kind != E_NUMBER || !is(&e->u, x->b->first, "0")) return;
    const value_type of = edits_type_of(e, x->a->a);
    for (int i = 0; i < e->n_variables && of.word; i++) {
        const variable *f = &e->variables[i];
        if (f->owner && !strcmp(f->owner, of.word) && edits_is_whole(f->type))
            edits_replace(e, place, LONGEST, "longest", x->first, x->end, "%s%s",
                          edits_text(e, x->first, x->a->end - 1), f->name);
    }
}
