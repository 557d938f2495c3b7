// unit_explain_numbers.c: a number of a row that is made by other arithmetic. grader/core/diagnose: row_number.c.
#include "unit.h"

#include <math.h>
#include <stdlib.h>
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
    lab_guesses guesses = {0};
    wrong.guesses = &guesses;
    examine();
    int named = strstr(wrong.text, words) != NULL;
    for (int i = 0; i < guesses.n; i++) named |= strstr(guesses.text[i], words) != NULL;
    if (!named) fail_msg("%s: %s", words, wrong.text);
    wrong.guesses = NULL;
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

int main(void) {
    const struct CMUnitTest claims[] = {
        CLAIM(the_sum_of_exponentials_is_told_from_what_stands_in_its_place),
        CLAIM(a_product_that_is_0_is_no_l_that_stays_0),
        CLAIM(each_threads_sum_is_told_from_a_sum_of_scores),
        CLAIM(a_length_that_a_row_is_divided_by_is_named),
    };
    return cmocka_run_group_tests_name("explain_numbers", claims, NULL, release);
}
