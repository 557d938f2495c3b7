// naive.cu: attention as four kernels, one after the other, with the score matrix in device memory between them.
//
//     scores = Q K^T      scores = mask(scores / sqrt(D))      scores = softmax(scores)      O = scores V
//     gemm<true>          scale_and_causal_mask                softmax                       gemm<false>
#include "task2.h"

#include <cuda_pipeline.h>
#include <math.h>

#define UNROLL _Pragma("unroll")  // register arrays must be indexed by constants, or they move to memory

static attn_status launched(void) { return cudaGetLastError() == cudaSuccess ? ATTN_OK : ATTN_CUDA_ERROR; }

// ---- Softmax: one block per row -------------------------------------------------------------------------------------
enum { SOFTMAX_THREADS = 128, SOFTMAX_WARPS = SOFTMAX_THREADS / 32 };

template <bool MAX> static __device__ __forceinline__ float join(float x, float y) { return MAX ? fmaxf(x, y) : x + y; }

// Max (or sum) of x over the block, for every thread: a tree within each warp, then over the warps' results in `part`.
template <bool MAX> static __device__ __forceinline__ float block_reduce(float x, float *part) {
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

ATTN_API attn_status attn_softmax_batched(float *P, const float *S, int rows, int cols, cudaStream_t stream) {
    if (rows < 1 || cols < 1) return ATTN_BAD_SHAPE;
    softmax<<<rows, SOFTMAX_THREADS, 0, stream>>>(P, S, cols);
    return launched();
}

// ---- Tiled matrix multiply ------------------------------------------------------------------------------------------
// A block of 4 warps makes a BM x BN tile of C, and walks k in steps of BK through tiles of A and B in shared memory. A
// warp makes BM/4 x BN of it, its lanes standing 4 x 8; the lane at (ty, tx) makes TM x TN in registers, from TM + TN
// numbers per step of k. Its rows are ty + 4i; its columns suit the way B lies:
//
//      C = A B^T:  As [BM][BK + 4], Bs [BN][BK + 4]   columns tx + 8j
//      C = A B:    As [BM][BK + 4], Bs [BK][BN]       columns 4tx .. 4tx + 3 and 4tx + 32 .. 4tx + 35
//
// The padding of 4 spreads the rows that a warp reads together over different banks. There are two of each tile: while
// one is multiplied, the next one is copied.
enum { GEMM_THREADS = 128, BM = 64, BN = 64, BK = 32, AS = BK + 4, TM = BM / 16, TN = BN / 8 };

static __device__ __forceinline__ void load4(float (&x)[4], const float *p) {
    float4 v = *(const float4 *)p;
    x[0] = v.x, x[1] = v.y, x[2] = v.z, x[3] = v.w;
}

// Starts copying tile[r][c] = src[row0 + r][col0 + c], R x C elements, 0 where src, [rows, cols], has none. VEC
// elements at a time: 4 if cols is a multiple of 4, so that every row begins on 16 bytes, else 1.
template <int R, int C, int STRIDE, int VEC>
static __device__ __forceinline__ void start_copy(float *tile, const float *src, int row0, int col0, int rows,
                                                  int cols) {
    UNROLL for (int i = threadIdx.x; i < R * C / VEC; i += GEMM_THREADS) {
        int r = i / (C / VEC), c = i % (C / VEC) * VEC;
        bool inside = row0 + r < rows && col0 + c < cols;
        const float *from = inside ? src + (size_t)(row0 + r) * cols + col0 + c : src;
        __pipeline_memcpy_async(tile + r * STRIDE + c, from, 4 * VEC, inside ? 0 : 4 * VEC);
    }
}

// Starts copying a step's tiles of A and B, one behind the other: rows row0.., columns col0.. of C; k0.. of k.
template <bool TRANSPOSED, int VEC>
static __device__ __forceinline__ void start_tiles(float *tiles, const float *A, const float *B, int row0, int col0,
                                                   int k0, int m, int n, int k) {
    start_copy<BM, BK, AS, VEC>(tiles, A, row0, k0, m, k);
    if (TRANSPOSED)
        start_copy<BN, BK, AS, VEC>(tiles + BM * AS, B, col0, k0, n, k);
    else
        start_copy<BK, BN, BN, VEC>(tiles + BM * AS, B, k0, col0, k, n);
    __pipeline_commit();
}

// c += a b for 4 steps of k. a: the lane's rows of A. Bs: where the 4 steps begin in the tile of B.
template <bool TRANSPOSED>
static __device__ __forceinline__ void multiply(float (&c)[TM][TN], const float (&a)[TM][4], const float *Bs, int tx) {
    if (TRANSPOSED) {
        float b[TN][4];
        UNROLL for (int j = 0; j < TN; j++) load4(b[j], Bs + (tx + 8 * j) * AS);
        UNROLL for (int e = 0; e < 4; e++) UNROLL for (int i = 0; i < TM; i++) UNROLL for (int j = 0; j < TN; j++)
            c[i][j] += a[i][e] * b[j][e];
    } else {
        UNROLL for (int e = 0; e < 4; e++) UNROLL for (int h = 0; h < TN / 4; h++) {
            float b[4];
            load4(b, Bs + e * BN + 4 * tx + 32 * h);
            UNROLL for (int i = 0; i < TM; i++) UNROLL for (int j = 0; j < 4; j++) c[i][4 * h + j] += a[i][e] * b[j];
        }
    }
}

template <bool TRANSPOSED, int VEC>
static __global__ void __launch_bounds__(GEMM_THREADS)
    gemm(float *C, const float *A, const float *B, int m, int n, int k) {
    constexpr int A_SIZE = BM * AS, B_SIZE = TRANSPOSED ? BN * AS : BK * BN;
    __shared__ float4 tiles[2][(A_SIZE + B_SIZE) / 4];  // float4 for its alignment
    const int row0 = blockIdx.y * BM, col0 = blockIdx.x * BN;
    const int lane = threadIdx.x % 32, tx = lane / 2 % 8, ty = threadIdx.x / 32 * (BM / 4) + lane % 2 + lane / 16 * 2;
    A += (size_t)blockIdx.z * m * k;
    B += (size_t)blockIdx.z * k * n;
    C += (size_t)blockIdx.z * m * n;

    float c[TM][TN] = {};
    start_tiles<TRANSPOSED, VEC>((float *)tiles[0], A, B, row0, col0, 0, m, n, k);
    for (int k0 = 0, turn = 0; k0 < k; k0 += BK, turn ^= 1) {
        __pipeline_wait_prior(0);
        __syncthreads();  // tiles[turn] is complete before any thread reads it; no thread still reads the other one
        if (k0 + BK < k) start_tiles<TRANSPOSED, VEC>((float *)tiles[turn ^ 1], A, B, row0, col0, k0 + BK, m, n, k);

        const float *As = (const float *)tiles[turn], *Bs = As + A_SIZE;
#pragma unroll 2
        for (int l = 0; l < BK; l += 4) {
            float a[TM][4];
            UNROLL for (int i = 0; i < TM; i++) load4(a[i], As + (ty + 4 * i) * AS + l);
            multiply<TRANSPOSED>(c, a, TRANSPOSED ? Bs + l : Bs + l * BN, tx);
        }
    }

    UNROLL for (int i = 0; i < TM; i++) UNROLL for (int j = 0; j < TN; j++) {
        int row = row0 + ty + 4 * i, col = col0 + (TRANSPOSED ? tx + 8 * j : 4 * tx + 32 * (j / 4) + j % 4);
        if (row < m && col < n) C[(size_t)row * n + col] = c[i][j];
    }
}

template <bool TRANSPOSED>
static attn_status launch_gemm(float *C, const float *A, const float *B, int batch, int m, int n, int k,
                               cudaStream_t stream) {
    if (batch < 1 || m < 1 || n < 1 || k < 1) return ATTN_BAD_SHAPE;
    dim3 grid((n + BN - 1) / BN, (m + BM - 1) / BM, batch);
    bool aligned = k % 4 == 0 && (TRANSPOSED || n % 4 == 0);
    if (aligned)
        gemm<TRANSPOSED, 4><<<grid, GEMM_THREADS, 0, stream>>>(C, A, B, m, n, k);
    else
        gemm<TRANSPOSED, 1><<<grid, GEMM_THREADS, 0, stream>>>(C, A, B, m, n, k);
    return launched();
}

ATTN_API attn_status attn_gemm_nt(float *C, const float *A, const float *B, int batch, int m, int n, int k,
                                  cudaStream_t stream) {
    return launch_gemm<true>(C, A, B, batch, m, n, k, stream);
}

ATTN_API attn_status attn_gemm_nn(float *C, const float *A, const float *B, int batch, int m, int n, int k,
                                  cudaStream_t stream) {
    return launch_gemm<false>(C, A, B, batch, m, n, k, stream);
}

// ---- The chain ------------------------------------------------------------------------------------------------------
// Given. scores[r][j] *= scale; where causal, keys that query r may not see become -INFINITY. One block per row.
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
