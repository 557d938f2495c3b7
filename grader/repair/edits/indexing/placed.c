// placed.c: a number within a tile, a head or a row, where the number of all is meant: what stands before it is missing.
//
//     out + i * D                     elsewhere: tile * SIZE + i         out + (tile * SIZE + i) * D
//     y > row + past                  elsewhere: j * BC + y              j * BC + y > row + past
//     W[e * E + d]                    within a loop over h that          W[e * E + h * D + d]
//                                     nothing here names
#include "edits.h"

#include <string.h>

enum { SAME = 10, TERM = 34, LOOP = 14 };  // ranks: added to the same name elsewhere; a term; of a loop around

static bool is_part(const expression *x) {
    const expression *p = x->parent;
    return p && (p->kind == E_BINARY || (p->kind == E_INDEX && p->b == x) || p->kind == E_PAREN ||
                 (p->kind == E_CALL && p->a != x) || (p->kind == E_CAST && p->parent));
}

static bool binds(const edits *e, const expression *x) {
    const expression *p = x->parent;
    return is_operator(e, p, "*/%") || (is_operator(e, p, "-") && p->b == x) || p->kind == E_CAST;
}

static void add(edits *e, int place, const expression *x, int rank, const char *term) {
    edits_replace(e, place, rank, "place", x->first, x->end, binds(e, x) ? "(%s + %s)" : "%s + %s", term,
                  edits_text(e, x->first, x->end));
}

// Does the file add the two somewhere? term + name, or name + term.
static bool are_added(const edits *e, const ingredient *g, const expression *x) {
    const int n = g->end - g->first;
    for (int i = 1; i + 1 < e->u.token_count; i++) {
        if (!is(&e->u, i, "+")) continue;
        if (i >= n && edits_same(&e->u, i + 1, x->first, 1) && edits_same(&e->u, i - n, g->first, n)) return true;
        if (e->cuda && i + 1 == g->first && edits_same(&e->u, i - 1, x->first, 1)) return true;
    }
    return false;
}

// It stands there already.
static bool is_added(const edits *e, const ingredient *g, const expression *x) {
    const int n = g->end - g->first;
    const bool behind = is(&e->u, x->end, "+") && edits_same(&e->u, x->end + 1, g->first, n);
    return behind || (is(&e->u, x->first - 1, "+") && x->first > n && edits_same(&e->u, x->first - 1 - n, g->first, n));
}

static bool is_named(const edits *e, const place *p, const char *name) {
    for (int i = p->first; i < p->end; i++)
        if (is(&e->u, i, name) && !is(&e->u, i - 1, ".") && !is(&e->u, i - 1, "->")) return true;
    return false;
}

// for (d = 0; d < D; d++): D. Its own question is none of a place: with j * D + d < D it goes on in the first j alone.
static const char *end_of(edits *e, const variable *v) {
    const unit *u = &e->u;
    for (int i = v->from; i + 2 < v->to && i < v->from + 24; i++)
        if (is(u, i, v->name) && is(u, i + 1, "<") && is_name(u, i + 2)) {
            int end = i + 3;
            while (is(u, end, ".") || is(u, end, "->")) end += 2;
            return is(u, end, ";") ? edits_text(e, i + 2, end) : NULL;
        }
    return NULL;
}

static void of_loops(edits *e, int place, const expression *x) {
    const token *t = &e->u.tokens[x->first];
    const variable *own = edits_visible(e, t->at, t->length, x->first);
    const char *length = own && own->is_loop ? end_of(e, own) : NULL;
    if (length && is_operator(e, x->parent, "<") && !strcmp(edits_text_of(e, x->parent->b), length)) return;
    for (int i = 0; length && i < e->n_variables; i++) {
        const variable *v = &e->variables[i];
        if (v != own && v->is_loop && edits_is_whole(v->type) && edits_sees(e, v, x->first) &&
            !is_named(e, &e->places[place], v->name))
            add(e, place, x, LOOP, format(&e->u, "%s * %s", v->name, length));
    }
}

void edits_change_placed(edits *e, int place, expression *x) {
    if (x->kind != E_NAME || !is_part(x) || !edits_is_whole(edits_type_of(e, x)) || edits_is_set(e, x)) return;
    const int function = e->statements[e->places[place].statement].function;
    for (int i = 0; i < e->n_ingredients; i++) {
        const ingredient *g = &e->ingredients[i];
        if (g->kind != I_TERM || g->function != function || !edits_is_whole(g->type) || g->end - g->first > 7 ||
            is_added(e, g, x) || !edits_usable(e, g, x->first))
            continue;
        add(e, place, x, are_added(e, g, x) ? SAME : TERM, g->text);
    }
    of_loops(e, place, x);
}
