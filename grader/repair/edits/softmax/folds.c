// folds.c: what joins the old and the new, and was left out or put at the wrong one of both; axes of a call.
//
//     high = dot;                          high = larger(dot, high), by a function of the file that takes two of a type
//     a.sum * fade + b.sum                 a.sum + b.sum * fade
//     swap_axes(v, 1, 2)                   swap_axes(v, 2, 3)
#include "edits.h"

#include <stdlib.h>
#include <string.h>

enum { FOLD = 12, FACTOR = 14, NEXT = 16, MOST_AXIS = 4 };  // ranks

// float larger(float, float): two of a type make one of it.
static bool joins_two(const edits *e, const function *f, value_type type) {
    int alike = 0;
    if (f->parameters != 2 || f->kernel || !edits_alike(f->result, type)) return false;
    for (int i = 0; i < e->n_variables; i++) {
        const variable *v = &e->variables[i];
        alike += v->is_parameter && v->from == f->body && edits_alike(v->type, type) &&
                 v->type.pointers == type.pointers && v->type.base == type.base;
    }
    return alike == 2;
}

// x = y; in a loop: the last y alone remains.
static void fold(edits *e, int place, const expression *x) {
    const char *a = edits_text(e, x->a->first, x->a->end), *b = edits_text(e, x->b->first, x->b->end);
    const value_type type = edits_type_of(e, x->a);
    int loop = e->places[place].statement;
    while (loop >= 0 && e->statements[loop].kind != S_LOOP) loop = e->statements[loop].parent;
    if (loop < 0 || x->op_end != x->op + 1 || type.base == BASE_UNKNOWN || type.base == BASE_INT || type.pointers)
        return;
    for (int i = 0; i < e->n_functions; i++)
        if (e->functions[i].open < x->first && joins_two(e, &e->functions[i], type))
            edits_replace(e, place, FOLD, "joined", x->b->first, x->b->end, "%s(%s, %s)", e->functions[i].name, b, a);
}

// a + b * f, in whatever it is used: the factor belongs to the other one.
void edits_change_rescaled(edits *e, int place, expression *x) {
    const value_type type = edits_type_of(e, x);
    if (!is_operator(e, x, "+") || type.base != BASE_FLOAT || type.pointers) return;
    for (int k = 0; k < 2; k++) {
        const expression *plain = k ? x->b : x->a, *product = k ? x->a : x->b;
        if (!is_operator(e, product, "*") || is_operator(e, plain, "*+-")) continue;
        for (int f = 0; f < 2; f++) {
            const expression *factor = f ? product->a : product->b, *rest = f ? product->b : product->a;
            edits_replace(e, place, FACTOR, "state", x->first, x->end, k ? "%s + %s * %s" : "%s * %s + %s",
                          k ? edits_text(e, rest->first, rest->end) : edits_text(e, plain->first, plain->end),
                          k ? edits_text(e, plain->first, plain->end) : edits_text(e, factor->first, factor->end),
                          k ? edits_text(e, factor->first, factor->end) : edits_text(e, rest->first, rest->end));
        }
    }
}

static int axis_of(const edits *e, const expression *x) {
    const token *t = &e->u.tokens[x->first];
    return x->kind == E_NUMBER && t->length == 1 && *t->at >= '0' && *t->at < '0' + MOST_AXIS ? *t->at - '0' : -1;
}

// Two axes that follow each other: both are one further, or one less.
static void axes(edits *e, int place, const expression *x) {
    for (const expression *a = x->arguments; a && a->next; a = a->next) {
        const int one = axis_of(e, a), two = axis_of(e, a->next);
        if (one < 0 || two < 0 || one == two) continue;
        for (int by = -1; by <= 1; by += 2)
            if (one + by >= 0 && two + by >= 0 && one + by < MOST_AXIS && two + by < MOST_AXIS)
                edits_replace(e, place, NEXT, "constant", a->first, a->next->end, "%d, %d", one + by, two + by);
    }
}

void edits_change_folds(edits *e, int place, expression *x) {
    if (x->kind == E_ASSIGN && is(&e->u, x->op, "=")) fold(e, place, x);
    if (x->kind == E_CALL) axes(e, place, x);
}
