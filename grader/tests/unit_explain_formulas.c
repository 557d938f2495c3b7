// unit_explain_formulas.c: a step that is another formula as a whole: weights that are no softmax, scores that are no products,
// values that are multiplied, one sum for all rows, a mask from corner to corner. grader/core: diagnose/other_weights.c,
// fold_rows.c, folded.c, one_sum.c, seen_keys.c, divisor.c, displaced.c.
#include "unit.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

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

static int from_corner(attn_shape s, int i) { return (i + 1) * s.seq_kv / s.seq_q; }

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
    softmax_says(twice, "matches a softmax of the softmax");
}

static void a_softmax_with_one_sum_is_named(void **state) {
    (void)state;
    for (int own_max = 0; own_max < 2; own_max++) {
        begin(&lab_softmax_rows, ROWS);
        double sum = 0, m[MOST], all = -INFINITY;
        for (int r = 0; r < ROWS.seq_q; r++) {
            m[r] = -INFINITY;
            for (int c = 0; c < ROWS.seq_kv; c++) m[r] = fmax(m[r], wrong.in[1][r * ROWS.seq_kv + c]);
            all = fmax(all, m[r]);
        }
        for (int i = 0; i < (int)wrong.n; i++) sum += exp(wrong.in[1][i] - (own_max ? m[i / ROWS.seq_kv] : all));
        for (int i = 0; i < (int)wrong.n; i++)
            wrong.got[i] = (float)(exp(wrong.in[1][i] - (own_max ? m[i / ROWS.seq_kv] : all)) / sum);
        says("matches a division by one sum over all rows");
    }
}

static void rows_of_zeros_have_no_sum(void **state) {
    (void)state;
    begin(&lab_softmax_rows, ROWS);
    for (size_t i = 0; i < wrong.n; i++) wrong.got[i] = 0;
    examine();
    assert_null(strstr(wrong.text, "one sum over all rows"));
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
    attend(CAUSAL, product, softmax, add, from_corner);
    says("matches a mask whose edge goes from corner to corner");
}

static void a_mask_of_exchanged_places_is_named(void **state) {
    (void)state;
    const attn_shape s = {1, 2, 20, 25, D, 1};
    begin(&lab_sdpa, s);
    for (int r = 0; r < s.heads * s.seq_q; r++) {
        const float *K = wrong.in[2] + r / s.seq_q * s.seq_kv * D, *V = wrong.in[3] + (K - wrong.in[2]);
        double x[MOST], sum = 0;
        for (int j = first_of(s, r % s.seq_q); j < s.seq_kv; j++)
            sum += x[j] = exp(product(wrong.in[1] + r * D, K + j * D));
        for (int d = 0; d < D; d++) {
            double o = 0;
            for (int j = first_of(s, r % s.seq_q); j < s.seq_kv; j++) o += x[j] / sum * V[j * D + d];
            wrong.got[r * D + d] = (float)o;
        }
    }
    says("matches a mask in which query and key are exchanged");
}

// ---- Single steps

static void a_sum_that_is_joined_otherwise_is_named(void **state) {
    (void)state;
    for (int largest = 0; largest < 2; largest++) {
        begin_claim("task1", "values_are_summed_with_their_weights");
        const int width = wrong.shape.head_dim, Sk = wrong.shape.seq_kv;
        for (int i = 0; i < (int)wrong.n; i++) {
            float o = !largest;
            for (int j = 0; j < Sk; j++) {
                const float term = wrong.in[1][i / width * Sk + j] * wrong.in[2][j * width + i % width];
                o = largest ? fmaxf(o, term) : o * term;
            }
            wrong.got[i] = o;
        }
        says(largest ? "matches the largest of all P * V" : "matches the product of all P * V");
    }
}

static void a_maximum_of_finite_sizes_is_named(void **state) {
    (void)state;
    static const char *const claims[] = {"each_row_has_its_own_maximum", "masked_scores_are_no_maximum"};
    for (int i = 0; i < 4; i++) {
        begin_claim("task1", claims[i / 2]);
        const int cols = wrong.shape.seq_kv;
        for (int r = 0; r < wrong.shape.seq_q; r++) {
            float m = i % 2 ? 0 : fabsf(wrong.in[1][r * cols]);
            for (int c = 0; c < cols; c++)
                if (isfinite(wrong.in[1][r * cols + c])) m = fmaxf(m, fabsf(wrong.in[1][r * cols + c]));
            wrong.got[r] = m;
        }
        says("matches the largest |s|");
    }
}

static void an_input_that_is_added_is_named(void **state) {
    (void)state;
    begin(&lab_mha, (attn_shape){2, 2, 5, 5, 8, 0});
    for (size_t i = 0; i < wrong.n; i++) wrong.got[i] += wrong.in[1][i];
    says("matches Y with X added to it");
}

// With large scores many rows are the value of one key, and then of the same one.
static void a_row_that_is_one_value_belongs_to_nobody(void **state) {
    (void)state;
    begin(&lab_tiled, (attn_shape){1, 2, 24, 40, D, 0});
    for (int r = 0; r < 2 * 24; r++)
        for (int d = 0; d < D; d++) {
            const int key = r % 24 / 2;  // of every two rows the same key; the second half gets another one
            const float *V = wrong.in[3] + r / 24 * 40 * D;
            wrong.want[r * D + d] = V[key * D + d];
            wrong.got[r * D + d] = V[(r % 24 < 12 ? key : key - 6) * D + d];
        }
    examine();
    assert_null(strstr(wrong.text, "rows in other places"));
}

int main(void) {
    const struct CMUnitTest claims[] = {
        CLAIM(another_softmax_is_named),
        CLAIM(a_softmax_with_one_sum_is_named),
        CLAIM(rows_of_zeros_have_no_sum),
        CLAIM(other_weights_are_named),
        CLAIM(a_mean_of_weighted_values_is_named),
        CLAIM(values_that_are_multiplied_are_named),
        CLAIM(a_mask_from_corner_to_corner_is_named),
        CLAIM(a_mask_of_exchanged_places_is_named),
        CLAIM(a_sum_that_is_joined_otherwise_is_named),
        CLAIM(a_maximum_of_finite_sizes_is_named),
        CLAIM(an_input_that_is_added_is_named),
        CLAIM(a_row_that_is_one_value_belongs_to_nobody),
    };
    return cmocka_run_group_tests_name("explain_formulas", claims, NULL, release);
}
