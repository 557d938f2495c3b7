// tiled_cpu.c: attention in tiles on the CPU. FlashAttention-2, Algorithm 1 (Dao 2023), on threads and vectors.
//
// One query per vector lane. A tile of Br queries is cut into strips of STRIP neighbours, and a strip stands upright:
// everything about it is stored transposed, one row of STRIP numbers after the other.
//
//                 STRIP queries                     STRIP queries
//               +---------------+                 +---------------+
//      D rows   | Qt            |        nk rows  | St, then Pt   |  row j: key j . Qt, then the probabilities
//               +---------------+                 +---------------+
//      1 row    | m, l          |        D rows   | Ot            |  row d: sum over j of V[j][d] Pt[j]
//               +---------------+                 +---------------+
//
// So row max, row sum, exponential, mask and rescaling are arithmetic within a lane; K and V are read where they lie,
// one number for all lanes at a time; and a ragged last key tile or an odd head_dim is only another loop count. Lanes
// beyond the tile's last query compute with zeros, and nobody reads them.
#include "task3.h"

#include <math.h>
#include <stdlib.h>

#if defined(__AVX512F__)
enum { LANES = 16, ROWS = 8 };  // 32 registers: ROWS * VECS hold sums, the rest operands
#elif defined(__AVX__)
enum { LANES = 8, ROWS = 4 };  // 16 registers
#else
enum { LANES = 4, ROWS = 8 };  // NEON: 32 registers
#endif
enum { VECS = 2, STRIP = VECS * LANES };

typedef float vec __attribute__((vector_size(4 * LANES)));
typedef int32_t ivec __attribute__((vector_size(4 * LANES)));
typedef union {  // one number for each query of a strip
    vec v[VECS];
    float lane[STRIP];
} row;

typedef struct {           // a query tile, and one thread's working memory for it
    int first, count, Bc;  // its queries; the most keys in a key tile
    row *Qt;               // [strips][D]  queries times log2(e) / sqrt(D): exp of a score is then 2^St
    row *Ot;               // [strips][D]  output before the division by l
    row *m, *l;            // [strips]     row max and row sum over the keys seen so far
    row *St;               // [Bc]         scores, then probabilities, of one strip against one key tile
} tile;

static inline int min_int(int a, int b) { return a < b ? a : b; }

static inline vec max_vec(vec a, vec b) {
    for (int i = 0; i < LANES; i++) a[i] = a[i] > b[i] ? a[i] : b[i];  // becomes one instruction
    return a;
}

// 2^x for x <= 0 to 2e-7, and exactly 0 below -126.5, so also for -INFINITY. With x = n + r, |r| <= 1/2: 2^n from its
// bits, 2^r from a polynomial that is within 1e-7 there (minimax, the constant fixed at 1).
static inline vec exp2_vec(vec x) {
    const float shift = 0x1.8p23f + 127;  // n + shift has n + 127, the exponent of 2^n, in its lowest bits
    x = max_vec(x, (vec){0} - 127);
    vec shifted = x + shift;
    vec r = x - (shifted - shift);
    vec two_to_n = (vec)((ivec)shifted << 23);
    vec p = 1.3264727e-3f * r + 9.671513e-3f;
    p = p * r + 5.5507336e-2f;
    p = p * r + 2.4022242e-1f;
    p = p * r + 6.9314700e-1f;
    return (p * r + 1) * two_to_n;
}

// C = alpha C + A B, or A B where alpha is NULL, for a block of C that stays in registers. C: [rows], B: [n];
// A(i, k) = A[i * row_step + k * col_step]. rows and alpha are constants wherever this is inlined, so the loops unroll.
static inline __attribute__((always_inline)) void multiply_block(row *C, const row *alpha, const float *A,
                                                                 size_t row_step, size_t col_step, const row *B, int n,
                                                                 int rows) {
    vec sum[ROWS][VECS];
#pragma GCC unroll 8
    for (int i = 0; i < rows; i++)
        for (int v = 0; v < VECS; v++) sum[i][v] = alpha ? C[i].v[v] * alpha->v[v] : (vec){0};
    for (int k = 0; k < n; k++)
#pragma GCC unroll 8
        for (int i = 0; i < rows; i++)
            for (int v = 0; v < VECS; v++) sum[i][v] += A[i * row_step + k * col_step] * B[k].v[v];
#pragma GCC unroll 8
    for (int i = 0; i < rows; i++)
        for (int v = 0; v < VECS; v++) C[i].v[v] = sum[i][v];
}

// Packs the tile's queries upright; no key has been seen yet. Q: the tile's first query.
static void load_queries(tile t, const float *Q, int D) {
    const int strips = (t.count + STRIP - 1) / STRIP;
    const float scale = (float)(1.4426950408889634 / sqrt(D));
    for (int i = 0; i < strips * D; i++) t.Qt[i] = t.Ot[i] = (row){0};
    for (int i = 0; i < strips; i++) t.l[i] = (row){0};
    for (int i = 0; i < strips * STRIP; i++) t.m[i / STRIP].lane[i % STRIP] = -INFINITY;
    for (int i = 0; i < t.count; i++)
        for (int d = 0; d < D; d++) t.Qt[i / STRIP * D + d].lane[i % STRIP] = Q[(size_t)i * D + d] * scale;
}

// St[j] = K[j] . Qt
static void compute_scores(row *St, const row *Qt, const float *K, int nk, int D) {
    int j = 0;
    for (; j + ROWS <= nk; j += ROWS) multiply_block(St + j, NULL, K + (size_t)j * D, D, 1, Qt, D, ROWS);
    for (; j < nk; j++) multiply_block(St + j, NULL, K + (size_t)j * D, D, 1, Qt, D, 1);
}

// Lane 0 sees the first `seen` keys of this tile (none if negative), each further lane one more. The rest: -INFINITY.
static void mask_scores(row *St, int nk, int seen) {
    for (int j = seen > 0 ? seen : 0; j < nk; j++)
        for (int i = 0; i <= min_int(j - seen, STRIP - 1); i++) St[j].lane[i] = -INFINITY;
}

// Scores become probabilities relative to the new row max; m and l follow; alpha = 2^(m_old - m_new).
// Every query sees key 0, which is in its first tile: m is finite from then on, and -INFINITY - m is no NaN.
static void update_softmax(row *St, int nk, row *m, row *l, row *alpha) {
    for (int v = 0; v < VECS; v++) {
        vec m_new = m->v[v], sum = {0};
        for (int j = 0; j < nk; j++) m_new = max_vec(m_new, St[j].v[v]);
        for (int j = 0; j < nk; j++) {
            St[j].v[v] = exp2_vec(St[j].v[v] - m_new);
            sum += St[j].v[v];
        }
        alpha->v[v] = exp2_vec(m->v[v] - m_new);
        l->v[v] = alpha->v[v] * l->v[v] + sum;
        m->v[v] = m_new;
    }
}

// Ot = alpha Ot + V^T Pt: Algorithm 1, line 10, without the inverse that is printed there. ROWS divides D.
static void accumulate(row *Ot, const row *alpha, const row *Pt, const float *V, int nk, int D) {
    for (int d = 0; d < D; d += ROWS) multiply_block(Ot + d, alpha, V + d, 1, D, Pt, nk, ROWS);
}

// O: the tile's first query.
static void store_output(tile t, float *O, int D) {
    for (int i = 0; i < t.count; i++) {
        const float inverse = 1 / t.l[i / STRIP].lane[i % STRIP];
        for (int d = 0; d < D; d++) O[(size_t)i * D + d] = t.Ot[i / STRIP * D + d].lane[i % STRIP] * inverse;
    }
}

// How many keys a query sees, both counted from the start of their head.
static int keys_seen(attn_shape shape, int query) {
    return shape.causal ? query + 1 + shape.seq_kv - shape.seq_q : shape.seq_kv;
}

// One query tile against every key tile that one of its queries sees. K, V: the head's first key.
static void attend(tile t, const float *K, const float *V, attn_shape shape) {
    const int D = shape.head_dim, end = t.first + t.count;
    for (int j0 = 0; j0 < keys_seen(shape, end - 1); j0 += t.Bc) {
        for (int i = 0; i * STRIP < t.count; i++) {
            const int first = t.first + i * STRIP, last = min_int(first + STRIP, end) - 1;
            const int nk = min_int(t.Bc, keys_seen(shape, last) - j0);
            if (nk <= 0) continue;  // above the diagonal for this strip
            row alpha;
            compute_scores(t.St, t.Qt + i * D, K + (size_t)j0 * D, nk, D);
            mask_scores(t.St, nk, keys_seen(shape, first) - j0);
            update_softmax(t.St, nk, t.m + i, t.l + i, &alpha);
            accumulate(t.Ot + i * D, &alpha, t.St, V + (size_t)j0 * D, nk, D);
        }
    }
}

// A thread's working memory is one allocation, cut into the tile's arrays. Free Qt, which is NULL if malloc failed.
static tile make_tile(int Br, int Bc, int D) {
    const size_t strips = (Br + STRIP - 1) / STRIP;
    row *Qt = aligned_alloc(sizeof(row), sizeof(row) * (strips * (2 * D + 2) + Bc));
    if (!Qt) return (tile){0};
    row *Ot = Qt + strips * D, *m = Ot + strips * D, *l = m + strips, *St = l + strips;
    return (tile){.Bc = Bc, .Qt = Qt, .Ot = Ot, .m = m, .l = l, .St = St};
}

// A long tile reads K and V less often, a short one makes more jobs: about a sixteenth of the queries.
static int default_Br(int Sq) { return Sq >= 4096 ? 256 : Sq >= 2048 ? 128 : 64; }

attn_status attn_tiled(float *O, const float *Q, const float *K, const float *V, attn_shape shape, attn_tiles tiles) {
    const int D = shape.head_dim, Sq = shape.seq_q, Sk = shape.seq_kv;
    const int Br = min_int(tiles.Br ? tiles.Br : default_Br(Sq), Sq), Bc = min_int(tiles.Bc ? tiles.Bc : 64, Sk);
    const long query_tiles = (Sq + Br - 1) / Br, matrices = (long)shape.batch * shape.heads;
    attn_status status = ATTN_OK;
#pragma omp parallel reduction(max : status)
    {
        tile t = make_tile(Br, Bc, D);
        if (!t.Qt) status = ATTN_NO_MEMORY;
            // With a causal mask the last tile of a head has the most keys. Longest first: the short ones fill the gaps.
#pragma omp for schedule(dynamic)
        for (long job = 0; job < matrices * query_tiles; job++) {
            if (!t.Qt) continue;
            const size_t bh = job % matrices;
            t.first = (int)(query_tiles - 1 - job / matrices) * Br;
            t.count = min_int(Br, Sq - t.first);
            const size_t q_start = (bh * Sq + t.first) * D, kv_start = bh * Sk * D;
            load_queries(t, Q + q_start, D);
            attend(t, K + kv_start, V + kv_start, shape);
            store_output(t, O + q_start, D);
        }
        free(t.Qt);
    }
    return status;
}
