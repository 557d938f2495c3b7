// guarded.c: what a question asks about is what stands behind it: the whole subscript, or the number that is set.
//
//     if (t < D) sum += q[t] * k[lane + t * WARP];     if (lane + t * WARP < D)
//     if (s[c] > s[c - 1]) top = s[c];                 if (s[c] > top)
#include "edits.h"

#include <string.h>

enum { SUBSCRIPT = 8, SET = 0, LONGEST = 12 };  // ranks; tokens of a subscript

static bool names(const edits *e, const expression *x, int name) {
    for (int i = x->first; i < x->end; i++)
        if (edits_same(&e->u, i, name, 1) && !is(&e->u, i - 1, ".") && !is(&e->u, i - 1, "->")) return true;
    return false;
}

// Each subscript of `in` that is made of x, in the place of x.
static void subscripts_of(edits *e, int place, const expression *x, const expression *in) {
    if (!in) return;
    const expression *b = in->kind == E_INDEX ? in->b : NULL;
    if (b && b->kind == E_BINARY && b->end - b->first <= LONGEST && names(e, b, x->first)) {
        const ingredient index = {.first = b->first, .end = b->end};
        if (edits_usable(e, &index, x->first))
            edits_replace(e, place, SUBSCRIPT, "guarded", x->first, x->end, "%s", edits_text_of(e, b));
    }
    subscripts_of(e, place, x, in->a), subscripts_of(e, place, x, in->b);
    for (const expression *c = in->c; c; c = c->next) subscripts_of(e, place, x, c);
    for (const expression *c = in->arguments; c; c = c->next) subscripts_of(e, place, x, c);
}

// y = c; behind a question that compares c: c is compared with y.
static void what_is_set(edits *e, int place, const expression *x, const expression *other, const expression *set) {
    if (!set || set->kind != E_ASSIGN || set->op_end != set->op + 1 || edits_type_of(e, set->a).pointers ||
        set->b->end - set->b->first != other->end - other->first ||
        !edits_same(&e->u, set->b->first, other->first, other->end - other->first))
        return;
    edits_replace(e, place, SET, "guarded", x->first, x->end, "%s", edits_text_of(e, set->a));
}

void edits_change_guarded(edits *e, int place, const expression *x) {
    const struct place *p = &e->places[place];
    const statement *st = &e->statements[p->statement];
    const expression *up = x->parent, *asks = up;
    if (!up || up->kind != E_BINARY || !strchr("<>", *edits_operator_text(&e->u, up->op)) ||
        up->op_end - up->op > 1 + (is(&e->u, up->op + 1, "=")))
        return;
    const bool counter = x->kind == E_NAME && edits_is_whole(edits_type_of(e, x));
    while (asks && asks->kind != E_TERNARY) asks = asks->parent;
    if (asks && counter && x->first < asks->a->end) subscripts_of(e, place, x, asks->b);
    if (p->kind != P_CONDITION || st->kind != S_IF) return;
    for (int k = 0; k < e->n_places; k++) {
        const struct place *behind = &e->places[k];
        if (behind->first < p->end || behind->end > st->end || !behind->tree) continue;
        if (counter) subscripts_of(e, place, x, behind->tree);
        if (behind->kind == P_STATEMENT) what_is_set(e, place, x, x == up->a ? up->b : up->a, behind->tree);
    }
}
