// sets.c: sets of keys, dims, columns or rows; the keys that a query sees.
#include "depends.h"

#include <string.h>

int lab_set_has(const lab_set *s, int i) { return (int)(s->word[i / 64] >> i % 64 & 1); }

int lab_set_size(const lab_set *s) {
    int n = 0;
    for (int i = 0; i < LAB_OF_MOST / 64; i++) n += __builtin_popcountll(s->word[i]);
    return n;
}

int lab_set_same(const lab_set *a, const lab_set *b) { return !memcmp(a, b, sizeof *a); }

int lab_set_within(const lab_set *a, const lab_set *b) {
    for (int i = 0; i < LAB_OF_MOST / 64; i++)
        if (a->word[i] & ~b->word[i]) return 0;
    return 1;
}

int lab_set_meet(const lab_set *a, const lab_set *b) {
    for (int i = 0; i < LAB_OF_MOST / 64; i++)
        if (a->word[i] & b->word[i]) return 1;
    return 0;
}

void lab_set_join(lab_set *a, const lab_set *b) {
    for (int i = 0; i < LAB_OF_MOST / 64; i++) a->word[i] |= b->word[i];
}

int lab_depends_due(const lab_depends *d, int query) {
    const int all = d->count[d->count[LAB_OF_KEYS] ? LAB_OF_KEYS : LAB_OF_VALUES];
    return d->causal ? all - d->count[LAB_OF_QUERIES] + 1 + query : all;
}

int lab_depends_hidden(const lab_depends *d, int query, const lab_set *keys, lab_set *hidden) {
    *hidden = *keys;
    for (int j = 0; j < lab_depends_due(d, query); j++) hidden->word[j / 64] &= ~((uint64_t)1 << j % 64);
    return lab_set_size(hidden);
}

int lab_depends_left(const lab_depends *d, int query, const lab_set *keys, lab_set *left) {
    memset(left, 0, sizeof *left);
    for (int j = 0; j < lab_depends_due(d, query); j++)
        if (!lab_set_has(keys, j)) left->word[j / 64] |= (uint64_t)1 << j % 64;
    return lab_set_size(left);
}
