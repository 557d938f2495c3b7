// tiled_cpu.c: attention in tiles on the CPU, FlashAttention-2, Algorithm 1. You write this file; task3.h says what it
// must do, README.md why it works.
//
//                          K: key tiles of Bc rows
//                         +-----+-----+-----+--+      For one query tile (the row of #), walk right. Per query, keep
//                         |     |     |     |  |          m  the largest score so far
//      Q: query tiles  +--+-----+-----+-----+--+          l  the sum of exp(score - m) so far
//         of Br rows   |  |     |     |     |  |          O  the sum of exp(score - m) V so far
//                      +--+-----+-----+-----+--+      At the right edge, O / l is the answer. Only one tile of scores
//                      |  |#####|  S  |     |  |      exists at a time. The last tiles may be narrower: nq <= Br rows,
//                      +--+-----+-----+-----+--+      nk <= Bc columns.
//                      |  |     |     |     |  |
//                      +--+-----+-----+-----+--+
//
//     one query tile against one key tile      TODO 3.1 to 3.6
//     one query tile against all its keys      TODO 3.7, 3.8: now every result is right
//     all query tiles, on all threads          TODO 3.9
//     faster on one thread                     TODO 3.10 to 3.13
//
// How to work: write the code where a TODO stands, delete the line with ATTN_TODO below it (3.9 and 3.10 have none),
// run `make task3 test`. It tries each function on its own and says which TODO is next. Stuck? `make hint TODO=3.1`.
#include "task3.h"

#include <math.h>
#include <stdlib.h>

// Open TODOs leave names unused. Delete these lines when all is solved: the compiler then tells you what you forgot.
#pragma GCC diagnostic ignored "-Wunused-parameter"
#pragma GCC diagnostic ignored "-Wunused-variable"
#pragma GCC diagnostic ignored "-Wunused-function"

// Where a thread is: a query tile, a key tile, and its working memory, which stays the same from tile to tile.
typedef struct {
    int D, Bc;
    int i0, nq;          // the tile's queries are i0 .. i0 + nq - 1 of their head
    int j0, nk;          // its keys are           j0 .. j0 + nk - 1
    const float *Q;      // [nq][D]  the tile's first query:         row r starts at Q + r * D
    const float *K, *V;  // [nk][D]  the tile's first key and value: row c starts at K + c * D
    float *S;            // [nq][Bc] scores, then probabilities:     row r starts at S + r * Bc
    float *O;            // [nq][D]  output so far, not yet divided by l
    float *m, *l;        // [nq]     row max and row sum so far
    float *Kt;           // [D][Bc]  the tile's keys, transposed (TODO 3.11): row d starts at Kt + d * Bc
} tile;

// The sizes of a matrix product C += A B, with C [rows][cols], A [rows][n], B [n][cols].
typedef struct {
    int rows, n, cols;
    int a_step, bc_step;  // from one row to the next, in floats: of A; of B and C
} extent;

static int min_int(int a, int b) { return a < b ? a : b; }

// 1: do without TODO 3.11 to 3.13, to see what they gain, or whether a mistake is in one of them.
static int plain = 0;

// Given, in the last part of this file: the two matrix products of a tile, in the fastest way that is written by now.
static attn_status all_scores(tile t);                                            // S = Q K^T / sqrt(D)
static attn_status multiply(float *C, const float *A, const float *B, extent e);  // C += A B
static float exp_of(float x);                                                     // exp(x), for x <= 0

// ---- One query tile against one key tile ---------------------------------------------------------------------------

// Algorithm 1, line 8.
static attn_status compute_scores(tile t) {
    // TODO 3.1: the scores. Given Q and K of the tile. Fill: S[r][c] = (Q_r . K_c) / sqrt(D), r < nq and c < nk.
    // Invariant: nothing at or beyond row nq or column nk is read or written: in the last tiles, no data is there.
    // Size: 7 lines, three of them loops. (sqrtf, once)
    return ATTN_TODO(3, 1);
    return ATTN_OK;
}

// What causal attention hides.
static attn_status mask_scores(tile t, attn_shape shape) {
    // TODO 3.2: the causal mask. Given S. Fill: if shape.causal, -INFINITY into the scores of keys that are not seen:
    // query i = i0 + r of the head sees its keys j = j0 + c up to i + (seq_kv - seq_q). Otherwise change nothing.
    // Invariant: the same pairs are hidden whatever Br and Bc are.
    // Size: 4 lines, two of them loops.
    return ATTN_TODO(3, 2);
    return ATTN_OK;
}

// The next three are Algorithm 1, line 9, for one row. s[0 .. nk-1]: its scores. o[0 .. D-1]: its output so far.
static attn_status raise_max(float *m, const float *s, int nk) {
    float max = *m;  // of all earlier tiles; -INFINITY before the first

    // TODO 3.3: the new row max. Given s and max. Fill: raise max to the largest of them.
    // Invariant: the row max never falls, and is finite from the first tile on: every query sees key 0.
    // Size: 1 or 2 lines.
    return ATTN_TODO(3, 3);
    *m = max;
    return ATTN_OK;
}

static attn_status rescale(float *l, float *o, int D, float m_old, float m_new) {
    // TODO 3.4: rescale l and o when the row max grows. Given *l and o, which hold terms exp(s_j - m_old).
    // Fill: make them hold exp(s_j - m_new).
    // Invariant: both are multiplied by the same factor. It is at most 1, and 0 in the first tile: exp(-INFINITY).
    // Size: 3 lines. (expf)
    return ATTN_TODO(3, 4);
    return ATTN_OK;
}

static attn_status exponentiate(float *s, float *l, int nk, float m) {
    float sum = 0.0f;  // of this tile's probabilities

    // TODO 3.5: the probabilities. Given s and the new row max m. Fill: s[c] = exp(s[c] - m), and add it to sum.
    // Invariant: 0 <= s[c] <= 1. A masked score needs no special case. Nothing is divided yet.
    // Size: 4 lines. (exp_of)
    return ATTN_TODO(3, 5);
    *l += sum;
    return ATTN_OK;
}

// Algorithm 1, line 10: O += P V, with O as C, P as A and V as B.
static attn_status multiply_add(float *restrict C, const float *A, const float *B, extent e) {
    // TODO 3.6: accumulate. Given A, B, C and their sizes in e. Fill: C[r][c] += sum over k < n of A[r][k] * B[k][c],
    // r < rows and c < cols; element (r, k) of A stands at A[r * a_step + k], (k, c) of B at B[k * bc_step + c].
    // Invariant: what C held from earlier tiles stays in the sum.
    // Size: 4 lines, three of them loops. With c innermost, both B and C are read as they lie in memory.
    return ATTN_TODO(3, 6);
    return ATTN_OK;
}

// Given: lines 8 to 10. Before and after a tile, over the keys that a query has seen by then:
//     m = max of s_j        l = sum of exp(s_j - m)        O = sum of exp(s_j - m) V_j
static attn_status attend_tile(tile t, attn_shape shape) {
    attn_status status = all_scores(t);
    if (status == ATTN_OK) status = mask_scores(t, shape);
    for (int r = 0; r < t.nq && status == ATTN_OK; r++) {
        float *s = t.S + (size_t)r * t.Bc, *o = t.O + (size_t)r * t.D;
        const float m_old = t.m[r];
        status = raise_max(&t.m[r], s, t.nk);
        if (status == ATTN_OK) status = rescale(&t.l[r], o, t.D, m_old, t.m[r]);
        if (status == ATTN_OK) status = exponentiate(s, &t.l[r], t.nk, t.m[r]);
    }
    const extent e = {.rows = t.nq, .n = t.nk, .cols = t.D, .a_step = t.Bc, .bc_step = t.D};
    return status == ATTN_OK ? multiply(t.O, t.S, t.V, e) : status;
}

// ---- One query tile against all its keys ---------------------------------------------------------------------------

// t holds the queries and the working memory. K, V: all keys and values of the head.
static attn_status walk_keys(tile t, const float *K, const float *V, attn_shape shape) {
    attn_status status = ATTN_OK;

    // TODO 3.7: walk the keys. Given attend_tile. Fill: for j0 = 0, Bc, 2 Bc, ...: set t.j0, t.nk, t.K and t.V, and let
    // attend_tile work on t; leave the loop as soon as status is not ATTN_OK. Causal: the tile's last query sees the
    // most keys; a tile that not even this query sees is not visited, which saves half of the work.
    // Invariant: each key that some query of the tile sees is in exactly one visited tile. nk is Bc, less at the end.
    // Size: 8 lines. (min_int)
    status = ATTN_TODO(3, 7);
    return status;
}

// O: where the result of the tile's first query goes.
static attn_status divide(float *O, tile t) {
    // TODO 3.8: the division, Algorithm 1, line 12. Given l, and O of the tile (t.O, row r at t.O + r * D).
    // Fill: row r of the result (at O + r * D) = row r of t.O / l[r], for r < nq.
    // Invariant: every element of the nq rows of O is written, nothing else is. l[r] >= 1: the max itself gave exp(0).
    // Size: 3 lines, two of them loops.
    return ATTN_TODO(3, 8);
    return ATTN_OK;
}

// Given.
static attn_status attend_queries(tile t, float *O, const float *K, const float *V, attn_shape shape) {
    for (int r = 0; r < t.nq; r++) {  // no key seen: the max of nothing, the sums of nothing
        t.m[r] = -INFINITY;
        t.l[r] = 0.0f;
        for (int d = 0; d < t.D; d++) t.O[(size_t)r * t.D + d] = 0.0f;
    }
    const attn_status status = walk_keys(t, K, V, shape);
    return status == ATTN_OK ? divide(O, t) : status;
}

// ---- All query tiles -----------------------------------------------------------------------------------------------

// Given: one allocation for the working memory, cut into its parts. Free S, which is NULL if malloc failed.
static tile make_tile(int Br, int Bc, int D) {
    const size_t scores = (size_t)Br * Bc, output = (size_t)Br * D, keys = (size_t)D * Bc;
    float *S = malloc(sizeof(float) * (scores + output + keys + 2 * Br));
    if (!S) return (tile){0};
    float *O = S + scores, *Kt = O + output, *m = Kt + keys, *l = m + Br;
    return (tile){.D = D, .Bc = Bc, .S = S, .O = O, .Kt = Kt, .m = m, .l = l};
}

// Given: a job is one query tile of one head. Jobs share the inputs, which they read, and write different rows of O.
attn_status attn_tiled(float *O, const float *Q, const float *K, const float *V, attn_shape shape, attn_tiles tiles) {
    const int D = shape.head_dim, Sq = shape.seq_q, Sk = shape.seq_kv;
    const int Br = min_int(tiles.Br ? tiles.Br : 64, Sq);  // `make task3 sweep` shows which default is best
    const int Bc = min_int(tiles.Bc ? tiles.Bc : 64, Sk);
    const long query_tiles = (Sq + Br - 1) / Br, jobs = query_tiles * shape.batch * shape.heads;
    attn_status status = ATTN_OK;

    // TODO 3.9: threads; the result is right without. Given this block, which a thread can run on its own. Fill: an
    // OpenMP pragma that makes each thread run the block, and one that shares the loop's jobs among them.
    // Invariant: no two threads write to the same place. What the block declares, each thread has for itself; one line
    // of it still writes to something shared. Protect that one.
    // Size: 3 pragmas. Causal jobs differ in length: which schedule leaves no thread waiting?
    {
        tile t = make_tile(Br, Bc, D);
        attn_status mine = t.S ? ATTN_OK : ATTN_NO_MEMORY;
        for (long job = 0; job < jobs; job++) {
            if (mine != ATTN_OK) continue;  // and not break: OpenMP shares only loops whose length is known
            const size_t bh = job / query_tiles;
            t.i0 = (int)(job % query_tiles) * Br;
            t.nq = min_int(Br, Sq - t.i0);  // the last tile of a head may have fewer
            t.Q = Q + (bh * Sq + t.i0) * D;
            mine = attend_queries(t, O + (bh * Sq + t.i0) * D, K + bh * Sk * D, V + bh * Sk * D, shape);
        }
        if (mine != ATTN_OK) {
            status = mine;
        }
        free(t.S);
    }
    return status;
}

// ---- Faster on one thread ------------------------------------------------------------------------------------------
//
// The result is right without any of these. Each makes one thing fast, and the others gain when you go on: README.md,
// "Making it fast", says by how much.
//
// TODO 3.10: sums in lanes. A vector instruction adds 4, 8 or 16 floats at once, in that many separate sums: its lanes.
// That changes the order of additions, so the compiler asks for your permission. Given the loops of 3.1, 3.3 and 3.5,
// each of which reduces many floats to one. Fill: `#pragma omp simd reduction(+ : name)` right above the innermost one,
// with the sum's name; for the maximum `reduction(max : max)`, and ?: in place of fmaxf, a function, which stops lanes.
// Invariant: the same results up to rounding.
// Size: 3 pragmas.

#if defined(__AVX512F__)
enum { LANES = 16, ROWS = 8 };  // 32 registers of 16 floats: 16 of them hold sums, the rest what is multiplied
#elif defined(__AVX__)
enum { LANES = 8, ROWS = 4 };  // 16 registers of 8
#else
enum { LANES = 4, ROWS = 8 };  // 32 registers of 4 (NEON)
#endif
enum { VECS = 2, COLS = VECS * LANES };

// A register of LANES floats, with + and * for all lanes at once; a float times a vec multiplies each lane.
// *(vec *)p reads or writes p[0 .. LANES-1]; p may be the address of any float.
typedef float vec __attribute__((vector_size(4 * LANES), aligned(4), may_alias));

static attn_status transpose_keys(tile t) {
    // TODO 3.11: keys side by side. Given K. Fill: Kt[d][c] = K[c][d] / sqrt(D), d < D and c < nk; Kt[d][c] stands at
    // Kt[d * Bc + c]. Then S = Q Kt is what multiply_add does, whose innermost loop has a key in each lane.
    // Invariant: columns from nk on are not written.
    // Size: 4 lines.
    return ATTN_TODO(3, 11);
    return ATTN_OK;
}

// C += A B for one block: ROWS rows and COLS columns of C, whatever e.rows and e.cols are.
static attn_status multiply_block(float *C, const float *A, const float *B, extent e) {
    // TODO 3.12: sums in registers. multiply_add loads C, adds one product, stores C. Given vec. Fill: load the block
    // into vec sum[ROWS][VECS]; for each k < n, add A[r][k] times the VECS vecs of row k of B to each sum[r]; store.
    // Invariant: in the loop over k nothing is stored: 16 sums stay in registers, if all other loops have a constant
    // length, which the compiler then writes out in full (`#pragma GCC unroll 8` above a loop asks for it).
    // Size: 10 lines.
    return ATTN_TODO(3, 12);
    return ATTN_OK;
}

static float exp_of(float x) {
    if (plain) return expf(x);
    // TODO 3.13: an exponential without a call. expf is a function, so the loop of 3.5 takes one score after the other.
    // Given x <= 0, maybe -INFINITY. Fill: exp(x) = 2^y with y = x log2(e) = n + r, n whole and |r| <= 1/2. 2^n is
    // the float with the bits (n + 127) << 23; 2^r is a polynomial (README.md has its coefficients).
    // Invariant: a relative error below 1e-5. y below -127 counts as -127, whose bits are those of 0.
    // Size: 7 lines, none of which calls a function.
    return expf(x);  // ATTN_TODO(3, 13): right, and slow. Your lines take its place
}

// Given: S = Q Kt, and as long as TODO 3.11 is open the plain way.
static attn_status all_scores(tile t) {
    const attn_status status = plain ? ATTN_OK : transpose_keys(t);
    if (plain || status < 0) return compute_scores(t);  // below 0: an open TODO
    for (int r = 0; r < t.nq; r++)
        for (int c = 0; c < t.nk; c++) t.S[(size_t)r * t.Bc + c] = 0.0f;
    const extent e = {.rows = t.nq, .n = t.D, .cols = t.nk, .a_step = t.D, .bc_step = t.Bc};
    return status == ATTN_OK ? multiply(t.S, t.Q, t.Kt, e) : status;
}

// Given: whole blocks by multiply_block, and what is left on the right and below the plain way; as long as TODO 3.12 is
// open, all of it.
static attn_status multiply(float *C, const float *A, const float *B, extent e) {
    const int rows = plain ? 0 : e.rows / ROWS * ROWS, cols = e.cols / COLS * COLS;
    attn_status status = ATTN_OK;
    for (int r = 0; r < rows && status == ATTN_OK; r += ROWS)
        for (int c = 0; c < cols && status == ATTN_OK; c += COLS)
            status = multiply_block(C + r * e.bc_step + c, A + r * e.a_step, B + c, e);
    if (status < 0) return multiply_add(C, A, B, e);
    extent right = e, below = e;
    right.rows = rows, right.cols = e.cols - cols;
    below.rows = e.rows - rows;
    if (status == ATTN_OK) status = multiply_add(C + cols, A, B + cols, right);
    if (status == ATTN_OK) status = multiply_add(C + rows * e.bc_step, A + rows * e.a_step, B, below);
    return status;
}
