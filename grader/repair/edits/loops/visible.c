// visible.c: how many keys a query sees is one more than the number of the last one.
//
//     causal ? min(Sk, i + Sk - Sq) : Sk          i + Sk - Sq + 1
#include "edits.h"

#include <string.h>

enum { MORE = 15, LESS = 16 };  // ranks

static bool says(edits *e, int first, int end, const char *word) {
    for (int i = first; i < end; i++)
        if (strstr(edits_text(e, i, i + 1), word)) return true;
    return false;
}

// Within the first answer to `causal ?`, or in the `if` that asks so.
static bool is_causal(edits *e, int place, const expression *x) {
    for (const expression *up = x->parent, *in = x; up; in = up, up = up->parent)
        if (up->kind == E_TERNARY && up->b == in) return says(e, up->a->first, up->a->end, "causal");
    int s = e->statements[e->places[place].statement].parent;
    if (s >= 0 && e->statements[s].kind == S_BLOCK) s = e->statements[s].parent;
    if (s < 0 || e->statements[s].kind != S_IF) return false;
    return says(e, e->statements[s].first, e->u.tokens[e->statements[s].first + 1].match, "causal");
}

void edits_change_visible(edits *e, int place, expression *x) {
    const expression *up = x->parent;
    const bool sum = is_operator(e, x, "+-") && !is_operator(e, up, "+-") && !(up && up->kind == E_INDEX);
    if (!sum || is_operator(e, up, "*/") || !edits_is_whole(edits_type_of(e, x)) || !is_causal(e, place, x)) return;
    const bool one = is(&e->u, x->b->first, "1") && x->b->end == x->b->first + 1;
    if (one)
        edits_replace(e, place, LESS, "visible", x->first, x->end, "%s", edits_text_of(e, x->a));
    else
        edits_replace(e, place, MORE, "visible", x->first, x->end, "%s + 1", edits_text_of(e, x));
}
