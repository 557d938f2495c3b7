// chain.h: what the rungs of task 2 share: the softmax, the chain of kernels, and copies into tiles. A rung includes
// this file and defines launch_gemm.
#ifndef CHAIN_H
#define CHAIN_H

#include "task2.h"

#include <cuda_pipeline.h>
#include <math.h>

#define UNROLL _Pragma("unroll")  // register arrays must be indexed by constants, or they move to memory
#define DEVICE static __device__ __forceinline__

// C = A B^T where TRANSPOSED, else A B. The rung's own.
template <bool TRANSPOSED>
static attn_status launch_gemm(float *C, const float *A, const float *B, int batch, int m, int n, int k,
                               cudaStream_t stream);

static attn_status launched(void) { return cudaGetLastError() == cudaSuccess ? ATTN_OK : ATTN_CUDA_ERROR; }

// ---- Copies ---------------------------------------------------------------------------------------------------------
// Starts copying tile[r][c] = src[row0 + r][col0 + c], R x C elements, 0 where src, [rows, cols], has none. VEC
// elements at a time: 4 if cols is a multiple of 4, so that every row begins on 16 bytes, else 1.
template <int R, int C, int STRIDE, int VEC, int THREADS>
DEVICE void start_copy(float *tile, const float *src, int row0, int col0, int rows, int cols) {
    UNROLL for (int i = threadIdx.x; i < R * C / VEC; i += THREADS) {
        int r = i / (C / VEC), c = i % (C / VEC) * VEC;
        bool inside = row0 + r < rows && col0 + c < cols;
        const float *from = inside ? src + (size_t)(row0 + r) * cols + col0 + c : src;
        __pipeline_memcpy_async(tile + r * STRIDE + c, from, 4 * VEC, inside ? 0 : 4 * VEC);
    }
}

// ---- Softmax: one block per row -------------------------------------------------------------------------------------
enum { SOFTMAX_THREADS = 128, SOFTMAX_WARPS = SOFTMAX_THREADS / 32 };

template <bool MAX> DEVICE float join(float x, float y) { return MAX ? fmaxf(x, y) : x + y; }

// Max (or sum) of x over the block, for every thread: a tree within each warp, then over the warps' results in `part`.
template <bool MAX> DEVICE float block_reduce(float x, float *part) {
    UNROLL for (int bit = 16; bit > 0; bit /= 2) x = join<MAX>(x, __shfl_xor_sync(0xffffffff, x, bit));
    if (threadIdx.x % 32 == 0) part[threadIdx.x / 32] = x;
    __syncthreads();  // every warp has written its part before any thread reads them all
    x = part[0];
    UNROLL for (int warp = 1; warp < SOFTMAX_WARPS; warp++) x = join<MAX>(x, part[warp]);
    return x;
}

// A thread reads and writes the same elements of its row, so P may be S.
static __global__ void __launch_bounds__(SOFTMAX_THREADS) softmax(float *P, const float *S, int cols) {
    __shared__ float part_max[SOFTMAX_WARPS], part_sum[SOFTMAX_WARPS];  // two: nobody waits until the first is read
    P += (size_t)blockIdx.x * cols;
    S += (size_t)blockIdx.x * cols;

    float top = -INFINITY;
    for (int c = threadIdx.x; c < cols; c += SOFTMAX_THREADS) top = fmaxf(top, S[c]);
    top = block_reduce<true>(top, part_max);

    float sum = 0;
    for (int c = threadIdx.x; c < cols; c += SOFTMAX_THREADS) sum += expf(S[c] - top);
    float norm = 1 / block_reduce<false>(sum, part_sum);

    for (int c = threadIdx.x; c < cols; c += SOFTMAX_THREADS) P[c] = expf(S[c] - top) * norm;
}

// ---- The contract ---------------------------------------------------------------------------------------------------
ATTN_API attn_status attn_softmax_batched(float *P, const float *S, int rows, int cols, cudaStream_t stream) {
    if (rows < 1 || cols < 1) return ATTN_BAD_SHAPE;
    softmax<<<rows, SOFTMAX_THREADS, 0, stream>>>(P, S, cols);
    return launched();
}

ATTN_API attn_status attn_gemm_nt(float *C, const float *A, const float *B, int batch, int m, int n, int k,
                                  cudaStream_t stream) {
    if (batch < 1 || m < 1 || n < 1 || k < 1) return ATTN_BAD_SHAPE;
    return launch_gemm<true>(C, A, B, batch, m, n, k, stream);
}

ATTN_API attn_status attn_gemm_nn(float *C, const float *A, const float *B, int batch, int m, int n, int k,
                                  cudaStream_t stream) {
    if (batch < 1 || m < 1 || n < 1 || k < 1) return ATTN_BAD_SHAPE;
    return launch_gemm<false>(C, A, B, batch, m, n, k, stream);
}

// scores[r][j] *= scale; where causal, keys that query r may not see become -INFINITY. One block per row.
static __global__ void scale_and_causal_mask(float *scores, int seq_q, int seq_kv, int causal, float scale) {
    int query = blockIdx.x % seq_q;
    int last = causal ? query + seq_kv - seq_q : seq_kv - 1;  // the last key that this query sees
    scores += (size_t)blockIdx.x * seq_kv;
    for (int j = threadIdx.x; j < seq_kv; j += blockDim.x) scores[j] = j <= last ? scores[j] * scale : -INFINITY;
}

ATTN_API attn_status attn_naive(float *O, const float *Q, const float *K, const float *V, float *scores, attn_shape s,
                                cudaStream_t stream) {
    if (s.batch < 1 || s.heads < 1 || s.seq_q < 1 || s.seq_kv < 1 || s.head_dim < 8 || s.head_dim > 128 ||
        s.head_dim % 8 != 0 || (s.causal && s.seq_q > s.seq_kv))
        return ATTN_BAD_SHAPE;
    int batch = s.batch * s.heads, rows = batch * s.seq_q;

    attn_status status = attn_gemm_nt(scores, Q, K, batch, s.seq_q, s.seq_kv, s.head_dim, stream);
    if (status != ATTN_OK) return status;

    float scale = 1 / sqrtf((float)s.head_dim);
    scale_and_causal_mask<<<rows, 256, 0, stream>>>(scores, s.seq_q, s.seq_kv, s.causal, scale);
    if ((status = launched()) != ATTN_OK) return status;

    status = attn_softmax_batched(scores, scores, rows, s.seq_kv, stream);
    if (status != ATTN_OK) return status;

    return attn_gemm_nn(O, scores, V, batch, s.seq_q, s.head_dim, s.seq_kv, stream);
}

#endif
