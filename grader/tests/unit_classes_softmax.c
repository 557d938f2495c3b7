// unit_classes_softmax.c: classes of mistakes, as unit_classes.c has them: what the rows of a softmax are divided by, and
// from which maximum their sums count.
#include "unit.h"

#include <math.h>
#include <string.h>

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

int main(void) {
    const struct CMUnitTest claims[] = {
        CLAIM(the_divisor_of_a_softmax_is_named),
        CLAIM(a_maximum_and_a_sum_that_run_on_are_named),
        CLAIM(sums_that_count_from_their_own_maxima_are_named),
    };
    return cmocka_run_group_tests_name("classes_softmax", claims, NULL, release);
}
