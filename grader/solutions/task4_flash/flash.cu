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
//      keeps dims t, t + 8, ... in registers. Ks and Vs belong to the whole block, a row of Ss to its 8 threads.
//
//     load_tile        global to shared memory            TODO 4.1
//     compute_scores   one row of one tile                TODO 4.2
//     mask_scores      keys that are not seen             TODO 4.3
//     update_row       one row: the online softmax        TODO 4.4  4.5  4.6  4.7
//     flash_kernel     the walk, its barriers, the end    TODO 4.8  4.9  4.10
//
// How to work: a kernel cannot return a status, so each TODO has its line `return ATTN_TODO(4, n);` in attn_flash, at
// the end. Write the code where the TODO stands, delete that line, run `make task4 test`: it says which TODO is next.
// Nothing is launched before the last line is gone. Stuck? `make task4 hint TODO=4.1`.
#include "task4.h"

#include <math.h>

// Tile sizes; -DBR=... -DBC=... sets them from outside.
#ifndef BR
#define BR 32  // queries per tile, a multiple of 4 up to 128
#endif
#ifndef BC
#define BC 32  // keys per tile, any number from 1
#endif

enum {
    LANES = 8,             // threads of a row; head_dim is a multiple of it
    THREADS = BR * LANES,  // of a block
    MAX_D = 128,
    OWN = MAX_D / LANES,  // dims that a thread keeps, at most
};
static_assert(BR % 4 == 0 && BR >= 4 && THREADS <= 1024, "a warp is 4 whole rows, a block has at most 1024 threads");
static_assert(BC >= 1, "a tile has at least one key");

// Threads t = 0 .. 7 read Ks[t][d] at the same time. With rows of D floats, D a multiple of 32, all eight would lie in
// one memory bank and wait for each other. One float of padding per row moves each to a bank of its own.
#define STRIDE(D) ((D) + 1)

// What a thread knows of its row. m is the row's: the same number in all 8 threads. l and o are this thread's part.
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
    // Invariant: neighbouring threads read neighbouring floats. No row at or beyond `rows` is read. It must hold zeros
    // all the same: its probability will be 0, and 0 times what happens to lie in memory can be NaN.
    // Size: 4 lines, one of them a loop.
    for (int n = threadIdx.x; n < size * D; n += THREADS) {
        const int r = n / D, d = n % D;
        tile[r * STRIDE(D) + d] = r < rows ? src[n] : 0.0f;
    }
}

// The row's scores against one key tile. s: the row's BC places in Ss. q: the row's query in Qs.
static __device__ void compute_scores(float *s, const float *q, const float *Ks, int t, int D, float scale) {
    // TODO 4.2: the scores. Given q[0 .. D-1], Ks (row c starts at Ks + c * STRIDE(D)) and scale = 1/sqrt(D).
    // Fill: s[c] = scale * (q . K_c) for this thread's keys, c = t, t + 8, t + 16, ... below BC.
    // Invariant: the 8 threads of a row write different s[c], and together all of them.
    // Size: 5 lines, two of them loops.
    for (int c = t; c < BC; c += LANES) {
        float sum = 0.0f;
        for (int d = 0; d < D; d++) sum += q[d] * Ks[c * STRIDE(D) + d];
        s[c] = scale * sum;
    }
}

// i: the query's place in its head. k0: the place of the tile's first key.
static __device__ void mask_scores(float *s, int i, int k0, int t, attn_shape shape) {
    // TODO 4.3: what is not seen. Given this thread's s[c], of key j = k0 + c. Fill: -INFINITY into the scores of keys
    // that do not exist (j >= seq_kv: the last tile may be ragged) and, if shape.causal, of those that query i does
    // not see (j > i + seq_kv - seq_q).
    // Invariant: nothing else changes. A zero in place of -INFINITY would still weigh exp(0 - m).
    // Size: 4 lines, one of them a loop.
    for (int c = t; c < BC; c += LANES) {
        const int j = k0 + c;
        if (j >= shape.seq_kv || (shape.causal && j > i + shape.seq_kv - shape.seq_q)) s[c] = -INFINITY;
    }
}

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

// Algorithm 1, lines 9 and 10, for one row and one tile. __forceinline__ and #pragma unroll: o is to stay in registers,
// and registers cannot be indexed by a number that is known only at run time.
static __device__ __forceinline__ void update_row(row_state *row, float *s, const float *Vs, int t, int D) {
    const float m_old = row->m;  // -INFINITY before the first tile
    float m_new = m_old, alpha = 1.0f;

    // TODO 4.4: the new row max. Given this thread's s[c], c = t, t + 8, ... below BC, and m_new = m_old. Fill: raise
    // m_new to the largest of them, then to the largest in the row.
    // Invariant: afterwards all 8 threads have the same m_new, and it is finite: every query sees key 0, and key 0 is
    // in the first tile.
    // Size: 2 lines. (fmaxf, row_max)
    for (int c = t; c < BC; c += LANES) m_new = fmaxf(m_new, s[c]);
    m_new = row_max(m_new);

    row->m = m_new;

    // TODO 4.5: rescale l and o when the row max grows. Given m_old, m_new, row->l and row->o, which hold terms
    // exp(s_j - m_old). Fill: alpha = exp(m_old - m_new); multiply both by it.
    // Invariant: both hold terms exp(s_j - m_new). alpha is at most 1, and 0 in the first tile: exp(-INFINITY).
    // Size: 4 lines. Write `#pragma unroll` before a loop over e, and let it run to OWN. (expf)
    alpha = expf(m_old - m_new);
    row->l *= alpha;
#pragma unroll
    for (int e = 0; e < OWN; e++) row->o[e] *= alpha;

    // TODO 4.6: the probabilities. Given this thread's s[c] and m_new. Fill: s[c] = exp(s[c] - m_new), and add it to
    // row->l.
    // Invariant: 0 <= s[c] <= 1. A masked score needs no special case. Each s[c] is exponentiated by one thread only.
    // Size: 4 lines. (expf)
    for (int c = t; c < BC; c += LANES) {
        s[c] = expf(s[c] - m_new);
        row->l += s[c];
    }

    // Closes a read before a write: below, a thread needs what the 7 others of its row wrote into s. They are in its
    // warp, so the warp's barrier is enough.
    __syncwarp();

    // TODO 4.7: accumulate. Given the row's probabilities s[0 .. BC-1], and Vs (row c starts at Vs + c * STRIDE(D)).
    // Fill: row->o[e] += sum over c of s[c] * V_c[d], with d = t + 8 e < D.
    // Invariant: what o held from earlier tiles stays in the sum. c runs over all keys, not only this thread's.
    // Size: 5 lines, two of them loops; the loop over e is the inner one: it runs to OWN, unrolled, and an `if` in it
    // leaves out d >= D.
    for (int c = 0; c < BC; c++) {
        const float *v = Vs + c * STRIDE(D);
#pragma unroll
        for (int e = 0; e < OWN; e++)
            if (t + LANES * e < D) row->o[e] += s[c] * v[t + LANES * e];
    }
}

// ---- All tiles ------------------------------------------------------------------------------------------------------

static __global__ void __launch_bounds__(THREADS)
    flash_kernel(float *O, const float *Q, const float *K, const float *V, attn_shape shape) {
    // Given: the parts of shared memory. Its size is known at the launch only; the host asks for the same sum.
    extern __shared__ float shared[];
    const int D = shape.head_dim, Sq = shape.seq_q, Sk = shape.seq_kv;
    float *Qs = shared, *Ks = Qs + BR * STRIDE(D), *Vs = Ks + BC * STRIDE(D), *Ss = Vs + BC * STRIDE(D);

    // Given: who this thread is, and where its head starts.
    const int r = threadIdx.x / LANES, t = threadIdx.x % LANES;  // its row of the tile, its place in the row
    const int i0 = blockIdx.y * BR;                              // the tile's queries are i0 .. i0 + BR - 1 of the head
    const size_t head = blockIdx.x;                              // b * heads + h
    Q += (head * Sq + i0) * D, O += (head * Sq + i0) * D;        // [rows][D], from the tile's first query
    K += head * Sk * D, V += head * Sk * D;                      // [Sk][D]
    const float *q = Qs + r * STRIDE(D);
    float *s = Ss + r * (BC + 1);

    row_state row = {-INFINITY, 0.0f, {0.0f}};  // no key seen: the max of nothing, the sums of nothing
    load_tile(Qs, Q, Sq - i0, BR, D);

    // TODO 4.8: how far to walk. Given i0, BR, Sq and Sk. Fill: end = the number of keys that some query of this tile
    // sees. That is Sk; if shape.causal, the tile's last query, i0 + BR - 1, sees keys j <= i0 + BR - 1 + Sk - Sq, but
    // no more than there are.
    // Invariant: each key that some query of the tile sees is in a visited tile, and no tile is visited that they all
    // do not see: that saves half of the work. All threads of the block get the same `end`, so they meet at barriers.
    // Size: 1 or 2 lines. (min)
    const int end = shape.causal ? min(Sk, i0 + BR + Sk - Sq) : Sk;

    for (int k0 = 0; k0 < end; k0 += BC) {
        load_tile(Ks, K + (size_t)k0 * D, Sk - k0, BC, D);
        load_tile(Vs, V + (size_t)k0 * D, Sk - k0, BC, D);

        // TODO 4.9: two barriers, __syncthreads(). Ks and Vs are written by all threads of the block and read by all.
        // Fill: one barrier here: nobody reads a tile before all have written it (in the first round, Qs too). And one
        // at (*): nobody overwrites a tile, or a row of Ss, in the next round, that others still read.
        // Invariant: every thread of the block comes by both, in every round: no barrier under an `if` on r, t or i.
        // Size: 2 lines.
        __syncthreads();

        compute_scores(s, q, Ks, t, D, 1.0f / sqrtf((float)D));
        mask_scores(s, i0 + r, k0, t, shape);
        update_row(&row, s, Vs, t, D);

        // (*) TODO 4.9: the second barrier
        __syncthreads();
    }

    // TODO 4.10: divide and store, Algorithm 1, line 12. Given row.o, and row.l, this thread's part of the row sum.
    // Fill: O[r][d] = row.o[e] / (sum of the row's 8 parts), d = t + 8 e < D; row r starts at O + r * D.
    // Invariant: rows with i0 + r >= Sq do not exist and are not written, every other element of the tile is. All lanes
    // of a warp take part in row_sum: call it before any `if` on the row.
    // Size: 6 lines, one of them a loop over e as in 4.7. (row_sum)
    const float l = row_sum(row.l);
    if (i0 + r < Sq) {
#pragma unroll
        for (int e = 0; e < OWN; e++)
            if (t + LANES * e < D) O[(size_t)r * D + t + LANES * e] = row.o[e] / l;
    }
}

// Given: one block per query tile and head. Heads are in x, as a grid's y is not larger than 65535.
ATTN_API attn_status attn_flash(float *O, const float *Q, const float *K, const float *V, attn_shape shape,
                                cudaStream_t stream) {
    const int B = shape.batch, H = shape.heads, Sq = shape.seq_q, Sk = shape.seq_kv, D = shape.head_dim;
    if (B < 1 || H < 1 || Sq < 1 || Sk < 1 || D < 8 || D > MAX_D || D % 8 != 0 || (shape.causal && Sq > Sk))
        return ATTN_BAD_SHAPE;

    // A block may have 48 KB of shared memory for the asking. What is more must be dynamic (the third number between
    // <<< and >>>, not an array with a size), and be asked for before the launch. D = 128 with 32 x 32 tiles needs it.
    // More than the device has is refused here, then at the launch; cudaGetLastError tells.
    const size_t bytes = sizeof(float) * ((BR + 2 * BC) * STRIDE(D) + BR * (BC + 1));
    cudaFuncSetAttribute(flash_kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)bytes);
    const dim3 grid(B * H, (Sq + BR - 1) / BR);
    flash_kernel<<<grid, THREADS, bytes, stream>>>(O, Q, K, V, shape);
    return cudaGetLastError() == cudaSuccess ? ATTN_OK : ATTN_CUDA_ERROR;
}
