// together.c: pointers that a loop's header moves on, and one that stays where it is.
//
//     for (j = 0; j < n; j++, K += D)       for (j = 0; j < n; j++, K += D, V += D)
#include "edits.h"

#include <string.h>

enum { TOGETHER = 4, READ_ONLY = 1 };  // ranks: the second is added where one of both is only read

static bool is_set_within(const edits *e, const variable *v, int first, int end) {
    for (int i = first; i + 1 < end; i++)
        if (is(&e->u, i, v->name) && (edits_assigns(&e->u, i + 1) || adjacent(&e->u, i + 1, "++"))) return true;
    return false;
}

static bool is_read_within(const edits *e, const variable *v, int first, int end) {
    for (int i = first; i < end; i++)
        if (is(&e->u, i, v->name) && edits_sees(e, v, i)) return true;
    return false;
}

// x is p += n in the header: each of its kind that the loop reads and does not move.
static void each(edits *e, int place, const expression *x) {
    const struct place *p = &e->places[place];
    const statement *loop = &e->statements[p->statement];
    if (x->kind == E_COMMA) {
        each(e, place, x->a), each(e, place, x->b);
        return;
    }
    if (x->kind != E_ASSIGN || x->a->kind != E_NAME || !adjacent(&e->u, x->op, "+=")) return;
    const token *t = &e->u.tokens[x->a->first];
    const variable *v = edits_visible(e, t->at, t->length, x->a->first);
    for (int i = 0; v && v->type.pointers && i < e->n_variables; i++) {
        const variable *w = &e->variables[i];
        if (w != v && edits_sees(e, w, x->first) && edits_alike(v->type, w->type) &&
            !is_set_within(e, w, loop->first, loop->end) && is_read_within(e, w, p->end, loop->end))
            edits_replace(e, place, TOGETHER + (v->type.constant == w->type.constant ? 0 : READ_ONLY), "together",
                          p->first, p->end, "%s, %s += %s", edits_text(e, p->first, p->end), w->name,
                          edits_text(e, x->b->first, x->b->end));
    }
}

void edits_change_together(edits *e) {
    const int all = e->n_places;
    for (int i = 0; i < all; i++) {
        const place p = e->places[i];
        if (p.kind == P_VOID && p.tree && e->statements[p.statement].kind == S_LOOP && edits_wanted(e, p.statement))
            each(e, i, p.tree);
    }
}
