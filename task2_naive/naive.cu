// naive.cu: attention in CUDA as four kernels, one after the other. You write this file; task2.h says what each
// function must do, README.md why.
//
//     attn_softmax_batched   softmax, a block per row             TODO 2.1  2.2  2.3  2.4
//     attn_gemm_nt           C = A B^T, a block per tile of C     TODO 2.5  2.6  2.7  2.8
//     attn_gemm_nn           C = A B, the same way                TODO 2.9  2.10
//     attn_naive             Q, K, V -> O: all of them in a row   TODO 2.11
//
// How to work: a kernel cannot return a status, so each TODO has its line `return ATTN_TODO(2, n);` in the host
// function that launches it. Write the code at the TODO, delete that line, run `make task2 test`: it calls the function
// that you filled in alone, on small data, and says whether it is right. Stuck? `make task2 hint TODO=2.1`.
//
// Host code and launch configurations are given. Each barrier has a comment that says what it prevents. All threads of
// a block must reach it, also those that have nothing to load or to store.
#include "task2.h"

#include <math.h>

// Open TODOs leave names unused and code unreached. Delete these lines when all is solved: the compiler then tells you
// what you forgot.
#pragma GCC diagnostic ignored "-Wunused-parameter"
#pragma GCC diagnostic ignored "-Wunused-variable"
#pragma GCC diagnostic ignored "-Wunused-function"
#pragma GCC diagnostic ignored "-Wunused-but-set-parameter"
#ifdef __NVCC__
#pragma nv_diag_suppress 111, 177, 550
#endif

static attn_status launched(void) { return cudaGetLastError() == cudaSuccess ? ATTN_OK : ATTN_CUDA_ERROR; }

// ---- Softmax: one block per row ------------------------------------------------------------------------------------
//
// THREADS threads share a row of cols scores. Thread t works on the columns t, t + THREADS, t + 2 THREADS, ...:
//
//     column   0 1 2 3 4 5 6 7 8 9         with THREADS = 4, cols = 10: at each step neighbours touch neighbours, so a
//     thread   0 1 2 3 0 1 2 3 0 1         warp's 32 loads are one piece of memory ("coalesced")
//
// That leaves THREADS maxima and, later, THREADS sums: one per thread, to be joined by all of them.

enum { THREADS = 256 };  // a power of two, for the tree below

enum reduction { MAX, SUM };

static __device__ float join(reduction op, float x, float y) { return op == MAX ? fmaxf(x, y) : x + y; }

// The max (or sum) of the x of all threads of the block, for each of them. part: THREADS floats of shared memory.
static __device__ float block_reduce(reduction op, float x, float *part) {
    const int t = threadIdx.x;
    part[t] = x;
    __syncthreads();  // every thread has stored its x before another thread reads it

    // TODO 2.1: the tree. Given part[0 .. THREADS-1], one number per thread. Fill: join them all into part[0]: for half
    // = THREADS / 2, THREADS / 4, ..., 1, each thread t < half joins part[t + half] into part[t].
    //
    //     half = 4     part[0 1 2 3 | 4 5 6 7]     with THREADS = 8: 4, 5, 6, 7 are joined into 0, 1, 2, 3;
    //     half = 2     part[0 1 | 2 3]             2, 3 into 0, 1;
    //     half = 1     part[0 | 1]                 1 into 0
    //
    // Invariant: before each step, part[0 .. 2 half - 1] is complete: whoever reads part[t + half] reads what another
    // thread wrote one step before. That takes one barrier per step, reached by all threads, also by t >= half.
    // Size: 4 lines. (join, __syncthreads)

    const float all = part[0];
    __syncthreads();  // every thread has read part[0] before the next reduction stores there
    return all;
}

// The largest of this thread's scores. s: the block's row, s[0 .. cols-1].
static __device__ float thread_max(const float *s, int cols) {
    const int t = threadIdx.x;
    float m = -INFINITY;

    // TODO 2.2: this thread's maximum. Given s, and m = -INFINITY. Fill: raise m to the largest score of this thread's
    // columns.
    // Invariant: each column belongs to one thread. A thread without columns (t >= cols) keeps -INFINITY.
    // Size: 1 or 2 lines. (fmaxf)

    return m;
}

// Writes this thread's exponentials to the row p, and returns their sum. m: the row's maximum.
static __device__ float exponentiate(float *p, const float *s, float m, int cols) {
    const int t = threadIdx.x;
    float l = 0.0f;

    // TODO 2.3: exponentials and their sum. Given s, m, and l = 0. Fill: p[c] = exp(s[c] - m) for this thread's
    // columns, and add each to l.
    // Invariant: 0 <= p[c] <= 1. A masked score, -INFINITY, gives 0 without an `if`. l is this thread's share.
    // Size: 4 lines. (expf)

    return l;
}

static __device__ void normalise(float *p, float l, int cols) {
    const int t = threadIdx.x;

    // TODO 2.4: normalise. Given p, and l, the sum over the row. Fill: divide p[c] by l for this thread's columns.
    // Invariant: the row of P sums to 1. This thread wrote these p[c] itself: it reads them without a barrier.
    // Size: 1 or 2 lines.
}

// P may be S: a thread reads and writes its own columns and no others.
static __global__ void softmax(float *P, const float *S, int cols) {
    __shared__ float part[THREADS];
    const float *s = S + (size_t)blockIdx.x * cols;  // this block's row
    float *p = P + (size_t)blockIdx.x * cols;
    const float m = block_reduce(MAX, thread_max(s, cols), part);
    const float l = block_reduce(SUM, exponentiate(p, s, m, cols), part);
    normalise(p, l, cols);
}

ATTN_API attn_status attn_softmax_batched(float *P, const float *S, int rows, int cols, cudaStream_t stream) {
    return ATTN_TODO(2, 1);  // delete each line when its TODO is solved
    return ATTN_TODO(2, 2);
    return ATTN_TODO(2, 3);
    return ATTN_TODO(2, 4);
    if (rows < 1 || cols < 1) return ATTN_BAD_SHAPE;
    softmax<<<rows, THREADS, 0, stream>>>(P, S, cols);
    return launched();
}

// ---- Matrix products: one block per tile of C ----------------------------------------------------------------------
//
// A block of TILE x TILE threads makes a tile of C, one element per thread, and walks along k. At each step the block
// copies a tile of A and a tile of B into shared memory, and each thread reads TILE numbers of both. Each number was
// loaded once and is read TILE times.
//
//     C = A B^T                                       C = A B
//
//         A [m, k]              B [n, k]                  A [m, k]              B [k, n]
//             k0                    k0                        k0                   col
//         +---+----+---+        +---+----+---+            +---+----+---+        +---+----+---+
//         |   |    |   |        |   |    |   |            |   |    |   |        |   | |  |   |
//     row +---+----+---+    col +---+----+---+        row +---+----+---+     k0 +---+-v--+---+
//         |-->| As |-->|        |-->| Bs |-->|            |-->| As |-->|        |   | Bs |   |
//         +---+----+---+        +---+----+---+            +---+----+---+        +---+-|--+---+
//         |   |    |   |        |   |    |   |            |   |    |   |        |   | v  |   |
//         +---+----+---+        +---+----+---+            +---+----+---+        +---+----+---+
//
// The tile of C begins at (row, col). Where m, n or k is no multiple of TILE, the last tiles hang over the edge.

enum { TILE = 32, TILE_THREADS = TILE * TILE };  // a warp is a row of the block: 32 threads with the same ty

// A tile in shared memory is tile_row[TILE], with one column more than it needs: a warp that reads tile[0 .. 31][l]
// finds the 32 numbers in 32 memory banks; with rows of 32 floats they would all lie in one.
typedef float tile_row[TILE + 1];

// Matrix number blockIdx.z of a batch of matrices [rows, cols] that lie one behind the other.
static __device__ size_t matrix_offset(int rows, int cols) {
    size_t offset = 0;

    // TODO 2.5: where this block's matrix begins. Given blockIdx.z, rows and cols. Fill: offset, in elements.
    // Invariant: no two matrices overlap. All three factors are int, but batch * Sq * Sk outgrows an int: multiply as
    // size_t.
    // Size: 1 line.

    return offset;
}

// M[r][c] of a matrix [rows, cols].
static __device__ float load_or_zero(const float *M, int r, int c, int rows, int cols) {
    // TODO 2.6: the ragged edge. Given r and c, which may be beyond the last row or column. Fill: return M[r][c] where
    // the matrix has it, and 0 where not.
    // Invariant: nothing outside of the matrix is read. A 0 adds nothing to a sum, so the multiplication may take every
    // tile for a full one.
    // Size: 1 line.

    return 0.0f;
}

// The block makes the tile of C that begins at C[row][col]; in each of its steps, it loads both tiles and multiplies.
static __device__ void load_tiles_nt(tile_row *As, tile_row *Bs, const float *A, const float *B, int k0, int m, int n,
                                     int k) {
    const int tx = threadIdx.x, ty = threadIdx.y;
    const int row = blockIdx.y * TILE, col = blockIdx.x * TILE;

    // TODO 2.7: load the tiles. Given A [m, k] and B [n, k]. Fill: this thread's element of either tile:
    // As[ty][tx] = A[row + ty][k0 + tx] and Bs[ty][tx] = B[col + ty][k0 + tx].
    // Invariant: tx, the index of neighbouring threads, counts along a row of memory, in A and in B: coalesced.
    // Size: 2 lines. (load_or_zero)
}

static __device__ float multiply_nt(const tile_row *As, const tile_row *Bs) {
    const int tx = threadIdx.x, ty = threadIdx.y;
    float sum = 0.0f;

    // TODO 2.8: multiply. Given As and Bs. Fill: sum = the TILE products of this step for C[row + ty][col + tx].
    // Invariant: row ty of As meets row tx of Bs: B is stored transposed.
    // Size: 1 or 2 lines.

    return sum;
}

// __launch_bounds__ tells the compiler how many threads a block has. They share 65536 registers, 64 for each of 1024;
// a kernel that took more would not be launched.
static __global__ void __launch_bounds__(TILE_THREADS)
    gemm_nt(float *C, const float *A, const float *B, int m, int n, int k) {
    __shared__ tile_row As[TILE], Bs[TILE];
    const int row = blockIdx.y * TILE + threadIdx.y, col = blockIdx.x * TILE + threadIdx.x;
    A += matrix_offset(m, k);
    B += matrix_offset(n, k);
    C += matrix_offset(m, n);

    float sum = 0.0f;  // C[row][col]: after a step, the products of l = 0 .. k0 + TILE - 1
    for (int k0 = 0; k0 < k; k0 += TILE) {
        load_tiles_nt(As, Bs, A, B, k0, m, n, k);
        __syncthreads();  // both tiles are complete before any thread reads what others loaded
        sum += multiply_nt(As, Bs);
        __syncthreads();  // every thread has read both tiles before the next step overwrites them
    }
    if (row < m && col < n) C[(size_t)row * n + col] = sum;
}

static __device__ void load_tiles_nn(tile_row *As, tile_row *Bs, const float *A, const float *B, int k0, int m, int n,
                                     int k) {
    const int tx = threadIdx.x, ty = threadIdx.y;
    const int row = blockIdx.y * TILE, col = blockIdx.x * TILE;

    // TODO 2.9: load the tiles. Given A [m, k] and B [k, n]. Fill: As as in TODO 2.7, and Bs from B, which now lies the
    // other way round: Bs[i][j] = B[k0 + i][col + j].
    // Invariant: again tx counts along a row of memory in both.
    // Size: 2 lines. (load_or_zero)
}

static __global__ void __launch_bounds__(TILE_THREADS)
    gemm_nn(float *C, const float *A, const float *B, int m, int n, int k) {
    __shared__ tile_row As[TILE], Bs[TILE];
    const int tx = threadIdx.x, ty = threadIdx.y;
    const int row = blockIdx.y * TILE + ty, col = blockIdx.x * TILE + tx;
    A += matrix_offset(m, k);
    B += matrix_offset(k, n);
    C += matrix_offset(m, n);

    float sum = 0.0f;  // C[row][col]
    for (int k0 = 0; k0 < k; k0 += TILE) {
        load_tiles_nn(As, Bs, A, B, k0, m, n, k);

        // TODO 2.10: multiply, between two barriers. Given As, Bs and sum. Fill: add the step's TILE products of row ty
        // of As and column tx of Bs, with a barrier before and one after. Say in a comment what each of them prevents.
        // Invariant: no thread reads a tile that is not complete; no thread overwrites a tile that is still read.
        // Size: 3 or 4 lines. (__syncthreads)
    }
    if (row < m && col < n) C[(size_t)row * n + col] = sum;
}

// Both kernels use the two functions above, so their TODOs are counted here.
static attn_status check_sizes(int batch, int m, int n, int k) {
    return ATTN_TODO(2, 5);  // delete each line when its TODO is solved
    return ATTN_TODO(2, 6);
    return batch < 1 || m < 1 || n < 1 || k < 1 ? ATTN_BAD_SHAPE : ATTN_OK;
}

static int tiles(int length) { return (length + TILE - 1) / TILE; }  // the last one may be narrower

ATTN_API attn_status attn_gemm_nt(float *C, const float *A, const float *B, int batch, int m, int n, int k,
                                  cudaStream_t stream) {
    attn_status status = check_sizes(batch, m, n, k);
    if (status != ATTN_OK) return status;
    return ATTN_TODO(2, 7);  // delete each line when its TODO is solved
    return ATTN_TODO(2, 8);
    gemm_nt<<<dim3(tiles(n), tiles(m), batch), dim3(TILE, TILE), 0, stream>>>(C, A, B, m, n, k);
    return launched();
}

ATTN_API attn_status attn_gemm_nn(float *C, const float *A, const float *B, int batch, int m, int n, int k,
                                  cudaStream_t stream) {
    attn_status status = check_sizes(batch, m, n, k);
    if (status != ATTN_OK) return status;
    return ATTN_TODO(2, 9);  // delete each line when its TODO is solved
    return ATTN_TODO(2, 10);
    gemm_nn<<<dim3(tiles(n), tiles(m), batch), dim3(TILE, TILE), 0, stream>>>(C, A, B, m, n, k);
    return launched();
}

// ---- The chain -----------------------------------------------------------------------------------------------------

// Given. scores[r][j] *= scale; where causal, the keys that a query may not see get -INFINITY. One block per row of the
// [batch * heads * seq_q, seq_kv] scores.
static __global__ void scale_and_causal_mask(float *scores, int seq_q, int seq_kv, int causal, float scale) {
    const int query = blockIdx.x % seq_q;
    const int last = causal ? query + (seq_kv - seq_q) : seq_kv - 1;  // the last key that this query sees
    float *s = scores + (size_t)blockIdx.x * seq_kv;
    for (int j = threadIdx.x; j < seq_kv; j += blockDim.x) s[j] = j <= last ? s[j] * scale : -INFINITY;
}

ATTN_API attn_status attn_naive(float *O, const float *Q, const float *K, const float *V, float *scores,
                                attn_shape shape, cudaStream_t stream) {
    const int B = shape.batch, H = shape.heads, Sq = shape.seq_q, Sk = shape.seq_kv, D = shape.head_dim;
    if (B < 1 || H < 1 || Sq < 1 || Sk < 1 || D < 8 || D > 128 || D % 8 != 0 || (shape.causal && Sq > Sk))
        return ATTN_BAD_SHAPE;
    attn_status status = ATTN_OK;

    // TODO 2.11: the chain. Given the functions and the kernel above. A head is one matrix of a batch of B * H.
    // Fill: scores = Q K^T; then scale_and_causal_mask on scores, with scale 1/sqrt(D), one block of THREADS threads
    // for each of the B * H * Sq rows, on `stream`; then the softmax, in place; then O = scores V.
    // Invariant: kernels on one stream run one after the other, so nothing has to wait in between. As soon as status
    // is not ATTN_OK, nothing more is launched.
    // Size: 6 lines: three calls, a launch with its launched(), the tests of status. (sqrtf)
    status = ATTN_TODO(2, 11);

    return status;
}
