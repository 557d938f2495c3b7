// Online softmax: each thread keeps (m, d), pairs are joined by shuffles, then through shared memory.
#include "task2.h"
#include <math.h>
#define NT 256
#define LANE (threadIdx.x & 31)
#define WARP (threadIdx.x >> 5)
#define CHECK(call)                                                                                                    \
    do {                                                                                                               \
        attn_status st_ = (call);                                                                                      \
        if (st_ != ATTN_OK) return st_;                                                                                \
    } while (0)

struct md {
    float m, d;
};
static __device__ md md_join(md a, md b) {
    const bool bigger = a.m > b.m;
    md hi = bigger ? a : b, lo = bigger ? b : a;
    md r;
    r.m = hi.m;
    r.d = hi.d + (lo.d > 0.0f ? lo.d * exp2f(lo.m - hi.m) : 0.0f);
    return r;
}
static __device__ md md_warp(md v) {
    for (int o = 16; o >= 1; o /= 2) {
        md w;
        w.m = __shfl_xor_sync(0xffffffffu, v.m, o);
        w.d = __shfl_xor_sync(0xffffffffu, v.d, o);
        v = md_join(v, w);
    }
    return v;
}
static __global__ void online_softmax(float *P, const float *S, int cols) {
    __shared__ md warps[NT / 32];
    __shared__ md whole;
    const float log2e = 1.4426950408889634f;
    const size_t at = (size_t)blockIdx.x * cols;
    md v = {-INFINITY, 0.0f};
    for (int c = threadIdx.x; c < cols; c += NT) {
        md one = {S[at + c] * log2e, 1.0f};
        if (one.m > -INFINITY) v = md_join(v, one);
    }
    v = md_warp(v);
    if (LANE == 0) warps[WARP] = v;
    __syncthreads();
    if (WARP == 0) {
        md w = {-INFINITY, 0.0f};
        if (LANE < NT / 32) w = warps[LANE];
        w = md_warp(w);
        if (LANE == 0) whole = w;
    }
    __syncthreads();
    const md r = whole;
    for (int c = threadIdx.x; c < cols; c += NT) P[at + c] = exp2f(S[at + c] * log2e - r.m) / r.d;
}

#define T 32
// C[i][j] = sum_l A[i * k + l] * B(l, j); a block of 1024 walks over the rows of tiles of C
template <bool BT> static __global__ void gemm(float *C, const float *A, const float *B, int m, int n, int k) {
    __shared__ float sA[T][T], sB[T][T + 1];
    const int x = threadIdx.x, y = threadIdx.y;
    const int j = blockIdx.x * T + x;
    A += (size_t)blockIdx.z * m * k, B += (size_t)blockIdx.z * n * k, C += (size_t)blockIdx.z * m * n;
    for (int i0 = blockIdx.y * T; i0 < m; i0 += gridDim.y * T) {
        const int i = i0 + y;
        float s = 0.0f;
        for (int l0 = 0; l0 < k; l0 += T) {
            sA[y][x] = 0.0f;
            sB[y][x] = 0.0f;
            if (i < m && l0 + x < k) sA[y][x] = A[(size_t)i * k + l0 + x];
            if (BT) {
                const int r = blockIdx.x * T + y;
                if (r < n && l0 + x < k) sB[y][x] = B[(size_t)r * k + l0 + x];
            } else {
                if (l0 + y < k && j < n) sB[y][x] = B[(size_t)(l0 + y) * n + j];
            }
            __syncthreads();
            for (int l = 0; l < T; l++) s += sA[y][l] * (BT ? sB[x][l] : sB[l][x]);
            __syncthreads();
        }
        if (i < m && j < n) C[(size_t)i * n + j] = s;
    }
}

static __global__ void soften(float *S, int Sq, int Sk, int off, float scale, int causal) {
    const int i = blockIdx.x % Sq;
    float *s = S + (size_t)blockIdx.x * Sk;
    const int end = causal ? i + off + 1 : Sk;
    for (int j = threadIdx.x; j < Sk; j += blockDim.x) {
        if (j < end)
            s[j] *= scale;
        else
            s[j] = -INFINITY;
    }
}
static attn_status last(void) { return cudaGetLastError() == cudaSuccess ? ATTN_OK : ATTN_CUDA_ERROR; }

ATTN_API attn_status attn_softmax_batched(float *P, const float *S, int rows, int cols, cudaStream_t stream) {
    if (rows < 1 || cols < 1) return ATTN_BAD_SHAPE;
    online_softmax<<<rows, NT, 0, stream>>>(P, S, cols);
    return last();
}
ATTN_API attn_status attn_gemm_nt(float *C, const float *A, const float *B, int batch, int m, int n, int k,
                                  cudaStream_t stream) {
    if (batch < 1 || m < 1 || n < 1 || k < 1) return ATTN_BAD_SHAPE;
    gemm<true><<<dim3((n + T - 1) / T, min((m + T - 1) / T, 4), batch), dim3(T, T), 0, stream>>>(C, A, B, m, n, k);
    return last();
}
ATTN_API attn_status attn_gemm_nn(float *C, const float *A, const float *B, int batch, int m, int n, int k,
                                  cudaStream_t stream) {
    if (batch < 1 || m < 1 || n < 1 || k < 1) return ATTN_BAD_SHAPE;
    gemm<false><<<dim3((n + T - 1) / T, min((m + T - 1) / T, 4), batch), dim3(T, T), 0, stream>>>(C, A, B, m, n, k);
    return last();
}
ATTN_API attn_status attn_naive(float *O, const float *Q, const float *K, const float *V, float *scores, attn_shape z,
                                cudaStream_t stream) {
    const int N = z.batch * z.heads, D = z.head_dim;
    if (z.batch < 1 || z.heads < 1 || z.seq_q < 1 || z.seq_kv < 1 || D < 8 || D > 128 || D % 8) return ATTN_BAD_SHAPE;
    if (z.causal && z.seq_q > z.seq_kv) return ATTN_BAD_SHAPE;
    CHECK(attn_gemm_nt(scores, Q, K, N, z.seq_q, z.seq_kv, D, stream));
    soften<<<N * z.seq_q, 128, 0, stream>>>(scores, z.seq_q, z.seq_kv, z.seq_kv - z.seq_q, 1.0f / sqrtf((float)D),
                                            z.causal);
    CHECK(last());
    CHECK(attn_softmax_batched(scores, scores, N * z.seq_q, z.seq_kv, stream));
    return attn_gemm_nn(O, scores, V, N, z.seq_q, D, z.seq_kv, stream);
}
