// consumed.c: an array is loaded or computed, and nobody reads it: it is read in another one's place.
//
//     softmax(P, S), multiply(O, S, v)      multiply(O, P, v)
//     acc += a[y][l];                       acc += a[y][l] * b[l][x]; a factor, where b is a tile
#include "edits.h"

#include <string.h>

enum { FILLED = 2, FACTOR = 3, MOST = 6 };  // ranks; subscripts

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
        const variable *v = edits_parameter(e, f, argument);
        if (v) return (v->type.pointers == 1 && !v->type.constant) || (v->type.base == BASE_STRUCT && !argument);
    }
    return false;
}

static bool is_stored_to(const edits *e, int name) {
    int open = name + 1;
    while (is(&e->u, open, "[") && is(&e->u, e->u.tokens[open].match + 1, "[")) open = e->u.tokens[open].match + 1;
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

// The subscripts behind a name, each once, as far as they are known at x.
static int note_subscripts(edits *e, int name, const expression *x, const char **list, int n) {
    for (int open = name + 1; is(&e->u, open, "["); open = e->u.tokens[open].match + 1) {
        const ingredient its = {.first = open + 1, .end = e->u.tokens[open].match};
        const char *text = edits_text(e, its.first, its.end);
        bool known = n == MOST || !edits_usable(e, &its, x->first);
        for (int i = 0; i < n; i++) known |= !strcmp(list[i], text);
        if (!known) list[n++] = text;
    }
    return n;
}

// acc += a[y][l], where the tile b has been filled: its element, by two of the numbers that both are asked for.
static void by_tile(edits *e, int place, const expression *x, const variable *w) {
    const char *list[MOST];
    int n = note_subscripts(e, x->first, x, list, 0);
    for (int i = w->from; i < w->to; i++)
        if (i != w->declared && is(&e->u, i, w->name)) n = note_subscripts(e, i, x, list, n);
    for (int i = 0; i < n; i++)
        for (int k = 0; k < n; k++)
            if (i != k)
                edits_replace(e, place, FACTOR, "unread", x->first, x->end, "%s * %s[%s][%s]", edits_text_of(e, x),
                              w->name, list[i], list[k]);
}

static void change_sum(edits *e, int place, const expression *x) {
    const expression *up = x->parent;
    if (x->kind != E_INDEX || !up || up->kind != E_ASSIGN || up->b != x || !adjacent(&e->u, up->op, "+=") ||
        !edits_is_real(edits_type_of(e, x)))
        return;
    for (int i = 0; i < e->n_variables; i++) {
        const variable *w = &e->variables[i];
        const bool tile = w->type.base == BASE_FLOAT && w->type.pointers == 2 && edits_sees(e, w, x->first);
        const int at = tile ? filled_at(e, w) : 0;
        if (at && at < x->first) by_tile(e, place, x, w);
    }
}

void edits_change_consumed(edits *e, int place, const expression *x) {
    change_sum(e, place, x);
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
