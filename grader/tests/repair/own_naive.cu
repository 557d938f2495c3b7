// Softmax by warp shuffles; matrix products with 4 x 4 sums per thread and tiles of 64 x 64.
#include "task2.h"

#include <math.h>

#define BLK 64
#define KSTEP 16
#define SUB 4
#define SIDE (BLK / SUB)
#define DIVUP(x, y) (((x) + (y)-1) / (y))

static constexpr int ROW_THREADS = 128;

template <bool IsMax> static __device__ float across_block(float x) {
    __shared__ float warps[ROW_THREADS / 32];
#pragma unroll
    for (int delta = 16; delta > 0; delta >>= 1) {
        const float other = __shfl_down_sync(0xffffffff, x, delta);
        x = IsMax ? fmaxf(x, other) : x + other;
    }
    if ((threadIdx.x & 31) == 0) warps[threadIdx.x >> 5] = x;
    __syncthreads();
    float all = warps[0];
    for (int w = 1; w < ROW_THREADS / 32; ++w) all = IsMax ? fmaxf(all, warps[w]) : all + warps[w];
    __syncthreads();
    return all;
}

__global__ void softmax_kernel(float *dst, const float *src, int width) {
    src += (size_t)blockIdx.x * width;
    dst += (size_t)blockIdx.x * width;
    float biggest = -INFINITY;
    for (int x = threadIdx.x; x < width; x += ROW_THREADS) biggest = fmaxf(biggest, src[x]);
    biggest = across_block<true>(biggest);
    float total = 0.0f;
    for (int x = threadIdx.x; x < width; x += ROW_THREADS) total += expf(src[x] - biggest);
    const float inverse = 1.0f / across_block<false>(total);
    for (int x = threadIdx.x; x < width; x += ROW_THREADS) dst[x] = expf(src[x] - biggest) * inverse;
}

ATTN_API attn_status attn_softmax_batched(float *P, const float *S, int rows, int cols, cudaStream_t stream) {
    if (rows <= 0 || cols <= 0) return ATTN_BAD_SHAPE;
    softmax_kernel<<<rows, ROW_THREADS, 0, stream>>>(P, S, cols);
    return cudaGetLastError() ? ATTN_CUDA_ERROR : ATTN_OK;
}

// TB: is B stored transposed, [n, k]?
template <bool TB> __global__ void matmul(float *C, const float *A, const float *B, int m, int n, int k) {
    __shared__ float a_sh[KSTEP][BLK + 1], b_sh[KSTEP][BLK + 1];
    const size_t z = blockIdx.z;
    A += z * m * k, B += z * n * k, C += z * m * n;
    const int row0 = blockIdx.y * BLK, col0 = blockIdx.x * BLK;
    const int ty = threadIdx.x / SIDE, tx = threadIdx.x % SIDE;
    float acc[SUB][SUB] = {};

    for (int kk = 0; kk < k; kk += KSTEP) {
        for (int e = threadIdx.x; e < BLK * KSTEP; e += SIDE * SIDE) {
            const int r = e / KSTEP, c = e % KSTEP;
            a_sh[c][r] = (row0 + r < m && kk + c < k) ? A[(size_t)(row0 + r) * k + kk + c] : 0.0f;
            if (TB) b_sh[c][r] = (col0 + r < n && kk + c < k) ? B[(size_t)(col0 + r) * k + kk + c] : 0.0f;
        }
        if (!TB)
            for (int e = threadIdx.x; e < BLK * KSTEP; e += SIDE * SIDE) {
                const int r = e / BLK, c = e % BLK;
                b_sh[r][c] = (kk + r < k && col0 + c < n) ? B[(size_t)(kk + r) * n + col0 + c] : 0.0f;
            }
        __syncthreads();
#pragma unroll
        for (int p = 0; p < KSTEP; ++p) {
            float a[SUB], b[SUB];
            for (int i = 0; i < SUB; ++i) a[i] = a_sh[p][ty * SUB + i], b[i] = b_sh[p][tx + i * SIDE];
            for (int i = 0; i < SUB; ++i)
                for (int j = 0; j < SUB; ++j) acc[i][j] += a[i] * b[j];
        }
        __syncthreads();
    }
    for (int i = 0; i < SUB; ++i)
        for (int j = 0; j < SUB; ++j) {
            const int r = row0 + ty * SUB + i, c = col0 + tx + j * SIDE;
            if (r < m && c < n) C[(size_t)r * n + c] = acc[i][j];
        }
}

template <bool TB>
static attn_status run(float *C, const float *A, const float *B, int batch, int m, int n, int k, cudaStream_t stream) {
    if (batch < 1 || m < 1 || n < 1 || k < 1) return ATTN_BAD_SHAPE;
    matmul<TB><<<dim3(DIVUP(n, BLK), DIVUP(m, BLK), batch), SIDE * SIDE, 0, stream>>>(C, A, B, m, n, k);
    return cudaGetLastError() ? ATTN_CUDA_ERROR : ATTN_OK;
}

ATTN_API attn_status attn_gemm_nt(float *C, const float *A, const float *B, int batch, int m, int n, int k,
                                  cudaStream_t stream) {
    return run<true>(C, A, B, batch, m, n, k, stream);
}

ATTN_API attn_status attn_gemm_nn(float *C, const float *A, const float *B, int batch, int m, int n, int k,
                                  cudaStream_t stream) {
    return run<false>(C, A, B, batch, m, n, k, stream);
}

__global__ void scale_mask(float *s, size_t total, int sq, int sk, float factor, int causal) {
    for (size_t id = blockIdx.x * (size_t)blockDim.x + threadIdx.x; id < total; id += (size_t)gridDim.x * blockDim.x) {
        const int j = id % sk, i = id / sk % sq;
        s[id] = causal && j > i + sk - sq ? -INFINITY : s[id] * factor;
    }
}

ATTN_API attn_status attn_naive(float *O, const float *Q, const float *K, const float *V, float *scores,
                                attn_shape shape, cudaStream_t stream) {
    const int bh = shape.batch * shape.heads, sq = shape.seq_q, sk = shape.seq_kv, d = shape.head_dim;
    if (shape.batch < 1 || shape.heads < 1 || sq < 1 || sk < 1 || d < 8 || d > 128 || d % 8) return ATTN_BAD_SHAPE;
    if (shape.causal && sq > sk) return ATTN_BAD_SHAPE;
    attn_status rc = attn_gemm_nt(scores, Q, K, bh, sq, sk, d, stream);
    if (rc) return rc;
    const size_t total = (size_t)bh * sq * sk;
    scale_mask<<<min((size_t)4096, DIVUP(total, (size_t)256)), 256, 0, stream>>>(scores, total, sq, sk, 1.0f / sqrtf(d),
                                                                                 shape.causal);
    if (cudaGetLastError()) return ATTN_CUDA_ERROR;
    rc = attn_softmax_batched(scores, scores, bh * sq, sk, stream);
    return rc ? rc : attn_gemm_nn(O, scores, V, bh, sq, d, sk, stream);
}
