/* One-dimensional grids, dynamic shared memory carved by pointers. */
#include "task2.h"
#include <math.h>

struct gemm_args {
    float *c;
    const float *a, *b;
    int m, n, k;
    int row_tiles, col_tiles;
    int b_row, b_col; /* strides of b for (l, j) */
};

static const int TS = 16, NTHR = 128;

static __global__ void softmax_kernel(float *p, const float *s, int rows, int cols) {
    extern __shared__ float buf[];
    const int tid = threadIdx.x, nt = blockDim.x;
    for (int row = blockIdx.x; row < rows; row += gridDim.x) {
        const float *in = s + (size_t)row * cols;
        float *out = p + (size_t)row * cols;
        float v = -INFINITY;
        for (int c = tid; c < cols; c += nt) v = max(v, in[c]);
        buf[tid] = v;
        __syncthreads();
        for (int h = nt >> 1; h > 0; h >>= 1) {
            if (tid < h) buf[tid] = max(buf[tid], buf[tid + h]);
            __syncthreads();
        }
        const float top = buf[0];
        __syncthreads();
        v = 0;
        for (int c = tid; c < cols; c += nt) v += out[c] = expf(in[c] - top);
        buf[tid] = v;
        __syncthreads();
        for (int h = nt >> 1; h > 0; h >>= 1) {
            if (tid < h) buf[tid] += buf[tid + h];
            __syncthreads();
        }
        const float all = buf[0];
        for (int c = tid; c < cols; c += nt) out[c] /= all;
        __syncthreads();
    }
}

static __global__ void gemm_kernel(gemm_args g) {
    extern __shared__ float buf[];
    float *at = buf;
    float *bt = at + TS * (TS + 1);
    int id = blockIdx.x;
    const int tile_col = id % g.col_tiles;
    id /= g.col_tiles;
    const int tile_row = id % g.row_tiles;
    const int z = id / g.row_tiles;
    const float *a = g.a + (size_t)z * g.m * g.k;
    const float *b = g.b + (size_t)z * g.n * g.k;
    float *c = g.c + (size_t)z * g.m * g.n;
    const int y = threadIdx.x / TS, x = threadIdx.x % TS;
    const int i = tile_row * TS + y, j = tile_col * TS + x;
    float acc = 0;
    for (int l0 = 0; l0 < g.k; l0 += TS) {
        at[y * (TS + 1) + x] = i < g.m && l0 + x < g.k ? a[(size_t)i * g.k + l0 + x] : 0;
        bt[y * (TS + 1) + x] = l0 + y < g.k && j < g.n ? b[(size_t)(l0 + y) * g.b_row + (size_t)j * g.b_col] : 0;
        __syncthreads();
        const int left = min(TS, g.k - l0);
        for (int l = 0; l < left; ++l) acc += at[y * (TS + 1) + l] * bt[l * (TS + 1) + x];
        __syncthreads();
    }
    if (i < g.m && j < g.n) c[(size_t)i * g.n + j] = acc;
}

static attn_status gemm(gemm_args g, int batch, cudaStream_t stream) {
    if (batch < 1 || g.m < 1 || g.n < 1 || g.k < 1) return ATTN_BAD_SHAPE;
    g.row_tiles = (g.m + TS - 1) / TS;
    g.col_tiles = (g.n + TS - 1) / TS;
    const size_t bytes = 2 * TS * (TS + 1) * sizeof(float);
    gemm_kernel<<<batch * g.row_tiles * g.col_tiles, TS * TS, bytes, stream>>>(g);
    return cudaGetLastError() ? ATTN_CUDA_ERROR : ATTN_OK;
}

static __global__ void mask_kernel(float *s, int sq, int sk, int causal, float f, int rows) {
    const int row = blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32;
    if (row >= rows) return;
    const int seen = causal ? row % sq + sk - sq + 1 : sk;
    float *r = s + (size_t)row * sk;
    for (int j = threadIdx.x % 32; j < sk; j += 32) r[j] = j < seen ? f * r[j] : -INFINITY;
}

attn_status attn_softmax_batched(float *P, const float *S, int rows, int cols, cudaStream_t stream) {
    if (rows < 1 || cols < 1) return ATTN_BAD_SHAPE;
    const int blocks = rows < 1024 ? rows : 1024;
    softmax_kernel<<<blocks, NTHR, NTHR * sizeof(float), stream>>>(P, S, rows, cols);
    return cudaGetLastError() ? ATTN_CUDA_ERROR : ATTN_OK;
}
attn_status attn_gemm_nt(float *C, const float *A, const float *B, int batch, int m, int n, int k,
                         cudaStream_t stream) {
    gemm_args g = {C, A, B, m, n, k, 0, 0, 1, k};
    return gemm(g, batch, stream);
}
attn_status attn_gemm_nn(float *C, const float *A, const float *B, int batch, int m, int n, int k,
                         cudaStream_t stream) {
    gemm_args g = {C, A, B, m, n, k, 0, 0, n, 1};
    return gemm(g, batch, stream);
}
attn_status attn_naive(float *O, const float *Q, const float *K, const float *V, float *scores, attn_shape sh,
                       cudaStream_t stream) {
    const int bh = sh.batch * sh.heads, sq = sh.seq_q, sk = sh.seq_kv, d = sh.head_dim;
    if (sh.batch < 1 || sh.heads < 1 || sq < 1 || sk < 1 || d < 8 || d > 128 || d % 8 || (sh.causal && sq > sk))
        return ATTN_BAD_SHAPE;
    attn_status e = attn_gemm_nt(scores, Q, K, bh, sq, sk, d, stream);
    if (e) return e;
    const int rows = bh * sq;
    mask_kernel<<<(rows + 3) / 4, 128, 0, stream>>>(scores, sq, sk, sh.causal, 1 / sqrtf(d), rows);
    if (cudaGetLastError()) return ATTN_CUDA_ERROR;
    if ((e = attn_softmax_batched(scores, scores, rows, sk, stream))) return e;
    return attn_gemm_nn(O, scores, V, bh, sq, d, sk, stream);
}
