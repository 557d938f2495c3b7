// scaled_late.c: what was summed so far is brought to the new maximum before this tile's part is added, and not behind it:
// there the new part is scaled, too, in the first tile to 0.
//
//     for (c ...) for (d ...) o[d] += p[c] * v[c * D + d];
//     for (d ...) o[d] *= fade;                                 belongs before the loop
#include "edits.h"

#include <string.h>

enum { LATE = 2, MOST_SIDE = 80 };  // its rank: one that is right looks otherwise

// The place in statement s, or in what it repeats, that is all it does; -1: it does more.
static int only_place(const edits *e, int s) {
    int found = -1;
    for (int p = 0; p < e->n_places; p++) {
        const place *at = &e->places[p];
        const statement *in = &e->statements[at->statement];
        if (at->kind != P_STATEMENT || at->first < e->statements[s].first || at->end > e->statements[s].end) continue;
        if (found >= 0 || in->kind != S_EXPRESSION) return -1;
        found = p;
    }
    return found;
}

// x of x[a][b]: what stands before the first [.
static void array_of(edits *e, const expression *x, char text[MOST_SIDE]) {
    int end = x->first;
    while (end < x->end && !is(&e->u, end, "[")) end++;
    const char *all = edits_text(e, x->first, end);
    text[0] = 0;
    if (strlen(all) < MOST_SIDE) strcpy(text, all);
}

static bool is_fading(const edits *e, const expression *x) {  // exp(old - new), by its name
    for (int i = 0; i < e->n_variables; i++)
        if (edits_is_rescale(e, &e->variables[i]) && edits_named(e, &e->variables[i], x->first, x->end) &&
            edits_sees(e, &e->variables[i], x->first))
            return true;
    return false;
}

// o[d] *= fade; which alone: o[d] = o[d] * fade. Says what it scales.
static bool scales(edits *e, int s, char array[MOST_SIDE]) {
    const statement *st = &e->statements[s];
    const int p = st->kind == S_EXPRESSION || st->kind == S_LOOP ? only_place(e, s) : -1;
    const expression *x = p >= 0 ? e->places[p].tree : NULL;
    if (!x || x->kind != E_ASSIGN) return false;
    const expression *factor = adjacent(&e->u, x->op, "*=") ? x->b : NULL;
    const expression *product = !factor && x->op_end == x->op + 1 && is_operator(e, x->b, "*") ? x->b : NULL;
    const char *to = product ? edits_text_of(e, x->a) : "";
    if (product && !strcmp(to, edits_text_of(e, product->a)))
        factor = product->b;
    else if (product && !strcmp(to, edits_text_of(e, product->b)))
        factor = product->a;
    array_of(e, x->a, array);
    return factor && *array && is_fading(e, factor);
}

// Does s, or what it repeats, add to what this array holds?
static bool adds_to(edits *e, int s, const char *array) {
    for (int p = 0; p < e->n_places; p++) {
        const place *at = &e->places[p];
        const expression *x = at->tree;
        char to[MOST_SIDE];
        if (at->kind != P_STATEMENT || at->first < e->statements[s].first || at->end > e->statements[s].end) continue;
        if (!x || x->kind != E_ASSIGN || !adjacent(&e->u, x->op, "+=")) continue;
        array_of(e, x->a, to);
        if (!strcmp(to, array)) return true;
    }
    return false;
}

void edits_change_scaled_late(edits *e) {
    for (int s = 0; s < e->n_statements; s++) {
        const statement *st = &e->statements[s];
        char array[MOST_SIDE];
        if (!st->listed || !edits_wanted(e, s) || !scales(e, s, array)) continue;
        for (int k = st->parent + 1; k < s; k = edits_next(e, k)) {
            if (k < 0) break;
            if (!adds_to(e, k, array)) continue;
            edits_move(e, s, k, false, LATE, "scaled late");
            break;
        }
    }
}
