// rows.c: one row at a time: the inputs that it depends on are made again from the keys, then computed in float64.
#include "rows.h"

#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "inputs.h"
#include "oracle.h"

typedef struct {  // one row to be compared, and the memory for what it depends on
    const lab_experiment *e;
    const lab_made *made;
    float *q, *k, *v;
    double *want, *scratch;
} row_data;

// ---- Large pieces in parallel. Not with OpenMP: after their work its threads spin for milliseconds, beside the clock.

enum { MOST_THREADS = 16, PIECE = 1 << 18 };

typedef struct {
    float *x;
    const float *out;
    size_t n;
    uint64_t key, first;
    int finite;
} piece;

static void *fill_piece(void *argument) {
    const piece *p = argument;
    lab_fill_quick(p->x, p->n, p->key, p->first);
    return NULL;
}

static void *check_piece(void *argument) {
    piece *p = argument;
    for (size_t i = 0; i < p->n; i++) p->finite &= lab_is_finite(p->out[i]) != 0;
    return NULL;
}

// Calls work on up to MOST_THREADS parts of `all`. 1: all parts are finite.
static int in_pieces(void *(*work)(void *), piece all) {
    pthread_t thread[MOST_THREADS];
    piece parts[MOST_THREADS];
    int started[MOST_THREADS], finite = 1;
    const size_t wanted = all.n / PIECE + 1, n = wanted < MOST_THREADS ? wanted : MOST_THREADS;
    for (size_t i = 0; i < n; i++) {
        const size_t from = all.n * i / n, to = all.n * (i + 1) / n;
        parts[i] = (piece){all.x ? all.x + from : NULL, all.out + from, to - from, all.key, all.first + from, 1};
        started[i] = i + 1 < n && pthread_create(&thread[i], NULL, work, &parts[i]) == 0;
        if (!started[i]) work(&parts[i]);
    }
    for (size_t i = 0; i < n; i++) {
        if (started[i]) pthread_join(thread[i], NULL);
        finite &= parts[i].finite;
    }
    return finite;
}

// Elements first .. first + n of tensor t of the set, which has `all` elements.
static void part(const row_data *d, float *x, size_t n, int t, size_t all, size_t first) {
    const lab_made *m = d->made;
    const size_t D = d->e->shape.head_dim, from = m->large ? (m->large - 1) * D : 0;
    in_pieces(fill_piece, (piece){x, x, n, m->key[t], m->set * all + first, 1});
    for (size_t i = from; t == 1 && m->large && i < from + D; i++)
        if (i >= first && i < first + n) lab_make_large(x + i - first, 1);
    const size_t step = lab_fresh_step(all);
    for (size_t j = (first + step - 1) / step; m->set && m->link && j * step < first + n; j++)
        x[j * step - first] = lab_fresh(m->link, m->seen, m->set, t, j);
}

// ---- Rows

size_t lab_large_row(attn_shape s, uint64_t key, int set) {
    const size_t Sq = s.seq_q, heads = (size_t)s.batch * s.heads, half = Sq / 2;
    const uint64_t bits = lab_bits(key, set);
    return bits % heads * Sq + half + (bits >> 32) % (Sq - half);
}

void lab_make_large(float *q, size_t D) {
    for (size_t d = 0; d < D; d++) q[d] *= LAB_LARGE_TIMES;
}

// Row i of head bh attends to `seen` keys. Q, K, V are tensors 1, 2, 3.
static void attention_row(const row_data *d, size_t bh, size_t i) {
    const attn_shape s = d->e->shape;
    const size_t heads = (size_t)s.batch * s.heads, D = s.head_dim, n_q = heads * s.seq_q * D,
                 n_kv = heads * s.seq_kv * D;
    const int seen = s.causal ? (int)i + 1 + s.seq_kv - s.seq_q : s.seq_kv;
    part(d, d->q, D, 1, n_q, (bh * s.seq_q + i) * D);
    part(d, d->k, seen * D, 2, n_kv, bh * s.seq_kv * D);
    part(d, d->v, seen * D, 3, n_kv, bh * s.seq_kv * D);
    lab_oracle_row(d->want, d->q, d->k, d->v, (attn_shape){1, 1, 1, seen, s.head_dim, 0}, 0, 0, 0, LAB_NO_MISTAKE,
                   d->scratch);
}

// Token i: the cache as it was filled (tensors 4, 5), then the tokens up to i (2, 3; [token, batch * heads, D]).
static void token_row(const row_data *d, size_t bh, size_t i) {
    const attn_shape s = d->e->shape;
    const size_t heads = (size_t)s.batch * s.heads, D = s.head_dim, n = heads * s.seq_q * D,
                 n_kv = heads * s.seq_kv * D;
    const int past = s.seq_kv - s.seq_q, seen = past + (int)i + 1;
    part(d, d->q, D, 1, n, (i * heads + bh) * D);
    part(d, d->k, past * D, 4, n_kv, bh * s.seq_kv * D);
    part(d, d->v, past * D, 5, n_kv, bh * s.seq_kv * D);
    for (size_t t = 0; t <= i; t++) {
        part(d, d->k + (past + t) * D, D, 2, n, (t * heads + bh) * D);
        part(d, d->v + (past + t) * D, D, 3, n, (t * heads + bh) * D);
    }
    lab_oracle_row(d->want, d->q, d->k, d->v, (attn_shape){1, 1, 1, seen, s.head_dim, 0}, 0, 0, 0, LAB_NO_MISTAKE,
                   d->scratch);
}

// Row r of C: A and B are tensors 1 and 2.
static void gemm_row(const row_data *d, size_t r, int transposed) {
    const attn_shape s = d->e->shape;
    const size_t m = s.seq_q, n = s.seq_kv, k = s.head_dim, b = r / m;
    part(d, d->q, k, 1, s.batch * m * k, r * k);
    part(d, d->k, n * k, 2, s.batch * n * k, b * n * k);
    for (size_t j = 0; j < n; j++) {
        d->want[j] = 0;
        for (size_t l = 0; l < k; l++) d->want[j] += (double)d->q[l] * (transposed ? d->k[j * k + l] : d->k[l * n + j]);
    }
}

static void softmax_row(const row_data *d, size_t r) {
    const attn_shape s = d->e->shape;
    part(d, d->q, s.seq_kv, 1, (size_t)s.seq_q * s.seq_kv, r * s.seq_kv);
    lab_oracle_softmax(d->want, d->q, s.seq_kv, LAB_NO_MISTAKE);
}

// How the output's row r is reached depends on what is computed.
static void expected(const row_data *d, size_t r) {
    const attn_shape s = d->e->shape;
    const size_t heads = (size_t)s.batch * s.heads;
    const lab_op *op = d->e->op;
    if (op == &lab_softmax_batched)
        softmax_row(d, r);
    else if (op == &lab_gemm_nt || op == &lab_gemm_nn)
        gemm_row(d, r, op == &lab_gemm_nt);
    else if (op == &lab_tokens)
        token_row(d, r % heads, r / heads);
    else
        attention_row(d, r / s.seq_q, r % s.seq_q);
}

static int is_gemm(const lab_experiment *e) { return e->op == &lab_gemm_nt || e->op == &lab_gemm_nn; }

size_t lab_row_width(const lab_experiment *e) { return lab_op_row(e->op, e->shape); }

size_t lab_row_count(const lab_experiment *e) { return e->op->elements(e->shape, 0) / lab_row_width(e); }

int lab_rows_are_right(const lab_experiment *e, const lab_made *made, const float *out, size_t first, size_t have,
                       int rows, uint64_t key, double *rms) {
    const attn_shape s = e->shape;
    const size_t width = lab_row_width(e), most = (size_t)s.seq_kv * s.head_dim;
    row_data d = {e,
                  made,
                  malloc((width + most) * sizeof(float)),
                  malloc(most * sizeof(float)),
                  malloc(most * sizeof(float)),
                  malloc(width * sizeof(double)),
                  malloc(s.seq_kv * sizeof(double))};
    int right = d.q && d.k && d.v && d.want && d.scratch && have > 0;
    for (int i = 0; i < rows && right; i++) {
        const size_t r = lab_bits(key, i) % have;
        expected(&d, first + r);
        // Products of unscaled normal numbers have a standard deviation of sqrt(k), so the tolerance grows with k.
        const double tolerance = LAB_TOLERANCE * (is_gemm(e) && s.head_dim > 64 ? s.head_dim / 64.0 : 1);
        const lab_comparison is = lab_compare(out + r * width, d.want, width, tolerance);
        right = is.verdict == LAB_PASSED;
        if (first + r + 1 != made->large) *rms = fmax(*rms, is.rms_rel_err);
    }
    free(d.q), free(d.k), free(d.v), free(d.want), free(d.scratch);
    return right;
}

int lab_large_row_is_right(const lab_experiment *e, const lab_made *made, const float *out, size_t first) {
    double not_asked = 0;
    const size_t row = made->large - 1;
    return !made->large ||
           lab_rows_are_right(e, made, out + (row - first) * lab_row_width(e), row, 1, 1, 0, &not_asked);
}

double lab_worst_row(const float *got, const double *want, size_t n, size_t width) {
    double worst = 0;
    for (size_t i = 0; i + width <= n; i += width)
        worst = fmax(worst, lab_compare(got + i, want + i, width, LAB_TOLERANCE).rms_rel_err);
    return worst;
}

int lab_is_inexact(double rms, char *why, size_t size) {
    if (rms < LAB_EXACT) return 0;
    snprintf(why, size,
             "less exact than float32, with a relative rms error of %.1e in a row (the limit is %.1e): lower precision "
             "where it is timed or counted",
             rms, LAB_EXACT);
    return 1;
}

int lab_all_finite(const float *out, size_t n) { return in_pieces(check_piece, (piece){NULL, out, n, 0, 0, 1}); }

int lab_input_is_unchanged(const lab_experiment *e, const lab_made *made, int t, const float *x, size_t first,
                           size_t n) {
    const row_data d = {.e = e, .made = made};
    float *want = malloc(n * sizeof *want);
    if (want) part(&d, want, n, t, e->op->elements(e->shape, t), first);
    const int same = want && memcmp(want, x, n * sizeof *want) == 0;
    free(want);
    return same;
}
