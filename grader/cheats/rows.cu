// A right kernel that wastes traffic: one thread per query reads every key and value from global memory. Cheats that
// hide traffic are built on it. LOAD(p) reads the float at p.
#include <math.h>
#ifndef LOAD
#define LOAD(p) (*(p))
#endif
static __global__ void rows(float *O, const float *Q, const float *K, const float *V, attn_shape s) {
    const int D = s.head_dim, r = blockIdx.x * blockDim.x + threadIdx.x;
    if (r >= s.batch * s.heads * s.seq_q) return;
    const int head = r / s.seq_q, i = r % s.seq_q, seen = s.causal ? i + s.seq_kv - s.seq_q + 1 : s.seq_kv;
    const float *q = Q + (size_t)r * D, *k = K + (size_t)head * s.seq_kv * D, *v = V + (size_t)head * s.seq_kv * D;
    float m = -INFINITY, l = 0.0f, o[128];
    for (int d = 0; d < D; d++) o[d] = 0.0f;
    for (int j = 0; j < seen; j++) {
        float dot = 0.0f;
        for (int d = 0; d < D; d++) dot += LOAD(q + d) * LOAD(k + (size_t)j * D + d);
        dot /= sqrtf((float)D);
        const float m_new = fmaxf(m, dot), a = expf(m - m_new), e = expf(dot - m_new);
        l = l * a + e, m = m_new;
        for (int d = 0; d < D; d++) o[d] = o[d] * a + e * LOAD(v + (size_t)j * D + d);
    }
    for (int d = 0; d < D; d++) O[(size_t)r * D + d] = o[d] / l;
}
static attn_status launch_rows(float *O, const float *Q, const float *K, const float *V, attn_shape s,
                               cudaStream_t stream) {
    if (s.batch < 1 || s.heads < 1 || s.seq_q < 1 || s.seq_kv < 1 || s.head_dim % 8 || s.head_dim > 128 ||
        s.head_dim < 8 || (s.causal && s.seq_q > s.seq_kv))
        return ATTN_BAD_SHAPE;
    rows<<<(s.batch * s.heads * s.seq_q + 63) / 64, 64, 0, stream>>>(O, Q, K, V, s);
    return cudaGetLastError() == cudaSuccess ? ATTN_OK : ATTN_CUDA_ERROR;
}
