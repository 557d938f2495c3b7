// firsts.c: who is the first of all, and who is the first of each group.
//
//     b = blockIdx.x / heads; if (blockIdx.x == 0) length[b] = ...       blockIdx.x % heads == 0
//     if (blockIdx.x % heads == 0) ...                                   blockIdx.x == 0
//     for (j = 0; j < n; j += Bc) ... j > Bc ? o : 0                     j > 0: is there one before it?
#include "edits.h"

#include <string.h>

enum { GROUP = 8, OF_LOOP = 7, WHOLE = 26 };  // ranks

static bool is_zero(const edits *e, const expression *x) { return x->kind == E_NUMBER && is(&e->u, x->first, "0"); }

static bool same_text(edits *e, const expression *x, const expression *y) {
    return x->end - x->first == y->end - y->first &&
           !strcmp(edits_text(e, x->first, x->end), edits_text(e, y->first, y->end));
}

// x / n or x % n within y: the group that it is taken apart by.
static void each_group(edits *e, int place, const expression *x, const expression *y) {
    if (!y) return;
    if (is_operator(e, y, "/%") && same_text(e, x, y->a))
        edits_replace(e, place, GROUP, "first", x->first, x->end, "%s %% %s", edits_text(e, x->first, x->end),
                      edits_text(e, y->b->first, y->b->end));
    each_group(e, place, x, y->a), each_group(e, place, x, y->b), each_group(e, place, x, y->c);
    for (const expression *z = y->arguments; z; z = z->next) each_group(e, place, x, z);
}

// A counter that begins with 0, compared with another number, and not where its loop ends.
static void first_round(edits *e, int place, const expression *x) {
    static const char *const signs[] = {">", "==", "!=", NULL};
    const struct place *p = &e->places[place];
    if (x->kind != E_BINARY || x->a->kind != E_NAME || x->b->end != x->b->first + 1 || is_zero(e, x->b)) return;
    bool asks = false;
    for (int i = 0; signs[i]; i++) asks |= !strcmp(edits_operator_text(&e->u, x->op), signs[i]);
    const token *t = &e->u.tokens[x->a->first];
    const variable *v = asks ? edits_visible(e, t->at, t->length, x->a->first) : NULL;
    if (v && v->is_loop && v->value_end == v->value + 1 && is(&e->u, v->value, "0") &&
        (p->kind != P_CONDITION || e->statements[p->statement].kind != S_LOOP))
        edits_replace(e, place, OF_LOOP, "first", x->b->first, x->b->end, "0");
}

void edits_change_firsts(edits *e, int place, expression *x) {
    first_round(e, place, x);
    if (x->kind != E_BINARY || strcmp(edits_operator_text(&e->u, x->op), "==") || !is_zero(e, x->b)) return;
    const int function = e->statements[e->places[place].statement].function, all = e->n_places;
    if (is_operator(e, x->a, "%"))
        edits_replace(e, place, WHOLE, "first", x->a->first, x->a->end, "%s",
                      edits_text(e, x->a->a->first, x->a->a->end));
    else if (x->a->kind == E_NAME || x->a->kind == E_MEMBER)
        for (int p = 0; p < all; p++)
            if (e->statements[e->places[p].statement].function == function)
                each_group(e, place, x->a, e->places[p].tree);
}
