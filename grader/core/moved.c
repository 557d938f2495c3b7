// moved.c: split and merge only move numbers. Which element of the input lies where, as steps from index to index.
#include "heuristics.h"

#include <stdio.h>
#include <stdlib.h>

typedef struct {
    float value;
    size_t at;
} place;

static int by_value(const void *a, const void *b) {
    const float x = ((const place *)a)->value, y = ((const place *)b)->value;
    return (x > y) - (x < y);
}

// Where in the input this number stands; -1: nowhere.
static long find(const place *p, size_t n, float value) {
    const place key = {value, 0}, *found = bsearch(&key, p, n, sizeof *p, by_value);
    return found ? (long)found->at : -1;
}

enum { B, H, S, D, AXES };

static size_t index_of(const size_t i[AXES], const size_t step[AXES]) {
    return i[B] * step[B] + i[H] * step[H] + i[S] * step[S] + i[D] * step[D];
}

// The steps that the student's code makes in the input. Returns 0 if it makes no even steps.
static int steps_of(const lab_symptom *s, const place *p, const size_t n, const size_t extent[AXES],
                    const size_t out[AXES], long step[AXES]) {
    const size_t origin[AXES] = {0};
    const long first = find(p, n, s->got[index_of(origin, out)]);
    if (first < 0) return 0;
    for (int a = 0; a < AXES; a++) {
        size_t one[AXES] = {0};
        one[a] = extent[a] > 1;
        const long at = find(p, n, s->got[index_of(one, out)]);
        if (at < 0) return 0;
        step[a] = at - first;
    }
    for (size_t k = 0; k < 64; k++) {
        const size_t i[AXES] = {k * 7 % extent[B], k * 5 % extent[H], k * 3 % extent[S], k * 11 % extent[D]};
        const long due =
            first + (long)i[B] * step[B] + (long)i[H] * step[H] + (long)i[S] * step[S] + (long)i[D] * step[D];
        if (due < 0 || due >= (long)n || s->got[index_of(i, out)] != s->in[1][due]) return 0;
    }
    return 1;
}

int lab_explain_moved(const lab_symptom *s, int merge, char *text, size_t size) {
    static const char *const names[AXES] = {"one sequence to the next", "one head to the next", "one token to the next",
                                            "one dim to the next"};
    const attn_shape a = s->shape;
    const size_t n = lab_elements_q(a), extent[AXES] = {a.batch, a.heads, a.seq_q, a.head_dim}, d = a.head_dim;
    const size_t heads[AXES] = {a.heads * a.seq_q * d, a.seq_q * d, d, 1},
                 packed[AXES] = {a.heads * a.seq_q * d, d, a.heads * d, 1};
    const size_t *in = merge ? heads : packed;
    long step[AXES];
    place *p = malloc(n * sizeof *p);
    for (size_t i = 0; p && i < n; i++) p[i] = (place){s->in[1][i], i};
    if (p) qsort(p, n, sizeof *p, by_value);
    const int even = p && steps_of(s, p, n, extent, merge ? packed : heads, step);
    free(p);
    for (int x = AXES - 1; x >= 0 && even; x--)
        if (extent[x] > 1 && step[x] != (long)in[x]) {
            snprintf(text, size, "matches a step of %ld from %s in %s: it is %zu", step[x], names[x], merge ? "Y" : "X",
                     in[x]);
            return 1;
        }
    return 0;
}
