// first_seat.c: what goes on with the second of many begins with the first one, and not with a number of its own.
//
//     all = p; for (w = 1; w < W; w++) all = merge(all, seats[w]);                      all = seats[0];
//     all = seats[thread / 32]; for (w = 1; w < W; w++) all = merge(all, seats[w]);     all = seats[0];
#include "edits.h"

#include <string.h>

enum { FIRST = 4 };  // rank

// for (int w = 1; ...: the token that is w; -1: it is another loop.
static int counter_from_one(const unit *u, const statement *loop) {
    const int at = loop->first;
    return is(u, at, "for") && is(u, at + 4, "=") && is(u, at + 5, "1") && is(u, at + 6, ";") ? at + 3 : -1;
}

// In place of [first, end), the number with which the loop goes on under this name.
static void begin_with_first(edits *e, int place, const statement *loop, int first, int end, const char *name) {
    const unit *u = &e->u;
    const int counter = counter_from_one(u, loop);
    bool gathers = false;
    for (int i = loop->first; i < loop->end; i++) gathers |= is(u, i, name);
    for (int i = loop->first; counter >= 0 && gathers && i + 3 < loop->end; i++) {
        if (!is(u, i + 1, "[") || !edits_same(u, i + 2, counter, 1) || !is_name(u, i)) continue;
        const char *array = edits_text(e, i, i + 1);
        const int close = u->tokens[i + 1].match;
        const char *rest = close > i + 3 ? edits_text(e, i + 3, close) : "";
        if (close == i + 3) edits_replace(e, place, FIRST, "begun", first, end, "%s[0]", array);
        if (strchr(rest, '+') && strchr(rest, '+') == strrchr(rest, '+'))  // tops[i * BR + r]: tops[r]
            edits_replace(e, place, FIRST, "begun", first, end, "%s[%s]", array, strchr(rest, '+') + 2);
    }
}

// all = seats[i]; for (w = 1; ...: an assignment right before the loop.
static void assigned(edits *e, int place) {
    const struct place *p = &e->places[place];
    const expression *x = p->tree;
    const int next = edits_next(e, p->statement);
    if (p->kind != P_STATEMENT || !x || x->kind != E_ASSIGN || x->op_end != x->op + 1 || x->a->kind != E_NAME) return;
    if (next < 0 || e->statements[next].kind != S_LOOP || x->b->kind != E_INDEX || is(&e->u, x->b->b->first, "0"))
        return;
    begin_with_first(e, place, &e->statements[next], x->b->first, x->b->end, edits_text_of(e, x->a));
}

void edits_change_first_seat(edits *e) {
    for (int p = 0; p < e->n_places; p++)
        if (edits_wanted(e, e->places[p].statement)) assigned(e, p);
    for (int i = 0; i < e->n_variables; i++) {
        const variable *v = &e->variables[i];
        if (v->value <= 0 || v->is_const || v->is_loop || v->is_global) continue;
        for (int p = 0; p < e->n_places; p++) {
            const struct place *at = &e->places[p];
            if (at->first != v->value || at->end != v->value_end || !edits_wanted(e, at->statement)) continue;
            const int function = e->statements[at->statement].function;
            for (int s = 0; s < e->n_statements && (e->functions[function].device || !e->cuda); s++)
                if (e->statements[s].kind == S_LOOP && e->statements[s].function == function &&
                    e->statements[s].first > v->value_end && e->statements[s].first < v->to)
                    begin_with_first(e, p, &e->statements[s], at->first, at->end, v->name);
        }
    }
}
