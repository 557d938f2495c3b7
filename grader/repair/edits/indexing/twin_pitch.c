// twin_pitch.c: rows of one length here, and of another one where the function multiplies the same number elsewhere.
//
//     f(key + j * D); ... g(value + j * WIDTH);        key + j * WIDTH, value + j * D
#include "edits.h"

enum { PITCH = 5 };  // rank

void edits_change_twin_pitches(edits *e, int place, expression *x) {
    const unit *u = &e->u;
    const expression *p = x->parent;
    if ((x->kind != E_NAME && x->kind != E_MEMBER) || !is_operator(e, p, "*") || p->b != x || p->a->kind != E_NAME ||
        edits_type_of(e, p).base == BASE_FLOAT)
        return;
    const function *f = &e->functions[e->statements[e->places[place].statement].function];
    const int counter = p->a->first;
    for (int i = f->body; i + 2 < f->end; i++) {
        if (i == counter || !edits_same(u, i, counter, 1) || !is(u, i + 1, "*") || !is_name(u, i + 2)) continue;
        if (!is(u, i - 1, "+") && !is(u, i - 1, "[")) continue;
        int end = i + 3;
        while (is(u, end, ".") || is(u, end, "->")) end += 2;
        const ingredient other = {.first = i + 2, .end = end};
        if ((end - i - 2 != x->end - x->first || !edits_same(u, i + 2, x->first, x->end - x->first)) &&
            !is(u, end, "(") && !is(u, end, "[") && edits_usable(e, &other, x->first))
            edits_replace(e, place, PITCH, "habit", x->first, x->end, "%s", edits_text(e, i + 2, end));
    }
}
