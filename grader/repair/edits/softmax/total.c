// total.c: what is stored is not divided by the sum.
//
//     O[d] = o;                   O[d] = o / l;
//     y[c] = y[c];                y[c] = y[c] / total;
#include "edits.h"

#include <string.h>

enum { TOTAL = 16 };  // a rank

static bool is_sum_by_name(const char *name) {
    static const char *const words[] = {"sum", "total", "mass", "den", "norm", NULL};
    for (int i = 0; words[i]; i++)
        if (strstr(name, words[i])) return true;
    return !strcmp(name, "l") || !strcmp(name, "z");
}

void edits_change_total(edits *e, int place, expression *x) {
    const expression *up = x->parent;
    const bool stored = up && up->kind == E_ASSIGN && up->b == x && is(&e->u, up->op, "=") && up->a->kind == E_INDEX;
    if (!stored || !edits_is_real(edits_type_of(e, x)) || is_operator(e, x, "/")) return;
    const char *text =
        x->kind == E_BINARY || x->kind == E_TERNARY ? format(&e->u, "(%s)", edits_text_of(e, x)) : edits_text_of(e, x);
    for (int i = 0; i < e->n_ingredients; i++) {
        const ingredient *g = &e->ingredients[i];
        const char *name = strrchr(g->text, '.') ? strrchr(g->text, '.') + 1 : g->text;
        if (g->kind == I_ATOM && edits_is_real(g->type) && !strchr(text, '/') && edits_usable(e, g, x->first) &&
            is_sum_by_name(name) && strcmp(g->text, text))
            edits_replace(e, place, TOTAL, "divisor", x->first, x->end, "%s / %s", text, g->text);
    }
    for (int i = 0; i < e->n_variables; i++) {
        const variable *v = &e->variables[i];
        if (edits_is_real(v->type) && edits_sees(e, v, x->first) && is_sum_by_name(v->name) && strcmp(v->name, text))
            edits_replace(e, place, TOTAL, "divisor", x->first, x->end, "%s / %s", text, v->name);
    }
}
