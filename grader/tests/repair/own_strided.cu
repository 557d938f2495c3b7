// A matrix is a struct with strides; one template multiplies both ways; a warp normalises a row.
#include <math.h>

#include "task2.h"

namespace {
enum { Edge = 16, WarpsPerBlock = 4 };

struct Strided {
    const float *base;
    int rows, cols, down, right;
    __device__ float get(int r, int c) const {
        return r < rows && c < cols ? base[(size_t)r * down + (size_t)c * right] : 0.f;
    }
};

__global__ void multiply(float *out, Strided left, Strided right, size_t step_left, size_t step_right, float scale,
                         int past, bool mask) {
    __shared__ float x[Edge][Edge + 1], y[Edge][Edge + 1];
    const int tx = threadIdx.x & (Edge - 1), ty = threadIdx.x / Edge;
    const int tiles_across = (right.cols + Edge - 1) / Edge;
    const int row = blockIdx.x / tiles_across * Edge + ty, col = blockIdx.x % tiles_across * Edge + tx;
    left.base += blockIdx.z * step_left;
    right.base += blockIdx.z * step_right;
    out += (size_t)blockIdx.z * left.rows * right.cols;
    float total = 0.f;
    for (int at = 0; at < left.cols; at += Edge) {
        x[ty][tx] = left.get(row, at + tx);
        y[ty][tx] = right.get(at + ty, col);
        __syncthreads();
        for (int i = 0; i < Edge; i++) total = fmaf(x[ty][i], y[i][tx], total);
        __syncthreads();
    }
    if (row < left.rows && col < right.cols)
        out[(size_t)row * right.cols + col] = mask && col > row + past ? -INFINITY : total * scale;
}

__device__ float widest(float v) {
    for (int hop = 1; hop < 32; hop += hop) v = fmaxf(v, __shfl_xor_sync(~0u, v, hop));
    return v;
}
__device__ float whole(float v) {
    for (int hop = 1; hop < 32; hop += hop) v += __shfl_xor_sync(~0u, v, hop);
    return v;
}

__global__ void normalise(float *p, const float *s, int rows, int cols) {
    const int lane = threadIdx.x % 32;
    const long line = (long)blockIdx.x * WarpsPerBlock + threadIdx.x / 32;
    if (line >= rows) return;
    const float *from = s + line * cols;
    float *to = p + line * cols;
    float hi = -INFINITY, sum = 0.f;
    for (int c = lane; c < cols; c += 32) hi = fmaxf(hi, from[c]);
    hi = widest(hi);
    for (int c = lane; c < cols; c += 32) sum += hi == -INFINITY ? 0.f : expf(from[c] - hi);
    sum = whole(sum);
    for (int c = lane; c < cols; c += 32) to[c] = sum > 0 ? expf(from[c] - hi) / sum : 0.f;
}

int tiles(int n) { return (n + Edge - 1) / Edge; }

attn_status done() { return cudaGetLastError() == cudaSuccess ? ATTN_OK : ATTN_CUDA_ERROR; }

attn_status product(float *C, const float *A, const float *B, int batch, int m, int n, int k, bool transposed,
                    float scale, int past, bool mask, cudaStream_t stream) {
    if (batch < 1 || m < 1 || n < 1 || k < 1) return ATTN_BAD_SHAPE;
    const Strided left = {A, m, k, k, 1};
    const Strided right = transposed ? Strided{B, k, n, 1, k} : Strided{B, k, n, n, 1};
    multiply<<<dim3(tiles(m) * tiles(n), 1, batch), Edge * Edge, 0, stream>>>(C, left, right, (size_t)m * k,
                                                                              (size_t)n * k, scale, past, mask);
    return done();
}
}  // namespace

ATTN_API attn_status attn_softmax_batched(float *P, const float *S, int rows, int cols, cudaStream_t stream) {
    if (rows < 1 || cols < 1) return ATTN_BAD_SHAPE;
    normalise<<<(rows + WarpsPerBlock - 1) / WarpsPerBlock, 32 * WarpsPerBlock, 0, stream>>>(P, S, rows, cols);
    return done();
}

ATTN_API attn_status attn_gemm_nt(float *C, const float *A, const float *B, int batch, int m, int n, int k,
                                  cudaStream_t stream) {
    return product(C, A, B, batch, m, n, k, true, 1.f, 0, false, stream);
}

ATTN_API attn_status attn_gemm_nn(float *C, const float *A, const float *B, int batch, int m, int n, int k,
                                  cudaStream_t stream) {
    return product(C, A, B, batch, m, n, k, false, 1.f, 0, false, stream);
}

ATTN_API attn_status attn_naive(float *O, const float *Q, const float *K, const float *V, float *scores, attn_shape s,
                                cudaStream_t stream) {
    if (s.batch < 1 || s.heads < 1 || s.seq_q < 1 || s.seq_kv < 1 || s.head_dim < 8 || s.head_dim > 128 ||
        s.head_dim % 8 || (s.causal && s.seq_q > s.seq_kv))
        return ATTN_BAD_SHAPE;
    const int pairs = s.batch * s.heads;
    attn_status st = product(scores, Q, K, pairs, s.seq_q, s.seq_kv, s.head_dim, true, 1.f / sqrtf((float)s.head_dim),
                             s.seq_kv - s.seq_q, s.causal, stream);
    if (st == ATTN_OK) st = attn_softmax_batched(scores, scores, pairs * s.seq_q, s.seq_kv, stream);
    if (st == ATTN_OK) st = product(O, scores, V, pairs, s.seq_q, s.head_dim, s.seq_kv, false, 1.f, 0, false, stream);
    return st;
}
