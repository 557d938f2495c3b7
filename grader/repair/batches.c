// batches.c: which changes are compiled together, and in which order.
#include "candidates.h"

#include <string.h>

enum { MOST_LINES = 1 << 16 };

// What compiles in a moment is compiled first: every second mistake is among those. Of a function, then of a file.
const int *lab_candidates_limits(const lab_repair_ask *ask, const lab_candidates *c) {
    static const int c_limits[2][4] = {{150, 500}, {200, 1500}}, cuda_limits[2][4] = {{80, 300}, {100, 350, 700}};
    return ask->task->language == LAB_CUDA ? cuda_limits[c->to == 0] : c_limits[c->to == 0];
}

// In CUDA the likeliest come first, as code. Then all that are data, and what is left and is none.
static int batch_of(const int *limits, const lab_candidates *c, int i) {
    const int data = c->edit[i].hooked && !c->no_hooks;
    int batch = 1;
    while (limits[batch - 1] && i >= limits[batch - 1]) batch++;
    if (batch == 1 || !c->data) return limits[batch - 1] ? batch : 0;
    if (data) return 2;
    return !limits[batch - 1] ? 0 : batch == 2 && !c->edit[i].hooked ? 1 : batch;
}

int lab_candidates_next(const lab_repair_ask *ask, lab_candidates *c) {
    const int *limits = lab_candidates_limits(ask, c);
    if (c->sieved) {
        c->most = c->n, c->batch++;
        return c->n && c->sieved++ == 1;
    }
    for (c->most = 0; !c->most;) {
        if (c->batch && !limits[c->batch]) return 0;
        c->batch++;
        if (!c->n) {  // nothing is listed yet: who begins with the second batch begins with what is data
            c->hooks = c->batch == 2;
            return 1;
        }
        for (int i = 0; i < c->n; i++) c->most += batch_of(limits, c, i) == c->batch;
    }
    c->hooks = c->data && !c->no_hooks && c->batch == 2;
    return 1;
}

void lab_candidates_rest(lab_candidates *c) { c->rest = c->hooks = 1, c->chosen = c->best = 0; }

// The changes of this batch, and those behind it that take a statement out of one of their lines: a condition that is never
// true is a disguise of that.
void lab_candidates_choose(const lab_repair_ask *ask, lab_candidates *c) {
    static unsigned char here[MOST_LINES];
    const int *limits = lab_candidates_limits(ask, c);
    memset(here, 0, sizeof here);
    c->most = 0, c->chosen = c->batch;
    for (int i = 0; i < c->n; i++) {
        lab_edit *e = &c->edit[i];
        e->dropped = !c->sieved && (batch_of(limits, c, i) != c->batch || (c->rest && c->hooks && !e->later));
        c->most += !e->dropped;
        if (!e->dropped && e->line < MOST_LINES) here[e->line] = 1;
    }
    for (int i = 0; i < c->n && !c->hooks; i++) {
        lab_edit *e = &c->edit[i];
        const int batch = batch_of(limits, c, i), behind = !batch || batch > c->batch;
        if (behind && !*e->now && *e->was && e->line < MOST_LINES && here[e->line]) e->dropped = 0;
    }
}
