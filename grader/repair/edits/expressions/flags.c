// flags.c: a flag of a struct that is handed on is set whatever the sizes are.
//
//     shape.causal = shape.seq_q < shape.seq_kv;       shape.causal = 1;
#include "edits.h"

#include <string.h>

enum { SET = 9, CLEARED = 15 };  // ranks

static bool compares(const edits *e, const expression *x) {
    static const char *const list[] = {"<", "<=", ">", ">=", "==", "!=", "&&", "||", NULL};
    while (x->kind == E_PAREN) x = x->a;
    for (int i = 0; x->kind == E_BINARY && list[i]; i++)
        if (!strcmp(edits_operator_text(&e->u, x->op), list[i])) return true;
    return false;
}

void edits_change_flag(edits *e, int place, const expression *x) {
    if (x->kind != E_ASSIGN || x->op_end != x->op + 1 || x->a->kind != E_MEMBER || !compares(e, x->b)) return;
    edits_replace(e, place, SET, "flag", x->b->first, x->b->end, "1");
    edits_replace(e, place, CLEARED, "flag", x->b->first, x->b->end, "0");
}
