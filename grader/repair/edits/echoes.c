// echoes.c: the same slip in several functions, word for word: none of them mends the claims of the others.
//
//     x = fmaxf(x, __shfl_down_sync(ALL, x, w));     x += __shfl_down_sync(ALL, x, w);     __shfl_xor_sync in both
//     gemm_nt<<<m * n / T, T>>>(...);       gemm_nn<<<m * n / T, T>>>(...);       (m * n + T - 1) / T in both
#include "edits.h"

#include <stdlib.h>
#include <string.h>

enum { LIKELY = 14, LATER = 9 };  // ranks
enum { MOST = 4, SHORTEST = 2 };  // places; tokens of a slip that is worth a look

static int by_words(const void *a, const void *b) {
    const change *x = *(change *const *)a, *y = *(change *const *)b;
    const int old = strcmp(x->old_shown, y->old_shown), new = old ? old : strcmp(x->new_shown, y->new_shown);
    return new ? new : x->at - y->at;
}

static bool alike(const change *x, const change *y) {
    return !strcmp(x->old_shown, y->old_shown) && !strcmp(x->new_shown, y->new_shown);
}

static int function_of(const edits *e, const change *c) {
    return e->statements[e->places[c->place].statement].function;
}

// All of them at once, if they stand in more than one function, each in a place of its own.
static void change_all(edits *e, change *const *list, int n) {
    place_text *more = keep(&e->u, sizeof *more * MOST);
    change all = *list[0];
    bool several = false;
    for (int i = 1; i < n; i++) {
        if (list[i]->place == list[i - 1]->place) return;
        several |= function_of(e, list[i]) != function_of(e, list[0]);
        more[all.n_more++] = (place_text){list[i]->place, list[i]->text};
    }
    all.more = more, all.rank += LATER;
    if (several) *EDITS_ADD(e, changes, n_changes) = all;
}

void edits_change_echoes(edits *e) {
    const int all = e->n_changes;
    change *copy = keep(&e->u, sizeof *copy * (size_t)(all + 1)),
           **list = keep(&e->u, sizeof *list * (size_t)(all + 1));
    int n = 0;
    memcpy(copy, e->changes, sizeof *copy * (size_t)all);
    for (int i = 0; i < all; i++) {
        change *c = &copy[i];
        const bool plain = c->place >= 0 && !c->of && !c->n_more && c->insert < 0 && c->remove < 0;
        const bool worth = c->end - c->first >= SHORTEST || !strncmp(c->old_shown, "__shfl", 6);
        if (plain && c->rank <= LIKELY && *c->new_shown && worth) list[n++] = c;
    }
    qsort(list, (size_t)n, sizeof *list, by_words);
    for (int i = 0, end; i < n; i = end) {
        for (end = i + 1; end < n && alike(list[i], list[end]);) end++;
        if (end - i > 1 && end - i <= MOST) change_all(e, list + i, end - i);
    }
}
