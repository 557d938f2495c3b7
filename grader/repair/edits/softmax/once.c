// once.c: what was summed is brought to the new maximum once, before the loop that adds to it, and not in each round.
//
//     for (c = 0; c < n; c++) for (d ...) o[d] = o[d] * fade + p[c] * v[d];        (c == 0 ? fade : 1.0f)
#include "edits.h"

#include <string.h>

enum { ONCE = 4 };  // rank

static bool names(const edits *e, const expression *x, int token) {
    for (int i = x->first; i < x->end; i++)
        if (e->u.tokens[i].kind == TOKEN_NAME && edits_same(&e->u, i, token, 1)) return true;
    return false;
}

static bool is_set_within(const edits *e, const expression *x, const statement *loop) {
    for (int i = x->first; i < x->end; i++) {
        const token *t = &e->u.tokens[i];
        const variable *v = t->kind == TOKEN_NAME ? edits_visible(e, t->at, t->length, i) : NULL;
        if (v && v->declared >= loop->first) return true;
    }
    return false;
}

// for (int c = START; ...): the token of its counter; 0: it has none, or begins with more than one token.
static int counter_of(const edits *e, const statement *loop) {
    const unit *u = &e->u;
    if (loop->kind != S_LOOP || !is(u, loop->first, "for")) return 0;
    for (int i = loop->first + 2; i < loop->end && !is(u, i, ";"); i++)
        if (is(u, i, "=")) return is_name(u, i - 1) && is(u, i + 2, ";") ? i - 1 : 0;
    return 0;
}

static void in_first_round(edits *e, int place, const expression *a, const expression *factor) {
    for (int s = e->statements[e->places[place].statement].parent; s >= 0; s = e->statements[s].parent) {
        const int c = counter_of(e, &e->statements[s]);
        if (!c || names(e, a, c) || names(e, factor, c) || is_set_within(e, factor, &e->statements[s])) continue;
        edits_replace(e, place, ONCE, "once", factor->first, factor->end, "(%s == %s ? %s : 1.0f)",
                      edits_text(e, c, c + 1), edits_text(e, c + 2, c + 3), edits_text(e, factor->first, factor->end));
    }
}

void edits_change_once(edits *e, int place, expression *x) {
    if (x->kind != E_ASSIGN || !edits_is_real(edits_type_of(e, x->a))) return;
    if (adjacent(&e->u, x->op, "*=")) in_first_round(e, place, x->a, x->b);
    if (x->op_end != x->op + 1 || !is_operator(e, x->b, "+")) return;
    const expression *const terms[] = {x->b->a, x->b->b};
    for (int i = 0; i < 2; i++) {
        if (!is_operator(e, terms[i], "*")) continue;
        const expression *const sides[] = {terms[i]->a, terms[i]->b};
        for (int k = 0; k < 2; k++)
            if (!strcmp(edits_text(e, sides[k]->first, sides[k]->end), edits_text(e, x->a->first, x->a->end)))
                in_first_round(e, place, x->a, sides[1 - k]);
    }
}
