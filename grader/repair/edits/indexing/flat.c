// flat.c: one number that counts the elements of a whole tile is no row: where it is compared as one, it must be divided
// by the length of a row.
//
//     for (e = t; e < ROWS * width; e += n)  ... first + e < rows ...        first + e / width < rows
#include "edits.h"

#include <string.h>

enum { ROW = 5, COLUMN = 9 };  // ranks

// Of a loop that ends at a product its last factor, and its first.
static const expression *product_of(edits *e, int loop, const char *name) {
    for (int p = 0; p < e->n_places; p++) {
        const expression *x = e->places[p].tree;
        if (e->places[p].statement != loop || e->places[p].kind != P_CONDITION || !is_operator(e, x, "<") ||
            x->a->kind != E_NAME || !is(&e->u, x->a->first, name))
            continue;
        const expression *bound = x->b;
        while (bound->kind == E_PAREN) bound = bound->a;
        return is_operator(e, bound, "*") ? bound : NULL;
    }
    return NULL;
}

static bool compares(const edits *e, const expression *x) {
    return x && x->kind == E_BINARY && strchr("<>", *e->u.tokens[x->op].at) && x->op_end - x->op <= 2;
}

void edits_change_flat(edits *e, int place, expression *x) {
    const expression *sum = x->parent, *product = NULL;
    if (x->kind != E_NAME) return;
    while (sum && (is_operator(e, sum, "+") || sum->kind == E_PAREN)) sum = sum->parent;
    if (!compares(e, sum)) return;
    const int s = e->places[place].statement;
    for (int loop = s; loop >= 0 && !product; loop = e->statements[loop].parent)
        if (e->statements[loop].kind == S_LOOP && (loop != s || e->places[place].kind != P_CONDITION))
            product = product_of(e, loop, edits_text_of(e, x));
    if (!product) return;
    const expression *const width[] = {product->b, product->a};
    for (int i = 0; i < 2; i++) {
        if (width[i]->kind != E_NAME && width[i]->kind != E_MEMBER && width[i]->kind != E_NUMBER) continue;
        edits_replace(e, place, ROW + 2 * i, "flat", x->first, x->end, "%s / %s", edits_text_of(e, x),
                      edits_text_of(e, width[i]));
        edits_replace(e, place, COLUMN + 2 * i, "flat", x->first, x->end, "%s %% %s", edits_text_of(e, x),
                      edits_text_of(e, width[i]));
    }
}
