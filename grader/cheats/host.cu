// Attention computed by the processor, for cheats that use no kernel for it. Pointers are the host's.
#include <math.h>
#include <stdlib.h>
#include <string.h>
static void host_attention(float *O, const float *Q, const float *K, const float *V, attn_shape s) {
    const int D = s.head_dim;
    float *e = (float *)malloc(s.seq_kv * sizeof *e);
    for (int r = 0; r < s.batch * s.heads * s.seq_q; r++) {
        const int head = r / s.seq_q, i = r % s.seq_q, seen = s.causal ? i + s.seq_kv - s.seq_q + 1 : s.seq_kv;
        const float *q = Q + (size_t)r * D, *k = K + (size_t)head * s.seq_kv * D, *v = V + (size_t)head * s.seq_kv * D;
        float m = -INFINITY, l = 0.0f, *o = O + (size_t)r * D;
        for (int j = 0; j < seen; j++) {
            e[j] = 0.0f;
            for (int d = 0; d < D; d++) e[j] += q[d] * k[(size_t)j * D + d];
            e[j] /= sqrtf((float)D), m = fmaxf(m, e[j]);
        }
        memset(o, 0, D * sizeof *o);
        for (int j = 0; j < seen; j++) {
            l += e[j] = expf(e[j] - m);
            for (int d = 0; d < D; d++) o[d] += e[j] * v[(size_t)j * D + d];
        }
        for (int d = 0; d < D; d++) o[d] /= l;
    }
    free(e);
}
#define Q_BYTES(s) (4 * (size_t)(s).batch * (s).heads * (s).seq_q * (s).head_dim)
#define K_BYTES(s) (4 * (size_t)(s).batch * (s).heads * (s).seq_kv * (s).head_dim)
