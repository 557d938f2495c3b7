// rounds_up.c: how many groups there are is rounded up with the size of another group.
//
//     (n + LANES - 1) / EDGE         (n + EDGE - 1) / EDGE, or (n + LANES - 1) / LANES
//     (n + 31) / 16                  (n + 15) / 16, or (n + 31) / 32
#include "edits.h"

#include <stdlib.h>
#include <string.h>

enum { ADDED = 3, DIVISOR = 5 };  // ranks

static bool is_atom(const expression *x) { return x->kind == E_NAME || x->kind == E_NUMBER || x->kind == E_MEMBER; }

void edits_change_rounds_up(edits *e, int place, const expression *x) {
    const expression *sum = is_operator(e, x, "/") ? edits_bare(x->a) : NULL, *by = sum ? x->b : NULL;
    if (!sum || !is_atom(by) || edits_is_real(edits_type_of(e, x))) return;
    const char *text = edits_text_of(e, by);
    if (is_operator(e, sum, "-") && is(&e->u, sum->b->first, "1") && is_operator(e, sum->a, "+")) {
        const expression *size = sum->a->b;
        if (!is_atom(size) || !strcmp(edits_text_of(e, size), text)) return;
        edits_replace(e, place, ADDED, "rounded up", size->first, size->end, "%s", text);
        edits_replace(e, place, DIVISOR, "rounded up", by->first, by->end, "%s", edits_text_of(e, size));
    } else if (is_operator(e, sum, "+") && sum->b->kind == E_NUMBER && by->kind == E_NUMBER) {
        const int more = atoi(edits_text_of(e, sum->b)), size = atoi(text);
        if (more < 3 || size < 2 || more + 1 == size) return;
        edits_replace(e, place, ADDED, "rounded up", sum->b->first, sum->b->end, "%d", size - 1);
        edits_replace(e, place, DIVISOR, "rounded up", by->first, by->end, "%d", more + 1);
    }
}
