// extents.c: the numbers of an array of this function, and a loop over them that ends elsewhere.
//
//     vec sum[ROWS][VECS]; ... for (r = 0; r < e.rows; r++) ... sum[r][v] ...      r < ROWS, in all such loops
#include "edits.h"

#include <string.h>

enum { EXTENT = 7 };  // rank

// The token behind the ] of the bracket that opens here.
static int behind(const unit *u, int open) { return u->tokens[open].match + 1; }

// Is the array's subscript number `dim` this counter, somewhere in these tokens?
static bool counts_in(const edits *e, const variable *array, int dim, int counter, int from, int to) {
    const unit *u = &e->u;
    for (int i = from; i < to; i++) {
        if (!is(u, i, array->name) || !is(u, i + 1, "[")) continue;
        int open = i + 1;
        for (int d = 0; d < dim && is(u, open, "["); d++) open = behind(u, open);
        if (is(u, open, "[") && behind(u, open) == open + 3 && edits_same(u, open + 1, counter, 1)) return true;
    }
    return false;
}

void edits_change_extents(edits *e, int place) {
    const struct place *p = &e->places[place];
    const statement *st = &e->statements[p->statement];
    const expression *x = p->tree;
    const unit *u = &e->u;
    if (p->kind != P_CONDITION || st->kind != S_LOOP || !x || !is_operator(e, x, "<") || x->a->kind != E_NAME) return;
    for (int i = 0; i < e->n_variables; i++) {
        const variable *v = &e->variables[i];
        if (v->declared < 0 || v->is_global || v->is_parameter || v->owner || !is(u, v->declared + 1, "[") ||
            !edits_sees(e, v, x->first))
            continue;
        for (int dim = 0, open = v->declared + 1; is(u, open, "["); dim++, open = behind(u, open)) {
            const int first = open + 1, end = behind(u, open) - 1;
            if (end > first && strcmp(edits_text(e, first, end), edits_text_of(e, x->b)) &&
                counts_in(e, v, dim, x->a->first, p->end, st->end))
                edits_replace(e, place, EXTENT, "extent", x->b->first, x->b->end, "%s", edits_text(e, first, end));
        }
    }
}
