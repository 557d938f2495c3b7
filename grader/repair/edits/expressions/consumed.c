// consumed.c: an array is loaded or computed, and nobody reads it: it is read in another one's place.
//
//     softmax(P, S), multiply(O, S, v)      multiply(O, P, v)
#include "edits.h"

#include <string.h>

enum { FILLED = 2 };

// softmax(P, S): the argument at `name` is handed over whole, for the function to write to.
static bool is_handed_to_fill(const edits *e, int name) {
    const unit *u = &e->u;
    int open = name - 1, argument = 0;
    if (!is(u, open, ",") && !is(u, open, "(")) return false;
    for (; open > 0 && !is(u, open, "(") && !is(u, open, "{") && !is(u, open, ";"); open--) {
        if (is(u, open, ")") || is(u, open, "]")) open = u->tokens[open].match;
        argument += is(u, open, ",");
    }
    for (int i = 0; i < e->n_functions && is(u, open, "("); i++) {
        const function *f = &e->functions[i];
        if (!is(u, open - 1, f->name)) continue;
        int k = 0;
        for (const variable *v = e->variables; v < e->variables + e->n_variables; v++)
            if (v->is_parameter && v->from == f->body && k++ == argument)
                return (v->type.pointers == 1 && !v->type.constant) || (v->type.base == BASE_STRUCT && !argument);
    }
    return false;
}

static bool is_stored_to(const edits *e, int name) {
    const int open = name + 1;
    return is(&e->u, open, "[") && is(&e->u, e->u.tokens[open].match + 1, "=");
}

// Where it is filled for the last time, if that is all that is done with it; 0: it is not.
static int filled_at(const edits *e, const variable *v) {
    int last = 0;
    if (v->declared < 0 || v->is_parameter || v->is_global) return 0;
    for (int i = v->from; i < v->to; i++) {
        if (i == v->declared || !is_name(&e->u, i) || !is(&e->u, i, v->name)) continue;
        if (is(&e->u, i - 1, ".") || is(&e->u, i - 1, "->")) continue;
        if (!is_stored_to(e, i) && !is_handed_to_fill(e, i)) return 0;
        last = i;
    }
    return last;
}

void edits_change_consumed(edits *e, int place, const expression *x) {
    const token *t = &e->u.tokens[x->first];
    const variable *v = x->kind == E_NAME ? edits_visible(e, t->at, t->length, x->first) : NULL;
    if (!v || (!v->type.pointers && v->type.base != BASE_STRUCT) || edits_is_set(e, x)) return;
    for (int i = 0; i < e->n_variables; i++) {
        const variable *w = &e->variables[i];
        if (w == v || !edits_alike(v->type, w->type) || !edits_sees(e, w, x->first)) continue;
        const int at = filled_at(e, w);
        if (at && at < x->first) edits_replace(e, place, FILLED, "unread", x->first, x->end, "%s", w->name);
    }
}
