// regrouped.c: a factor of one argument that belongs to the one beside it, in all calls that group them so.
//
//     product(C, A, B, batch, heads * rows, n)            product(C, A, B, batch * heads, rows, n)
#include "edits.h"

enum { REGROUPED = 16 };  // rank

static bool is_product(edits *e, const expression *x) {
    return is_operator(e, x, "*") && edits_is_whole(edits_type_of(e, x));
}

// Of two arguments side by side one is a product, and the other a name or a field.
static bool is_plain(edits *e, const expression *x) {
    return (x->kind == E_NAME || x->kind == E_MEMBER) && edits_is_whole(edits_type_of(e, x));
}

void edits_change_regrouped(edits *e, int place, const expression *x) {
    for (const expression *a = x->kind == E_CALL ? x->arguments : NULL; a && a->next; a = a->next) {
        const expression *b = a->next;
        if (is_plain(e, a) && is_product(e, b))
            edits_replace(e, place, REGROUPED, "regrouped", a->first, b->end, "%s * %s, %s", edits_text_of(e, a),
                          edits_text_of(e, b->a), edits_text_of(e, b->b));
        if (is_product(e, a) && is_plain(e, b))
            edits_replace(e, place, REGROUPED, "regrouped", a->first, b->end, "%s, %s * %s", edits_text_of(e, a->a),
                          edits_text_of(e, a->b), edits_text_of(e, b));
    }
}
