// grown.c: where the maximum grows, what was summed with the old one is rescaled.
//
//     if (s[j] > top) {            z = z * expf(top - s[j]) + 1.0f;
//         z += 1.0f;               top = s[j];
//         top = s[j];
//     }
#include "edits.h"

#include <string.h>

enum { RESCALED = 4 };  // rank

static bool same(edits *e, const expression *a, const expression *b) {
    return !strcmp(edits_text(e, a->first, a->end), edits_text(e, b->first, b->end));
}

// Of a statement that is top = s: what is set to what. NULL: it is none.
static const expression *set_by(edits *e, int s) {
    for (int p = 0; p < e->n_places; p++) {
        const expression *x = e->places[p].tree;
        if (e->places[p].statement == s && x && x->kind == E_ASSIGN && x->op_end == x->op + 1 &&
            is(&e->u, x->op, "=") && x->a->kind == E_NAME && edits_is_real(edits_type_of(e, x->a)) &&
            edits_is_real(edits_type_of(e, x->b)))
            return x;
    }
    return NULL;
}

// Is it done only where it grows: if (s > top), or top < s, around it?
static bool only_where_larger(edits *e, int s, const expression *top, const expression *larger) {
    const int around = e->statements[s].parent >= 0 && e->statements[e->statements[s].parent].kind == S_BLOCK
                           ? e->statements[e->statements[s].parent].parent
                           : e->statements[s].parent;
    for (int p = 0; around >= 0 && p < e->n_places; p++) {
        const expression *x = e->places[p].tree;
        if (e->places[p].statement != around || e->places[p].kind != P_CONDITION || !x || x->kind != E_BINARY) continue;
        const char *op = edits_operator_text(&e->u, x->op);
        if (*op == '>' && same(e, x->a, larger) && same(e, x->b, top)) return true;
        if (*op == '<' && same(e, x->a, top) && same(e, x->b, larger)) return true;
    }
    return false;
}

// z += ... or z = ..., beside it and before it
void edits_change_grown(edits *e, int place, expression *x) {
    const int s = e->places[place].statement;
    const bool adds = adjacent(&e->u, x->op, "+="), sets = x->op_end == x->op + 1 && is(&e->u, x->op, "=");
    if (x->kind != E_ASSIGN || x->parent || !(adds || sets) || !edits_is_real(edits_type_of(e, x->a))) return;
    for (int t = s + 1; t < e->n_statements && t < s + 4; t++) {
        if (e->statements[t].parent != e->statements[s].parent) continue;
        const expression *grows = set_by(e, t);
        if (!grows || same(e, grows->a, x->a) || !only_where_larger(e, t, grows->a, grows->b)) continue;
        const char *z = edits_text(e, x->a->first, x->a->end), *added = edits_text(e, x->b->first, x->b->end);
        const char *factor = format(&e->u, "expf(%s - %s)", edits_text(e, grows->a->first, grows->a->end),
                                    edits_text(e, grows->b->first, grows->b->end));
        edits_replace(e, place, RESCALED, "state", x->first, x->end, "%s = %s * %s + %s", z, z, factor, added);
        if (sets) edits_replace(e, place, RESCALED, "state", x->first, x->end, "%s = (%s) + 1.0f", z, added);
    }
}
