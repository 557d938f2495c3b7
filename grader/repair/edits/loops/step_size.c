// step_size.c: a loop over tiles counts its steps by one size and walks by it, and a step handles as many as another size
// says: both places have the other one.
//
//     steps = (k + BM - 1) / BM; for (t ...) { load(t * BM); for (l = 0; l < BK; l++) ... }      BK in both
#include "edits.h"

#include <string.h>

enum { BY_ITS_STEP = 7, BY_ANOTHER = 14, MOST = 8 };  // ranks; places

// A whole number that is there before the loop.
static const variable *size_at(const edits *e, const statement *loop, int i) {
    const token *t = &e->u.tokens[i];
    const bool field = is(&e->u, i - 1, ".") || is(&e->u, i - 1, "->");
    const variable *v = is_name(&e->u, i) && !field ? edits_visible(e, t->at, t->length, loop->first) : NULL;
    return v && edits_is_whole(v->type) && !v->is_loop ? v : NULL;
}

// Where the number of steps is made: the loop's limit, or what that was set to.
static void limit_of(const edits *e, const statement *loop, int counter, int *first, int *end) {
    const unit *u = &e->u;
    const int close = u->tokens[loop->first + 1].match;
    *first = *end = 0;
    for (int i = loop->first + 2; i + 1 < close && !*first; i++)
        if (edits_same(u, i, counter, 1) && is(u, i + 1, "<")) *first = i + 2;
    if (!*first) return;
    for (*end = *first; !is(u, *end, ";") && *end < close;) ++*end;
    const token *t = &u->tokens[*first];
    const variable *v = *end == *first + 1 ? edits_visible(e, t->at, t->length, *first) : NULL;
    if (v && v->value > 0 && !v->is_global) *first = v->value, *end = v->value_end;
}

// Adds each t * S and S * t of the body.
static int products(const edits *e, const statement *loop, int counter, int size, int *list, int n) {
    const unit *u = &e->u;
    for (int i = u->tokens[loop->first + 1].match; i + 1 < loop->end; i++) {
        if (!edits_same(u, i, size, 1)) continue;
        const bool behind = is(u, i - 1, "*") && edits_same(u, i - 2, counter, 1);
        const bool before = is(u, i + 1, "*") && edits_same(u, i + 2, counter, 1);
        if (!behind && !before) continue;
        if (n == MOST) return 0;
        list[n++] = i;
    }
    return n;
}

// l < BK; or min(BK, n - k0)
static bool limits(const unit *u, int i) {
    return (is(u, i - 1, "<") && is(u, i + 1, ";")) || (is(u, i - 1, "(") && is(u, i + 1, ",") && is_name(u, i - 2));
}

static bool stood_before(const unit *u, int from, int i) {
    for (int k = from; k < i; k++)
        if (edits_same(u, k, i, 1) && limits(u, k) >= limits(u, i)) return true;
    return false;
}

// Every other size that stands in the loop, what limits something in it first.
static void exchange(edits *e, const statement *loop, const int *list, int n) {
    const unit *u = &e->u;
    const variable *own = size_at(e, loop, list[0]);
    const int from = u->tokens[loop->first + 1].match;
    for (int i = from; i < loop->end; i++) {
        const variable *v = stood_before(u, from, i) ? NULL : size_at(e, loop, i);
        if (v && v != own && v->is_const == own->is_const)
            edits_replace_each(e, limits(u, i) ? BY_ITS_STEP : BY_ANOTHER, "size", list, n, v->name);
    }
}

void edits_change_step_sizes(edits *e) {
    const unit *u = &e->u;
    for (int s = 0; s < e->n_statements; s++) {
        const statement *loop = &e->statements[s];
        if (loop->kind != S_LOOP || !edits_wanted(e, s) || !is(u, loop->first, "for")) continue;
        int counter = loop->first + 2, first, end;
        while (is_name(u, counter) && is_name(u, counter + 1)) counter++;
        limit_of(e, loop, counter, &first, &end);
        for (int i = first; i < end; i++) {
            if (!size_at(e, loop, i)) continue;
            int list[MOST], n = 0;
            for (int k = i; k < end && n < MOST; k++)
                if (edits_same(u, k, i, 1)) list[n++] = k;
            const int made = products(e, loop, counter, i, list, n);
            if (made <= n) continue;
            exchange(e, loop, list, made);
            break;
        }
    }
}
