// divisors.c: a number is divided by a size or a counter, where a sum of the function is meant; C alone.
//
//     out[c] = out[c] / cols;  inv = 1.0f / i;         out[c] / sum;  1.0f / mass[i]
//     n == 1 ? a[0] : ...                              n == 1 ? a[0] * b[0] : ...
#include "edits.h"

#include <string.h>

enum { SUM = 16, ELEMENT = 18, OTHER = 8 };  // ranks

static void by_number(edits *e, int place, const expression *x) {
    const expression *by = x->b;
    while (by->kind == E_PAREN || by->kind == E_CAST) by = by->a;
    if (!edits_is_real(edits_type_of(e, x->a)) || !edits_is_whole(edits_type_of(e, by))) return;
    const int function = e->statements[e->places[place].statement].function;
    for (int i = 0; i < e->n_ingredients; i++) {
        const ingredient *g = &e->ingredients[i];
        if (g->kind == I_ATOM && g->function == function && edits_is_real(g->type) && is_name(&e->u, g->first) &&
            !edits_contains(e, x->a, g) && edits_usable(e, g, x->first))
            edits_replace(e, place, strchr(g->text, '[') ? ELEMENT : SUM, "divisor", x->b->first, x->b->end, "%s",
                          g->text);
    }
}

// a[i], beside an array that is handed over and that nobody reads: the product with its element.
static void by_other_array(edits *e, int place, const expression *x) {
    const expression *up = x->parent;
    const bool whole = !up || up->kind == E_TERNARY || (up->kind == E_ASSIGN && up->b == x);
    if (!whole || x->a->kind != E_NAME || !edits_is_real(edits_type_of(e, x))) return;
    for (int i = 0; i < e->n_variables; i++) {
        const variable *v = &e->variables[i];
        if (v->is_parameter && v->type.base == BASE_FLOAT && v->type.pointers == 1 && v->type.constant &&
            edits_sees(e, v, x->first) && !is(&e->u, x->first, v->name))
            edits_replace(e, place, edits_is_unread(e, v) ? OTHER : OTHER + SUM, "factor", x->first, x->end,
                          "%s * %s[%s]", edits_text_of(e, x), v->name, edits_text_of(e, x->b));
    }
}

void edits_change_divisors(edits *e, int place, expression *x) {
    if (is_operator(e, x, "/")) by_number(e, place, x);
    if (x->kind == E_INDEX) by_other_array(e, place, x);
}
