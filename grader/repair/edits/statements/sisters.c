// sisters.c: what stands behind or before a statement of the file, and misses where that statement stands again.
//
//     score(w, j0, nk);        score(w, j0, nk);
//     hide(w, j0, nk);                                 hide(w, j0, nk); is missing
#include "edits.h"

#include <string.h>

enum { SAME = 3, ALIKE = 12, LONGEST = 40 };  // ranks; tokens

static bool can_come(const edits *e, int s) {
    const statement *st = &e->statements[s];
    const bool plain = st->kind == S_EXPRESSION || (st->kind == S_IF && !is(&e->u, st->end - 1, "}"));
    return st->listed && plain && st->end - st->first <= LONGEST && !is(&e->u, st->first, "__syncthreads") &&
           !edits_directive_within(e, st->first, st->end) && edits_directive_before(e, st->first) < 0;
}

// The next one of its list; -1: it is the last.
static int behind(const edits *e, int s) {
    for (int k = s + 1; k < e->n_statements; k++)
        if (e->statements[k].listed && e->statements[k].first == e->statements[s].end &&
            e->statements[k].parent == e->statements[s].parent)
            return k;
    return -1;
}

static bool read_alike(const edits *e, int a, int b) {
    const statement *x = &e->statements[a], *y = &e->statements[b];
    return x->end - x->first == y->end - y->first && edits_same(&e->u, x->first, y->first, x->end - x->first);
}

// A call of the same function, or something else for the same name.
static bool begin_alike(const edits *e, int a, int b) {
    const statement *x = &e->statements[a], *y = &e->statements[b];
    return x->kind == y->kind && x->kind != S_IF && edits_same(&e->u, x->first, y->first, 2) &&
           is_name(&e->u, x->first);
}

// Does the list of `s` have such a statement already?
static bool is_there(const edits *e, int list_of, int s) {
    for (int k = 0; k < e->n_statements; k++)
        if (e->statements[k].parent == e->statements[list_of].parent && e->statements[k].listed && read_alike(e, k, s))
            return true;
    return false;
}

static void insert(edits *e, int s, int at, bool before, int rank) {
    const statement *st = &e->statements[s];
    const ingredient names = {.first = st->first, .end = st->end};
    const int next = before ? at : behind(e, at), parent = e->statements[at].parent;
    const int token = next >= 0 ? e->statements[next].first : e->statements[at].end;
    if (is_there(e, at, s) || !edits_wanted(e, at) || !edits_usable(e, &names, token)) return;
    const char *text = edits_text(e, st->first, st->end);
    if (next >= 0)
        edits_insert(e, next, false, rank, "sister", text);
    else if (parent >= 0 && e->statements[parent].kind == S_BLOCK)
        edits_insert(e, parent, true, rank, "sister", text);
}

void edits_change_sisters(edits *e) {
    for (int a = 0; a < e->n_statements; a++) {
        if (!can_come(e, a)) continue;
        const int b = behind(e, a);
        if (b < 0 || !can_come(e, b)) continue;
        for (int k = 0; k < e->n_statements; k++) {  // a and b stand together; k is like one of them
            if (k == a || k == b || !e->statements[k].listed) continue;
            if (read_alike(e, a, k) || begin_alike(e, a, k)) insert(e, b, k, false, read_alike(e, a, k) ? SAME : ALIKE);
            if (read_alike(e, b, k) || begin_alike(e, b, k)) insert(e, a, k, true, read_alike(e, b, k) ? SAME : ALIKE);
        }
    }
}
