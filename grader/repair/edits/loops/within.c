// within.c: what is asked once, before a loop, of the first of several numbers, where each of them is to be asked.
//
//     if (x < n) for (i = 0; i < 4; i++) out[i] = four[i];         if (x + i < n) out[i] = four[i];
//     if (row >= rows) return; for (r = 0; r < EACH; r++) ...      if (row + r < rows) ...
#include "edits.h"

#include <string.h>

enum { EACH = 3, NEAR = 60 };  // rank; tokens between the question and the loop

// The loop right around s, with a counter of its own; NULL: none.
static const variable *counter_of(const edits *e, int s) {
    int p = e->statements[s].parent;
    if (p >= 0 && e->statements[p].kind == S_BLOCK) p = e->statements[p].parent;
    if (p < 0 || e->statements[p].kind != S_LOOP || e->statements[p].body < 0) return NULL;
    for (int i = 0; i < e->n_variables; i++) {
        const variable *v = &e->variables[i];
        if (v->is_loop && v->declared > e->statements[p].first &&
            v->declared < e->statements[e->statements[p].body].first)
            return v;
    }
    return NULL;
}

// a < b, or a >= b with which the function leaves: where the sign is, and the one that lets go on.
static int sign_of(const edits *e, const ingredient *g, const char **inside) {
    const unit *u = &e->u;
    const bool leaves = is(u, g->end + 1, "return") || is(u, g->end + 1, "continue");
    for (int i = g->first; i < g->end; i = skip_group(u, i)) {
        const char *op = edits_operator_text(u, i);
        if (!edits_operator(u, i) || (*op != '<' && *op != '>')) continue;
        if (!leaves && !strcmp(op, "<")) return *inside = "<", i;
        if (leaves && !strcmp(op, ">=")) return *inside = "<", i;
        return 0;
    }
    return 0;
}

static bool stores_by(edits *e, int place, const variable *counter) {
    const expression *x = e->places[place].tree;
    if (!x || x->kind != E_ASSIGN || x->a->kind != E_INDEX) return false;
    for (int i = x->a->b->first; i < x->a->b->end; i++)
        if (is(&e->u, i, counter->name)) return true;
    return false;
}

void edits_change_within(edits *e) {
    const unit *u = &e->u;
    for (int p = 0; p < e->n_places; p++) {
        const struct place *at = &e->places[p];
        const statement *st = &e->statements[at->statement];
        const variable *c = at->kind == P_STATEMENT && edits_wanted(e, at->statement) && !st->fixed
                                ? counter_of(e, at->statement)
                                : NULL;
        if (!c || !stores_by(e, p, c)) continue;
        for (int k = 0; k < e->n_ingredients; k++) {
            const ingredient *g = &e->ingredients[k];
            const char *inside = NULL;
            if (g->kind != I_CONDITION || g->function != st->function || g->end > c->declared ||
                c->declared - g->end > NEAR || strpbrk(g->text, "&|?") || !edits_usable(e, g, st->first))
                continue;
            const int sign = sign_of(e, g, &inside);
            bool named = false;
            for (int i = g->first; i < g->end; i++) named |= is(u, i, c->name);
            if (!sign || named) continue;
            edits_replace(e, p, EACH, "within", at->first, at->end, "if (%s + %s %s %s) %s",
                          edits_text(e, g->first, sign), c->name, inside,
                          edits_text(e, sign + edits_operator(u, sign), g->end), edits_text(e, at->first, at->end));
        }
    }
}
