// diagnose.c: recognises mistakes by their fingerprint.
//
// A wrong output is compared, on a sample of its rows, with what each known mistake would have given. The first mistake
// that explains every sampled row is named. When none does, weaker signs are tried: only some of the keys counted, rows
// off by a factor, the right numbers in the wrong places. The last resort is to say where the output is wrong.
#include "diagnose.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "locate.h"

static const char *const explanation[LAB_N_MISTAKES] = {
    [LAB_NO_SCALE] = "matches what a missing 1/sqrt(D) gives: scale the scores before the softmax",
    [LAB_SCALE_BY_D] = "matches a scale of 1/D: it must be 1/sqrt(D)",
    [LAB_SCALE_AFTER] = "matches 1/sqrt(D) applied after the softmax: scale the scores before it",
    [LAB_NO_MASK] = "matches attention without the causal mask: query i sees keys 0 .. i + (seq_kv - seq_q)",
    [LAB_MASK_ALWAYS] = "matches a causal mask that was not asked for: look at shape.causal",
    [LAB_MASK_PLUS_ONE] = "matches a causal mask that is off by one: each query sees one key too many",
    [LAB_MASK_MINUS_ONE] = "matches a causal mask that is off by one: each query misses its last key",
    [LAB_MASK_TOP_LEFT] = "matches a mask aligned top-left: with seq_q < seq_kv query i sees keys 0 .. i + (seq_kv - seq_q)",
    [LAB_MASK_IS_ZERO] = "matches masked scores set to 0: exp(0) is 1, so they still count; set them to -INFINITY",
    [LAB_MASK_AFTER] = "matches a mask applied after the softmax: masked scores are still in the row sum",
    [LAB_DROP_LAST_KEY] = "matches the last key left out",
    [LAB_NO_DIVISION] = "matches a missing final division by the row sum l",
    [LAB_UNIFORM] = "matches the plain mean of V: the scores do not reach the softmax",
    [LAB_HEAD_ZERO] = "matches head 0 computed for every head: look at the head's offset",
    [LAB_BATCH_ZERO] = "matches batch 0 computed for every batch: look at the batch's offset",
    [LAB_KV_HEAD_ZERO] = "matches K and V of head 0 used for every head: look at their offset",
    [LAB_K_AS_V] = "matches K used in place of V",
    [LAB_Q_AS_K] = "matches Q used in place of K",
    [LAB_Q_K_SWAPPED] = "matches Q and K swapped",
};

enum { SAMPLES = 24 };

static int close_enough(const float *got, const double *want, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (!(fabs((double)got[i] - want[i]) < LAB_TOLERANCE * (1 + fabs(want[i])))) return 0;
    return 1;
}

static int is_attention(const lab_symptom *s) { return s->op == LAB_SDPA || s->op == LAB_TILED; }

// Up to SAMPLES rows of the output, evenly spread over those with a bad element. Returns how many.
static int sample_bad_rows(const lab_symptom *s, size_t rows[SAMPLES])
{
    const size_t width = lab_op_row(s->op, s->shape, 0), n = lab_op_elements(s->op, s->shape, 0) / width;
    size_t bad_rows = 0, seen = 0;
    int taken = 0;
    for (int pass = 0; pass < 2; pass++) {
        for (size_t r = 0; r < n && taken < SAMPLES; r++) {
            int bad = 0;
            for (size_t c = 0; c < width && !bad; c++) bad = lab_element_bad(s, r * width + c, 0);
            if (!bad) continue;
            if (pass == 0) bad_rows++;
            else if (seen++ * SAMPLES / bad_rows >= (size_t)taken) rows[taken++] = r;
        }
    }
    return taken;
}

// Row r of the output as `mistake` would have made it.
static void row_with_mistake(const lab_symptom *s, size_t r, lab_mistake mistake, double *out, double *scratch)
{
    const attn_shape p = s->shape;
    if (s->op == LAB_SOFTMAX_ROWS)
        lab_oracle_softmax(out, s->in[1] + r * p.seq_kv, p.seq_kv, mistake);
    else
        lab_oracle_row(out, s->in[1], s->in[2], s->in[3], p, (int)(r / p.seq_q / p.heads), (int)(r / p.seq_q % p.heads),
                       (int)(r % p.seq_q), mistake, scratch);
}

// A mistake counts as recognised when it explains all sampled rows and the truth explains none.
static lab_mistake recognise(const lab_symptom *s, const size_t *rows, int n_rows, double *out, double *scratch)
{
    const size_t width = lab_op_row(s->op, s->shape, 0);
    for (int m = LAB_NO_MISTAKE + 1; m < LAB_N_MISTAKES; m++) {
        if (s->op == LAB_SOFTMAX_ROWS && m != LAB_NO_DIVISION) continue;
        if (m == LAB_MASK_ALWAYS && (s->shape.causal || s->shape.seq_q > s->shape.seq_kv)) continue;
        if ((m == LAB_Q_AS_K || m == LAB_Q_K_SWAPPED) && s->shape.seq_q != s->shape.seq_kv) continue;
        int matches = explanation[m] != NULL;
        for (int i = 0; i < n_rows && matches; i++) {
            row_with_mistake(s, rows[i], m, out, scratch);
            matches = close_enough(s->got + rows[i] * width, out, width);
        }
        if (matches) return m;
    }
    return LAB_NO_MISTAKE;
}

static lab_mistake recognise_mha(const lab_symptom *s, int *transposed)
{
    const size_t n = lab_op_elements(s->op, s->shape, 0);
    double *out = malloc(n * sizeof *out);
    lab_mistake found = LAB_NO_MISTAKE;
    *transposed = 0;
    for (int m = LAB_NO_MISTAKE; out && m < LAB_N_MISTAKES && !found && !*transposed; m++) {
        const int t = m == LAB_NO_MISTAKE;
        if (!t && (!explanation[m] || (m == LAB_MASK_ALWAYS && s->shape.causal))) continue;
        if (!lab_oracle_mha(out, s->in[1], s->in[2], s->in[3], s->in[4], s->in[5], s->shape, m, t)) break;
        if (close_enough(s->got, out, n)) *transposed = t, found = m;
    }
    free(out);
    return found;
}

// How many of the row's first keys (step +1) or last keys (step -1) alone explain the row: 1 .. seq_kv - 1, or 0.
static int partial_keys(const lab_symptom *s, size_t r, int step, double *o, double *p)
{
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

static int explain_partial_keys(const lab_symptom *s, const size_t *rows, int n_rows, double *o, double *p, char *text,
                                size_t size)
{
    for (int step = 1; step >= -1; step -= 2) {
        int first = 0, all = n_rows > 0;
        for (int i = 0; i < n_rows && all; i++) {
            const int n = partial_keys(s, rows[i], step, o, p);
            all = n > 0;
            if (i == 0) first = n;
        }
        if (!all) continue;
        snprintf(text, size, step > 0 ? "matches attention to the first %d keys only (row %zu): is the last, ragged tile of keys visited?"
                                      : "matches attention to the last %d keys only (row %zu): what earlier tiles gave is lost",
                 first, rows[0] % s->shape.seq_q);
        return 1;
    }
    return 0;
}

// Rows that point in the right direction and have the wrong length: a sum that was rescaled wrongly.
static int explain_factor(const lab_symptom *s, const size_t *rows, int n_rows, char *text, size_t size)
{
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
    snprintf(text, size, "each wrong row is the right one times a number (row %zu: %.4g): the row sum l is wrong; is it "
             "rescaled by exp(m_old - m_new) when the row maximum grows?", rows[n_rows - 1] % s->shape.seq_q, factor);
    return 1;
}

static int by_bits(const void *a, const void *b)
{
    const float x = *(const float *)a, y = *(const float *)b;
    return (x > y) - (x < y);
}

// Split and merge only move numbers: are they all there?
static int explain_moved(const lab_symptom *s, char *text, size_t size)
{
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
    if (permuted) snprintf(text, size, "holds the right numbers in the wrong places: look at the order of seq and head in the index");
    return permuted;
}

// NaN or Inf: from exp of a large score, or from -inf - (-inf)?
static void explain_not_finite(const lab_symptom *s, const size_t *rows, int n_rows, char *text, size_t size)
{
    const attn_shape a = s->shape;
    int large = n_rows > 0;
    for (int i = 0; i < n_rows && large; i++) {
        double max = -INFINITY;
        for (int j = 0; j < a.seq_kv; j++) {
            double score = 0;
            if (s->op == LAB_SOFTMAX_ROWS) score = s->in[1][rows[i] * a.seq_kv + j];
            else
                for (int c = 0; c < a.head_dim; c++)
                    score += s->in[1][rows[i] * a.head_dim + c] *
                             s->in[2][(rows[i] / a.seq_q * a.seq_kv + j) * a.head_dim + c] / sqrt(a.head_dim);
            max = score > max ? score : max;
        }
        large = max > 80;
    }
    if (large) snprintf(text, size, "exp overflows where scores are large: subtract the row maximum before exp");
    else if (a.causal || s->op == LAB_SOFTMAX_ROWS)
        snprintf(text, size, "NaN where scores are masked: -INFINITY - (-INFINITY) is NaN; a row or tile with every score "
                 "masked needs care");
    else snprintf(text, size, "NaN or Inf: a division by a zero row sum, or memory that was never written");
}

static int explain(const lab_symptom *s, char *text, size_t size)
{
    size_t rows[SAMPLES];
    const int n_rows = sample_bad_rows(s, rows);
    const int longest = s->shape.seq_kv > s->shape.head_dim ? s->shape.seq_kv : s->shape.head_dim;
    int transposed = 0, known = 1;
    if (s->op == LAB_SPLIT_HEADS || s->op == LAB_MERGE_HEADS) return explain_moved(s, text, size);
    if (s->op == LAB_MHA) {
        const lab_mistake m = recognise_mha(s, &transposed);
        if (m) snprintf(text, size, "%s", explanation[m]);
        else if (transposed) snprintf(text, size, "matches X W in place of X W^T: row e of W makes output feature e");
        return m || transposed;
    }
    if (s->cmp.not_finite > s->cmp.unwritten) {
        explain_not_finite(s, rows, n_rows, text, size);
        return 1;
    }
    double *out = malloc(2 * longest * sizeof *out), *scratch = out + longest;
    if (!out) return 0;
    const lab_mistake m = recognise(s, rows, n_rows, out, scratch);
    if (m) snprintf(text, size, "%s", explanation[m]);
    else known = (is_attention(s) && explain_partial_keys(s, rows, n_rows, out, scratch, text, size)) ||
                 explain_factor(s, rows, n_rows, text, size);
    free(out);
    return known;
}

void lab_diagnose(const lab_symptom *s, char *text, size_t size)
{
    char where[160], why[320] = "";
    text[0] = 0;
    if (s->cmp.verdict == LAB_PASSED) return;
    if (s->cmp.unwritten) {
        lab_locate(s, 1, where, sizeof where);
        snprintf(text, size, "%zu elements were never written: %s", s->cmp.unwritten, where);
        return;
    }
    const int known = explain(s, why, sizeof why);
    lab_locate(s, 0, where, sizeof where);
    snprintf(text, size, "%s%swrong: %s", why, known ? "; " : "", where);
}
