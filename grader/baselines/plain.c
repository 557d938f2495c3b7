// plain.c: attention as the formula has it, one thread, one query after the other: "task 1" in tables and points.
//
// It is no student's file, so that a handout measures against the same code as the instructor. It does the work of a plain
// task 1 (every score, masked or not) and is as fast as one: within a few percent of the answer.
#include <math.h>
#include <stdlib.h>

#include "task1.h"

typedef struct {
    const float *keys, *values;  // of one head
    size_t n, dim, seen;         // the first `seen` of n keys count
    float *weight;               // scratch, one a key
} head;

static float dot(const float *a, const float *b, size_t n) {
    float sum = 0;
    while (n--) sum += *a++ * *b++;
    return sum;
}

static void answer(float *out, const float *query, const head *h) {
    const float root = sqrtf((float)h->dim);
    float top = -INFINITY, total = 0;
    for (size_t k = 0; k < h->n; k++) h->weight[k] = dot(query, h->keys + k * h->dim, h->dim) / root;
    for (size_t k = h->seen; k < h->n; k++) h->weight[k] = -INFINITY;
    for (size_t k = 0; k < h->seen; k++)
        if (h->weight[k] > top) top = h->weight[k];
    for (size_t k = 0; k < h->n; k++) total += h->weight[k] = expf(h->weight[k] - top);
    for (size_t c = 0; c < h->dim; c++) out[c] = 0;
    for (size_t k = 0; k < h->n; k++) {
        const float share = h->weight[k] / total, *value = h->values + k * h->dim;
        for (size_t c = 0; c < h->dim; c++) out[c] += share * value[c];
    }
}

attn_status attn_sdpa(float *O, const float *Q, const float *K, const float *V, attn_shape shape) {
    const size_t queries = (size_t)shape.seq_q, n = (size_t)shape.seq_kv, dim = (size_t)shape.head_dim;
    float *weight = malloc(n * sizeof *weight);
    if (!weight) return ATTN_NO_MEMORY;
    for (size_t bh = 0; bh < (size_t)shape.batch * shape.heads; bh++)
        for (size_t i = 0; i < queries; i++) {
            const size_t row = bh * queries + i, first = bh * n * dim;
            const head h = {K + first, V + first, n, dim, shape.causal ? i + (n - queries) + 1 : n, weight};
            answer(O + row * dim, Q + row * dim, &h);
        }
    free(weight);
    return ATTN_OK;
}
