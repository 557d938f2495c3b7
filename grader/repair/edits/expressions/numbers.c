// numbers.c: a known number in place of the one that was meant.
//
//     0.693147f, ln 2          1.442695f, log2(e) = 1 / ln 2, and the other way round
//     s[j] = -100.0f           -INFINITY: a score may be lower than any number
//     s[j] = FLT_MIN           -INFINITY: the smallest float above 0 is almost 0
#include "edits.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { INVERSE = 4, HIDDEN = 4, LEAST_HIDDEN = 16 };  // ranks; the smallest number that is to hide something

static bool is_value(const edits *e, int place, const expression *x) {
    const expression *p = x->parent;
    if (!p) return e->places[place].kind == P_VALUE || e->places[place].tree != x;
    return (p->kind == E_ASSIGN && p->b == x) || (p->kind == E_TERNARY && p->a != x);
}

static double number(const edits *e, const expression *x) {
    const token *t = &e->u.tokens[x->first];
    char *end;
    const double n = strtod(t->at, &end);
    return x->kind == E_NUMBER && end - t->at >= t->length - 1 ? n : 0;
}

// A name of the headers for an end of the numbers; of floats the smallest above 0, which is taken for the lowest.
static bool is_end_of_numbers(edits *e, const expression *x) {
    static const char *const names[] = {"FLT_MIN", "DBL_MIN", "FLT_EPSILON", "FLT_TRUE_MIN", "INT_MIN",
                                        "FLT_MAX", "DBL_MAX", "INT_MAX",     "INFINITY"};
    for (size_t i = 0; x->kind == E_NAME && i < sizeof names / sizeof *names; i++)
        if (is(&e->u, x->first, names[i])) return true;
    return false;
}

void edits_change_numbers(edits *e, int place, expression *x) {
    const double ln2 = log(2), n = number(e, x);
    if (fabs(n / ln2 - 1) < 2e-3) edits_replace(e, place, INVERSE, "constant", x->first, x->end, "1.44269504f");
    if (fabs(n * ln2 - 1) < 2e-3) edits_replace(e, place, INVERSE, "constant", x->first, x->end, "0.69314718f");
    if (x->kind == E_UNARY && is(&e->u, x->op, "-") && is_value(e, place, x) && number(e, x->a) >= LEAST_HIDDEN)
        edits_replace(e, place, HIDDEN, "constant", x->first, x->end, "-INFINITY");
    const expression *whole = x->kind == E_UNARY && is(&e->u, x->op, "-") ? x->a : x;
    const bool turned = x->parent && x->parent->kind == E_UNARY && is(&e->u, x->parent->op, "-");
    if (is_end_of_numbers(e, whole) && is_value(e, place, x) && !turned &&
        strcmp(edits_text(e, x->first, x->end), "-INFINITY"))
        edits_replace(e, place, HIDDEN, "constant", x->first, x->end, "-INFINITY");
}
