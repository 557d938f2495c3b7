// sets.c: sets of keys, dims, columns or rows.
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
