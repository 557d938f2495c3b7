// overwritten.c: a loop whose rounds all store to one element, so that the last one alone is left. What the rounds make is
// to be summed up: the first one stores, the others add.
//
//     for (i = 0; i < parts; i++) sum[d] = x[i];        sum[d] = i == 0 ? x[i] : sum[d] + x[i]
#include "edits.h"

#include <string.h>

enum { SUMMED = 5 };  // rank

static bool stands_in(const edits *e, int name, int first, int end) {
    for (int i = first; i < end; i++)
        if (edits_same(&e->u, i, name, 1)) return true;
    return false;
}

// Is the element read behind the loop, or handed over?
static bool is_read_behind(const edits *e, const statement *loop, int array) {
    const function *f = &e->functions[loop->function];
    return stands_in(e, array, loop->end, f->end);
}

static void in_loop(edits *e, int place, const expression *x, const statement *loop) {
    const unit *u = &e->u;
    const int at = loop->first;  // for ( int i = 0 ;
    if (!is(u, at, "for") || !is(u, at + 4, "=") || !is(u, at + 5, "0") || !is(u, at + 6, ";")) return;
    const int counter = at + 3, array = x->a->first;
    if (stands_in(e, counter, x->a->first, x->a->end) || !is_read_behind(e, loop, array)) return;
    if (stands_in(e, array, x->b->first, x->b->end) || stands_in(e, array, loop->first, x->a->first)) return;
    const char *i = edits_text(e, counter, counter + 1), *sum = edits_text_of(e, x->a), *more = edits_text_of(e, x->b);
    const bool is_nothing = more[strspn(more, "0.f")] == 0;  // acc[i] = 0.0f in each round: the first alone begins
    edits_replace(e, place, SUMMED, "assignment", x->b->first, x->b->end,
                  is_nothing ? "%s == 0 ? %s : %s" : "%s == 0 ? %s : %s + %s", i, more, sum, more);
}

void edits_change_overwritten(edits *e, int place, const expression *x) {
    if (x->parent || x->kind != E_ASSIGN || x->op_end != x->op + 1 || x->a->kind != E_INDEX ||
        !edits_is_real(edits_type_of(e, x->a)))
        return;
    for (int s = e->statements[e->places[place].statement].parent; s >= 0; s = e->statements[s].parent)
        if (e->statements[s].kind == S_LOOP) in_loop(e, place, x, &e->statements[s]);
}
