// both.c: a misunderstanding may make two slips in one line: two likely changes of it that do not touch each other are
// tried together.
//
//     mass = mass + that.mass;      mine * mass and theirs * that.mass
//     exp(m_new - s)                 s - m_new, of another row
#include "edits.h"

#include <stdlib.h>
#include <string.h>

enum { LIKELY = 16, LATER = 30, EACH = 10, MOST_C = 3000, MOST_CUDA = 1200 };  // ranks; of a place; of the file

static int by_place_and_rank(const void *a, const void *b) {
    const change *x = *(change *const *)a, *y = *(change *const *)b;
    return x->place != y->place ? x->place - y->place : x->rank != y->rank ? x->rank - y->rank : x->at - y->at;
}

static void try_both(edits *e, const change *a, const change *b) {
    if (a->first > b->first) {
        const change *later = a;
        a = b, b = later;
    }
    const bool same = !strcmp(a->old_shown, b->old_shown) && !strcmp(a->new_shown, b->new_shown);  // again.c
    if (a->end > b->first || same) return;
    edits_replace(e, a->place, a->rank + b->rank + LATER, "both", a->first, b->end, "%s %s %s", a->new_shown,
                  edits_text(e, a->end, b->first), b->new_shown);
}

void edits_change_both(edits *e) {
    const int all = e->n_changes, most = all + (e->cuda ? MOST_CUDA : MOST_C);
    change *copy = keep(&e->u, sizeof *copy * (size_t)(all + 1)),
           **list = keep(&e->u, sizeof *list * (size_t)(all + 1));
    int n = 0;
    memcpy(copy, e->changes, sizeof *copy * (size_t)all);
    for (int i = 0; i < all; i++) {
        change *c = &copy[i];
        if (c->place >= 0 && !c->of && !c->n_more && c->insert < 0 && c->remove < 0 && c->rank <= LIKELY &&
            !strcmp(c->old_shown, edits_text(e, c->first, c->end)))  // again.c shows more than it changes
            list[n++] = c;
    }
    qsort(list, (size_t)n, sizeof *list, by_place_and_rank);
    for (int i = 0, end; i < n; i = end) {
        for (end = i + 1; end < n && list[end]->place == list[i]->place;) end++;
        const int last = end < i + EACH ? end : i + EACH;
        for (int k = i; k < last; k++)
            for (int m = k + 1; m < last && e->n_changes < most; m++) try_both(e, list[k], list[m]);
    }
}
