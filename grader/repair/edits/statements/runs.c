// runs.c: a statement that stands on the wrong side of several that move on, one after the other; C alone.
//
//     k += n * D; v += n * D; attend(k, v);       attend(k, v) before both
//     i++; j++; a[i] = b[j];                      a[i] = b[j] before both
#include "edits.h"

#include <string.h>

enum { BEFORE = 10, BEHIND = 14, LEAST = 2 };  // ranks; how many they are

static bool moves_on(const edits *e, int s) {
    const statement *st = &e->statements[s];
    if (st->kind != S_EXPRESSION || !st->listed) return false;
    int i = st->first;
    static const char *const steps[] = {"+=", "-=", "++", "--"};
    if (!is_name(&e->u, i)) return false;
    while ((is(&e->u, i + 1, ".") || is(&e->u, i + 1, "->")) && i + 2 < st->end) i += 2;
    for (size_t k = 0; k < sizeof steps / sizeof *steps; k++)
        if (adjacent(&e->u, i + 1, steps[k])) return true;
    return false;
}

static int before(const edits *e, int s) {
    for (int k = s - 1; k >= 0; k--)
        if (e->statements[k].end == e->statements[s].first && e->statements[k].listed &&
            e->statements[k].parent == e->statements[s].parent)
            return k;
    return -1;
}

void edits_change_runs(edits *e) {
    for (int s = 0; s < e->n_statements; s++) {
        const statement *st = &e->statements[s];
        const bool works = st->kind == S_EXPRESSION || st->kind == S_LOOP || st->kind == S_IF;
        if (!st->listed || !works || moves_on(e, s) || !edits_wanted(e, s)) continue;
        int first = s, last = s, n = 0;
        for (int k = before(e, s); k >= 0 && moves_on(e, k); k = before(e, k)) first = k, n++;
        if (n >= LEAST) edits_move(e, s, first, false, BEFORE, "moved");
        n = 0;
        for (int k = edits_next(e, s); k >= 0 && moves_on(e, k); k = edits_next(e, k)) last = k, n++;
        if (n >= LEAST) edits_move_behind(e, s, last, BEHIND);
    }
}
