// flash.cu: attention in one fused CUDA kernel, FlashAttention-2, Algorithm 1. You write this file; task4.h says what
// it must do, README.md why it works. It is task 3 again, with a block for a query tile and eight threads for a row.
//
//      a block: BR queries of one head, 8 threads each         shared memory, in floats (D + 1: see STRIDE)
//
//               thread t = 0 1 2 3 4 5 6 7                     Qs [BR][D + 1]   the block's queries, loaded once
//      row 0    warp 0     . . . . . . . .                     Ks [BC][D + 1]   one tile of keys
//      row 1    warp 0     . . . . . . . .                     Vs [BC][D + 1]   the same tile of values
//      row 4    warp 1     . . . . . . . .                     Ss [BR][BC + 1]  scores, then probabilities
//      ...
//      Of its row's scores, thread t computes those of keys t, t + 8, t + 16, ... of the tile; of its row's output, it
//      keeps dims t, t + 8, ... in registers. The block shares Ks and Vs; the 8 threads of a row share its row of Ss.
//
//     load_tile                                      global to shared memory      TODO 4.1
//     compute_scores, mask_scores                    one row of one tile          TODO 4.2  4.3
//     new_max, rescale, ... store_row                the online softmax           TODO 4.4  4.5  4.6  4.7  4.8
//     keys_to_visit, flash_kernel                    the walk, its barriers       TODO 4.9  4.10
//     score_tile, value_tile                         faster: register tiles       TODO 4.11
//
// How to work: a kernel cannot return a status, so each TODO has its line `return ATTN_TODO(4, n);` in attn_flash.
// Write the code at the TODO, delete that line, run `make task4 test`: it calls your function alone, on small data, and
// says whether it is right. The whole kernel runs when lines 1 to 10 are gone. Stuck? `make hint TODO=4.1`.
#include "task4.h"

#include <math.h>

//[
// Open TODOs leave names unused and code unreached. Delete these lines when all is solved: the compiler then tells you
// what you forgot.
#pragma GCC diagnostic ignored "-Wunused-variable"
#pragma GCC diagnostic ignored "-Wunused-parameter"
#pragma GCC diagnostic ignored "-Wunused-but-set-variable"
#pragma GCC diagnostic ignored "-Wunused-function"
#ifdef __NVCC__
#pragma nv_diag_suppress 111, 177, 550
#endif

//]
// TODO 4.11: the switch. 1: the kernel works on 4 rows at a time, by score_tile and value_tile at the end of this file.
#ifndef REGISTER_TILES
//[
#define REGISTER_TILES 0
//]
//{
#define REGISTER_TILES 1
//}
#endif

// Tile sizes; -DBR=... -DBC=... sets them from outside.
#ifndef BR
#define BR (REGISTER_TILES ? 64 : 32)  // queries per tile, a multiple of 4 * ROWS
#endif
#ifndef BC
#define BC 32  // keys per tile, a multiple of 8
#endif

enum {
    LANES = 8,                              // threads of a row; head_dim is a multiple of it
    TILE_ROWS = 4,                          // rows of a register tile, TODO 4.11
    ROWS = REGISTER_TILES ? TILE_ROWS : 1,  // rows of the tile that the same 8 threads work on
    THREADS = BR / ROWS * LANES,            // of a block
    MAX_D = 128,
    OWN = MAX_D / LANES,  // dims that a thread keeps of each of its rows, at most
};
static_assert(BR >= 1 && BR % (4 * ROWS) == 0, "a warp is 4 groups of 8 threads, each with ROWS rows of the tile");
static_assert(THREADS <= 1024, "a block has at most 1024 threads: take a smaller BR");
static_assert(BC >= 1 && BC % LANES == 0, "each of a row's 8 threads has as many keys of the tile as the others");

// Threads t = 0 .. 7 read Ks[t][d] at the same time. With rows of D floats, D a multiple of 32, all eight would lie in
// one memory bank and wait for each other. One float of padding per row moves each to a bank of its own.
#define STRIDE(D) ((D) + 1)

// What a thread knows of a row. m is the row's: the same number in all 8 threads. l and o are this thread's part.
typedef struct {
    float m;       // row max over all keys so far
    float l;       // sum of exp(s - m) over this thread's keys so far
    float o[OWN];  // o[e]: sum of exp(s - m) V over all keys so far, in dim t + 8 e. Used: e < D / 8
} row_state;

// ---- One tile -------------------------------------------------------------------------------------------------------

// The whole block copies src [rows][D] into tile [size][D + 1], in shared memory. size is BR or BC.
static __device__ void load_tile(float *tile, const float *src, int rows, int size, int D) {
    // TODO 4.1: load a tile. Given src, of which only the first `rows` rows exist (rows may exceed size).
    // Fill: tile[r][d] = src[r][d] for r < rows, and 0 for the other r < size; d < D. Element (r, d) is the one with
    // number n = r * D + d, of size * D: thread threadIdx.x takes n = threadIdx.x, then every THREADS-th after it.
    // Invariant: neighbouring threads read neighbouring floats. No row at or beyond `rows` is read. In the tile it must
    // hold zeros all the same: its probability will be 0, and 0 times what happens to lie in memory can be NaN.
    // Size: 4 lines, one of them a loop.
    //{
    for (int n = threadIdx.x; n < size * D; n += THREADS) {
        const int r = n / D, d = n % D;
        tile[r * STRIDE(D) + d] = r < rows ? src[n] : 0.0f;
    }
    //}
}

// The row's scores against one key tile. s: the row's BC places in Ss. q: the row's query in Qs.
static __device__ void compute_scores(float *s, const float *q, const float *Ks, int t, int D, float scale) {
    // TODO 4.2: the scores. Given q[0 .. D-1], Ks (row c starts at Ks + c * STRIDE(D)) and scale = 1/sqrt(D).
    // Fill: s[c] = scale * (q . K_c) for this thread's keys, c = t, t + 8, t + 16, ... below BC.
    // Invariant: the 8 threads of a row write different s[c], and together all of them.
    // Size: 5 lines, two of them loops.
    //{
    for (int c = t; c < BC; c += LANES) {
        float sum = 0.0f;
        for (int d = 0; d < D; d++) sum += q[d] * Ks[c * STRIDE(D) + d];
        s[c] = scale * sum;
    }
    //}
}

// i: the query's place in its head. k0: the place of the tile's first key.
static __device__ void mask_scores(float *s, int i, int k0, int t, attn_shape shape) {
    // TODO 4.3: what is not seen. Given this thread's s[c], of key j = k0 + c. Fill: -INFINITY into the scores of keys
    // that do not exist (j >= seq_kv: the last tile may be ragged) and, if shape.causal, of those that query i does
    // not see (j > i + seq_kv - seq_q).
    // Invariant: nothing else changes. A zero in place of -INFINITY would still weigh exp(0 - m).
    // Size: 4 lines, one of them a loop.
    //{
    for (int c = t; c < BC; c += LANES) {
        const int j = k0 + c;
        if (j >= shape.seq_kv || (shape.causal && j > i + shape.seq_kv - shape.seq_q)) s[c] = -INFINITY;
    }
    //}
}

// ---- The online softmax: Algorithm 1, lines 9, 10 and 12, for one row and one tile ----------------------------------

// Given: the largest of x in the 8 threads of a row, and the sum, for each of them. Partners 4, 2 and 1 lanes away
// exchange their numbers; as all 8 lie in one warp, no shared memory and no barrier is needed.
static __device__ float row_max(float x) {
    for (int bit = LANES / 2; bit > 0; bit /= 2) x = fmaxf(x, __shfl_xor_sync(0xffffffff, x, bit));
    return x;
}
static __device__ float row_sum(float x) {
    for (int bit = LANES / 2; bit > 0; bit /= 2) x += __shfl_xor_sync(0xffffffff, x, bit);
    return x;
}

// m: the row max so far, -INFINITY before the first tile.
static __device__ float new_max(float m, const float *s, int t) {
    // TODO 4.4: the new row max. Given this thread's s[c], c = t, t + 8, ... below BC. Fill: raise m to the largest of
    // them, then to the largest in the row.
    // Invariant: afterwards all 8 threads have the same m, and it is finite: every query sees key 0, and key 0 is in
    // the first tile.
    // Size: 2 lines. (fmaxf, row_max)
    //{
    for (int c = t; c < BC; c += LANES) m = fmaxf(m, s[c]);
    m = row_max(m);
    //}

    return m;
}

// __forceinline__ and #pragma unroll keep o in registers, which no number known only at run time can index.
static __device__ __forceinline__ void rescale(row_state *row, float m_new) {
    // TODO 4.5: rescale l and o when the row max grows. Given m_new, and row, which holds terms exp(s_j - row->m).
    // Fill: alpha = exp(row->m - m_new); multiply row->l and each row->o[e] by it.
    // Invariant: both hold terms exp(s_j - m_new). alpha is at most 1, and 0 in the first tile: exp(-INFINITY).
    // Size: 4 lines. Write `#pragma unroll` before a loop over e, and let it run to OWN. (expf)
    //{
    const float alpha = expf(row->m - m_new);
    row->l *= alpha;
#pragma unroll
    for (int e = 0; e < OWN; e++) row->o[e] *= alpha;
    //}

    row->m = m_new;
}

static __device__ __forceinline__ void add_probabilities(row_state *row, float *s, int t) {
    // TODO 4.6: the probabilities. Given this thread's s[c], and row->m, which is at least as large. Fill: s[c] =
    // exp(s[c] - m), and add it to row->l.
    // Invariant: 0 <= s[c] <= 1. A masked score needs no special case. Each s[c] is exponentiated by one thread only.
    // Size: 4 lines. (expf)
    //{
    for (int c = t; c < BC; c += LANES) {
        s[c] = expf(s[c] - row->m);
        row->l += s[c];
    }
    //}
}

static __device__ __forceinline__ void add_values(row_state *row, const float *s, const float *Vs, int t, int D) {
    // TODO 4.7: accumulate. Given the row's probabilities s[0 .. BC-1], and Vs (row c starts at Vs + c * STRIDE(D)).
    // Fill: row->o[e] += sum over c of s[c] * V_c[d], with d = t + 8 e < D.
    // Invariant: what o held from earlier tiles stays in the sum. c runs over all keys, not only this thread's.
    // Size: 5 lines, two of them loops: the inner one over e, to OWN, unrolled. An `if` in it leaves out d >= D.
    //{
    for (int c = 0; c < BC; c++)
#pragma unroll
        for (int e = 0; e < OWN; e++) {
            const int d = t + LANES * e;
            if (d < D) row->o[e] += s[c] * Vs[c * STRIDE(D) + d];
        }
    //}
}

// O: the tile's rows of the output, of which `rows` exist. r: this thread's row; it need not exist.
static __device__ __forceinline__ void store_row(float *O, const row_state *row, int r, int rows, int t, int D) {
    // TODO 4.8: divide and store, line 12. Given row->o, and row->l, this thread's part of the row sum.
    // Fill: O[r][d] = row->o[e] / (sum of the row's 8 parts), d = t + 8 e < D; row r starts at O + r * D.
    // Invariant: a row that does not exist (r >= rows) is not written. All lanes of a warp take part in row_sum: call
    // it before any `if` on the row.
    // Size: 6 lines, one of them a loop over e as in 4.7. (row_sum)
    //{
    const float l = row_sum(row->l);
    if (r >= rows) return;
#pragma unroll
    for (int e = 0; e < OWN; e++) {
        const int d = t + LANES * e;
        if (d < D) O[(size_t)r * D + d] = row->o[e] / l;
    }
    //}
}

// ---- All tiles ------------------------------------------------------------------------------------------------------

// last: the tile's last query, i0 + BR - 1. In a ragged tile there is no such query, and last >= seq_q.
static __device__ int keys_to_visit(int last, attn_shape shape) {
    int keys = shape.seq_kv;

    // TODO 4.9: how far to walk. Given keys = seq_kv, right without a mask. Fill: if shape.causal, only the keys that
    // some query of the tile sees. The last one sees most: j <= last + seq_kv - seq_q, but no more than there are.
    // Invariant: each key that some query of the tile sees is below `keys`. Tiles that none of its queries sees are not
    // visited then, which saves half of the work.
    // Size: 1 line. (min)
    //{
    if (shape.causal) keys = min(keys, last + shape.seq_kv - shape.seq_q + 1);
    //}

    return keys;
}

// TODO 4.11, at the end of this file.
static __device__ void score_tile(float *s, const float *q, const float *Ks, int t, int D, float scale);
static __device__ __forceinline__ void value_tile(row_state *row, const float *s, const float *Vs, int t, int D);

static __global__ void __launch_bounds__(THREADS)
    flash_kernel(float *O, const float *Q, const float *K, const float *V, attn_shape shape) {
    // Given: the parts of shared memory. Its size is known at the launch only; the host asks for the same sum.
    extern __shared__ float shared[];
    const int D = shape.head_dim, Sq = shape.seq_q, Sk = shape.seq_kv;
    float *Qs = shared, *Ks = Qs + BR * STRIDE(D), *Vs = Ks + BC * STRIDE(D), *Ss = Vs + BC * STRIDE(D);

    // Given: who this thread is, and where its head starts. Its rows of the tile are r .. r + ROWS - 1; until TODO 4.11
    // ROWS is 1, so a is 0. t is its place among the 8 threads of a row.
    const int r = threadIdx.x / LANES * ROWS, t = threadIdx.x % LANES;
    const int i0 = blockIdx.y * BR;                        // the tile's queries are i0 .. i0 + BR - 1 of the head
    const size_t head = blockIdx.x;                        // b * heads + h
    Q += (head * Sq + i0) * D, O += (head * Sq + i0) * D;  // [rows][D], from the tile's first query
    K += head * Sk * D, V += head * Sk * D;                // [Sk][D]
    const float *q = Qs + r * STRIDE(D), scale = 1.0f / sqrtf((float)D);
    float *s = Ss + r * (BC + 1);

    row_state row[ROWS];  // no key seen: the max of nothing, the sums of nothing
#pragma unroll
    for (int a = 0; a < ROWS; a++) row[a] = {-INFINITY, 0.0f, {0.0f}};
    load_tile(Qs, Q, Sq - i0, BR, D);

    const int end = keys_to_visit(i0 + BR - 1, shape);  // the same in all threads of the block: they meet at barriers
    for (int k0 = 0; k0 < end; k0 += BC) {
        load_tile(Ks, K + (size_t)k0 * D, Sk - k0, BC, D);
        load_tile(Vs, V + (size_t)k0 * D, Sk - k0, BC, D);

        // TODO 4.10: two barriers, __syncthreads(). Ks and Vs are written by all threads of the block and read by all.
        // Fill: one barrier here: nobody reads a tile before all have written it (in the first round, Qs too). And one
        // at (*): nobody overwrites a tile, or a row of Ss, in the next round, that others still read.
        // Invariant: every thread of the block reaches both, in every round: no barrier under an `if` on r, t or i0.
        // Size: 2 lines.
        //{
        __syncthreads();
        //}

        if (REGISTER_TILES)
            score_tile(s, q, Ks, t, D, scale);
        else
            compute_scores(s, q, Ks, t, D, scale);
#pragma unroll
        for (int a = 0; a < ROWS; a++) {
            mask_scores(s + a * (BC + 1), i0 + r + a, k0, t, shape);
            rescale(&row[a], new_max(row[a].m, s + a * (BC + 1), t));
            add_probabilities(&row[a], s + a * (BC + 1), t);
        }
        // A thread reads below what the 7 others of its row have written into s. They are in its warp, so the warp's
        // barrier is enough.
        __syncwarp();
        if (REGISTER_TILES)
            value_tile(row, s, Vs, t, D);
        else
            add_values(row, s, Vs, t, D);

        // (*) TODO 4.10: the second barrier
        //{
        __syncthreads();
        //}
    }
#pragma unroll
    for (int a = 0; a < ROWS; a++) store_row(O, &row[a], r + a, Sq - i0, t, D);
}

// Given: one block per query tile and head. Heads are in x, as a grid's y is not larger than 65535.
static attn_status launch(float *O, const float *Q, const float *K, const float *V, attn_shape shape,
                          cudaStream_t stream) {
    // By default a block may use up to 48 KB of shared memory. A kernel that needs more declares it dynamic (its size
    // is the third number between <<< and >>>), and the host asks for it before the launch. D = 128 with 32 x 32 tiles
    // needs it. CUDA refuses more than the device has; cudaGetLastError tells.
    const size_t bytes = sizeof(float) * ((BR + 2 * BC) * STRIDE(shape.head_dim) + BR * (BC + 1));
    cudaFuncSetAttribute(flash_kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)bytes);
    const dim3 grid(shape.batch * shape.heads, (shape.seq_q + BR - 1) / BR);
    flash_kernel<<<grid, THREADS, bytes, stream>>>(O, Q, K, V, shape);
    return cudaGetLastError() == cudaSuccess ? ATTN_OK : ATTN_CUDA_ERROR;
}

ATTN_API attn_status attn_flash(float *O, const float *Q, const float *K, const float *V, attn_shape shape,
                                cudaStream_t stream) {
    const int B = shape.batch, H = shape.heads, Sq = shape.seq_q, Sk = shape.seq_kv, D = shape.head_dim;
    if (B < 1 || H < 1 || Sq < 1 || Sk < 1 || D < 8 || D > MAX_D || D % 8 != 0 || (shape.causal && Sq > Sk))
        return ATTN_BAD_SHAPE;
    //[
    return ATTN_TODO(4, 1);  // delete each line when its TODO is solved
    return ATTN_TODO(4, 2);
    return ATTN_TODO(4, 3);
    return ATTN_TODO(4, 4);
    return ATTN_TODO(4, 5);
    return ATTN_TODO(4, 6);
    return ATTN_TODO(4, 7);
    return ATTN_TODO(4, 8);
    return ATTN_TODO(4, 9);
    return ATTN_TODO(4, 10);
    if (REGISTER_TILES) return ATTN_TODO(4, 11);  // does not stop the kernel while the switch is 0
    //]
    return launch(O, Q, K, V, shape, stream);
}

// ---- Faster: tiles in registers -------------------------------------------------------------------------------------
//
// The kernel is right now, and it spends its time on reading shared memory: a multiply-add of 4.2 needs two numbers
// from there, one of 4.7 one and a bit, and while a warp loads one number per thread, four could do a multiply-add.
// A number that lies in a register can be used again. Let 8 threads share TILE_ROWS rows instead of one:
//
//                    keys of the tile                       for one d, thread t reads TILE_ROWS numbers of Q and
//               t      t + 8    t + 16   t + 24             TILE_KEYS of K, and adds to a tile of sums in registers:
//      row r    sum    sum      sum      sum                4 + 4 loads, 16 multiply-adds. One score at a time, these
//      row r+1  sum    sum      sum      sum                16 multiply-adds take 32 loads.
//      row r+2  sum    sum      sum      sum
//      row r+3  sum    sum      sum      sum                P V in the same way: TILE_ROWS of P, and dims of V.
//
// #define REGISTER_TILES 1, above, when both functions are right. BR must then be a multiple of 16; 64 is a good size.

enum { TILE_KEYS = BC / LANES };  // keys of a thread

// The scores of TILE_ROWS rows: row a has its query at q + a * STRIDE(D) and its scores at s + a * (BC + 1).
static __device__ void score_tile(float *s, const float *q, const float *Ks, int t, int D, float scale) {
    // TODO 4.11: tiles in registers, here and below. Fill: what compute_scores does, for TILE_ROWS rows at once, with
    // float sum[TILE_ROWS][TILE_KEYS] = {}: for each d, read the TILE_KEYS numbers of this thread's keys, t + 8 b, into
    // an array; then per row read one number of Q, and use it for all keys. Write the scores at the end.
    // Invariant: after round d, sum[a][b] holds the products of dims 0 .. d. A number of Q or K is read once.
    // Size: 10 lines, six of them loops. `#pragma unroll` before each loop over a or b: sum must stay in registers.
    //{
    float sum[TILE_ROWS][TILE_KEYS] = {};
    for (int d = 0; d < D; d++) {
        float k[TILE_KEYS];
#pragma unroll
        for (int b = 0; b < TILE_KEYS; b++) k[b] = Ks[(t + LANES * b) * STRIDE(D) + d];
#pragma unroll
        for (int a = 0; a < TILE_ROWS; a++) {
            const float x = q[a * STRIDE(D) + d];
#pragma unroll
            for (int b = 0; b < TILE_KEYS; b++) sum[a][b] += x * k[b];
        }
    }
#pragma unroll
    for (int a = 0; a < TILE_ROWS; a++)
#pragma unroll
        for (int b = 0; b < TILE_KEYS; b++) s[a * (BC + 1) + t + LANES * b] = scale * sum[a][b];
    //}
}

// The outputs of TILE_ROWS rows: row[a] has its probabilities at s + a * (BC + 1).
static __device__ __forceinline__ void value_tile(row_state *row, const float *s, const float *Vs, int t, int D) {
    // TODO 4.11, the second half. Fill: what add_values does, for TILE_ROWS rows at once: for each key c, read the
    // TILE_ROWS probabilities into an array; then per dim d = t + 8 e < D one number of V, and use it for all rows.
    // Invariant: as in 4.7, for each row. A number of s or V is read once.
    // Size: 10 lines, four of them loops, unrolled except for the one over c.
    //{
    for (int c = 0; c < BC; c++) {
        float p[TILE_ROWS];
#pragma unroll
        for (int a = 0; a < TILE_ROWS; a++) p[a] = s[a * (BC + 1) + c];
#pragma unroll
        for (int e = 0; e < OWN; e++) {
            const int d = t + LANES * e;
            const float v = d < D ? Vs[c * STRIDE(D) + d] : 0.0f;
#pragma unroll
            for (int a = 0; a < TILE_ROWS; a++) row[a].o[e] += p[a] * v;
        }
    }
    //}
}
