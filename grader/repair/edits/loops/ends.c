// ends.c: what a loop begins with, ends at and goes on by, in each other's place.
//
//     for (c = t; c < THREADS; c += cols)      c < cols; c += THREADS
//     for (c = THREADS; c < cols; c += t)      c = t; c += THREADS
//     for (c = cols; c < t; c++)               c = t; c < cols
#include "edits.h"

#include <string.h>

enum { ENDS = 16, BEGIN = 26, MOST = 3 };  // ranks; parts of a header

// A part of it: where it begins, where it ends, by how much it goes on.
typedef struct {
    int place;
    const expression *x;
    int begins;
} part;

static bool is_counter(edits *e, const expression *x, const char *name) {
    return x && x->kind == E_NAME && !strcmp(edits_text(e, x->first, x->end), name);
}

// The place's expression is `c += by`.
static const expression *step_of(edits *e, const place *p, const char *counter) {
    const expression *x = p->tree;
    if (!x || x->kind != E_ASSIGN || !adjacent(&e->u, x->op, "+=") || !is_counter(e, x->a, counter)) return NULL;
    return p->kind == P_VOID || p->kind == P_STATEMENT ? x->b : NULL;
}

static bool is_plain(const expression *x) { return x->kind == E_NAME || x->kind == E_MEMBER; }

static void exchange(edits *e, int rank, const part *a, const part *b) {
    const ingredient one = {.first = a->x->first, .end = a->x->end}, other = {.first = b->x->first, .end = b->x->end};
    const char *here = edits_text(e, one.first, one.end), *there = edits_text(e, other.first, other.end);
    if (!is_plain(a->x) || !is_plain(b->x) || !strcmp(here, there) || !edits_usable(e, &one, other.first) ||
        !edits_usable(e, &other, one.first))
        return;
    const replacement x = {a->place, one.first, one.end, there}, y = {b->place, other.first, other.end, here};
    edits_replace_two(e, rank, "ends", a->place < b->place ? &x : &y, a->place < b->place ? &y : &x);
}

void edits_change_ends(edits *e) {
    for (int s = 0; s < e->n_statements; s++) {
        const statement *loop = &e->statements[s];
        part list[MOST];
        const char *counter = NULL;
        int n = 0;
        if (loop->kind != S_LOOP || !edits_wanted(e, s)) continue;
        for (int p = 0; p < e->n_places && !counter; p++) {
            const expression *x =
                e->places[p].statement == s && e->places[p].kind == P_CONDITION ? e->places[p].tree : NULL;
            if (!x || x->kind != E_BINARY || !is(&e->u, x->op, "<") || x->a->kind != E_NAME) continue;
            counter = edits_text(e, x->a->first, x->a->end), list[n++] = (part){p, x->b, 0};
        }
        for (int p = 0; p < e->n_places && counter && n < MOST; p++) {
            const place *at = &e->places[p];
            const expression *by = at->first >= loop->first && at->end <= loop->end ? step_of(e, at, counter) : NULL;
            const int begins = at->statement == s && at->kind == P_VALUE && at->tree;
            if (by || begins) list[n++] = (part){p, by ? by : at->tree, begins};
        }
        for (int a = 0; a < n; a++)
            for (int b = a + 1; b < n; b++)
                exchange(e, list[a].begins || list[b].begins ? BEGIN : ENDS, &list[a], &list[b]);
    }
}
