// run_through.c: a place in memory is counted with a length, and not divided by it.
//
//     a[row / (D + 1) + col]        a[row * (D + 1) + col], where nobody takes row % (D + 1)
//     for (e = 0; ...) w + T / e    w + T * e: by a counter that begins with 0 nobody divides
#include "edits.h"

#include <string.h>

enum { ROW = 5 };  // a rank

static bool is_place(edits *e, const expression *x) {
    if (edits_in_subscript(x)) return true;
    for (const expression *up = x->parent; up; up = up->parent)
        if (is_operator(e, up, "+") && edits_type_of(e, up).pointers) return true;
    return false;
}

void edits_change_run_through(edits *e, int place, const expression *x) {
    if (!is_operator(e, x, "/") || !is_operator(e, x->parent, "+*") || !edits_is_whole(edits_type_of(e, x))) return;
    const token *t = &e->u.tokens[edits_bare(x->b)->first];
    const variable *v = t->kind == TOKEN_NAME ? edits_visible(e, t->at, t->length, x->first) : NULL;
    if (!v || v->is_global) return;
    const function *f = &e->functions[e->statements[e->places[place].statement].function];
    const char *rest = format(&e->u, "%s %% %s", edits_text_of(e, x->a), edits_text_of(e, x->b));
    const bool counts = v->is_loop && x->b->kind == E_NAME && is(&e->u, v->declared + 2, "0");
    if (counts || (is_place(e, x) && !strstr(edits_text(e, f->body, f->end), rest)))
        edits_replace(e, place, ROW, "operator", x->op, x->op_end, "*");
}
