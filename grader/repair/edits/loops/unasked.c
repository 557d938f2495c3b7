// unasked.c: a function is told how many rows there are, and reads all of a tile: what it is told and does not ask.
//
//     void load(float *to, const float *from, int rows, int size, int D) {
//         for (n = t; n < size * D; n += T) to[n] = from[n];              n < rows * D ? from[n] : 0.0f
#include "edits.h"

#include <string.h>

enum { TOLD = 2 };  // rank

static const char *zero_of(value_type t) {
    if (t.pointers) return NULL;
    if (t.base == BASE_FLOAT) return "0.0f";
    return t.base == BASE_STRUCT && t.word && !strcmp(t.word, "float4") ? "make_float4(0, 0, 0, 0)" : NULL;
}

// Of the loop around: its bound with p in place of one name in it, behind its counter: n < rows * D.
static void by_bound(edits *e, int place, const expression *x, const variable *p, const char *zero) {
    const unit *u = &e->u;
    for (int s = e->places[place].statement; s >= 0; s = e->statements[s].parent) {
        const statement *st = &e->statements[s];
        if (st->kind != S_LOOP || !is(u, st->first, "for")) continue;
        int first = st->first + 2;
        const int close = u->tokens[st->first + 1].match;
        while (first < close && !is(u, first, ";")) first++;
        int end = first + 1;
        while (end < close && !is(u, end, ";")) end++;
        if (!is(u, first + 2, "<") || !is_name(u, first + 1)) return;
        for (int i = first + 3; i < end; i++) {
            const token *t = &u->tokens[i];
            const variable *q = is_name(u, i) ? edits_visible(e, t->at, t->length, i) : NULL;
            if (!q || !q->is_parameter || q == p || !edits_is_whole(q->type)) continue;
            edits_replace(e, place, TOLD, "unasked", x->first, x->end, "(%s%s%s ? %s : %s)",
                          edits_text(e, first + 1, i), i > first + 1 ? format(&e->u, " %s", p->name) : p->name,
                          i + 1 < end ? format(&e->u, " %s", edits_text(e, i + 1, end)) : "", edits_text_of(e, x),
                          zero);
        }
        return;
    }
}

// const int r = n / D: the row of an element.
static bool is_quotient(const edits *e, const variable *v) {
    for (int i = v->value; v->value > 0 && i < v->value_end; i++)
        if (is(&e->u, i, "/")) return true;
    return false;
}

void edits_change_unasked(edits *e, int place, const expression *x) {
    const expression *copy = x->parent;  // to[n] = from[n], for a row that there may not be
    if (x->kind != E_INDEX || !copy || copy->kind != E_ASSIGN || copy->b != x || copy->a->kind != E_INDEX ||
        !is(&e->u, copy->op, "="))
        return;
    const char *zero = zero_of(edits_type_of(e, x));
    const function *f = &e->functions[e->statements[e->places[place].statement].function];
    for (int i = 0; i < e->n_variables && zero; i++) {
        const variable *p = &e->variables[i];
        if (!p->is_parameter || p->from != f->body || !edits_is_whole(p->type) || !edits_is_unread(e, p)) continue;
        by_bound(e, place, x, p, zero);
        for (int k = 0; k < e->n_variables; k++) {
            const variable *v = &e->variables[k];
            if (!v->is_parameter && is_quotient(e, v) && v->declared >= f->body && v->declared < x->first &&
                edits_is_whole(v->type) && edits_sees(e, v, x->first))
                edits_replace(e, place, TOLD, "unasked", x->first, x->end, "(%s < %s ? %s : %s)", v->name, p->name,
                              edits_text_of(e, x), zero);
        }
    }
}
