/* 1-D grid, work items by division; 4 threads share a row: each has a quarter of the dims, partial dots are joined. */
#include "task4.h"
#include <math.h>
#ifndef BR
#define BR 32
#endif
#ifndef BC
#define BC 24
#endif
#define SHARE 4
#define QUARTER 32
#define ROUND_UP_DIV(x, y) (((x) + (y)-1) / (y))

struct pos {
    size_t head;
    int tile;
};
static __device__ struct pos locate(int item, int tiles) {
    struct pos p;
    p.head = item / tiles;
    p.tile = item % tiles;
    return p;
}

static __global__ void kernel(float *out, const float *query, const float *key, const float *value, attn_shape sh,
                              int tiles, int items) {
    extern __shared__ float pool[];
    const int D = sh.head_dim, part = D / SHARE;
    float *kt = pool, *vt = kt + BC * D;
    const int r = threadIdx.x / SHARE, piece = threadIdx.x % SHARE;
    const float scale = rsqrtf((float)D);
    const int behind = sh.seq_kv - sh.seq_q;
    for (int item = blockIdx.x; item < items; item += gridDim.x) {
        const struct pos at = locate(item, tiles);
        const int i = at.tile * BR + r;
        const float *q = query + (at.head * sh.seq_q + i) * D + piece * part;
        float mine[QUARTER], sum[QUARTER], m = -INFINITY, l = 0;
        for (int d = 0; d < part; d++) {
            mine[d] = i < sh.seq_q ? q[d] : 0;
            sum[d] = 0;
        }
        int stop = sh.seq_kv;
        if (sh.causal && stop > (at.tile + 1) * BR + behind) stop = (at.tile + 1) * BR + behind;
        for (int j0 = 0; j0 < stop; j0 += BC) {
            const int n = min(BC, stop - j0);
            const float *ks = key + (at.head * sh.seq_kv + j0) * D;
            const float *vs = value + (at.head * sh.seq_kv + j0) * D;
            for (int e = threadIdx.x; e < n * D; e += blockDim.x) {
                kt[e] = ks[e];
                vt[e] = vs[e];
            }
            __syncthreads();
            float s[BC], top = m;
            for (int c = 0; c < n; c++) {
                float dot = 0;
                for (int d = 0; d < part; d++) dot += mine[d] * kt[c * D + piece * part + d];
                dot += __shfl_xor_sync(0xffffffff, dot, 1);
                dot += __shfl_xor_sync(0xffffffff, dot, 2);
                s[c] = sh.causal && j0 + c > i + behind ? -INFINITY : dot * scale;
                top = fmaxf(top, s[c]);
            }
            const float f = expf(m - top);
            m = top;
            l *= f;
            for (int d = 0; d < part; d++) sum[d] *= f;
            for (int c = 0; c < n; c++) {
                const float p = expf(s[c] - m);
                const float *v = vt + c * D + piece * part;
                l += p;
                for (int d = 0; d < part; d++) sum[d] += p * v[d];
            }
            __syncthreads();
        }
        if (i < sh.seq_q)
            for (int d = 0; d < part; d++) out[(at.head * sh.seq_q + i) * D + piece * part + d] = sum[d] / l;
    }
}

attn_status attn_flash(float *O, const float *Q, const float *K, const float *V, attn_shape sh, cudaStream_t stream) {
    if (sh.batch < 1 || sh.heads < 1 || sh.seq_q < 1 || sh.seq_kv < 1 || sh.head_dim < 8 || sh.head_dim > 128 ||
        sh.head_dim % 8 || (sh.causal && sh.seq_q > sh.seq_kv))
        return ATTN_BAD_SHAPE;
    const int tiles = ROUND_UP_DIV(sh.seq_q, BR), items = tiles * sh.batch * sh.heads;
    const int bytes = 2 * BC * sh.head_dim * (int)sizeof(float);
    if (cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes) != cudaSuccess)
        return ATTN_CUDA_ERROR;
    const int blocks = items < 4096 ? items : 4096;
    kernel<<<blocks, BR * SHARE, bytes, stream>>>(O, Q, K, V, sh, tiles, items);
    return cudaGetLastError() == cudaSuccess ? ATTN_OK : ATTN_CUDA_ERROR;
}
