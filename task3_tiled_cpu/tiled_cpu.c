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
//     attend_queries   one query tile, all its keys     TODO 3.1  3.8
//     compute_scores   one tile of scores               TODO 3.2
//     mask_scores      what causal attention hides      TODO 3.3
//     update_row       one query: the online softmax    TODO 3.4  3.5  3.6  3.7
//     attn_tiled       all batches, heads, query tiles  TODO 3.9, and 3.10 everywhere: speed
//
// How to work: write the code where a TODO stands, delete the line with ATTN_TODO below it, run `make task3 test`. The
// test says which TODO is next. Stuck? `make task3 hint TODO=3.1`. First make it right: TODO 3.1 to 3.8, plain loops,
// one thread. Then make it fast.
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
    const float *Q;      // [nq][D]  the tile's first query:        row r starts at Q + r * D
    const float *K, *V;  // [nk][D]  the tile's first key and value: row c starts at K + c * D
    float *S;            // [nq][Bc] scores of query tile x key tile: row r starts at S + r * Bc
    float *O;            // [nq][D]  output so far, not yet divided by l
    float *m, *l;        // [nq]     row max and row sum so far
} tile;

static int min_int(int a, int b) { return a < b ? a : b; }

// ---- One query tile against one key tile ---------------------------------------------------------------------------

// Algorithm 1, line 8.
static attn_status compute_scores(tile t) {
    // TODO 3.2: the scores. Given Q and K of the tile. Fill: S[r][c] = (Q_r . K_c) / sqrt(D), r < nq and c < nk.
    // Invariant: nothing at or beyond row nq or column nk is read or written: in the last tiles, no data is there.
    // Size: 7 lines, three of them loops. (sqrtf, once)
    return ATTN_TODO(3, 2);

    return ATTN_OK;
}

// What causal attention hides.
static attn_status mask_scores(tile t, attn_shape shape) {
    // TODO 3.3: the causal mask. Given S. If shape.causal, query i of the head sees its keys j <= i + (seq_kv - seq_q)
    // and no others; here i = i0 + r and j = j0 + c. Fill: -INFINITY into the scores of the others. If not
    // shape.causal, change nothing.
    // Invariant: the same pairs are hidden whatever Br and Bc are.
    // Size: 4 lines, two of them loops.
    return ATTN_TODO(3, 3);

    return ATTN_OK;
}

// Algorithm 1, lines 9 and 10, for row r of the tile. Before and after, over the keys that were seen by then:
//     m = max of s_j        l = sum of exp(s_j - m)        O = sum of exp(s_j - m) V_j
static attn_status update_row(tile t, int r) {
    float *s = t.S + (size_t)r * t.Bc;  // the row's nk scores; they become probabilities
    float *o = t.O + (size_t)r * t.D;   // the row's D outputs
    const float m_old = t.m[r];         // -INFINITY before the first tile
    float m_new = m_old;

    // TODO 3.4: the new row max. Given s[0 .. nk-1], and m_new = m_old. Fill: raise m_new to the largest of them.
    // Invariant: m never falls, and m_new is finite: every query sees key 0, and key 0 is in the first tile.
    // Size: 1 or 2 lines. (fmaxf)
    return ATTN_TODO(3, 4);
    t.m[r] = m_new;

    // TODO 3.5: rescale l and O when the row max grows. Given m_old, m_new, l[r] and o[0 .. D-1], which hold terms
    // exp(s_j - m_old). Fill: make them hold exp(s_j - m_new).
    // Invariant: both are multiplied by the same factor. It is at most 1, and 0 in the first tile: exp(-INFINITY).
    // Size: 4 lines. (expf)
    return ATTN_TODO(3, 5);

    // TODO 3.6: the probabilities. Given s and m_new. Fill: s[c] = exp(s[c] - m_new), and add it to l[r].
    // Invariant: 0 <= s[c] <= 1. A masked score needs no special case. Nothing is divided yet.
    // Size: 4 lines. (expf)
    return ATTN_TODO(3, 6);

    // TODO 3.7: accumulate. Given the probabilities in s, and V of the tile. Fill: o += sum over c of s[c] * V_c.
    // Invariant: what o held from earlier tiles stays in the sum.
    // Size: 3 lines, two of them loops. Which of the two is the inner one makes no difference yet; it will in 3.10.
    return ATTN_TODO(3, 7);

    return ATTN_OK;
}

static attn_status attend_tile(tile t, attn_shape shape) {
    attn_status status = compute_scores(t);
    if (status == ATTN_OK) status = mask_scores(t, shape);
    for (int r = 0; r < t.nq && status == ATTN_OK; r++) status = update_row(t, r);
    return status;
}

// ---- One query tile against all keys -------------------------------------------------------------------------------

// t holds the queries and the working memory. O: where their result goes. K, V: all keys and values of the head.
static attn_status attend_queries(tile t, float *O, const float *K, const float *V, attn_shape shape) {
    attn_status status = ATTN_OK;
    for (int r = 0; r < t.nq; r++) {  // no key seen: the max of nothing, the sums of nothing
        t.m[r] = -INFINITY;
        t.l[r] = 0.0f;
        for (int d = 0; d < t.D; d++) t.O[(size_t)r * t.D + d] = 0.0f;
    }

    // TODO 3.1: walk the keys. Given attend_tile. Fill: for j0 = 0, Bc, 2 Bc, ...: set t.j0, t.nk, t.K and t.V, and let
    // attend_tile work on t; leave the loop as soon as status is not ATTN_OK. Causal: the tile's last query sees the
    // most keys; a tile that not even this query sees is not visited, which saves half of the work.
    // Invariant: each key that some query of the tile sees is in exactly one visited tile. nk is Bc, less at the end.
    // Size: 8 lines. (min_int)
    status = ATTN_TODO(3, 1);

    if (status != ATTN_OK) return status;

    // TODO 3.8: the division, Algorithm 1, line 12. Given l, and O of the tile (t.O, row r at t.O + r * D).
    // Fill: row r of the result (at O + r * D) = row r of t.O / l[r], for r < nq.
    // Invariant: every element of the nq rows of O is written, nothing else is. l[r] >= 1: the max itself gave exp(0).
    // Size: 3 lines, two of them loops.
    return ATTN_TODO(3, 8);

    return ATTN_OK;
}

// ---- All query tiles -----------------------------------------------------------------------------------------------

// Given: one allocation for the working memory, cut into its parts. Free S, which is NULL if malloc failed.
static tile make_tile(int Br, int Bc, int D) {
    float *S = malloc(sizeof(float) * Br * ((size_t)Bc + D + 2));
    if (!S) return (tile){0};
    float *O = S + (size_t)Br * Bc, *m = O + (size_t)Br * D, *l = m + Br;
    return (tile){.D = D, .Bc = Bc, .S = S, .O = O, .m = m, .l = l};
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
    // Size: 3 pragmas. Causal jobs differ in length: which schedule, and which order of jobs, leaves no thread waiting?
    //
    // TODO 3.10: vectors; the result is right without. Given 3.1 to 3.8 in plain C. Fill: let each inner loop work on 8
    // or 16 floats at once: `#pragma omp simd`, or the compiler's vector types. README.md, "Making it fast".
    // Invariant: the same result up to rounding, for head_dim 8 and 80 and nk = 1 too.
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
        if (mine != ATTN_OK) status = mine;
        free(t.S);
    }
    return status;
}
