// task3.c: the TODOs of task 3, one by one. A tile has seq_q queries and seq_kv keys; rows of S, Kt, A, B and C are
// longer by PAD floats, which no function may write. Claims about 3.1 to 3.9 do without the fast functions (plain).
#include "probe.h"
#include "task3.h"

#include <math.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>

#include "task3_counted.h"

EXPECT(attn_status, compute_scores, (tile t));
EXPECT(attn_status, mask_scores, (tile t, attn_shape shape));
EXPECT(attn_status, raise_max, (float *m, const float *s, int nk));
EXPECT(attn_status, rescale, (float *l, float *o, int D, float m_old, float m_new));
EXPECT(attn_status, exponentiate, (float *s, float *l, int nk, float m));
EXPECT(attn_status, multiply_add, (float *restrict C, const float *A, const float *B, extent e));
EXPECT(attn_status, walk_keys, (tile t, const float *K, const float *V, attn_shape shape));
EXPECT(attn_status, divide, (float *O, tile t));
EXPECT(tile, make_tile, (int Br, int Bc, int D));
EXPECT(attn_status, transpose_keys, (tile t));
EXPECT(attn_status, multiply_block, (float *C, const float *A, const float *B, extent e));
EXPECT(float, exp_of, (float x));

static const float UNTOUCHED = 5.0f;  // in places that must stay as they are

static float *untouched(float *x, size_t n) {
    for (size_t i = 0; i < n; i++) x[i] = UNTOUCHED;
    return x;
}

// ---- 3.1, 3.11: S [seq_q][Bc] and Kt [D][Bc], Bc = seq_kv + PAD ---------------------------------------------------

PROBE(compute_scores) {
    const int Bc = shape.seq_kv + PAD;
    const tile t = {.D = shape.head_dim,
                    .Bc = Bc,
                    .i0 = 2,  // Q and K stand at the tile already
                    .j0 = 3,
                    .nq = shape.seq_q,
                    .nk = shape.seq_kv,
                    .Q = tensors[1],
                    .K = tensors[2],
                    .S = untouched(tensors[0], (size_t)shape.seq_q * Bc)};
    return compute_scores(t);
}

PROBE(transpose_keys) {
    const int Bc = shape.seq_kv + PAD;
    const tile t = {.D = shape.head_dim,
                    .Bc = Bc,
                    .j0 = 3,
                    .nq = 1,
                    .nk = shape.seq_kv,
                    .K = tensors[1],
                    .Kt = untouched(tensors[0], (size_t)shape.head_dim * Bc)};
    return transpose_keys(t);
}

// ---- 3.2: the whole matrix [seq_q][seq_kv], tile by tile. A score of -INFINITY comes out as LAB_HIDDEN -------------------

PROBE(mask_scores) {
    const int Sq = shape.seq_q, Sk = shape.seq_kv, Br = extra[0], Bc = extra[1];
    float *S = malloc(sizeof(float) * Br * Bc);
    attn_status status = S ? ATTN_OK : ATTN_NO_MEMORY;
    for (int i0 = 0; i0 < Sq; i0 += Br)
        for (int j0 = 0; j0 < Sk && status == ATTN_OK; j0 += Bc) {
            const tile t = {
                .D = 8, .Bc = Bc, .i0 = i0, .nq = min_int(Br, Sq - i0), .j0 = j0, .nk = min_int(Bc, Sk - j0), .S = S};
            for (int n = 0; n < t.nq * t.nk; n++)
                S[n / t.nk * Bc + n % t.nk] = tensors[1][(i0 + n / t.nk) * Sk + j0 + n % t.nk];
            status = mask_scores(t, shape);
            for (int n = 0; n < t.nq * t.nk; n++) {
                const float s = S[n / t.nk * Bc + n % t.nk];
                tensors[0][(i0 + n / t.nk) * Sk + j0 + n % t.nk] = s == -INFINITY ? -12345.0f : s;
            }
        }
    free(S);
    return status;
}

// ---- 3.3, 3.4, 3.5: row by row. seq_q rows of seq_kv scores, or of head_dim outputs ---------------------------------

#define FOR_ROWS for (int r = 0; r < shape.seq_q && status == ATTN_OK; r++)

PROBE(raise_max) {
    attn_status status = ATTN_OK;
    memcpy(tensors[0], tensors[2], shape.seq_q * sizeof(float));
    FOR_ROWS status = raise_max(tensors[0] + r, tensors[1] + r * shape.seq_kv, shape.seq_kv);
    return status;
}

PROBE(rescale) {
    const int D = shape.head_dim;
    attn_status status = ATTN_OK;
    FOR_ROWS {
        float *out = tensors[0] + r * (D + 1);
        memcpy(out, tensors[1] + r * D, D * sizeof *out);
        out[D] = tensors[2][r];
        status = rescale(out + D, out, D, tensors[3][r], tensors[4][r]);
    }
    return status;
}

PROBE(exponentiate) {
    plain = 1;  // without exp_of's polynomial
    const int nk = shape.seq_kv;
    attn_status status = ATTN_OK;
    FOR_ROWS {
        float *out = tensors[0] + r * (nk + 1);
        memcpy(out, tensors[1] + r * nk, nk * sizeof *out);
        out[nk] = tensors[2][r];
        status = exponentiate(out, out + nk, nk, tensors[3][r]);
    }
    return status;
}

// ---- 3.6, 3.12: C [seq_q][head_dim] += A [seq_q][seq_kv] B [seq_kv][head_dim] ---------------------------------------

static extent extent_of(attn_shape s) {
    return (extent){s.seq_q, s.seq_kv, s.head_dim, s.seq_kv + PAD, s.head_dim + PAD};
}

PROBE(multiply_add) {
    const extent e = extent_of(shape);
    memcpy(tensors[0], tensors[3], (size_t)e.rows * e.bc_step * sizeof(float));
    return multiply_add(tensors[0], tensors[1], tensors[2], e);
}

// As many whole blocks as fit, whatever ROWS and COLS are; the rest is added here.
PROBE(multiply_block) {
    const extent e = extent_of(shape);
    const int rows = e.rows / ROWS * ROWS, cols = e.cols / COLS * COLS;
    attn_status status = ATTN_OK;
    memcpy(tensors[0], tensors[3], (size_t)e.rows * e.bc_step * sizeof(float));
    for (int r = 0; r < rows; r += ROWS)
        for (int c = 0; c < cols && status == ATTN_OK; c += COLS)
            status = multiply_block(tensors[0] + r * e.bc_step + c, tensors[1] + r * e.a_step, tensors[2] + c, e);
    for (int i = 0; i < e.rows * e.cols; i++)
        for (int r = i / e.cols, c = i % e.cols, k = 0; k < e.n && (r >= rows || c >= cols); k++)
            tensors[0][r * e.bc_step + c] += tensors[1][r * e.a_step + k] * tensors[2][k * e.bc_step + c];
    return status;
}

// ---- 3.7: attention of whole heads; what divide will do is done here ------------------------------------------------

// K and V of one head, where key tiles that query `last` does not see hold NaN. Free it.
static float *visible_part(const float *K, const float *V, int last, int Bc, attn_shape s) {
    const int end = (last + s.seq_kv - s.seq_q) / Bc * Bc + Bc, D = s.head_dim, n = s.seq_kv * D;
    float *copy = malloc(sizeof(float) * 2 * n);
    for (int i = 0; copy && i < n; i++) {
        copy[i] = i / D < end ? K[i] : NAN;
        copy[n + i] = i / D < end ? V[i] : NAN;
    }
    return copy;
}

// Rows i0 .. i0 + nq - 1 of one head. Q, O: its first query. K, V: its first key and value.
static attn_status attend_rows(tile t, float *O, const float *Q, const float *K, const float *V, attn_shape shape) {
    for (int r = 0; r < t.nq; r++) t.m[r] = -INFINITY, t.l[r] = 0.0f;
    memset(t.O, 0, sizeof(float) * t.nq * t.D);
    t.Q = Q + t.i0 * t.D;
    const attn_status status = walk_keys(t, K, V, shape);
    for (int i = 0; i < t.nq * t.D; i++) O[t.i0 * t.D + i] = t.O[i] / t.l[i / t.D];
    return status;
}

static attn_status attend_heads(float *const tensors[], attn_shape s, const int extra[2], int hide) {
    const size_t D = s.head_dim, q_head = s.seq_q * D, kv_head = s.seq_kv * D;
    tile t = make_tile(extra[0], extra[1], s.head_dim);
    plain = 1;  // what 3.11 to 3.13 write is not looked at here
    attn_status status = t.S ? ATTN_OK : ATTN_NO_MEMORY;
    for (int bh = 0; bh < s.batch * s.heads; bh++)
        for (t.i0 = 0; t.i0 < s.seq_q && status == ATTN_OK; t.i0 += extra[0]) {
            const float *K = tensors[2] + bh * kv_head, *V = tensors[3] + bh * kv_head;
            t.nq = min_int(extra[0], s.seq_q - t.i0);
            float *part = hide ? visible_part(K, V, t.i0 + t.nq - 1, extra[1], s) : NULL;
            if (part) K = part, V = part + kv_head;
            status = attend_rows(t, tensors[0] + bh * q_head, tensors[1] + bh * q_head, K, V, s);
            free(part);
        }
    free(t.S);
    return status;
}

PROBE(walk_keys) { return attend_heads(tensors, shape, extra, 0); }
PROBE(walk_visible_keys) { return attend_heads(tensors, shape, extra, 1); }

// ---- Each tile of keys after the other, by attend_tile: out [B H Sq][STEPS][D + 2], m, l and O after each ------------

#ifndef LAB_NO_STEPS
EXPECT(attn_status, attend_tile, (tile t, attn_shape shape));

// Of each row of the tile; row: its first one's part of step 0.
static void keep_step(float *row, tile t) {
    for (int r = 0; r < t.nq; r++, row += STEPS * (t.D + 2)) {
        row[0] = t.m[r], row[1] = t.l[r];
        memcpy(row + 2, t.O + (size_t)r * t.D, t.D * sizeof *row);
    }
}

// K, V: of the head.
static attn_status step_tile(tile t, float *out, const float *K, const float *V, attn_shape s) {
    const int end = s.causal ? t.i0 + t.nq + s.seq_kv - s.seq_q : s.seq_kv;
    attn_status status = ATTN_OK;
    for (int r = 0; r < t.nq; r++) t.m[r] = -INFINITY, t.l[r] = 0.0f;
    memset(t.O, 0, sizeof(float) * t.nq * t.D);
    for (int k = 0; k < STEPS && status == ATTN_OK; k++) {
        t.j0 = k * t.Bc, t.nk = min_int(t.Bc, s.seq_kv - t.j0);
        t.K = K + (size_t)t.j0 * t.D, t.V = V + (size_t)t.j0 * t.D;
        if (t.j0 < end) status = attend_tile(t, s);
        keep_step(out + k * (t.D + 2), t);
    }
    return status;
}

PROBE(steps) {
    const int D = shape.head_dim, Sq = shape.seq_q, Sk = shape.seq_kv, Br = min_int(extra[0], Sq);
    tile t = make_tile(Br, min_int(extra[1], Sk), D);
    attn_status status = t.S ? ATTN_OK : ATTN_NO_MEMORY;
    for (size_t bh = 0; bh < (size_t)shape.batch * shape.heads; bh++)
        for (t.i0 = 0; t.i0 < Sq && status == ATTN_OK; t.i0 += Br) {
            const size_t row = bh * Sq + t.i0;
            t.nq = min_int(Br, Sq - t.i0), t.Q = tensors[1] + row * D;
            status = step_tile(t, tensors[0] + row * STEPS * (D + 2), tensors[2] + bh * Sk * D,
                               tensors[3] + bh * Sk * D, shape);
        }
    free(t.S);
    return status;
}
#endif

#include "task3_lanes.h"
