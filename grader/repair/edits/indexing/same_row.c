// same_row.c: what is copied from a row comes from the row of that number, and not from the first one.
//
//     dst[r * pitch + d] = src[d];              src[r * D + d], where d ends at D
#include "edits.h"

#include <string.h>

enum { ROW = 4 };  // a rank

// The number that the loop of this counter ends at; NULL: it is no name.
static const char *end_of(edits *e, const variable *v, int inner) {
    for (int s = inner; s >= 0; s = e->statements[s].parent) {
        const statement *st = &e->statements[s];
        if (st->kind != S_LOOP || v->declared < st->first || v->declared >= st->end) continue;
        for (int i = v->declared + 1; i < e->u.tokens[st->first + 1].match; i++)
            if (is(&e->u, i, v->name) && is(&e->u, i + 1, "<") && is_name(&e->u, i + 2)) {
                int end = i + 3;
                while (is(&e->u, end, ".") || is(&e->u, end, "->")) end += 2;
                return is(&e->u, end, ";") ? edits_text(e, i + 2, end) : NULL;
            }
    }
    return NULL;
}

// r of r * pitch + d; NULL: the subscript is another one.
static const expression *row_of(edits *e, const expression *sum, const char *column) {
    if (!is_operator(e, sum, "+") || strcmp(edits_text_of(e, sum->b), column)) return NULL;
    const expression *product = edits_bare(sum->a);
    if (!is_operator(e, product, "*")) return NULL;
    const expression *row = edits_bare(product->a);
    while (row->kind == E_CAST) row = edits_bare(row->a);
    return row->kind == E_NAME ? row : NULL;
}

void edits_change_same_row(edits *e, int place, const expression *x) {
    const struct place *p = &e->places[place];
    const expression *set = p->tree, *up = x->parent;
    if (x->kind != E_NAME || !up || up->kind != E_INDEX || up->b != x || up->a->kind != E_NAME) return;
    if (!set || set->kind != E_ASSIGN || set->a->kind != E_INDEX || x->first < set->op) return;
    const token *t = &e->u.tokens[x->first];
    const variable *v = edits_visible(e, t->at, t->length, x->first);
    const char *end = v && v->is_loop ? end_of(e, v, p->statement) : NULL;
    const expression *row = end ? row_of(e, set->a->b, v->name) : NULL;
    if (row) edits_replace(e, place, ROW, "row", x->first, x->end, "%s * %s + %s", edits_text_of(e, row), end, v->name);
}
