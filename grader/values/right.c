// right.c: scores, each row's maximum, the sum of exp(s - m), the sums of exp(s - m) V, probabilities, outputs.
#include "right.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double LOG2_E = 1.4426950408889634;

static int room(lab_right *r, size_t n) {
    r->number = malloc((n ? n : 1) * sizeof *r->number);
    return r->number != NULL;
}

static void add(lab_right *r, double x) { r->number[r->n++] = x; }

// From a row of scores, of which n are seen: its maximum, its sum, and weights in their place.
static void add_row(lab_right right[], double *s, int n) {
    double m = -INFINITY, l = 0;
    for (int j = 0; j < n; j++) add(&right[LAB_STEP_SCORES], s[j]), m = fmax(m, s[j]);
    for (int j = 0; j < n; j++) s[j] = isfinite(m) ? exp(s[j] - m) : 0, l += s[j];
    if (!(l > 0)) return;
    add(&right[LAB_STEP_MAXIMA], m), add(&right[LAB_STEP_SUMS], l);
    for (int j = 0; j < n; j++) add(&right[LAB_STEP_PROBABILITIES], s[j] / l);
}

static void add_unscaled_sum(lab_right *r, const double *s, int n, double scale) {
    double m = -INFINITY, l = 0;
    for (int j = 0; j < n; j++) m = fmax(m, s[j]);
    for (int j = 0; j < n; j++) l += isfinite(m) ? exp(scale * (s[j] - m)) : 0;
    if (l > 0) add(r, l);
}

static int tensor_named(const lab_op *op, const char *a, const char *b) {
    for (int t = 1; t < op->n_tensors; t++)
        if (!strcmp(op->tensors[t], a) || !strcmp(op->tensors[t], b)) return t;
    return 0;
}

static void add_attention(const lab_trial *t, const int at[3], double *s, lab_right right[]) {
    const attn_shape x = t->c->shape;
    const int cache = t->op->lengths, rows = cache ? 1 : x.seq_q, D = x.head_dim;
    for (int bh = 0; bh < x.batch * x.heads; bh++)
        for (int i = 0; i < rows; i++) {
            const float *q = t->in[at[0]] + ((size_t)bh * rows + i) * D, *k = t->in[at[1]] + (size_t)bh * x.seq_kv * D,
                        *v = t->in[at[2]] + (size_t)bh * x.seq_kv * D;
            int n = x.causal ? i + 1 + x.seq_kv - x.seq_q : x.seq_kv;
            if (cache) n = lab_int_at(t->in[cache], (size_t)(bh / x.heads));
            for (int j = 0; j < n; j++) s[j] = lab_dot(q, k + (size_t)j * D, D) / sqrt(D);
            add_unscaled_sum(&right[LAB_STEP_UNSCALED_SUMS], s, n, sqrt(D));
            add_row(right, s, n);
            for (int d = 0; d < D; d++) {
                double sum = 0;
                for (int j = 0; j < n; j++) sum += s[j] * v[(size_t)j * D + d];
                add(&right[LAB_STEP_WEIGHTED], sum);
            }
        }
}

// Times the scale or without it, for exp or for exp2.
static void set_factors(lab_right right[], double scale) {
    for (int i = 0; i < LAB_N_STEPS; i++) right[i].factor[right[i].factors++] = 1;
    for (int i = LAB_STEP_SCORES; i <= LAB_STEP_MAXIMA; i++) {
        lab_right *r = &right[i];
        r->factor[r->factors++] = LOG2_E;
        if (scale > 1) r->unscaled = r->factors, r->factor[r->factors++] = scale;
    }
}

static double usual_of(const lab_right *r) {
    double sum = 0;
    for (size_t i = 0; i < r->n; i++) sum += r->number[i] * r->number[i];
    return r->n ? sqrt(sum / (double)r->n) : 0;
}

// exp makes of what a score is off by a part of its own result.
static void set_tolerances(lab_right right[], double scale) {
    static const double RELATIVE = 1e-5, OF_USUAL = 2e-6, OF_SCORE = 4e-6;
    const double off = OF_SCORE * usual_of(&right[LAB_STEP_SCORES]);
    for (int i = 0; i < LAB_N_STEPS; i++) {
        const double by_exp = i == LAB_STEP_UNSCALED_SUMS ? scale * off : i > LAB_STEP_MAXIMA ? off : 0;
        right[i].relative = RELATIVE + by_exp, right[i].absolute = (OF_USUAL + by_exp) * usual_of(&right[i]);
    }
}

int lab_right_numbers(const lab_trial *t, lab_right right[LAB_N_STEPS]) {
    const attn_shape x = t->c->shape;
    const lab_op *op = t->op;
    const int softmax = tensor_named(op, "S", "S") == 1 && op->n_tensors == 2, cache = op->lengths;
    const int at[3] = {tensor_named(op, "Q", "Q"), tensor_named(op, "K", "K_cache"), tensor_named(op, "V", "V_cache")};
    memset(right, 0, LAB_N_STEPS * sizeof *right);
    if (op->probe || op->in_place || (!softmax && (!at[0] || !at[1] || !at[2]))) return 0;
    const size_t rows = softmax ? t->n[1] / x.seq_kv : (size_t)x.batch * x.heads * (cache ? 1 : x.seq_q),
                 n = rows * x.seq_kv, d = rows * x.head_dim;
    const size_t rooms[LAB_N_STEPS] = {n, rows, rows, softmax ? 0 : d, n, t->n[0], softmax ? 0 : rows};
    int ok = 1;
    for (int i = 0; i < LAB_N_STEPS; i++) ok &= room(&right[i], rooms[i]);
    double *s = malloc((size_t)x.seq_kv * sizeof *s);
    ok = ok && s;
    for (size_t i = 0; softmax && ok && i < rows; i++) {
        for (int j = 0; j < x.seq_kv; j++) s[j] = t->in[1][i * x.seq_kv + j];
        add_row(right, s, x.seq_kv);
    }
    if (!softmax && ok) add_attention(t, at, s, right);
    for (size_t i = 0; ok && i < t->n[0]; i++) add(&right[LAB_STEP_OUTPUTS], t->want[i]);
    const double scale = softmax ? 1 : sqrt(x.head_dim);
    set_factors(right, scale), set_tolerances(right, scale);
    if (softmax) right[LAB_STEP_SCORES].given = 1, right[LAB_STEP_PROBABILITIES].n = 0;  // its input, and its output
    free(s);
    return ok;
}

void lab_right_free(lab_right right[LAB_N_STEPS]) {
    for (int i = 0; i < LAB_N_STEPS; i++) free(right[i].number);
    memset(right, 0, LAB_N_STEPS * sizeof *right);
}
