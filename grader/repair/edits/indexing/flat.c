// flat.c: one number that counts the elements of a whole tile is no row: where it is compared as one, it must be divided
// by the length of a row.
//
//     for (e = t; e < ROWS * width; e += n)  ... first + e < rows ...        first + e / width < rows
//
// It is taken apart by the length of a row that it was counted with, and not by that of the rows where it is stored.
//
//     row = e / (width + 1), column = e - row * (width + 1)                  row = e / width, column = e - row * width
#include "edits.h"

#include <string.h>

enum { ROW = 5, COLUMN = 9, APART = 4 };  // ranks

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

// The product that the loop around it ends at whose counter is called so.
static const expression *counted_to(edits *e, int place, const char *name) {
    const expression *product = NULL;
    const int s = e->places[place].statement;
    for (int loop = s; loop >= 0 && !product; loop = e->statements[loop].parent)
        if (e->statements[loop].kind == S_LOOP && (loop != s || e->places[place].kind != P_CONDITION))
            product = product_of(e, loop, name);
    return product;
}

static bool reads(edits *e, const expression *x, const char *text) { return x && !strcmp(edits_text_of(e, x), text); }

// n % width, n - row * width
static const expression *rest_of(edits *e, const expression *x, const char *n, const char *width) {
    if (!x) return NULL;
    if (is_operator(e, x, "%") && reads(e, x->a, n) && reads(e, x->b, width)) return x;
    if (is_operator(e, x, "-") && reads(e, x->a, n) && is_operator(e, x->b, "*") && reads(e, x->b->b, width)) return x;
    const expression *found = rest_of(e, x->a, n, width);
    if (!found) found = rest_of(e, x->b, n, width);
    if (!found) found = rest_of(e, x->c, n, width);
    for (const expression *c = x->arguments; c && !found; c = c->next) found = rest_of(e, c, n, width);
    return found;
}

// x with another width.
static const char *by(edits *e, const expression *x, const char *width) {
    const expression *last = is_operator(e, x, "-") ? x->b->b : x->b;
    return format(&e->u, "%s %s", edits_text(e, x->first, last->first), width);
}

// x: n / width
static void apart(edits *e, int place, const expression *x) {
    if (!is_operator(e, x, "/") || x->a->kind != E_NAME) return;
    const char *n = edits_text_of(e, x->a), *width = edits_text_of(e, x->b);
    const expression *product = counted_to(e, place, n);
    const int function = e->statements[e->places[place].statement].function;
    if (!product || reads(e, product->b, width) || reads(e, product->a, width)) return;
    const char *due = edits_text_of(e, product->b);
    for (int p = 0; p < e->n_places; p++) {
        const expression *rest = NULL;
        if (e->statements[e->places[p].statement].function == function) rest = rest_of(e, e->places[p].tree, n, width);
        if (!rest || counted_to(e, p, n) != product) continue;
        const replacement row = {place, x->first, x->end, by(e, x, due)},
                          column = {p, rest->first, rest->end, by(e, rest, due)};
        const replacement *one = row.first < column.first ? &row : &column, *other = one == &row ? &column : &row;
        if (p != place)
            edits_replace_two(e, APART, "flat", one, other);
        else
            edits_replace(e, place, APART, "flat", one->first, other->end, "%s%s%s", one->text,
                          edits_text(e, one->end, other->first), other->text);
    }
}

void edits_change_flat(edits *e, int place, expression *x) {
    const expression *sum = x->parent;
    apart(e, place, x);
    if (x->kind != E_NAME) return;
    while (sum && (is_operator(e, sum, "+") || sum->kind == E_PAREN)) sum = sum->parent;
    const expression *product = compares(e, sum) ? counted_to(e, place, edits_text_of(e, x)) : NULL;
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
