// unit_explain_weights.c: weights that are no softmax of the scores, scores that are no products, values that are multiplied, a
// mask that is turned. grader/core: diagnose/other_weights.c, fold_rows.c, seen_keys.c, turned_masks.c, divisor.c,
// unscored.c.
#include "unit.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "pointwise.h"
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
// From that key on, to the last one.
static int first_of(attn_shape s, int i) { return i > s.seq_kv - s.seq_q ? i - s.seq_kv + s.seq_q : 0; }

static int upside_down(attn_shape s, int i) { return s.seq_kv - i; }
static int from_corner(attn_shape s, int i) { return (i + 1) * s.seq_kv / s.seq_q; }
static int evenly(attn_shape s, int i) { return (i + 1) * (s.seq_kv / s.seq_q); }
static int rest_first(attn_shape s, int i) {
    const int rest = s.seq_kv % s.seq_q;
    return evenly(s, i) + (i < rest ? i + 1 : rest);
}

static void attend(attn_shape shape, likeness score, formula f, join by, int (*seen)(attn_shape, int)) {
    begin(&lab_sdpa, shape);
    for (int r = 0; r < shape.heads * shape.seq_q; r++) {
        const float *K = wrong.in[2] + r / shape.seq_q * shape.seq_kv * D, *V = wrong.in[3] + (K - wrong.in[2]);
        const int n = seen(shape, r % shape.seq_q);
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
    attend(HEADS, product, shares, add, right_edge), says("matches weights s / (sum of all s)");
    attend(CAUSAL, product, positive, add, right_edge), says("matches weights max(s, 0)");
    attend(HEADS, product, logistic, add, right_edge), says("matches weights 1 / (1 + exp(-s))");
    attend(HEADS, product, largest_alone, add, right_edge), says("matches all weight for the largest score");
    attend(CAUSAL, cosine, softmax, add, right_edge), says("matches scores that are cosines");
    attend(HEADS, distance, softmax, add, right_edge), says("matches scores -|q - k|^2, of squared distances");
}

static void a_mean_of_weighted_values_is_named(void **state) {
    (void)state;
    attend(CAUSAL, product, mean, add, right_edge), says("matches a division by the number of keys, too");
}

static void values_that_are_multiplied_are_named(void **state) {
    (void)state;
    attend((attn_shape){1, 2, 7, 5, D, 0}, product, softmax, multiply, right_edge);
    says("matches the product of all p * v: they are added up");
}

static void a_mask_from_corner_to_corner_is_named(void **state) {
    (void)state;
    int (*const seen[])(attn_shape, int) = {from_corner, evenly, rest_first};
    for (int i = 0; i < 3; i++) {
        attend(CAUSAL, product, softmax, add, seen[i]);
        says("matches a mask whose edge goes from corner to corner");
    }
}

// The same of a TODO's scores, with the names of its file: (i + 1) * Sk / Sq, also rounded up, i * Sk / Sq,
// (i + 1) * (Sk / Sq).
static void a_mask_of_scores_from_corner_to_corner_is_named(void **state) {
    (void)state;
    for (int way = 0; way < 8; way++) {
        begin_claim(way % 2 ? "task3" : "task1", "the_mask_is_aligned_bottom_right");
        const int Sk = wrong.shape.seq_kv, Sq = wrong.shape.seq_q;
        for (int i = 0; i < (int)wrong.n; i++) {
            const int q = i / Sk,
                      seen[] = {(q + 1) * Sk / Sq, ((q + 1) * Sk + Sq - 1) / Sq, q * Sk / Sq, (q + 1) * (Sk / Sq)};
            wrong.got[i] = i % Sk < seen[way / 2] ? wrong.in[1][i] : (float)LAB_HIDDEN;
        }
        says(way % 2 ? "goes from corner to corner, by seq_kv / seq_q keys"
                     : "goes from corner to corner, by Sk / Sq keys");
        release(NULL);
    }
}

static void a_mask_upside_down_is_named(void **state) {
    (void)state;
    attend(CAUSAL, product, softmax, add, upside_down);
    says("matches a mask turned upside down");
}

// The sum with the values goes on over all keys, with the weights of the row before.
static void weights_that_are_left_over_are_named(void **state) {
    (void)state;
    attend(CAUSAL, product, softmax, add, right_edge);
    for (int r = 0; r < CAUSAL.heads * CAUSAL.seq_q; r++) {
        const float *V = wrong.in[3] + r / CAUSAL.seq_q * CAUSAL.seq_kv * D;
        for (int j = right_edge(CAUSAL, r % CAUSAL.seq_q); j < CAUSAL.seq_kv; j++)
            for (int d = 0; d < D; d++) wrong.got[r * D + d] += 0.1f * (float)(1 + (j + r) % 5) * V[j * D + d];
    }
    says("matches hidden keys whose weights are what lay there, and O has them");
}

// Query i sees the keys from first_of on, or from its own number on.
static void see_from(attn_shape s, int own) {
    begin(&lab_sdpa, s);
    for (int r = 0; r < s.heads * s.seq_q; r++) {
        const float *K = wrong.in[2] + r / s.seq_q * s.seq_kv * D, *V = wrong.in[3] + (K - wrong.in[2]);
        const int first = own ? r % s.seq_q : first_of(s, r % s.seq_q);
        double x[MOST], sum = 0;
        for (int j = first; j < s.seq_kv; j++) sum += x[j] = exp(product(wrong.in[1] + r * D, K + j * D));
        for (int d = 0; d < D; d++) {
            double o = 0;
            for (int j = first; j < s.seq_kv; j++) o += x[j] / sum * V[j * D + d];
            wrong.got[r * D + d] = (float)o;
        }
    }
}

static void a_mask_of_exchanged_places_is_named(void **state) {
    (void)state;
    see_from((attn_shape){1, 2, 20, 25, D, 1}, 0), says("matches a mask in which query and key are exchanged");
    see_from((attn_shape){1, 2, 20, 25, D, 1}, 1), says("matches a mask with query and key exchanged: it hides key j");
}

// The mask takes the scores for [seq_kv, seq_q], for rows of seq_q scores, or heads for longer than they are.
static void a_mask_that_lands_elsewhere_is_named(void **state) {
    (void)state;
    const attn_shape s = {1, 2, 20, 25, D, 1};
    const int Sq = s.seq_q, Sk = s.seq_kv, all = s.heads * Sq * Sk;
    static char hidden[2 * 20 * 25];
    static const char *const said[] = {"matches a mask that hides S[j * seq_q + i], as if each key had a row",
                                       "matches a mask that hides S[i * seq_q + j], as if a row had seq_q scores",
                                       "matches a mask that hides the scores of head h from S[h * seq_kv * seq_kv] on"};
    for (int way = 0; way < 3; way++) {
        memset(hidden, 0, sizeof hidden);
        begin(&lab_naive, s);
        for (int n = 0; n < all; n++) {
            const int h = n / Sk / Sq, i = n / Sk % Sq, j = n % Sk;
            const int at = way == 2   ? h * Sk * Sk + i * Sk + j
                           : way == 1 ? h * Sq * Sk + i * Sq + j
                                      : h * Sq * Sk + j * Sq + i;
            if (j > i + Sk - Sq && at < all) hidden[at] = 1;
        }
        for (int r = 0; r < s.heads * Sq; r++) {
            const float *K = wrong.in[2] + r / Sq * Sk * D, *V = wrong.in[3] + (K - wrong.in[2]);
            double x[MOST], sum = 0;
            for (int j = 0; j < Sk; j++)
                sum += x[j] = hidden[r * Sk + j] ? 0 : exp(product(wrong.in[1] + r * D, K + j * D));
            for (int d = 0; d < D; d++) {
                double o = 0;
                for (int j = 0; j < Sk; j++) o += x[j] / sum * V[j * D + d];
                wrong.got[r * D + d] = (float)o;
            }
        }
        says(said[way]);
        release(NULL);
    }
}

int main(void) {
    const struct CMUnitTest claims[] = {
        CLAIM(another_softmax_is_named),
        CLAIM(small_weights_are_not_taken_for_others),
        CLAIM(other_weights_are_named),
        CLAIM(a_mean_of_weighted_values_is_named),
        CLAIM(values_that_are_multiplied_are_named),
        CLAIM(a_mask_from_corner_to_corner_is_named),
        CLAIM(a_mask_of_scores_from_corner_to_corner_is_named),
        CLAIM(a_mask_upside_down_is_named),
        CLAIM(weights_that_are_left_over_are_named),
        CLAIM(a_mask_of_exchanged_places_is_named),
        CLAIM(a_mask_that_lands_elsewhere_is_named),
    };
    return cmocka_run_group_tests_name("explain_weights", claims, NULL, release);
}
