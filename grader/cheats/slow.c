// Task 3 without a tile: right, and no faster than task 1. Cheats that forge a time are built on it.
#include <math.h>
#include <stdlib.h>
static attn_status slow(float *O, const float *Q, const float *K, const float *V, attn_shape s) {
    const size_t Sq = s.seq_q, Sk = s.seq_kv, D = s.head_dim, heads = (size_t)s.batch * s.heads;
    float *p = malloc(Sk * sizeof *p);
    if (!p) return ATTN_NO_MEMORY;
    for (size_t r = 0; r < heads * Sq; r++) {
        const size_t head = r / Sq, i = r % Sq, seen = s.causal ? i + Sk - Sq + 1 : Sk;
        const float *q = Q + r * D, *k = K + head * Sk * D, *v = V + head * Sk * D;
        float m = -INFINITY, l = 0, *o = O + r * D;
        for (size_t j = 0; j < seen; j++) {
            float dot = 0;
            for (size_t d = 0; d < D; d++) dot += q[d] * k[j * D + d];
            p[j] = dot / sqrtf(D), m = fmaxf(m, p[j]);
        }
        for (size_t d = 0; d < D; d++) o[d] = 0;
        for (size_t j = 0; j < seen; j++) {
            l += p[j] = expf(p[j] - m);
            for (size_t d = 0; d < D; d++) o[d] += p[j] * v[j * D + d];
        }
        for (size_t d = 0; d < D; d++) o[d] /= l;
    }
    free(p);
    return ATTN_OK;
}
