// Naive attention: a warp per row, float4 where rows are aligned, 8 x 8 warps tiles in registers.
#include "task2.h"
#include <math.h>

#define FULL_MASK 0xffffffffu
#define WARPS_PER_BLOCK 4

static __device__ __forceinline__ float warp_all_max(float v) {
    for (int d = 16; d; d >>= 1) v = fmaxf(v, __shfl_xor_sync(FULL_MASK, v, d));
    return v;
}
static __device__ __forceinline__ float warp_all_sum(float v) {
    for (int d = 16; d; d >>= 1) v += __shfl_xor_sync(FULL_MASK, v, d);
    return v;
}

// 4 rows per block, one warp each
static __global__ void softmax_warp(float *P, const float *S, int rows, int cols) {
    const int lane = threadIdx.x & 31;
    const int row = blockIdx.x * WARPS_PER_BLOCK + (threadIdx.x >> 5);
    if (row >= rows) return;
    const float *src = S + (size_t)row * cols;
    float *dst = P + (size_t)row * cols;
    float mx = -INFINITY, sum = 0.f;
    if (cols % 4 == 0) {
        const float4 *src4 = (const float4 *)src;
        float4 *dst4 = (float4 *)dst;
        const int quads = cols / 4;
        for (int i = lane; i < quads; i += 32) {
            const float4 v = src4[i];
            mx = fmaxf(mx, fmaxf(fmaxf(v.x, v.y), fmaxf(v.z, v.w)));
        }
        mx = warp_all_max(mx);
        for (int i = lane; i < quads; i += 32) {
            float4 v = src4[i];
            v.x = expf(v.x - mx), v.y = expf(v.y - mx), v.z = expf(v.z - mx), v.w = expf(v.w - mx);
            sum += v.x + v.y + v.z + v.w;
            dst4[i] = v;
        }
        const float inv = 1.f / warp_all_sum(sum);
        for (int i = lane; i < quads; i += 32) {
            float4 v = dst4[i];
            v.x *= inv, v.y *= inv, v.z *= inv, v.w *= inv;
            dst4[i] = v;
        }
    } else {
        for (int i = lane; i < cols; i += 32) mx = fmaxf(mx, src[i]);
        mx = warp_all_max(mx);
        for (int i = lane; i < cols; i += 32) {
            const float e = expf(src[i] - mx);
            dst[i] = e;
            sum += e;
        }
        const float inv = 1.f / warp_all_sum(sum);
        for (int i = lane; i < cols; i += 32) dst[i] *= inv;
    }
}

// 64 x 64 of C per block of 256, 4 x 4 per thread; both tiles lie k-major in shared memory.
#define BT 64
#define BKK 8
template <bool NT> static __global__ void sgemm(float *C, const float *A, const float *B, int m, int n, int k) {
    __shared__ float sa[BKK * BT], sb[BKK * BT];
    const int tid = threadIdx.x;
    const int ti = tid / 16, tj = tid % 16;
    const int i0 = blockIdx.y * BT, j0 = blockIdx.x * BT;
    A += (size_t)blockIdx.z * m * k;
    B += (size_t)blockIdx.z * n * k;
    C += (size_t)blockIdx.z * m * n;
    float acc[4][4] = {{0.f}};
    for (int kk = 0; kk < k; kk += BKK) {
        for (int e = tid; e < BKK * BT; e += 256) {
            const int r = e / BKK, c = e % BKK;
            sa[c * BT + r] = (i0 + r < m && kk + c < k) ? A[(size_t)(i0 + r) * k + kk + c] : 0.f;
            if (NT) sb[c * BT + r] = (j0 + r < n && kk + c < k) ? B[(size_t)(j0 + r) * k + kk + c] : 0.f;
        }
        if (!NT)
            for (int e = tid; e < BKK * BT; e += 256) {
                const int r = e / BT, c = e % BT;
                sb[r * BT + c] = (kk + r < k && j0 + c < n) ? B[(size_t)(kk + r) * n + j0 + c] : 0.f;
            }
        __syncthreads();
#pragma unroll
        for (int l = 0; l < BKK; l++) {
            const float4 a = *(const float4 *)&sa[l * BT + ti * 4];
            const float4 b = *(const float4 *)&sb[l * BT + tj * 4];
            const float av[4] = {a.x, a.y, a.z, a.w}, bv[4] = {b.x, b.y, b.z, b.w};
#pragma unroll
            for (int p = 0; p < 4; p++)
#pragma unroll
                for (int q = 0; q < 4; q++) acc[p][q] = fmaf(av[p], bv[q], acc[p][q]);
        }
        __syncthreads();
    }
#pragma unroll
    for (int p = 0; p < 4; p++) {
        const int i = i0 + ti * 4 + p;
        if (i >= m) break;
#pragma unroll
        for (int q = 0; q < 4; q++) {
            const int j = j0 + tj * 4 + q;
            if (j < n) C[(size_t)i * n + j] = acc[p][q];
        }
    }
}

static attn_status status(void) { return cudaPeekAtLastError() == cudaSuccess ? ATTN_OK : ATTN_CUDA_ERROR; }

static dim3 tiles(int batch, int m, int n) { return dim3((n + BT - 1) / BT, (m + BT - 1) / BT, batch); }

attn_status attn_softmax_batched(float *P, const float *S, int rows, int cols, cudaStream_t stream) {
    if (rows < 1 || cols < 1) return ATTN_BAD_SHAPE;
    softmax_warp<<<(rows + WARPS_PER_BLOCK - 1) / WARPS_PER_BLOCK, WARPS_PER_BLOCK * 32, 0, stream>>>(P, S, rows, cols);
    return status();
}
attn_status attn_gemm_nt(float *C, const float *A, const float *B, int batch, int m, int n, int k,
                         cudaStream_t stream) {
    if (batch < 1 || m < 1 || n < 1 || k < 1) return ATTN_BAD_SHAPE;
    sgemm<true><<<tiles(batch, m, n), 256, 0, stream>>>(C, A, B, m, n, k);
    return status();
}
attn_status attn_gemm_nn(float *C, const float *A, const float *B, int batch, int m, int n, int k,
                         cudaStream_t stream) {
    if (batch < 1 || m < 1 || n < 1 || k < 1) return ATTN_BAD_SHAPE;
    sgemm<false><<<tiles(batch, m, n), 256, 0, stream>>>(C, A, B, m, n, k);
    return status();
}

static __global__ void scale_mask(float *S, int Sq, int Sk, float scale, int causal, size_t count) {
    for (size_t e = (size_t)blockIdx.x * blockDim.x + threadIdx.x; e < count; e += (size_t)gridDim.x * blockDim.x) {
        const int j = e % Sk, i = e / Sk % Sq;
        S[e] = causal && j > i + Sk - Sq ? -INFINITY : S[e] * scale;
    }
}

attn_status attn_naive(float *O, const float *Q, const float *K, const float *V, float *scores, attn_shape s,
                       cudaStream_t stream) {
    if (s.batch < 1 || s.heads < 1 || s.seq_q < 1 || s.seq_kv < 1 || s.head_dim < 8 || s.head_dim > 128 ||
        s.head_dim % 8 || (s.causal && s.seq_q > s.seq_kv))
        return ATTN_BAD_SHAPE;
    const int bh = s.batch * s.heads;
    const size_t count = (size_t)bh * s.seq_q * s.seq_kv;
    sgemm<true><<<tiles(bh, s.seq_q, s.seq_kv), 256, 0, stream>>>(scores, Q, K, s.seq_q, s.seq_kv, s.head_dim);
    if (status() != ATTN_OK) return ATTN_CUDA_ERROR;
    scale_mask<<<32, 256, 0, stream>>>(scores, s.seq_q, s.seq_kv, rsqrtf(s.head_dim), s.causal, count);
    if (status() != ATTN_OK) return ATTN_CUDA_ERROR;
    if (attn_softmax_batched(scores, scores, bh * s.seq_q, s.seq_kv, stream) != ATTN_OK) return ATTN_CUDA_ERROR;
    sgemm<false><<<tiles(bh, s.seq_q, s.head_dim), 256, 0, stream>>>(O, scores, V, s.seq_q, s.head_dim, s.seq_kv);
    return status();
}
