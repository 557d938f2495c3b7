// unit_classes_softmax.c: classes of mistakes, as unit_classes.c has them: what the rows of a softmax are divided by, if
// by anything, from which maximum their sums count, and over what they go.
#include "unit.h"

#include <math.h>
#include <string.h>

#include "oracle.h"
#include "symptom.h"

static void the_divisor_of_a_softmax_is_named(void **state) {
    (void)state;
    static const char *const words[] = {"by the number of columns", "a row sum of the scores",
                                        "goes on from row to row", "threads 0 .. 15 of 32 alone",
                                        "every 2. thread alone"};
    for (int kind = 0; kind < 5; kind++) {
        begin(&lab_softmax_rows, (attn_shape){1, 1, 12, 80, 8, 0});
        double so_far = 0;
        for (int r = 0; r < 12; r++) {
            const float *x = wrong.in[1] + r * 80;
            double max = -INFINITY, divisor = kind == 0 ? 80 : 0;
            for (int c = 0; c < 80; c++) max = fmax(max, x[c]);
            for (int c = 0; c < 80; c++)
                divisor += kind == 1                                                              ? x[c]
                           : kind == 2 || (kind == 3 && c % 32 < 16) || (kind == 4 && c % 2 == 0) ? exp(x[c] - max)
                                                                                                  : 0;
            so_far += divisor;
            for (int c = 0; c < 80; c++)
                wrong.got[r * 80 + c] = (float)(exp(x[c] - max) / (kind == 2 ? so_far : divisor));
        }
        examine();
        assert_says(wrong.text, words[kind]);
    }
}

// The maximum and the sum of a row go on in the next one, and the sum is not rescaled.
static void a_maximum_and_a_sum_that_run_on_are_named(void **state) {
    (void)state;
    begin(&lab_softmax_rows, (attn_shape){1, 1, 12, 80, 8, 0});
    double max = -INFINITY, sum = 0;
    for (int r = 0; r < 12; r++) {
        const float *x = wrong.in[1] + r * 80;
        for (int c = 0; c < 80; c++) max = fmax(max, x[c]);
        for (int c = 0; c < 80; c++) sum += exp(x[c] - max);
        for (int c = 0; c < 80; c++) wrong.got[r * 80 + c] = (float)(exp(x[c] - max) / sum);
    }
    is_among_what_fits("a maximum and a sum that go on from row to row");
}

// Threads whose sums count from their own maxima: in rows that are shorter than the block that is the number of columns.
static void sums_that_count_from_their_own_maxima_are_named(void **state) {
    (void)state;
    static const int threads[] = {32, 64, 128}, together[] = {1, 32, 1};
    static lab_guesses fits;
    for (int kind = 0; kind < 3; kind++) {
        begin(&lab_softmax_batched, (attn_shape){1, 1, 12, 80, 8, 0});
        for (int r = 0; r < 12; r++) {
            const float *x = wrong.in[1] + r * 80;
            double m[128], max = -INFINITY, sum = 0;
            for (int t = 0; t < 128; t++) m[t] = -INFINITY;
            for (int c = 0; c < 80; c++) max = fmax(max, x[c]);
            for (int c = 0; c < 80; c++) {
                double *own = &m[c % threads[kind] / together[kind]];
                *own = fmax(*own, x[c]);
            }
            for (int c = 0; c < 80; c++) sum += exp(x[c] - m[c % threads[kind] / together[kind]]);
            for (int c = 0; c < 80; c++) wrong.got[r * 80 + c] = (float)(exp(x[c] - max) / sum);
        }
        fits.n = 0, wrong.guesses = &fits;
        examine();
        wrong.guesses = NULL;
        assert_says(wrong.text, kind == 2 ? "the number of columns" : "whose parts count from a maximum of their own");
        if (kind == 1) assert_says(wrong.text, "(every 32 of 64 threads have one)");
        assert_says(fits.text[fits.n - 1], "whose parts count from a maximum of their own");
    }
}

// A softmax with a mistake that the oracle can make.
static void softmax_with(lab_mistake mistake) {
    begin(&lab_softmax_rows, (attn_shape){1, 1, 5, 33, 8, 0});
    for (int r = 0; r < 5; r++) lab_oracle_softmax(wrong.want + r * 33, wrong.in[1] + r * 33, 33, mistake);
    hand_in(wrong.want);
    assert_true(wrong.op->oracle(wrong.shape, NULL, (const float *const *)wrong.in, LAB_NO_MISTAKE, wrong.want));
}

static void a_softmax_without_division_is_named(void **state) {
    (void)state;
    softmax_with(LAB_NO_DIVISION);
    says("row sum l");
}

// p[0] = 1, l = 1, and a loop from 1 on: of whole rows, and of one step.
static void a_first_score_that_is_taken_for_the_largest_is_named(void **state) {
    (void)state;
    softmax_with(LAB_FIRST_IS_ONE);
    says("a first score that counts 1");
    begin_claim("task1", "exponentials_and_their_sum");
    const int cols = wrong.shape.seq_kv;
    for (int r = 0; r < wrong.shape.seq_q; r++) {
        float *p = wrong.got + r * (cols + 1);
        p[cols] += 1 - p[0], p[0] = 1;
    }
    says("a first score that counts 1");
}

static void a_softmax_over_columns_is_named(void **state) {
    (void)state;
    begin(&lab_softmax_rows, (attn_shape){1, 1, 9, 9, 8, 0});
    for (int c = 0; c < 9; c++) {
        double sum = 0;
        for (int r = 0; r < 9; r++) sum += exp(wrong.in[1][r * 9 + c]);
        for (int r = 0; r < 9; r++) wrong.got[r * 9 + c] = (float)(exp(wrong.in[1][r * 9 + c]) / sum);
    }
    examine();
    assert_says(wrong.text, "columns sum to 1");
}

int main(void) {
    const struct CMUnitTest claims[] = {
        CLAIM(the_divisor_of_a_softmax_is_named),
        CLAIM(a_maximum_and_a_sum_that_run_on_are_named),
        CLAIM(sums_that_count_from_their_own_maxima_are_named),
        CLAIM(a_softmax_without_division_is_named),
        CLAIM(a_first_score_that_is_taken_for_the_largest_is_named),
        CLAIM(a_softmax_over_columns_is_named),
    };
    return cmocka_run_group_tests_name("classes_softmax", claims, NULL, release);
}
