// wraps.c: a difference of two numbers that have no sign is a huge one where it should be below 0.
//
//     if (j - i > past)        if (j > i + past)
#include "edits.h"

enum { SUM = 3 };  // rank

static bool is_whole(edits *e, const expression *x) {
    const value_type type = edits_type_of(e, x);
    return type.base == BASE_INT && !type.pointers;
}

void edits_change_wraps(edits *e, int place, expression *x) {
    const expression *a = x->a;
    if (x->kind != E_BINARY ||
        !(is_operator(e, x, "<>") || adjacent(&e->u, x->op, "<=") || adjacent(&e->u, x->op, ">=")))
        return;
    while (a->kind == E_PAREN) a = a->a;
    if (!is_operator(e, a, "-") || !is_whole(e, a->a) || !is_whole(e, a->b)) return;
    edits_replace(e, place, SUM, "sum", x->first, x->end, "%s %s %s + %s", edits_text(e, a->a->first, a->a->end),
                  edits_operator_text(&e->u, x->op), edits_text(e, a->b->first, a->b->end),
                  edits_text(e, x->b->first, x->b->end));
}
