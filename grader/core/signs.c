// signs.c: what is left when no known mistake explains a wrong output.
#include "signs.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "locate.h"

static int is_attention(const lab_symptom *s) { return lab_op_is_attention(s->op); }

// How many of the row's first keys (step +1) or last keys (step -1) alone explain the row: 1 .. seq_kv - 1, or 0.
static int partial_keys(const lab_symptom *s, size_t r, int step, double *o, double *p) {
    const attn_shape a = s->shape;
    const size_t head = r / a.seq_q, query = r % a.seq_q, d = a.head_dim;
    const float *q = s->in[1] + r * d, *k = s->in[2] + head * a.seq_kv * d, *v = s->in[3] + head * a.seq_kv * d;
    const int seen = a.causal ? (int)query + a.seq_kv - a.seq_q + 1 : a.seq_kv;
    double max = -INFINITY, sum = 0;
    for (int j = 0; j < seen; j++) {
        p[j] = 0;
        for (size_t c = 0; c < d; c++) p[j] += (double)q[c] * k[j * d + c] / sqrt((double)d);
        max = p[j] > max ? p[j] : max;
    }
    memset(o, 0, d * sizeof *o);
    for (int n = 1; n < seen; n++) {
        const int j = step > 0 ? n - 1 : seen - n;
        const double w = exp(p[j] - max);
        sum += w;
        int matches = sum > 0;
        for (size_t c = 0; c < d; c++) {
            o[c] += w * v[j * d + c];
            matches = matches && fabs(s->got[r * d + c] - o[c] / sum) < LAB_TOLERANCE;
        }
        if (matches) return n;
    }
    return 0;
}

int lab_explain_partial_keys(const lab_symptom *s, const size_t *rows, int n_rows, double *o, double *p, char *text,
                             size_t size) {
    for (int step = 1; is_attention(s) && step >= -1; step -= 2) {
        int first = 0, all = n_rows > 0;
        for (int i = 0; i < n_rows && all; i++) {
            const int n = partial_keys(s, rows[i], step, o, p);
            all = n > 0;
            if (i == 0) first = n;
        }
        if (!all) continue;
        snprintf(
            text, size,
            step > 0
                ? "matches attention to the first %d keys only (row %zu): is the last, ragged tile of keys visited?"
                : "matches attention to the last %d keys only (row %zu): what earlier tiles gave is lost",
            first, rows[0] % s->shape.seq_q);
        return 1;
    }
    return 0;
}

int lab_explain_misplaced(const lab_symptom *s, const size_t *rows, int n_rows, char *text, size_t size) {
    const attn_shape a = s->shape;
    const size_t d = a.head_dim, heads = (size_t)a.batch * a.heads;
    if (!is_attention(s) || n_rows == 0) return 0;
    const size_t here = rows[0] / a.seq_q, query = rows[0] % a.seq_q;
    for (size_t other = 0; other < heads; other++) {
        int same = other != here;
        for (size_t c = 0; c < d && same; c++)
            same = fabs(s->got[rows[0] * d + c] - s->want[(other * a.seq_q + query) * d + c]) < LAB_TOLERANCE;
        if (!same) continue;
        snprintf(text, size,
                 "batch %zu, head %zu holds what belongs to batch %zu, head %zu: look at the offset of a head",
                 here / a.heads, here % a.heads, other / a.heads, other % a.heads);
        return 1;
    }
    return 0;
}

int lab_explain_columns(const lab_symptom *s, const size_t *rows, int n_rows, char *text, size_t size) {
    const size_t height = s->shape.seq_q, width = s->shape.seq_kv;
    (void)rows;
    if (!lab_op_is_softmax(s->op) || n_rows == 0 || height < 2) return 0;
    for (size_t c = 0; c < width; c++) {
        double sum = 0;
        for (size_t r = 0; r < height; r++) sum += s->got[r * width + c];
        if (!(fabs(sum - 1) < LAB_TOLERANCE)) return 0;
    }
    snprintf(text, size, "its columns sum to 1: the softmax goes along rows");
    return 1;
}

// The vectors point in the right direction and have the wrong length: a sum that was built or rescaled wrongly.
int lab_explain_factor(const lab_symptom *s, const size_t *rows, int n_rows, char *text, size_t size) {
    const size_t width = lab_op_row(s->op, s->shape, 0);
    double factor = 1;
    for (int i = 0; i < n_rows; i++) {
        const float *g = s->got + rows[i] * width;
        const double *w = s->want + rows[i] * width;
        double gw = 0, ww = 0, rest = 0;
        for (size_t c = 0; c < width; c++) gw += g[c] * w[c], ww += w[c] * w[c];
        factor = gw / ww;
        for (size_t c = 0; c < width; c++) rest += (g[c] - factor * w[c]) * (g[c] - factor * w[c]);
        if (!(rest < 1e-6 * factor * factor * ww)) return 0;
    }
    if (n_rows == 0 || width < 2) return 0;
    snprintf(text, size, "each wrong row is the right one times a number (row %zu: %.4g): the row sum l is wrong%s",
             rows[n_rows - 1] % s->shape.seq_q, factor,
             s->op == LAB_TILED || s->op == LAB_FLASH
                 ? "; is it rescaled by exp(m_old - m_new) when the row maximum grows?"
                 : "");
    return 1;
}

static int by_bits(const void *a, const void *b) {
    const float x = *(const float *)a, y = *(const float *)b;
    return (x > y) - (x < y);
}

// Split and merge only move numbers: are they all there?
int lab_explain_moved(const lab_symptom *s, char *text, size_t size) {
    const size_t n = lab_op_elements(s->op, s->shape, 0);
    if (memcmp(s->got, s->in[1], n * sizeof(float)) == 0) {
        snprintf(text, size, "is a plain copy of the input: the heads are not moved");
        return 1;
    }
    float *a = malloc(2 * n * sizeof *a), *b = a + n;
    if (!a) return 0;
    memcpy(a, s->got, n * sizeof *a);
    memcpy(b, s->in[1], n * sizeof *b);
    qsort(a, n, sizeof *a, by_bits);
    qsort(b, n, sizeof *b, by_bits);
    const int permuted = memcmp(a, b, n * sizeof *a) == 0;
    free(a);
    if (permuted)
        snprintf(text, size,
                 "holds the right numbers in the wrong places: look at the order of seq and head in the index");
    return permuted;
}

// The largest score that query row r sees.
static double largest_score(const lab_symptom *s, size_t r) {
    const attn_shape a = s->shape;
    const int rows_only = lab_op_is_softmax(s->op);
    const int seen = a.causal && !rows_only ? (int)(r % a.seq_q) + a.seq_kv - a.seq_q + 1 : a.seq_kv;
    const float *q = s->in[1] + r * (rows_only ? a.seq_kv : a.head_dim);
    const float *k = rows_only ? NULL : s->in[2] + r / a.seq_q * a.seq_kv * a.head_dim;
    double max = -INFINITY;
    for (int j = 0; j < seen; j++) {
        double score = rows_only ? q[j] : 0;
        for (int c = 0; !rows_only && c < a.head_dim; c++)
            score += (double)q[c] * k[j * a.head_dim + c] / sqrt(a.head_dim);
        max = score > max ? score : max;
    }
    return max;
}

void lab_explain_not_finite(const lab_symptom *s, const size_t *rows, int n_rows, char *text, size_t size) {
    const double most = log(3.4e38);  // exp overflows above, and gives 0 far below
    int large = n_rows > 0, small = n_rows > 0;
    for (int i = 0; i < n_rows; i++) {
        const double max = largest_score(s, rows[i]);
        large = large && max > most - 8;
        small = small && max < -most + 8;
    }
    if (large)
        snprintf(text, size, "exp overflows where scores are large: subtract the row maximum before exp");
    else if (small)
        snprintf(text, size,
                 "every exponential of a row is 0, and so is their sum: does the row maximum start at -INFINITY?");
    else if (s->shape.causal || lab_op_is_softmax(s->op))
        snprintf(text, size,
                 "NaN where scores are masked: -INFINITY - (-INFINITY) is NaN; a row or tile with every score "
                 "masked needs care");
    else
        snprintf(text, size, "NaN: 0 * INFINITY, a division by a row sum of 0, or memory that was never written");
}
