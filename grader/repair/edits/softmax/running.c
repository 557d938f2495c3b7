// running.c: the maximum of a tile begins with that of all tiles before it, so that it never falls.
//
//     float m = -INFINITY; ... f = expf(old.m - m); ... old.m = m;        float m = old.m;
#include "edits.h"

#include <string.h>

enum { RUNNING = 2 };  // a rank

// Of exp(X - name) the token of its X, which ends before `minus`; -1: it is none.
static int first_of(const edits *e, int minus) {
    const unit *u = &e->u;
    for (int i = minus - 1; i > 1 && i > minus - 12; i--) {
        if (is(u, i, "]")) i = u->tokens[i].match;
        if (is(u, i, ")") || is(u, i, ";")) return -1;
        if (is(u, i, "(")) {
            const char *name = edits_text((edits *)e, i - 1, i);
            return is_name(u, i - 1) && strstr(name, "exp") ? i + 1 : -1;
        }
    }
    return -1;
}

static bool is_set_to(const edits *e, const function *f, int first, int n, const char *name) {
    for (int i = f->body; i + n + 2 < f->end; i++)
        if (is(&e->u, i + n, "=") && is(&e->u, i + n + 1, name) && is(&e->u, i + n + 2, ";") &&
            edits_same(&e->u, i, first, n))
            return true;
    return false;
}

void edits_change_running(edits *e, int place, const expression *x) {
    const struct place *p = &e->places[place];
    const function *f = &e->functions[e->statements[p->statement].function];
    if (x->parent || p->kind != P_VALUE || !is(&e->u, x->first, "-") || !is(&e->u, x->first + 1, "INFINITY")) return;
    const variable *v = NULL;
    for (int i = 0; i < e->n_variables && !v; i++)
        if (e->variables[i].value == x->first) v = &e->variables[i];
    for (int i = x->end; v && i + 1 < f->end; i++) {
        const int first = is(&e->u, i, "-") && is(&e->u, i + 1, v->name) && is(&e->u, i + 2, ")") ? first_of(e, i) : -1;
        const ingredient its = {.first = first, .end = i};
        if (first < 0 || !is_set_to(e, f, first, i - first, v->name) || !edits_usable(e, &its, x->first)) continue;
        edits_replace(e, place, RUNNING, "running", x->first, x->end, "%s", edits_text(e, first, i));
    }
}
