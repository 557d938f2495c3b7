// numbers.c: a known number in place of the one that was meant.
//
//     0.693147f, ln 2          1.442695f, log2(e) = 1 / ln 2, and the other way round
//     s[j] = -100.0f           -INFINITY: a score may be lower than any number
#include "edits.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { INVERSE = 4, HIDDEN = 4, LEAST_HIDDEN = 16 };  // ranks; the smallest number that is to hide something

static bool is_value(const edits *e, int place, const expression *x) {
    const expression *p = x->parent;
    if (!p) return e->places[place].kind == P_VALUE;
    return (p->kind == E_ASSIGN && p->b == x) || (p->kind == E_TERNARY && p->a != x);
}

static double number(const edits *e, const expression *x) {
    const token *t = &e->u.tokens[x->first];
    char *end;
    const double n = strtod(t->at, &end);
    return x->kind == E_NUMBER && end - t->at >= t->length - 1 ? n : 0;
}

void edits_change_numbers(edits *e, int place, expression *x) {
    const double ln2 = log(2), n = number(e, x);
    if (fabs(n / ln2 - 1) < 2e-3) edits_replace(e, place, INVERSE, "constant", x->first, x->end, "1.44269504f");
    if (fabs(n * ln2 - 1) < 2e-3) edits_replace(e, place, INVERSE, "constant", x->first, x->end, "0.69314718f");
    if (x->kind == E_UNARY && is(&e->u, x->op, "-") && is_value(e, place, x) && number(e, x->a) >= LEAST_HIDDEN)
        edits_replace(e, place, HIDDEN, "constant", x->first, x->end, "-INFINITY");
}
