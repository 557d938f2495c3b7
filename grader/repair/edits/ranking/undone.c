// undone.c: a second mistake that undoes the first one, in another place.
//
//     Q[x] *= root;      /= root in one of both: the other one takes it back, and both are to go
//     K[x] *= root;
#include "edits.h"

#include <string.h>

// Where the x of NAME[...] OP= x; begins in this statement; 0: it is none.
static int factor_of(const unit *u, const statement *s, const char *op) {
    if (s->kind != S_EXPRESSION) return 0;
    for (int i = s->first + 1; i + 2 < s->end; i++)
        if (adjacent(u, i, op)) return is(u, i, op) ? i + 1 : i + 2;
    return 0;
}

// *= x becomes /= x, or the other way round, beside another *= x.
bool edits_is_undone_elsewhere(const edits *e, const change *c) {
    const unit *u = &e->u;
    const bool divides = !strcmp(c->old_shown, "*=") && !strcmp(c->new_shown, "/=");
    if (c->place < 0 || !(divides || (!strcmp(c->old_shown, "/=") && !strcmp(c->new_shown, "*=")))) return false;
    const int own = e->places[c->place].statement, value = factor_of(u, &e->statements[own], c->old_shown);
    if (!value) return false;
    const int n = e->statements[own].end - value;
    for (int s = own - 1; s <= own + 1; s++) {
        if (s < 0 || s == own || s >= e->n_statements || e->statements[s].parent != e->statements[own].parent) continue;
        const int other = factor_of(u, &e->statements[s], c->old_shown);
        if (other && e->statements[s].end - other == n && edits_same(u, other, value, n)) return true;
    }
    return false;
}
