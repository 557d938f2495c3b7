// A thread for each query, which knows how many keys it sees; the block loads each tile together.
#include "task4.h"

#include <math.h>

namespace {
constexpr int QUERIES = 64, KEYS = 16, LARGEST = 128;

__device__ void bring(float *keys, float *values, const float *K, const float *V, int first, int have, int D) {
    const int want = KEYS * D;
    const size_t from = (size_t)first * D;
    for (int at = threadIdx.x; at < want; at += QUERIES) {
        const bool there = first + at / D < have;
        keys[at] = there ? K[from + at] : 0.0f;
        values[at] = there ? V[from + at] : 0.0f;
    }
}

__global__ void __launch_bounds__(QUERIES)
    attend(float *O, const float *Q, const float *K, const float *V, attn_shape s) {
    extern __shared__ float tile[];
    const int D = s.head_dim, keys = s.seq_kv, i = blockIdx.x * QUERIES + threadIdx.x;
    float *values = tile + KEYS * D, q[LARGEST], o[LARGEST] = {}, m = -INFINITY, l = 0.0f;
    const bool there = i < s.seq_q;
    const float scale = rsqrtf((float)D);
    K += (size_t)blockIdx.y * keys * D, V += (size_t)blockIdx.y * keys * D;
    const size_t own = ((size_t)blockIdx.y * s.seq_q + i) * D;
    for (int d = 0; d < D; d++) q[d] = there ? Q[own + d] * scale : 0.0f;
    const int seen = s.causal ? min(keys, i + keys - s.seq_q + 1) : keys;
    for (int first = 0; first < keys; first += KEYS) {
        __syncthreads();
        bring(tile, values, K, V, first, keys, D);
        __syncthreads();
        for (int c = 0; there && c < KEYS && first + c < seen; c++) {
            float x = 0.0f;
            for (int d = 0; d < D; d++) x += q[d] * tile[c * D + d];
            const float top = fmaxf(m, x), keep = expf(m - top), p = expf(x - top);
            for (int d = 0; d < D; d++) o[d] = o[d] * keep + p * values[c * D + d];
            l = l * keep + p, m = top;
        }
    }
    for (int d = 0; there && d < D; d++) O[own + d] = o[d] / l;
}
}  // namespace

ATTN_API attn_status attn_flash(float *O, const float *Q, const float *K, const float *V, attn_shape s,
                                cudaStream_t stream) {
    if (s.batch < 1 || s.heads < 1 || s.seq_q < 1 || s.seq_kv < 1) return ATTN_BAD_SHAPE;
    if (s.head_dim < 8 || s.head_dim > LARGEST || s.head_dim % 8) return ATTN_BAD_SHAPE;
    if (s.causal && s.seq_q > s.seq_kv) return ATTN_BAD_SHAPE;
    const int room = 2 * KEYS * s.head_dim * (int)sizeof(float);
    const dim3 grid((s.seq_q + QUERIES - 1) / QUERIES, s.batch * s.heads);
    attend<<<grid, QUERIES, room, stream>>>(O, Q, K, V, s);
    return cudaGetLastError() == cudaSuccess ? ATTN_OK : ATTN_CUDA_ERROR;
}
