// factors.c: a factor that one of two sums has, and the other lacks.
//
//     sum += part[g];                 sum += f * part[g];
//     out += f * o[g];
#include "edits.h"

enum { SHARED = 3, NEAR = 3 };  // ranks; statements between two sums

// b of `a += f * b`, or of `a += b * f`: which of the two is the plain name of a number.
static const expression *factor_of(edits *e, const expression *x) {
    const expression *b = x->b;
    if (b->kind != E_BINARY || !is(&e->u, b->op, "*")) return NULL;
    const expression *sides[] = {b->a, b->b};
    for (int i = 0; i < 2; i++)
        if (sides[i]->kind == E_NAME && edits_is_real(edits_type_of(e, sides[i]))) return sides[i];
    return NULL;
}

static bool adds(edits *e, int place) {
    const expression *x = e->places[place].tree;
    return x && e->places[place].kind == P_STATEMENT && x->kind == E_ASSIGN && adjacent(&e->u, x->op, "+=") &&
           edits_is_real(edits_type_of(e, x->a));
}

// The loop, or block, right around the statement of a place, conditions aside.
static int around(const edits *e, int place) {
    int s = e->statements[e->places[place].statement].parent;
    while (s >= 0 && e->statements[s].kind != S_LOOP) s = e->statements[s].parent;
    return s;
}

void edits_change_lacking(edits *e) {
    for (int p = 0; p < e->n_places; p++) {
        if (!adds(e, p) || !edits_wanted(e, e->places[p].statement)) continue;
        const expression *x = e->places[p].tree;
        for (int k = p - NEAR; k <= p + NEAR; k++) {
            if (k < 0 || k == p || k >= e->n_places || !adds(e, k) || around(e, k) != around(e, p)) continue;
            const expression *f = factor_of(e, e->places[k].tree);
            const ingredient name = {.first = f ? f->first : 0, .end = f ? f->end : 0};
            bool has = false;
            for (int i = x->first; f && i < x->end; i++) has |= edits_same(&e->u, i, f->first, 1);
            if (!f || has || !edits_usable(e, &name, x->first)) continue;
            const char *text = edits_text_of(e, x->b), *by = edits_text_of(e, f);
            edits_replace(e, p, SHARED, "factor", x->b->first, x->b->end,
                          is_operator(e, x->b, "+-") || x->b->kind == E_TERNARY ? "%s * (%s)" : "%s * %s", by, text);
        }
    }
}
