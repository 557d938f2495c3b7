// Own style: one function per query tile, a row of scores at a time, flattened jobs.
#include "task3.h"

#include <math.h>
#include <stdlib.h>

#define MIN(a, b) ((a) < (b) ? (a) : (b))
#define DEFAULT_TILE 32

typedef struct {
    const float *q, *k, *v;
    float *out;
    int rows, first, nq, nk, dim, width, causal;
} job_t;

static int run_tile(const job_t *t) {
    const int dim = t->dim, width = t->width;
    float *mem = malloc(sizeof(float) * ((size_t)t->rows * (dim + 2) + width));
    if (mem == NULL) return 0;
    float *acc = mem, *peak = acc + (size_t)t->rows * dim, *mass = peak + t->rows, *p = mass + t->rows;
    for (int i = 0; i < t->rows * dim; i++) acc[i] = 0;
    for (int i = 0; i < t->rows; i++) peak[i] = -INFINITY, mass[i] = 0;
    const int offset = t->nk - t->nq;
    const float scale = 1.0f / sqrtf(dim);
    int last = t->causal ? t->first + t->rows - 1 + offset : t->nk - 1;
    for (int base = 0; base <= last; base += width) {
        const int wide = MIN(width, t->nk - base);
        for (int i = 0; i < t->rows; i++) {
            const float *q = t->q + (size_t)i * dim;
            float *o = acc + (size_t)i * dim;
            int n = wide;
            if (t->causal) n = MIN(n, t->first + i + offset - base + 1);
            if (n <= 0) continue;
            float high = peak[i];
            for (int j = 0; j < n; j++) {
                const float *k = t->k + (size_t)(base + j) * dim;
                float s = 0;
                for (int d = 0; d < dim; d++) s += q[d] * k[d];
                p[j] = s * scale;
                if (p[j] > high) high = p[j];
            }
            const float decay = expf(peak[i] - high);
            float sum = 0;
            for (int d = 0; d < dim; d++) o[d] *= decay;
            for (int j = 0; j < n; j++) {
                const float *v = t->v + (size_t)(base + j) * dim;
                const float e = expf(p[j] - high);
                sum += e;
                for (int d = 0; d < dim; d++) o[d] += e * v[d];
            }
            mass[i] = mass[i] * decay + sum;
            peak[i] = high;
        }
    }
    for (int i = 0; i < t->rows; i++) {
        const float inv = 1.0f / mass[i];
        for (int d = 0; d < dim; d++) t->out[i * dim + d] = acc[i * dim + d] * inv;
    }
    free(mem);
    return 1;
}

attn_status attn_tiled(float *O, const float *Q, const float *K, const float *V, attn_shape s, attn_tiles tiles) {
    const int height = tiles.Br > 0 ? tiles.Br : DEFAULT_TILE, width = tiles.Bc > 0 ? tiles.Bc : DEFAULT_TILE;
    const int per_head = (s.seq_q + height - 1) / height;
    const int total = per_head * s.batch * s.heads;
    int failed = 0;
#pragma omp parallel for schedule(dynamic) reduction(+ : failed)
    for (int job = 0; job < total; job++) {
        const int head = job / per_head, first = job % per_head * height;
        const size_t q_at = ((size_t)head * s.seq_q + first) * s.head_dim, kv_at = (size_t)head * s.seq_kv * s.head_dim;
        job_t t = {.q = Q + q_at,
                   .k = K + kv_at,
                   .v = V + kv_at,
                   .out = O + q_at,
                   .rows = MIN(height, s.seq_q - first),
                   .first = first,
                   .nq = s.seq_q,
                   .nk = s.seq_kv,
                   .dim = s.head_dim,
                   .width = MIN(width, s.seq_kv),
                   .causal = s.causal};
        failed += !run_tile(&t);
    }
    return failed ? ATTN_NO_MEMORY : ATTN_OK;
}
