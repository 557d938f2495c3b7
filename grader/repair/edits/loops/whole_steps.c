// whole_steps.c: a loop that goes on only where a whole step fits: the last, narrower one is never done.
//
//     for (j = 0; j <= end - BC; j += BC) tile(j, min(BC, end - j));          j < end
//     for (j = 0; j + BC <= end; j += BC) ...                                 j < end
#include "edits.h"

enum { WHOLE = 4 };  // a rank

// Does the loop's header go on by the text of these tokens: NAME += STEP)?
static bool is_step(const edits *e, const statement *loop, const expression *x) {
    const unit *u = &e->u;
    const int close = u->tokens[loop->first + 1].match, n = x->end - x->first;
    return close > loop->first + 2 + n && edits_same(u, close - n, x->first, n) && adjacent(u, close - n - 2, "+=");
}

void edits_change_whole_steps(edits *e, int place, const expression *x) {
    const statement *loop = &e->statements[e->places[place].statement];
    if (e->places[place].kind != P_CONDITION || loop->kind != S_LOOP || x->kind != E_BINARY ||
        !is(&e->u, loop->first, "for") || !(is_operator(e, x, "<") || adjacent(&e->u, x->op, "<=")))
        return;
    const expression *less = x->b, *more = x->a;
    if (less->kind == E_BINARY && is_operator(e, less, "-") && is_step(e, loop, less->b))
        edits_replace(e, place, WHOLE, "bound", x->first, x->end, "%s < %s", edits_text(e, more->first, more->end),
                      edits_text(e, less->a->first, less->a->end));
    else if (more->kind == E_BINARY && is_operator(e, more, "+") && is_step(e, loop, more->b))
        edits_replace(e, place, WHOLE, "bound", x->first, x->end, "%s < %s",
                      edits_text(e, more->a->first, more->a->end), edits_text(e, less->first, less->end));
}
