// third.c: of values that stand side by side each is one step further than the one before it.
//
//     q = row[e], k = row[e + E], v = row[e + E];       v = row[e + 2 * E]
#include "edits.h"

#include <string.h>

enum { FURTHER = 3 };  // a rank

static bool same_text(edits *e, const place *p, const place *q) {
    return p->end - p->first == q->end - q->first &&
           !strcmp(edits_text(e, p->first, p->end), edits_text(e, q->first, q->end));
}

// The summands that are one name: two of them.
static void each_summand(edits *e, int place, const expression *x) {
    if (!x) return;
    if (is_operator(e, x, "+"))
        for (int i = 0; i < 2; i++) {
            const expression *of = i ? x->b : x->a;
            const value_type t = edits_type_of(e, of);
            if ((of->kind == E_NAME || of->kind == E_MEMBER) && t.base != BASE_FLOAT && !t.pointers)
                edits_replace(e, place, FURTHER, "further", of->first, of->end, "2 * %s",
                              edits_text(e, of->first, of->end));
        }
    each_summand(e, place, x->a), each_summand(e, place, x->b);
    for (const expression *y = x->arguments; y; y = y->next) each_summand(e, place, y);
}

void edits_change_third(edits *e) {
    const int all = e->n_places;
    for (int p = 0; p < all; p++)
        for (int q = p + 1; q < all && q < p + 12; q++) {
            const place *a = &e->places[p], *b = &e->places[q];
            if (a->kind != P_VALUE || b->kind != P_VALUE || b->first - a->end > 24 || !edits_wanted(e, b->statement) ||
                !same_text(e, a, b))
                continue;
            each_summand(e, q, b->tree);
            each_summand(e, p, a->tree);
        }
}
