// cublas_chain.cu: what a user without a fused kernel would write: two strided-batched cuBLAS GEMMs in fp32 (no TF32) and a
// softmax between them that masks, scales and normalises in place.
//
// Loaded by the runner like a stage; it defines task 2's functions. cuBLAS is column-major: a row-major [m, k] is its
// [k, m], so C = A B^T is computed as C^T = B A^T.
#include <cublas_v2.h>
#include <math.h>

#include "task2.h"

static cublasHandle_t handle_on(cudaStream_t stream) {
    static cublasHandle_t handle;
    static void *workspace;  // without one of our own, a call that a graph records allocates
    const size_t bytes = 32 << 20;
    if (!handle) {
        if (cublasCreate(&handle) != CUBLAS_STATUS_SUCCESS || cudaMalloc(&workspace, bytes) != cudaSuccess) return NULL;
        cublasSetMathMode(handle, CUBLAS_PEDANTIC_MATH);
    }
    cublasSetStream(handle, stream);
    cublasSetWorkspace(handle, workspace, bytes);
    return handle;
}

static attn_status gemm(float *C, const float *A, const float *B, int batch, int m, int n, int k, bool transposed,
                        float alpha, cudaStream_t stream) {
    const float zero = 0;
    const cublasHandle_t handle = handle_on(stream);
    if (!handle) return ATTN_NO_MEMORY;
    const cublasStatus_t status = cublasSgemmStridedBatched(handle, transposed ? CUBLAS_OP_T : CUBLAS_OP_N, CUBLAS_OP_N,
                                                            n, m, k, &alpha, B, transposed ? k : n, (long long)n * k, A,
                                                            k, (long long)m * k, &zero, C, n, (long long)m * n, batch);
    return status == CUBLAS_STATUS_SUCCESS ? ATTN_OK : ATTN_CUDA_ERROR;
}

// ---- Softmax: one block per row, which it keeps in registers where it fits

enum { THREADS = 256, KEPT = 16 };

template <bool MAX> static __device__ float reduce(float x) {
    __shared__ float part[THREADS / 32];
    for (int bit = 16; bit > 0; bit /= 2) {
        const float y = __shfl_xor_sync(0xffffffff, x, bit);
        x = MAX ? fmaxf(x, y) : x + y;
    }
    __syncthreads();  // the reads of an earlier reduction are done
    if (threadIdx.x % 32 == 0) part[threadIdx.x / 32] = x;
    __syncthreads();  // every warp's part is there
    for (int w = 0; w < THREADS / 32; w++) x = w == 0 ? part[0] : MAX ? fmaxf(x, part[w]) : x + part[w];
    return x;
}

// cols scores of a row, of which the first `seen` count.
static __global__ void __launch_bounds__(THREADS)
    softmax(float *P, const float *S, int cols, int rows_per_head, int shift, int causal) {
    const int row = blockIdx.x % rows_per_head, seen = causal ? min(cols, row + shift + 1) : cols;
    P += (size_t)blockIdx.x * cols, S += (size_t)blockIdx.x * cols;
    float kept[KEPT], top = -INFINITY, sum = 0;
#pragma unroll
    for (int i = 0; i < KEPT; i++) {
        const int c = threadIdx.x + i * THREADS;
        kept[i] = c < seen ? S[c] : -INFINITY;
        top = fmaxf(top, kept[i]);
    }
    for (int c = threadIdx.x + KEPT * THREADS; c < seen; c += THREADS) top = fmaxf(top, S[c]);
    top = reduce<true>(top);
#pragma unroll
    for (int i = 0; i < KEPT; i++) sum += kept[i] = expf(kept[i] - top);
    for (int c = threadIdx.x + KEPT * THREADS; c < seen; c += THREADS) sum += expf(S[c] - top);
    const float norm = 1 / reduce<false>(sum);
#pragma unroll
    for (int i = 0; i < KEPT; i++)
        if (threadIdx.x + i * THREADS < cols) P[threadIdx.x + i * THREADS] = kept[i] * norm;
    for (int c = threadIdx.x + KEPT * THREADS; c < cols; c += THREADS) P[c] = c < seen ? expf(S[c] - top) * norm : 0;
}

static attn_status launched() { return cudaGetLastError() == cudaSuccess ? ATTN_OK : ATTN_CUDA_ERROR; }

ATTN_API attn_status attn_softmax_batched(float *P, const float *S, int rows, int cols, cudaStream_t stream) {
    softmax<<<rows, THREADS, 0, stream>>>(P, S, cols, rows, 0, 0);
    return launched();
}

ATTN_API attn_status attn_gemm_nt(float *C, const float *A, const float *B, int batch, int m, int n, int k,
                                  cudaStream_t stream) {
    return gemm(C, A, B, batch, m, n, k, true, 1, stream);
}

ATTN_API attn_status attn_gemm_nn(float *C, const float *A, const float *B, int batch, int m, int n, int k,
                                  cudaStream_t stream) {
    return gemm(C, A, B, batch, m, n, k, false, 1, stream);
}

ATTN_API attn_status attn_naive(float *O, const float *Q, const float *K, const float *V, float *scores, attn_shape s,
                                cudaStream_t stream) {
    const int heads = s.batch * s.heads;
    attn_status status =
        gemm(scores, Q, K, heads, s.seq_q, s.seq_kv, s.head_dim, true, 1 / sqrtf((float)s.head_dim), stream);
    if (status == ATTN_OK) {
        softmax<<<heads * s.seq_q, THREADS, 0, stream>>>(scores, scores, s.seq_kv, s.seq_q, s.seq_kv - s.seq_q,
                                                         s.causal);
        status = launched();
    }
    if (status == ATTN_OK) status = gemm(O, scores, V, heads, s.seq_q, s.head_dim, s.seq_kv, false, 1, stream);
    return status;
}
