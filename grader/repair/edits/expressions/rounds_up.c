// rounds_up.c: how many groups there are is rounded up with the size of another group.
//
//     (n + LANES - 1) / EDGE         (n + EDGE - 1) / EDGE, or (n + LANES - 1) / LANES
//     (n + 31) / 16                  (n + 15) / 16, or (n + 31) / 32
//     heads * Sq / BR                heads * tiles, of tiles = (Sq + BR - 1) / BR; heads * ((Sq + BR - 1) / BR)
#include "edits.h"

#include <stdlib.h>
#include <string.h>

enum { ADDED = 3, DIVISOR = 5, NAMED = 4, EACH = 6 };  // ranks

static bool is_atom(const expression *x) { return x->kind == E_NAME || x->kind == E_NUMBER || x->kind == E_MEMBER; }

// a * b / c: of each of a there are as many groups as b has, the last one not whole.
static void of_each(edits *e, int place, const expression *x, const char *by) {
    const expression *product = edits_bare(x->a);
    if (!is_operator(e, product, "*") || !is_atom(product->b)) return;
    const char *each = edits_text_of(e, product->a),
               *up = format(&e->u, "(%s + %s - 1) / %s", edits_text_of(e, product->b), by, by);
    for (int i = 0; i < e->n_variables; i++) {
        const variable *v = &e->variables[i];
        if (v->value >= 0 && edits_sees(e, v, x->first) && !strcmp(edits_text(e, v->value, v->value_end), up))
            edits_replace(e, place, NAMED, "rounded up", x->first, x->end, "%s * %s", each, v->name);
    }
    edits_replace(e, place, EACH, "rounded up", x->first, x->end, "%s * (%s)", each, up);
}

void edits_change_rounds_up(edits *e, int place, const expression *x) {
    const expression *sum = is_operator(e, x, "/") ? edits_bare(x->a) : NULL, *by = sum ? x->b : NULL;
    if (!sum || !is_atom(by) || edits_is_real(edits_type_of(e, x))) return;
    const char *text = edits_text_of(e, by);
    of_each(e, place, x, text);
    if (is_operator(e, sum, "-") && is(&e->u, sum->b->first, "1") && is_operator(e, sum->a, "+")) {
        const expression *size = sum->a->b;
        if (!is_atom(size) || !strcmp(edits_text_of(e, size), text)) return;
        edits_replace(e, place, ADDED, "rounded up", size->first, size->end, "%s", text);
        edits_replace(e, place, DIVISOR, "rounded up", by->first, by->end, "%s", edits_text_of(e, size));
    } else if (is_operator(e, sum, "+") && sum->b->kind == E_NUMBER && by->kind == E_NUMBER) {
        const int more = atoi(edits_text_of(e, sum->b)), size = atoi(text);
        if (more < 3 || size < 2 || more + 1 == size) return;
        edits_replace(e, place, ADDED, "rounded up", sum->b->first, sum->b->end, "%d", size - 1);
        edits_replace(e, place, DIVISOR, "rounded up", by->first, by->end, "%d", more + 1);
    }
}
