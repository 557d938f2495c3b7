// columnwise.c: an element of a matrix is read as if its columns lay one behind the other. What its row and column end at
// is asked elsewhere in the function.
//
//     row < m && col < k ? A[col * m + row] : 0        A[row * k + col]
#include "edits.h"

enum { ROWWISE = 5 };  // rank

// i < END stands at token i, and i is n tokens: where END ends; 0: it does not.
static int end_behind(const edits *e, int i, int first, int n) {
    const unit *u = &e->u;
    if (!edits_same(u, i, first, n) || is_name(u, i - 1) || is(u, i - 1, "+") || is(u, i - 1, "*")) return 0;
    if (!is(u, i + n, "<") || edits_operator(u, i + n) != 1 || !is_name(u, i + n + 1)) return 0;
    int end = i + n + 2;
    while (is(u, end, ".") || is(u, end, "->")) end += 2;
    return end;
}

void edits_change_columnwise(edits *e, int place, const expression *x) {
    const expression *sum = x->kind == E_INDEX ? edits_bare(x->b) : NULL, *product = sum;
    while (is_operator(e, product, "+")) product = product->a;
    if (product == sum || !is_operator(e, product, "*")) return;
    const bool cast = edits_bare(product->a)->kind == E_CAST;
    const expression *row = edits_bare(cast ? edits_bare(product->a)->a : product->a), *rows = product->b;
    const int column = product->end + 1, n = sum->end - column, row_n = row->end - row->first;
    const function *f = &e->functions[e->statements[e->places[place].statement].function];
    bool asked = false;
    for (int i = f->body; i < f->end && !asked; i++) {
        const int end = end_behind(e, i, column, n);
        asked = end && end - i - n - 1 == rows->end - rows->first &&
                edits_same(&e->u, i + n + 1, rows->first, end - i - n - 1);
    }
    for (int i = f->body; asked && i < f->end; i++) {
        const int end = end_behind(e, i, row->first, row_n);
        const ingredient columns = {.first = i + row_n + 1, .end = end};
        if (end && edits_usable(e, &columns, x->first))
            edits_replace(e, place, ROWWISE, "columnwise", sum->first, sum->end,
                          n > 1 ? "%s(%s) * %s + %s" : "%s%s * %s + %s", cast ? "(size_t)" : "",
                          edits_text(e, column, sum->end), edits_text(e, columns.first, columns.end),
                          edits_text_of(e, row));
    }
}
