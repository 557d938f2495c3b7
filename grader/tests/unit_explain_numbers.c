// unit_explain_numbers.c: a number of a row that is made by other arithmetic. grader/core/diagnose: row_number.c.
#include "unit.h"

#include <math.h>
#include <string.h>

#include "symptom.h"

static double sum_of_p(const float *s, int n, int step, double m, int power) {
    double sum = 0;
    for (int c = 0; c < n; c += step) sum += exp(power * (s[c] - m));
    return sum;
}

static double largest(const float *s, int n) {
    double m = -INFINITY;
    for (int c = 0; c < n; c++) m = fmax(m, s[c]);
    return m;
}

// The sentence, or another one that fits, has these words.
static void guessed(const char *words) {
    if (!sentences_that_fit(words) && !strstr(wrong.text, words)) fail_msg("%s: %s", words, wrong.text);
    memset(wrong.extra, 0, sizeof wrong.extra);
}

// ---- l of the exponentials

static double exp_of_sum(const float *s, int n, double m) {
    double sum = 0;
    for (int c = 0; c < n; c++) sum += s[c] - m;
    return exp(sum);
}
static double exp_of_scores(const float *s, int n, double m) { return exp_of_sum(s, n, 0) * exp(-m); }
static double length_of(const float *s, int n, double m) { return sqrt(sum_of_p(s, n, 1, m, 2)); }
static double mean_of(const float *s, int n, double m) { return sum_of_p(s, n, 1, m, 1) / n; }
static double from_m(const float *s, int n, double m) { return m + sum_of_p(s, n, 1, m, 1); }
static double largest_p(const float *s, int n, double m) { return exp(largest(s, n) - m); }
static double nothing(const float *s, int n, double m) {
    (void)s, (void)n, (void)m;
    return 0;
}

// l of task 1's exponentials, in the claim of that name
static void l_is(const char *claim, double (*l)(const float *, int, double), const char *words) {
    begin_claim("task1", claim);
    const int cols = wrong.shape.seq_kv;
    for (int r = 0; r < wrong.shape.seq_q; r++) {
        const float *s = wrong.in[1] + r * cols;
        wrong.got[r * (cols + 1) + cols] = (float)l(s, cols, largest(s, cols));
    }
    guessed(words);
}

static void the_sum_of_exponentials_is_told_from_what_stands_in_its_place(void **state) {
    (void)state;
    l_is("exponentials_and_their_sum", exp_of_sum, "matches l = exp(sum of (s - m))");
    l_is("exponentials_and_their_sum", exp_of_scores, "matches l = exp(sum of the scores - m)");
    l_is("exponentials_and_their_sum", length_of, "matches l = the square root of the sum of p * p");
    l_is("exponentials_and_their_sum", mean_of, "matches l = the mean of exp(s - m)");
    l_is("exponentials_and_their_sum", largest_p, "matches l = the largest of exp(s - m)");
    l_is("exponentials_and_their_sum", from_m, "that starts at m: it starts at 0");
}

// Where all such products are 0, they are among what fits, so that all claims of the TODO have one cause.
static void a_product_that_is_0_is_no_l_that_stays_0(void **state) {
    (void)state;
    l_is("exponentials_of_masked_scores_are_0", exp_of_sum, "matches l = exp(sum of (s - m))");
    l_is("exponentials_and_their_sum", nothing, "l stays 0");
    begin_claim("task1", "exponentials_and_their_sum");
    const int cols = wrong.shape.seq_kv;
    for (int r = 0; r < wrong.shape.seq_q; r++) wrong.got[r * (cols + 1) + cols] = 1e-9f * (float)(1 + r);
    says("every l is nearly 0, and not 0");
}

static void each_threads_sum_is_told_from_a_sum_of_scores(void **state) {
    (void)state;
    begin_claim("task2", "scores_become_exponentials_and_l_their_sum");
    const int cols = wrong.shape.seq_kv, threads = 256;
    for (int r = 0; r < wrong.shape.seq_q; r++)
        for (int t = 0; t < threads; t++) {
            double sum = 0;
            for (int c = t; c < cols; c += threads) sum += wrong.in[1][r * cols + c] - wrong.in[2][r];
            wrong.got[r * (cols + threads) + cols + t] = (float)sum;
        }
    says("matches l = the sum of s - m");
}

// No series in place of exp, which is right.
static void each_threads_sum_times_a_number_is_named(void **state) {
    (void)state;
    for (int mean = 0; mean < 2; mean++) {
        begin_claim("task2", "scores_become_exponentials_and_l_their_sum");
        const int cols = wrong.shape.seq_kv, threads = 256;
        for (size_t i = 0; i < wrong.n; i++)
            if ((int)i % (cols + threads) >= cols) wrong.got[i] = mean ? wrong.got[i] / cols : wrong.got[i] * threads;
        says(mean ? "matches l that is 1 / cols times the sum" : "matches l that is THREADS times the sum");
    }
}

static void a_maximum_of_each_threads_own_is_named(void **state) {
    (void)state;
    begin_claim("task2", "scores_become_exponentials_and_l_their_sum");
    const int cols = wrong.shape.seq_kv, threads = 256;
    for (int r = 0; r < wrong.shape.seq_q; r++)
        for (int t = 0; t < threads; t++) {
            const float *s = wrong.in[1] + r * cols;
            float *row = wrong.got + r * (cols + threads), own = -INFINITY;
            for (int c = t; c < cols; c += threads) own = fmaxf(own, s[c]);
            row[cols + t] = 0;
            for (int c = t; c < cols; c += threads) row[cols + t] += row[c] = expf(s[c] - own);
        }
    says("matches exp(s - the largest of this thread's own columns)");
}

static void a_length_that_a_row_is_divided_by_is_named(void **state) {
    (void)state;
    begin_claim("task1", "probabilities_sum_to_1");
    const int cols = wrong.shape.seq_kv;
    for (size_t i = 0; i < wrong.n; i++) {
        double sum = 0;
        for (int c = 0; c < cols; c++) sum += pow(wrong.in[1][i / cols * cols + c], 2);
        wrong.got[i] = (float)(wrong.in[1][i] / sqrt(sum));
    }
    says("matches a division by the square root of the sum of p * p, a length");
    begin(&lab_softmax_rows, (attn_shape){1, 1, 20, 30, 8, 0});
    for (int r = 0; r < 20; r++)
        for (int c = 0; c < 30; c++) {
            const float *s = wrong.in[1] + r * 30;
            const double m = largest(s, 30);
            wrong.got[r * 30 + c] = (float)(exp(s[c] - m) / length_of(s, 30, m));
        }
    says("matches a division by the square root of the sum of p * p, a length");
}

static void a_sum_without_what_is_behind_its_point_or_multiplied_by_is_named(void **state) {
    (void)state;
    begin(&lab_softmax_rows, (attn_shape){1, 1, 20, 30, 8, 0});
    for (int r = 0; r < 20; r++) {
        double sum = 0;
        for (int c = 0; c < 30; c++) sum += exp(wrong.in[1][r * 30 + c] - largest(wrong.in[1] + r * 30, 30));
        for (int c = 0; c < 30; c++) wrong.got[r * 30 + c] *= (float)(sum / floor(sum));
    }
    says("matches a division by the whole part of the sum of exp(s - m)");
    begin(&lab_softmax_rows, (attn_shape){1, 1, 20, 30, 8, 0});
    for (int r = 0; r < 20; r++) {
        double sum = 0;
        for (int c = 0; c < 30; c++) sum += exp(wrong.in[1][r * 30 + c] - largest(wrong.in[1] + r * 30, 30));
        for (int c = 0; c < 30; c++) wrong.got[r * 30 + c] *= (float)(sum * sum);
    }
    says("or a multiplication by the sum: divide by it");
}

// ---- The rescaling, and sums of products

static void one_exponential_in_place_of_a_difference_is_named(void **state) {
    (void)state;
    const char *const claims[] = {"l_and_o_are_rescaled_when_the_max_grows",
                                  "nothing_is_left_of_what_no_tile_has_given", "large_maxima_are_rescaled"};
    for (int i = 0; i < 3; i++) {
        begin_claim("task3", claims[i]);
        const int D = wrong.shape.head_dim;
        for (int e = 0; e < (int)wrong.n; e++) {
            const int r = e / (D + 1), d = e % (D + 1);
            wrong.got[e] = (d < D ? wrong.in[1][r * D + d] : wrong.in[2][r]) * expf(wrong.in[4][r]);
        }
        guessed("matches o[d] = o * exp(m_new): it is o * exp(m_old - m_new)");
    }
}

static void a_distance_in_place_of_a_product_is_named(void **state) {
    (void)state;
    begin_claim("task1", "scores_are_scaled_dot_products");
    const attn_shape z = wrong.shape;
    for (int e = 0; e < z.seq_q * z.seq_kv; e++) {
        double sum = 0;
        for (int d = 0; d < z.head_dim; d++)
            sum += pow(wrong.in[1][e / z.seq_kv * z.head_dim + d] - wrong.in[2][e % z.seq_kv * z.head_dim + d], 2);
        wrong.got[e] = (float)(-sum / sqrt(z.head_dim));
    }
    says("matches a sum of squared differences, a distance");
}

static void a_rest_behind_whole_groups_is_named(void **state) {
    (void)state;
    begin_claim("task3", "a_product_is_added");
    const attn_shape z = wrong.shape;
    const int pad = 5, width = z.head_dim + pad, whole = z.seq_kv / 4 * 4;
    for (int r = 0; r < z.seq_q; r++)
        for (int c = 0; c < z.head_dim; c++)
            for (int k = whole; k < z.seq_kv; k++)
                wrong.got[r * width + c] -= wrong.in[1][r * (z.seq_kv + pad) + k] * wrong.in[2][k * width + c];
    says("what is left behind the last whole group of them counts, too");
}

static void columns_that_no_thread_loads_are_named(void **state) {
    (void)state;
    begin_claim("task4", "a_whole_tile_is_loaded");
    const int D = wrong.shape.head_dim;
    for (size_t i = 0; i < wrong.n - D; i++)
        if (i % D >= 8) wrong.got[i] = NAN;
    says("matches a copy of the first 8 columns alone");
}

int main(void) {
    const struct CMUnitTest claims[] = {
        CLAIM(the_sum_of_exponentials_is_told_from_what_stands_in_its_place),
        CLAIM(a_product_that_is_0_is_no_l_that_stays_0),
        CLAIM(each_threads_sum_is_told_from_a_sum_of_scores),
        CLAIM(each_threads_sum_times_a_number_is_named),
        CLAIM(a_maximum_of_each_threads_own_is_named),
        CLAIM(a_length_that_a_row_is_divided_by_is_named),
        CLAIM(a_sum_without_what_is_behind_its_point_or_multiplied_by_is_named),
        CLAIM(one_exponential_in_place_of_a_difference_is_named),
        CLAIM(a_distance_in_place_of_a_product_is_named),
        CLAIM(a_rest_behind_whole_groups_is_named),
        CLAIM(columns_that_no_thread_loads_are_named),
    };
    return cmocka_run_group_tests_name("explain_numbers", claims, NULL, release);
}
