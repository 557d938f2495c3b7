// stale.c: an element of a tile that is loaded only where the matrix has it, and keeps an older number elsewhere.
//
//     if (i < m && l < k) tile[y][x] = A[i * k + l];        tile[y][x] = 0.0f; before the if
#include "edits.h"

#include <string.h>

enum { ONE = 6, ALL = 9, MOST = 6 };  // ranks; how many in a loop

// The if without an else that holds nothing but this statement; -1: it has none.
static int only_if(const edits *e, int s) {
    int p = e->statements[s].parent;
    if (p >= 0 && e->statements[p].kind == S_BLOCK) p = e->statements[p].parent;
    if (p < 0 || e->statements[p].kind != S_IF) return -1;
    for (int i = e->statements[p].first; i < e->statements[p].end; i++)
        if (is(&e->u, i, "else")) return -1;
    return p;
}

// The statement of the innermost loop's body, or of the function's, in which s stands.
static int outermost(const edits *e, int s, int *loop) {
    for (int p = e->statements[s].parent; p >= 0; s = p, p = e->statements[p].parent) {
        const int above = e->statements[p].parent;
        if (above >= 0 && e->statements[above].kind == S_LOOP && e->statements[p].kind == S_BLOCK) {
            *loop = above;
            return e->statements[s].listed && !e->statements[s].fixed ? s : -1;
        }
    }
    return -1;
}

// A number, or several side by side; NULL: it is no such element.
static const char *zero_of(value_type t) {
    if (t.base == BASE_FLOAT) return "0.0f";
    if (t.base != BASE_STRUCT || !t.word) return NULL;
    if (!strcmp(t.word, "float4")) return "make_float4(0, 0, 0, 0)";
    return strcmp(t.word, "float2") ? NULL : "make_float2(0, 0)";
}

void edits_change_stale(edits *e) {
    for (int loop = 0; loop < e->n_statements; loop++) {
        const char *left[MOST], *text = "";
        int n = 0, before = -1;
        if (e->statements[loop].kind != S_LOOP || !e->functions[e->statements[loop].function].device) continue;
        for (int p = 0; p < e->n_places; p++) {
            const expression *x = e->places[p].tree;
            const int s = e->places[p].statement, guard = only_if(e, s);
            int around = -1;
            if (!x || x->kind != E_ASSIGN || !is(&e->u, x->op, "=") || x->a->kind != E_INDEX || guard < 0) continue;
            const int at = outermost(e, guard, &around);
            const ingredient names = {.first = x->a->first, .end = x->a->end};
            const value_type type = edits_type_of(e, x->a);
            if (around != loop || at < 0 || !zero_of(type) || type.pointers || !edits_wanted(e, at) ||
                !edits_usable(e, &names, e->statements[before < 0 ? at : before].first))
                continue;
            const char *its = edits_text(e, x->a->first, x->a->end);
            bool here = n == MOST;
            for (int i = 0; i < n; i++) here |= !strcmp(left[i], its);
            if (here) continue;
            if (before < 0) before = at;
            left[n++] = its, text = format(&e->u, "%s%s%s = %s", text, n > 1 ? ", " : "", its, zero_of(type));
            edits_insert(e, at, false, ONE, "statement", format(&e->u, "%s = %s;", its, zero_of(type)));
        }
        if (n > 1) edits_insert(e, before, false, ALL, "statement", format(&e->u, "%s;", text));
    }
}
