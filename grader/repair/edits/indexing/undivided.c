// undivided.c: a number that is cut down where all of it is meant: to its last digit, or to whole tiles.
//
//     for (n = threadIdx.x % LANES; ...; n += THREADS)      n = threadIdx.x
//     keys = min(Sk, last + 1) / BC * BC                    keys = min(Sk, last + 1)
//     i = n % D                                             i = n
#include "edits.h"

#include <string.h>

enum { STARTS = 0, WHOLE = 2, DIGIT = 6 };  // ranks

// n / b * b: what is left of n is lost.
static const expression *cut_to_whole(edits *e, const expression *x) {
    const expression *q = is_operator(e, x, "*") ? edits_bare(x->a) : NULL;
    return is_operator(e, q, "/") && !strcmp(edits_text_of(e, q->b), edits_text_of(e, x->b)) ? q->a : NULL;
}

// A loop that begins with x and goes on by another number than the one that x is cut by.
static bool starts_loop(edits *e, int place, const expression *x) {
    const statement *st = &e->statements[e->places[place].statement];
    const int close = st->kind == S_LOOP && is(&e->u, st->first + 1, "(") ? e->u.tokens[st->first + 1].match : 0;
    for (int i = x->end; i < close; i++)
        if (adjacent(&e->u, i, "+=")) return strcmp(edits_text(e, i + 2, close), edits_text_of(e, x->b)) != 0;
    return false;
}

void edits_change_undivided(edits *e, int place, expression *x) {
    if (edits_type_of(e, x).base == BASE_FLOAT || edits_type_of(e, x).pointers) return;
    const expression *all = cut_to_whole(e, x), *p = x->parent;
    const bool tight = is_operator(e, p, "*/%") && all && all->kind == E_BINARY;
    if (all) edits_replace(e, place, WHOLE, "left out", x->first, x->end, tight ? "(%s)" : "%s", edits_text_of(e, all));
    if (is_operator(e, x, "%") && (x->a->kind == E_NAME || x->a->kind == E_MEMBER))
        edits_replace(e, place, starts_loop(e, place, x) ? STARTS : DIGIT, "left out", x->first, x->end, "%s",
                      edits_text_of(e, x->a));
}
