// origin.c: a place within a tile, without where the tile begins.
//
//     b.at(base + y, x)           b.at(base + y, col0 + x)
//     for (j = 0; ...)            for (j = from; ...), where nobody reads `from`
//     v[c * D + d]                v[(c0 + c) * D + d], in a loop that goes on by whole tiles with c0
//     O[(n + r) * D + d]          O[(n + w->i0 + r) * D + d], where another line has w->i0 + r
#include "edits.h"

enum { UNREAD = 2, WITH_IT = 6, SUM = 17, FACTOR = 18, FIELD = 19 };  // ranks

// row0 = blockIdx.y * ROWS, or the counter of a loop that goes on by more than one.
static bool is_origin(const edits *e, const variable *v) {
    const unit *u = &e->u;
    if (!edits_is_whole(v->type) || v->is_parameter || v->is_global || v->value <= 0) return false;
    if (!v->is_loop) {
        for (int i = v->value; i < v->value_end; i++)
            if (is(u, i, "*")) return edits_is_of_block(e, v);
        return false;
    }
    for (int i = v->value_end; i < v->to && !is(u, i, "{"); i++)
        if (is(u, i, v->name) && adjacent(u, i + 1, "+=") && !is(u, i + 3, "1")) return true;
    return false;
}

// All of a subscript, an argument, a side of a comparison or a first value.
static bool is_place(const edits *e, int place, const expression *x) {
    const expression *up = x->parent;
    if (!up) return edits_is_value(e, place, x);
    return (up->kind == E_INDEX && up->b == x) || (up->kind == E_CALL && up->a != x) || is_operator(e, up, "<>");
}

// A loop that begins with 0, where a number that nobody reads says where it begins.
static void beginning(edits *e, int place, const expression *x) {
    const statement *st = &e->statements[e->places[place].statement];
    if (!is(&e->u, x->first, "0") || x->parent || st->kind != S_LOOP || !edits_is_value(e, place, x)) return;
    for (int i = 0; i < e->n_variables; i++) {
        const variable *v = &e->variables[i];
        if (edits_is_whole(v->type) && !v->is_global && edits_sees(e, v, x->first) && edits_is_unread(e, v))
            edits_replace(e, place, UNREAD, "origin", x->first, x->end, "%s", v->name);
    }
}

static bool is_thread(const edits *e, const expression *x) {
    return x->kind == E_MEMBER && x->end - x->first == 3 && is(&e->u, x->first, "threadIdx");
}

// w.i0 or w->i0
static bool is_field(const edits *e, const ingredient *g) {
    const bool member = is(&e->u, g->first + 1, ".") || is(&e->u, g->first + 1, "->");
    return member && g->end == g->first + 3 && is_name(&e->u, g->first) && g->type.base == BASE_INT &&
           !g->type.pointers;
}

// < FIELD, * FIELD: it says how many there are.
static bool is_length(const edits *e, const ingredient *field) {
    const unit *u = &e->u;
    const int n = field->end - field->first, name = field->end - 1;
    for (int i = 3; i + 1 < u->token_count; i++)
        if (edits_same(u, i, name, 1) && (is(u, i - 1, ".") || is(u, i - 1, "->")) &&
            (is(u, i - n, "<") || is(u, i - n, "*")))
            return true;
    return false;
}

// The rank of FIELD + r: it stands somewhere, r being called like this counter, or, in C, something else is; 0: nothing is.
static int rank_of(const edits *e, const ingredient *field, int counter) {
    const unit *u = &e->u;
    const int n = field->end - field->first;
    int rank = 0;
    for (int i = 0; i + n + 1 < u->token_count; i++)
        if (edits_same(u, i, field->first, n) && is(u, i + n, "+") && is_name(u, i + n + 1)) {
            if (edits_same(u, i + n + 1, counter, 1)) return WITH_IT;
            rank = e->cuda ? 0 : FIELD;
        }
    return rank;
}

// A field that is added to something elsewhere: where a tile begins.
static void fields(edits *e, int place, const expression *x) {
    const token *t = &e->u.tokens[x->first];
    const variable *v = x->kind == E_NAME ? edits_visible(e, t->at, t->length, x->first) : NULL;
    const bool factor = is_operator(e, x->parent, "*");
    if (!v || !v->is_loop || !edits_is_whole(v->type) || !edits_in_subscript(x) || edits_is_set(e, x) ||
        !(factor || is_operator(e, x->parent, "+") || is_place(e, place, x)))
        return;
    for (int i = 0; i < e->n_ingredients; i++) {
        const ingredient *g = &e->ingredients[i];
        const int before = x->first - 1 - (g->end - g->first);  // it is there, maybe
        const int rank = g->kind == I_ATOM && is_field(e, g) && !is_length(e, g) ? rank_of(e, g, x->first) : 0;
        if (!rank || !edits_usable(e, g, x->first) ||
            (before > 0 && edits_same(&e->u, before, g->first, g->end - g->first)))
            continue;
        edits_replace(e, place, rank, "origin", x->first, x->end, factor ? "(%s + %s)" : "%s + %s", g->text, v->name);
    }
}

void edits_change_origin(edits *e, int place, expression *x) {
    if (x->kind == E_NUMBER) beginning(e, place, x);
    fields(e, place, x);
    const bool sum = is_operator(e, x, "+-"), atom = x->kind == E_NAME || is_thread(e, x);
    const bool whole = (sum || atom) && is_place(e, place, x);
    const bool factor = atom && is_operator(e, x->parent, "*") && x->parent->a == x;
    if ((!whole && !factor) || !edits_is_whole(edits_type_of(e, x)) || edits_is_set(e, x)) return;
    for (int i = 0; i < e->n_variables; i++) {
        const variable *v = &e->variables[i];
        if (!edits_sees(e, v, x->first) || !is_origin(e, v) || edits_named(e, v, x->first, x->end)) continue;
        edits_replace(e, place, whole ? SUM : FACTOR, "origin", x->first, x->end, whole ? "%s + %s" : "(%s + %s)",
                      v->name, edits_text_of(e, x));
    }
}
