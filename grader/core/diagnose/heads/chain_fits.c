// chain_fits.c: the chain's products, mask and softmax with other numbers, beside the output.
#include "chain_fits.h"

#include <math.h>

double lab_chain_scale(scale_kind k, attn_shape s) {
    switch (k) {
    case BY_ONE: return 1;
    case BY_D: return 1.0 / s.head_dim;
    case BY_INVERSE_ROOT: return sqrt(s.head_dim);
    case BY_ALL_D: return s.head_dim;
    case BY_ZERO: return 0;
    case BY_WIDTH: return 1 / sqrt((double)s.head_dim * s.heads);
    case BY_KEYS: return 1 / sqrt(s.seq_kv);
    default: return 1 / sqrt(s.head_dim);
    }
}

// What lies outside of a tensor is not known, nor what is computed from it.
static const double UNKNOWN = 1e300;
static int unknown(double x) { return fabs(x) > 1e200 && isfinite(x); }

static void product_nt(const chain *c, const long x[NUMBERS]) {
    const size_t m = x[NT_M], n = x[NT_N], k = x[NT_K];
    const int of_q = 1 + (int)x[SWAPPED], of_keys = 2 - (int)x[SWAPPED];
    for (size_t e = 0; e < x[NT_BATCH] * m * n && e < c->n_scores; e++) {
        const size_t g = e / n / m, row = g * m * k + e / n % m * k, key = g * n * k + e % n * k;
        double sum = UNKNOWN;
        if (row + k <= c->n_in[of_q] && key + k <= c->n_in[of_keys]) {
            const float *q = c->s->in[of_q] + row, *of_key = c->s->in[of_keys] + key;
            sum = 0;
            for (size_t l = 0; l < k; l++) sum += (double)q[l] * of_key[l];
        }
        c->scores[e] = sum;
    }
}

// Of a row for each key: who hides what by that.
static void mask_turned(const chain *c, double scale) {
    const attn_shape s = c->s->shape;
    for (size_t e = 0; e < c->n_scores; e++) {
        const size_t query = e % s.seq_q, key = e / s.seq_q % s.seq_kv;
        c->scores[e] = s.causal && key > query + s.seq_kv - s.seq_q ? -INFINITY : scale * c->scores[e];
    }
}

static void mask(const chain *c, const long x[NUMBERS]) {
    const double scale = lab_chain_scale((scale_kind)x[SCALED], c->s->shape);
    if (x[TURNED]) {
        mask_turned(c, scale);
        return;
    }
    for (long block = 0; block < x[BLOCKS]; block++) {
        const long last = x[CAUSAL] ? block % x[SEQ_Q] + x[SEQ_KV] - x[SEQ_Q] : x[SEQ_KV] - 1;
        double *s = c->scores + block * x[SEQ_KV];
        for (long j = 0; j < x[SEQ_KV] && (size_t)(block * x[SEQ_KV] + j) < c->n_scores; j++)
            s[j] = j > last ? -INFINITY : unknown(s[j]) ? UNKNOWN : s[j] * scale;
    }
}

static void softmax(const chain *c, const long x[NUMBERS]) {
    const size_t cols = x[COLS];
    for (size_t r = 0; r < (size_t)x[ROWS] && (r + 1) * cols <= c->n_scores; r++) {
        double *s = c->scores + r * cols, max = -INFINITY, sum = 0;
        for (size_t j = 0; j < cols; j++) max = fmax(max, s[j]);
        const int known = !unknown(max);
        for (size_t j = 0; j < cols; j++) {
            s[j] = exp(s[j] - max);
            sum += x[REREAD] ? exp(s[j] - max) : s[j];
        }
        for (size_t j = 0; j < cols; j++) s[j] = known ? s[j] / sum : UNKNOWN;
    }
}

// Element e of the second product; what nobody computes is NAN.
static double output(const chain *c, const long x[NUMBERS], size_t e) {
    const size_t m = x[NN_M], n = x[NN_N], k = x[NN_K];
    if (e >= x[NN_BATCH] * m * n) return NAN;
    const size_t g = e / n / m, row = g * m * k + e / n % m * k, column = g * k * n + e % n;
    if (row + k > c->n_scores || column + (k - 1) * n >= c->n_in[3]) return UNKNOWN;
    double sum = 0;
    for (size_t l = 0; l < k; l++) {
        if (unknown(c->scores[row + l])) return UNKNOWN;
        sum += c->scores[row + l] * c->s->in[3][column + l * n];
    }
    return sum;
}

int lab_chain_fits(const chain *c, const long x[NUMBERS]) {
    for (size_t i = 0; i < c->n_scores; i++) c->scores[i] = NAN;
    product_nt(c, x), mask(c, x), softmax(c, x);
    size_t known = 0;
    for (size_t i = 0; i < c->n_q; i++) {
        const double o = output(c, x, i);
        const int finite = lab_is_finite(c->s->got[i]);
        if (unknown(o)) continue;
        if (finite != isfinite(o)) return 0;
        if (finite && !(fabs(c->s->got[i] - o) < LAB_TOLERANCE * (1 + fabs(o)))) return 0;
        known += finite;
    }
    // Where a softmax is missing under a mask most is NaN, and that agrees; what nobody wrote says nothing.
    return known > 7 && (c->s->cmp.unwritten ? 4 : 8) * known > c->n_q;
}
