// loops.c: how a loop walks: from where, in what steps. Both are wrong together where all threads take all
// elements.
#include "edits.h"

#include <string.h>

typedef struct {
    int statement, start, step;  // places, -1: none
    const char *from, *by;       // as a text: t, THREADS
} walk;

enum { MOST = 64 };

// c += n: n; c++: 1.
static const char *stride(edits *e, const expression *x) {
    if (!x) return NULL;
    if (x->kind == E_POSTFIX || x->kind == E_UNARY) return adjacent(&e->u, x->op, "++") ? "1" : NULL;
    return x->kind == E_ASSIGN && adjacent(&e->u, x->op, "+=") ? edits_text(e, x->b->first, x->b->end) : NULL;
}

static const char *counter(edits *e, const expression *x) {
    const expression *a = x->a;
    return edits_text(e, a->first, a->end);
}

static int collect(edits *e, walk *list) {
    int n = 0;
    for (int s = 0; s < e->n_statements && n < MOST; s++) {
        walk w = {s, -1, -1, NULL, NULL};
        if (e->statements[s].kind != S_LOOP) continue;
        for (int p = 0; p < e->n_places; p++) {
            const place *at = &e->places[p];
            if (at->statement != s) continue;
            const bool last = p + 1 == e->n_places || e->places[p + 1].statement != s;
            if (at->kind == P_VALUE && w.start < 0) w.start = p, w.from = edits_text(e, at->first, at->end);
            if (at->kind == P_VOID && last && stride(e, at->tree)) w.step = p, w.by = stride(e, at->tree);
        }
        if (w.start >= 0 && w.step >= 0) list[n++] = w;
    }
    return n;
}

static bool usable(const edits *e, const place *p, int token) {
    const ingredient g = {.first = p->first, .end = p->end};
    return edits_usable(e, &g, token);
}

void edits_change_loops(edits *e) {
    static walk list[MOST];
    const int n = collect(e, list);
    for (int i = 0; i < n; i++) {
        const walk *w = &list[i];
        if (!edits_wanted(e, w->statement)) continue;
        const place *start = &e->places[w->start], *step = &e->places[w->step];
        for (int k = 0; k < n; k++) {
            const walk *o = &list[k];
            if (!strcmp(o->from, w->from) || !strcmp(o->by, w->by) || !usable(e, &e->places[o->start], start->first))
                continue;
            const expression *by = e->places[o->step].tree;
            const ingredient g = {.first = by->kind == E_ASSIGN ? by->b->first : by->first,
                                  .end = by->kind == E_ASSIGN ? by->b->end : by->first};
            if (!edits_usable(e, &g, start->first)) continue;
            const char *c = counter(e, step->tree);
            const char *text = strcmp(o->by, "1") ? format(&e->u, "%s += %s", c, o->by) : format(&e->u, "%s++", c);
            const replacement a = {w->start, start->first, start->end, o->from},
                              b = {w->step, step->first, step->end, text};
            bool known = false;
            for (int m = 0; m < k; m++) known |= !strcmp(list[m].from, o->from) && !strcmp(list[m].by, o->by);
            if (!known) edits_replace_two(e, 26, "loop", &a, &b);
        }
    }
}
