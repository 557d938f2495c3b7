// products.c: a count that is a product elsewhere in the function, and here its last factor alone.
//
//     mask<<<B * H * Sq, ...>>>(...);   softmax(S, S, Sq, Sk);      softmax(S, S, B * H * Sq, Sk);
#include "edits.h"

#include <string.h>

enum { WHOLE = 4 };  // rank

void edits_change_products(edits *e, int place, expression *x) {
    const unit *u = &e->u;
    const function *f = &e->functions[e->statements[e->places[place].statement].function];
    const bool argument = x->parent && x->parent->kind == E_CALL && x->parent->a != x;
    if (!argument || x->kind != E_NAME || edits_type_of(e, x).base != BASE_INT || edits_type_of(e, x).pointers) return;
    const char *name = edits_text(e, x->first, x->end);
    for (int i = f->body + 2; i + 1 < f->end; i++) {
        int first = i;
        if (i == x->first || !is(u, i, name) || is(u, i + 1, "*") || is(u, i + 1, ".")) continue;
        while (first - 2 > f->body && is(u, first - 1, "*") && is_name(u, first - 2)) first -= 2;
        const bool begins = is(u, first - 1, "<<<") || is(u, first - 1, "=") || is(u, first - 1, ",") ||
                            is(u, first - 1, "(") || is(u, first - 1, "<");
        if (first < i && begins)
            edits_replace(e, place, WHOLE, "whole", x->first, x->end, "%s", edits_text(e, first, i + 1));
    }
}
