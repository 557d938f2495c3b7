// unit_explain_weights.c: weights that are no softmax of the scores, scores that are no products, values that are
// multiplied. grader/core: diagnose/other_weights.c, fold_rows.c, divisor.c, unscored.c.
#include "unit.h"

#include <math.h>

#include "symptom.h"

enum { D = 24, MOST = 64 };
static const attn_shape ROWS = {1, 1, 9, 13, 8, 0}, HEADS = {1, 2, 7, 19, D, 0}, CAUSAL = {1, 2, 12, 31, D, 1};

// ---- What becomes of n scores

typedef void (*formula)(const double *s, int n, double *weight);

static void divide(double *x, int n) {
    double sum = 0;
    for (int j = 0; j < n; j++) sum += x[j];
    for (int j = 0; j < n; j++) x[j] /= sum;
}

static void softmax(const double *s, int n, double *x) {
    for (int j = 0; j < n; j++) x[j] = exp(s[j]);
    divide(x, n);
}

static void shares(const double *s, int n, double *x) {
    for (int j = 0; j < n; j++) x[j] = s[j];
    divide(x, n);
}

static void positive(const double *s, int n, double *x) {
    for (int j = 0; j < n; j++) x[j] = fmax(s[j], 0);
    divide(x, n);
}

static void negative(const double *s, int n, double *x) {
    for (int j = 0; j < n; j++) x[j] = exp(-s[j]);
    divide(x, n);
}

static void logistic(const double *s, int n, double *x) {
    for (int j = 0; j < n; j++) x[j] = 1 / (1 + exp(-s[j]));
}

static void largest_alone(const double *s, int n, double *x) {
    int most = 0;
    for (int j = 0; j < n; j++) x[j] = 0, most = s[j] > s[most] ? j : most;
    x[most] = 1;
}

static void twice(const double *s, int n, double *x) {
    double once[MOST];
    softmax(s, n, once), softmax(once, n, x);
}

static void scores_over_sum(const double *s, int n, double *x) {
    double sum = 0, most = -INFINITY;
    for (int j = 0; j < n; j++) most = fmax(most, s[j]);
    for (int j = 0; j < n; j++) sum += exp(s[j] - most);
    for (int j = 0; j < n; j++) x[j] = s[j] / sum;
}

static void logarithm(const double *s, int n, double *x) {
    softmax(s, n, x);
    for (int j = 0; j < n; j++) x[j] = log(x[j]);
}

static void mean(const double *s, int n, double *x) {
    softmax(s, n, x);
    for (int j = 0; j < n; j++) x[j] /= n;
}

// ---- A softmax and an attention that do it

static void softmax_says(formula f, const char *words) {
    begin(&lab_softmax_rows, ROWS);
    for (int r = 0; r < ROWS.seq_q; r++) {
        double s[MOST], x[MOST];
        for (int c = 0; c < ROWS.seq_kv; c++) s[c] = wrong.in[1][r * ROWS.seq_kv + c];
        f(s, ROWS.seq_kv, x);
        for (int c = 0; c < ROWS.seq_kv; c++) wrong.got[r * ROWS.seq_kv + c] = (float)x[c];
    }
    says(words);
}

typedef double (*likeness)(const float *q, const float *k);
typedef float (*join)(float so_far, float term);

static double product(const float *q, const float *k) {
    double dot = 0;
    for (int d = 0; d < D; d++) dot += q[d] * k[d];
    return dot / sqrt(D);
}

static double cosine(const float *q, const float *k) { return product(q, k) / sqrt(product(q, q) * product(k, k)); }

static double distance(const float *q, const float *k) {
    return -sqrt(D) * (product(q, q) + product(k, k) - 2 * product(q, k));
}

static float add(float so_far, float term) { return so_far + term; }
static float multiply(float so_far, float term) { return so_far * term; }

static int right_edge(attn_shape s, int i) { return s.causal ? i + 1 + s.seq_kv - s.seq_q : s.seq_kv; }
static void attend(attn_shape shape, likeness score, formula f, join by) {
    begin(&lab_sdpa, shape);
    for (int r = 0; r < shape.heads * shape.seq_q; r++) {
        const float *K = wrong.in[2] + r / shape.seq_q * shape.seq_kv * D, *V = wrong.in[3] + (K - wrong.in[2]);
        const int n = right_edge(shape, r % shape.seq_q);
        double s[MOST], x[MOST];
        for (int j = 0; j < n; j++) s[j] = score(wrong.in[1] + r * D, K + j * D);
        f(s, n, x);
        for (int d = 0; d < D; d++) {
            float o = by == multiply;
            for (int j = 0; j < n; j++) o = by(o, (float)x[j] * V[j * D + d]);
            wrong.got[r * D + d] = o;
        }
    }
}

static void another_softmax_is_named(void **state) {
    (void)state;
    softmax_says(shares, "matches weights s / (sum of all s)");
    softmax_says(positive, "matches weights max(s, 0) / (sum of these)");
    softmax_says(negative, "matches a softmax of -s");
    softmax_says(logistic, "matches weights 1 / (1 + exp(-s)), each of its own score alone");
    softmax_says(largest_alone, "matches all weight for the largest score");
    softmax_says(scores_over_sum, "matches s / (sum of all exp(s - m))");
    softmax_says(logarithm, "matches log(p), the logarithm of the softmax");
    softmax_says(twice, "matches a softmax of the softmax");
}

// Of a thousand columns all weights are near 0, and near one another.
static void small_weights_are_not_taken_for_others(void **state) {
    (void)state;
    begin(&lab_softmax_rows, (attn_shape){1, 1, 7, 1009, 8, 0});
    for (int r = 0; r < 7; r++) {
        double l = 0, m = -INFINITY;
        const float *s = wrong.in[1] + r * 1009;
        for (int c = 0; c < 1009; c++) m = fmax(m, s[c]);
        for (int c = 0; c < 1009; c++) l += exp(s[c] - m);
        for (int c = 0; c < 1009; c++) wrong.got[r * 1009 + c] /= (float)l;
    }
    says("matches a division by the row sum l twice");
}

static void other_weights_are_named(void **state) {
    (void)state;
    attend(HEADS, product, shares, add), says("matches weights s / (sum of all s)");
    attend(CAUSAL, product, positive, add), says("matches weights max(s, 0)");
    attend(HEADS, product, logistic, add), says("matches weights 1 / (1 + exp(-s))");
    attend(HEADS, product, largest_alone, add), says("matches all weight for the largest score");
    attend(CAUSAL, cosine, softmax, add), says("matches scores that are cosines");
    attend(HEADS, distance, softmax, add), says("matches scores -|q - k|^2, of squared distances");
}

static void a_mean_of_weighted_values_is_named(void **state) {
    (void)state;
    attend(CAUSAL, product, mean, add), says("matches a division by the number of keys, too");
}

static void values_that_are_multiplied_are_named(void **state) {
    (void)state;
    attend((attn_shape){1, 2, 7, 5, D, 0}, product, softmax, multiply);
    says("matches the product of all p * v: they are added up");
}

// The sum with the values goes on over all keys, with the weights of the row before.
static void weights_that_are_left_over_are_named(void **state) {
    (void)state;
    attend(CAUSAL, product, softmax, add);
    for (int r = 0; r < CAUSAL.heads * CAUSAL.seq_q; r++) {
        const float *V = wrong.in[3] + r / CAUSAL.seq_q * CAUSAL.seq_kv * D;
        for (int j = right_edge(CAUSAL, r % CAUSAL.seq_q); j < CAUSAL.seq_kv; j++)
            for (int d = 0; d < D; d++) wrong.got[r * D + d] += 0.1f * (float)(1 + (j + r) % 5) * V[j * D + d];
    }
    says("matches hidden keys whose weights are what lay there, and O has them");
}

int main(void) {
    const struct CMUnitTest claims[] = {
        CLAIM(another_softmax_is_named),
        CLAIM(small_weights_are_not_taken_for_others),
        CLAIM(other_weights_are_named),
        CLAIM(a_mean_of_weighted_values_is_named),
        CLAIM(values_that_are_multiplied_are_named),
        CLAIM(weights_that_are_left_over_are_named),
    };
    return cmocka_run_group_tests_name("explain_weights", claims, NULL, release);
}
