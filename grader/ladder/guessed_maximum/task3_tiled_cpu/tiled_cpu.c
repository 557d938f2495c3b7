// tiled_cpu.c: attention in tiles on the CPU, with a guessed row max. One query per lane, as in tiled_simd, whose
// pictures hold here, too: a strip of STRIP queries stands upright, and scores, probabilities and output stand under it.
//
// What is new: a query's largest score hardly changes after the first keys. So m is taken from these, and for
// all later keys it is a guess that was made before the scores are computed. Then nothing has to wait for a maximum:
//
//      sums in registers:  start at -m  ->  += K[j][d] Qt[d]  ->  2^sum  ->  store, and add to l
//
// Scores never go to memory. The guess may be wrong by far without harm, as floats have room: 2^(s - m) is exact to
// rounding whatever m is, as long as it does not overflow. After each tile the row sums tell whether it was too wrong;
// only then the tile is computed once more, with its true max. The first keys and the diagonal take that way, too.
#include "../ladder/lanes.h"
#include "task3.h"

#include <omp.h>
#include <stdlib.h>

enum { FIRST = 16 };  // keys that a strip meets before its first guess

typedef struct {           // a query tile, and one thread's working memory for it
    int first, count, Bc;  // its queries; the most keys in a key tile
    int heads_on;          // the thread's next tile is probably so many heads further
    ahead next[AHEAD];     // what to fetch while it is computed
    row *Qt;               // [strips][D]  queries times log2(e) / sqrt(D): exp of a score is then 2^St
    row *Ot;               // [strips][D]  output before the division by l
    row *m, *l;            // [strips]     row max, or a guess of it, and row sum over the keys seen so far
    row *St;               // [Bc]         scores, then probabilities, of one strip against one key tile
} tile;

// For a block of C that stays in registers: C = A B; or C = 2^(A B - m), which is added to l; or C += A B.
// C: [rows], B: [n]; A(i, k) = A[i * row_step + k * col_step]. rows and what are constants wherever this is inlined.
enum { SET, GUESS, ADD };
static inline __attribute__((always_inline)) void multiply_block(row *C, const float *A, size_t row_step,
                                                                 size_t col_step, const row *B, int n, int rows,
                                                                 int what, const row *m, row *l) {
    vec sum[ROWS][VECS];
#pragma GCC unroll 8
    for (int i = 0; i < rows; i++)
        for (int v = 0; v < VECS; v++) sum[i][v] = what == ADD ? C[i].v[v] : what == GUESS ? -m->v[v] : (vec){0};
    int k = 0;
    for (; k + UNROLLED <= n; k += UNROLLED)  // a short loop: the processor foresees where it ends
#pragma GCC unroll 4
        for (int e = k; e < k + UNROLLED; e++)
#pragma GCC unroll 8
            for (int i = 0; i < rows; i++)
                for (int v = 0; v < VECS; v++) sum[i][v] += A[i * row_step + e * col_step] * B[e].v[v];
    for (; k < n; k++)
#pragma GCC unroll 8
        for (int i = 0; i < rows; i++)
            for (int v = 0; v < VECS; v++) sum[i][v] += A[i * row_step + k * col_step] * B[k].v[v];
#pragma GCC unroll 8
    for (int i = 0; i < rows; i++)
        for (int v = 0; v < VECS; v++) {
            C[i].v[v] = what == GUESS ? exp2_vec(sum[i][v]) : sum[i][v];
            if (what == GUESS) l->v[v] += C[i].v[v];
        }
}

// St = 2^(K Qt - m), added to l. ROWS divides nk.
static void guess_probabilities(row *St, const row *Qt, const float *K, int nk, int D, const row *m, row *l,
                                ahead *next) {
    row sum = *l;
    for (int j = 0; j < nk; j += ROWS) {
        fetch(next);
        multiply_block(St + j, K + (size_t)j * D, D, 1, Qt, D, ROWS, GUESS, m, &sum);
    }
    *l = sum;
}

// St = K Qt. The last block overlaps the one before it where ROWS does not divide nk.
static void compute_scores(row *St, const row *Qt, const float *K, int nk, int D) {
    for (int j = 0; j < nk && nk < ROWS; j++)
        multiply_block(St + j, K + (size_t)j * D, D, 1, Qt, D, 1, SET, NULL, NULL);
    for (int j = 0; j < nk && nk >= ROWS; j += ROWS) {
        const int at = min_int(j, nk - ROWS);
        multiply_block(St + at, K + (size_t)at * D, D, 1, Qt, D, ROWS, SET, NULL, NULL);
    }
}

// Ot += V^T Pt. ROWS divides D.
static void accumulate(row *Ot, const row *Pt, const float *V, int nk, int D, ahead *next) {
    for (int d = 0; d < D; d += ROWS) {
        fetch(next);
        multiply_block(Ot + d, V + d, 1, D, Pt, nk, ROWS, ADD, NULL, NULL);
    }
}

// Lane 0 sees the first `seen` keys of this tile (none if negative), each further lane one more. The rest: -INFINITY.
static void mask_scores(row *St, int nk, int seen) {
    for (int j = seen > 0 ? seen : 0; j < nk; j++)
        for (int i = 0; i <= min_int(j - seen, STRIP - 1); i++) St[j].lane[i] = -INFINITY;
}

// Scores become probabilities relative to the true row max; m, l and Ot follow.
static void update_softmax(row *St, int nk, row *m, row *l, row *Ot, int D) {
    for (int v = 0; v < VECS; v++) {
        vec m_new = m->v[v], sum = {0};
        for (int j = 0; j < nk; j++) m_new = max_vec(m_new, St[j].v[v]);
        for (int j = 0; j < nk; j++) {
            St[j].v[v] = exp2_vec(St[j].v[v] - m_new);
            sum += St[j].v[v];
        }
        const vec alpha = exp2_vec(m->v[v] - m_new);
        l->v[v] = alpha * l->v[v] + sum;
        m->v[v] = m_new;
        for (int d = 0; d < D; d++) Ot[d].v[v] *= alpha;
    }
}

static int in_range(row l) {
    int good = 1;
    for (int i = 0; i < STRIP; i++) good &= l.lane[i] < 0x1p60f;  // a NaN is not
    return good;
}

// How many keys a query sees, both counted from the start of their head.
static int keys_seen(attn_shape shape, int query) {
    return shape.causal ? query + 1 + shape.seq_kv - shape.seq_q : shape.seq_kv;
}

// Strip i against the keys from j0 to end, in the usual way: scores, mask, max, probabilities, output.
static void attend_exactly(tile *t, int i, int j0, int end, const float *K, const float *V, attn_shape shape) {
    const int D = shape.head_dim;
    compute_scores(t->St, t->Qt + i * D, K + (size_t)j0 * D, end - j0, D);
    mask_scores(t->St, end - j0, keys_seen(shape, t->first + i * STRIP) - j0);
    update_softmax(t->St, end - j0, t->m + i, t->l + i, t->Ot + i * D, D);
    accumulate(t->Ot + i * D, t->St, V + (size_t)j0 * D, end - j0, D, t->next);
}

// Strip i against the key tile that starts at j0. K, V: the head's first key.
static void attend_strip(tile t, int i, int j0, const float *K, const float *V, attn_shape shape) {
    const int D = shape.head_dim, first = t.first + i * STRIP, last = min_int(first + STRIP, t.first + t.count) - 1;
    const int end = min_int(j0 + t.Bc, keys_seen(shape, last));
    if (!(t.l[i].lane[0] > 0) && j0 < end) {
        const int guessed = min_int(j0 + FIRST, end);
        attend_exactly(&t, i, j0, guessed, K, V, shape);
        j0 = guessed;
    }
    const int whole = (min_int(end, keys_seen(shape, first)) - j0) / ROWS * ROWS;  // keys that all queries see
    if (t.l[i].lane[0] > 0 && whole > 0) {  // the strip's first query has seen a key, and so have the others
        row l = t.l[i];
        guess_probabilities(t.St, t.Qt + i * D, K + (size_t)j0 * D, whole, D, t.m + i, &l, t.next);
        if (in_range(l)) {
            t.l[i] = l;
            accumulate(t.Ot + i * D, t.St, V + (size_t)j0 * D, whole, D, t.next);
            j0 += whole;
        }
    }
    if (j0 < end) attend_exactly(&t, i, j0, end, K, V, shape);
}

// Stands strip i of the tile's queries upright; no key has been seen yet. Q: the strip's first query; rows: how many.
static void load_strip(tile t, int i, const float *Q, int rows, int D) {
    const float scale = (float)(1.4426950408889634 / sqrt(D));
    row *Qt = t.Qt + i * D;
    for (int d = 0; d < D; d++) t.Ot[i * D + d] = (row){0};
    t.l[i] = (row){0};
    for (int v = 0; v < VECS; v++) {
        t.m[i].v[v] = (vec){0} - INFINITY;
        for (int d = 0; d < D; d += LANES) {
            vec a[LANES] = {{0}};
            for (int r = 0; r < min_int(LANES, rows - v * LANES); r++)
                a[r] = load_vec(Q + (size_t)(v * LANES + r) * D + d, D - d) * scale;
            transpose(a);
            for (int c = 0; c < min_int(LANES, D - d); c++) Qt[d + c].v[v] = a[c];
        }
    }
}

// O: where the result of the strip's first query goes.
static void store_strip(tile t, int i, float *O, int rows, int D) {
    for (int v = 0; v < VECS; v++) {
        const vec inverse = 1 / t.l[i].v[v];
        for (int d = 0; d < D; d += LANES) {
            vec a[LANES] = {{0}};
            for (int c = 0; c < min_int(LANES, D - d); c++) a[c] = t.Ot[i * D + d + c].v[v] * inverse;
            transpose(a);
            for (int r = 0; r < min_int(LANES, rows - v * LANES); r++)
                store_vec(O + (size_t)(v * LANES + r) * D + d, a[r], D - d);
        }
    }
}

// One query tile against every key tile that one of its queries sees. The arguments are the head's. While a strip is
// computed, its share of the next key tile is fetched (after the last one: of another head's first), and the queries of
// the next strip, in the end the place of the strip's output.
static void attend(tile t, float *O, const float *Q, const float *K, const float *V, attn_shape shape) {
    const int D = shape.head_dim, strips = (t.count + STRIP - 1) / STRIP, step = STRIP * D, share = t.Bc * D / strips;
    const int end = keys_seen(shape, t.first + t.count - 1), blocks = (t.Bc + D) / ROWS;
    O += (size_t)t.first * D, Q += (size_t)t.first * D;
    for (int j0 = 0; j0 < end; j0 += t.Bc)
        for (int i = 0; i < strips; i++) {
            const int is_last = j0 + t.Bc >= end, count = t.count - i * STRIP;
            const size_t keys = (size_t)(is_last ? t.heads_on * (long)shape.seq_kv : j0 + t.Bc) * D + i * share;
            t.next[0] = soon(K, keys, share, blocks), t.next[1] = soon(V, keys, share, blocks);
            t.next[2] = is_last ? soon(O, i * step, step, blocks) : soon(Q, (i + 1) * step, j0 ? 0 : step, blocks);
            if (!j0) load_strip(t, i, Q + i * step, count, D);
            attend_strip(t, i, j0, K, V, shape);
            if (is_last) store_strip(t, i, O + i * step, count, D);
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

// A long tile reads K and V less often; a short one makes more jobs, of which each thread is to get four or more. Strips
// are computed in the same way whatever tile they are in, so that the result does not depend on the threads.
static int default_Br(attn_shape shape) {
    int Br = 256;
    while (Br > STRIP && (long)shape.batch * shape.heads * (shape.seq_q / Br) < 4L * omp_get_max_threads()) Br /= 2;
    return Br;
}

attn_status attn_tiled(float *O, const float *Q, const float *K, const float *V, attn_shape shape, attn_tiles tiles) {
    const int Sq = shape.seq_q, Sk = shape.seq_kv;
    const int Br = min_int(tiles.Br ? tiles.Br : default_Br(shape), Sq), Bc = min_int(tiles.Bc ? tiles.Bc : 128, Sk);
    const long query_tiles = (Sq + Br - 1) / Br, matrices = (long)shape.batch * shape.heads;
    attn_status status = ATTN_OK;
#pragma omp parallel reduction(max : status)
    {
        tile t = make_tile(Br, Bc, shape.head_dim);
        if (!t.Qt) status = ATTN_NO_MEMORY;
            // With a causal mask the last tile of a head has the most keys. Longest first: the short ones fill the gaps.
#pragma omp for schedule(dynamic)
        for (long job = 0; job < matrices * query_tiles; job++) {
            if (!t.Qt) continue;
            const long head = job / query_tiles;
            const size_t q = (size_t)head * Sq * shape.head_dim, k = (size_t)head * Sk * shape.head_dim;
            t.heads_on = (int)((job + omp_get_num_threads()) / query_tiles - head);
            t.first = (int)(query_tiles - 1 - job % query_tiles) * Br;
            t.count = min_int(Br, Sq - t.first);
            attend(t, O + q, Q + q, K + k, V + k, shape);
        }
        free(t.Qt);
    }
    return status;
}
