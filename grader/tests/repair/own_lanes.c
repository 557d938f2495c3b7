// A "lane" is one query; a tile of queries is an array of lanes, each with its own state.
#include "task3.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

struct lane {
    float peak, mass;
    float *acc;
};
struct job {
    const float *q, *k, *v;
    float *o;
    int nq, nk, dim, causal, shift;
    float norm;
};

static int smaller(int a, int b) { return b < a ? b : a; }

static void reset(struct lane *x, int count, int dim) {
    for (int i = 0; i < count; i++) {
        x[i].peak = -INFINITY;
        x[i].mass = 0.f;
        memset(x[i].acc, 0, dim * sizeof(float));
    }
}

static float score(const struct job *w, int row, int col) {
    const float *a = w->q + (size_t)row * w->dim, *b = w->k + (size_t)col * w->dim;
    float s = 0.f;
    for (int d = 0; d < w->dim; d++) s += a[d] * b[d];
    return s * w->norm;
}

// How many keys from `first` on this row sees, at most `most`.
static int seen(const struct job *w, int row, int first, int most) {
    if (!w->causal) return most;
    const int until = row + w->shift + 1 - first;
    return until < 0 ? 0 : smaller(until, most);
}

static void feed(const struct job *w, struct lane *x, int row, int first, int n, float *buf) {
    float top = x->peak;
    for (int j = 0; j < n; j++) {
        buf[j] = score(w, row, first + j);
        if (buf[j] > top) top = buf[j];
    }
    const float shrink = expf(x->peak - top);
    x->peak = top;
    x->mass *= shrink;
    for (int d = 0; d < w->dim; d++) x->acc[d] *= shrink;
    for (int j = 0; j < n; j++) {
        const float p = expf(buf[j] - top), *v = w->v + (size_t)(first + j) * w->dim;
        x->mass += p;
        for (int d = 0; d < w->dim; d++) x->acc[d] += p * v[d];
    }
}

static void drain(const struct job *w, const struct lane *x, int row) {
    float *out = w->o + (size_t)row * w->dim;
    for (int d = 0; d < w->dim; d++) out[d] = x->acc[d] / x->mass;
}

static void run_tile(const struct job *w, struct lane *x, int begin, int rows, int Bc, float *buf) {
    reset(x, rows, w->dim);
    for (int first = 0; first < w->nk; first += Bc) {
        const int width = smaller(Bc, w->nk - first);
        for (int r = 0; r < rows; r++) {
            const int n = seen(w, begin + r, first, width);
            if (n > 0) feed(w, &x[r], begin + r, first, n, buf);
        }
    }
    for (int r = 0; r < rows; r++) drain(w, &x[r], begin + r);
}

attn_status attn_tiled(float *O, const float *Q, const float *K, const float *V, attn_shape s, attn_tiles t) {
    const int Br = t.Br ? t.Br : 8, Bc = t.Bc ? t.Bc : 24;
    const int tiles = (s.seq_q + Br - 1) / Br, total = tiles * s.batch * s.heads;
    int lost = 0;
#pragma omp parallel
    {
        struct lane *x = malloc(Br * sizeof *x);
        float *mem = malloc(((size_t)Br * s.head_dim + Bc) * sizeof(float));
        const int fine = x && mem;
        if (!fine) {
#pragma omp atomic write
            lost = 1;
        }
        for (int i = 0; fine && i < Br; i++) x[i].acc = mem + (size_t)i * s.head_dim;
#pragma omp for schedule(dynamic, 1)
        for (int unit = 0; unit < total; unit++) {
            if (!fine) continue;
            const int which = unit / tiles, begin = unit % tiles * Br;
            const size_t q0 = (size_t)which * s.seq_q * s.head_dim, k0 = (size_t)which * s.seq_kv * s.head_dim;
            struct job w = {Q + q0, K + k0, V + k0, O + q0, s.seq_q, s.seq_kv, s.head_dim, s.causal};
            w.shift = s.seq_kv - s.seq_q;
            w.norm = 1.f / sqrtf((float)s.head_dim);
            run_tile(&w, x, begin, smaller(Br, w.nq - begin), Bc, mem + (size_t)Br * s.head_dim);
        }
        free(mem);
        free(x);
    }
    return lost ? ATTN_NO_MEMORY : ATTN_OK;
}
