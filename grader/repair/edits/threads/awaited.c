// awaited.c: two statements between which the block waits in one function stand in another one without a barrier; so may
// what is stored between them.
//
//     float r = x[0]; __syncthreads(); return r;        float r = x[0]; return r;
//     x = up(x); room[t] = x; __syncthreads();          x = up(x); __syncthreads();
#include "edits.h"

enum { AWAITED = 10, STORED = 4, SHORT = 30 };  // ranks; tokens

static bool is_barrier(const edits *e, int s) { return adjacent(&e->u, e->statements[s].first, "__syncthreads();"); }

static bool read_alike(const edits *e, int a, int b) {
    const statement *x = &e->statements[a], *y = &e->statements[b];
    return x->end - x->first == y->end - y->first && edits_same(&e->u, x->first, y->first, x->end - x->first);
}

// Two walks over the same may do another thing in each round: one sums up, the other looks for the largest.
static bool end_alike(const edits *e, int a, int b) {
    const statement *x = &e->statements[a], *y = &e->statements[b];
    if (x->kind != S_LOOP || y->kind != S_LOOP || !is(&e->u, x->first + 1, "(")) return read_alike(e, a, b);
    return edits_same(&e->u, x->first, y->first, e->u.tokens[x->first + 1].match + 1 - x->first);
}

// The text that stands there, word for word, in the other function; NULL: it is none of these.
static const char *between(edits *e, int s) {
    const statement *st = &e->statements[s];
    if (is_barrier(e, s)) return "__syncthreads();";
    const bool stores = st->kind == S_EXPRESSION && st->end - st->first < SHORT && !is(&e->u, st->first + 1, "(");
    return stores ? edits_text(e, st->first, st->end) : NULL;
}

void edits_change_awaited(edits *e) {
    for (int a = 0; a < e->n_statements; a++) {
        const int middle = e->statements[a].listed ? edits_next(e, a) : -1;
        const char *text = middle >= 0 ? between(e, middle) : NULL;
        const int b = text ? edits_next(e, middle) : -1;
        for (int k = 0; k < e->n_statements && b >= 0; k++) {
            const int next = e->statements[k].listed && end_alike(e, a, k) ? edits_next(e, k) : -1;
            if (next >= 0 && e->statements[k].function != e->statements[a].function && read_alike(e, b, next) &&
                edits_wanted(e, next))
                edits_insert(e, next, false, is_barrier(e, middle) ? AWAITED : STORED,
                             is_barrier(e, middle) ? "barrier" : "sister", text);
        }
    }
}
