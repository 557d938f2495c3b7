// unit_explain_exponentials.c: exp and log by other means, good near 0 alone or of another base, and parts that are left as
// if they were whole. grader/core: diagnose/approximations.c, joined_factors.c, powers.c, other_weights.c, log_factor.c,
// left_parts.c.
#include "unit.h"

#include <math.h>
#include <string.h>

#include "joined.h"
#include "symptom.h"

static double sixteenth(double x) { return pow(1 + x / 16, 16); }
static double cubic(double x) { return 1 + x + x * x / 2 + x * x * x / 6; }
static double long_series(double x) {
    double sum = 1, term = 1;
    for (int k = 1; k <= 6; k++) sum += term *= x / k;
    return sum;
}

// 2^n times a series of the rest, one of whose factors is missing, or whose divisor is, or which has r for f; n is cut.
static double reduced(double x, int rounds, int way) {
    const double y = x / log(2), n = rounds ? trunc(y) : rint(y), f = way == 2 ? y - n : x - n * log(2);
    const double last = 1 + f / 3 * (1 + f / 4 * (1 + f / 5 * (1 + f / 6 * (1 + f / 7))));
    return exp2(n) * (1 + f * (way == 0 ? last : 1 + (way == 1 ? f : f / 2) * last));
}
static double without_half(double x) { return reduced(x, 0, 0); }
static double undivided(double x) { return reduced(x, 1, 1); }
static double of_the_rest(double x) { return reduced(x, 0, 2); }

static const struct {
    double (*of)(double x);
    const char *name;
} taken[] = {{sixteenth, "(1 + x / 16)^16"},
             {cubic, "as far as x^3 / 3!"},
             {long_series, "as far as x^6 / 6!"},
             {without_half, "which lacks its factor f/2: exp(f) is 1 + f"},
             {undivided, "which has f in place of f/2"},
             {of_the_rest, "which is one of f / ln(2)"}};
enum { TAKEN = sizeof taken / sizeof *taken, REDUCED = 3 };  // the last ones

static void splits_with_an_approximated_factor_are_named(void **state) {
    (void)state;
    for (int f = 0; f < TAKEN - REDUCED; f++) {
        begin_claim("task5", "splits_are_weighed_and_joined");
        const int width = 2 + wrong.shape.head_dim;
        for (int i = 1; i < width; i++) {
            double sum = 0;
            for (int j = 0; j < wrong.shape.seq_kv; j++)
                sum += taken[f].of(wrong.in[1][j * width] - wrong.want[0]) * wrong.in[1][j * width + i];
            wrong.got[i] = (float)sum;
        }
        says("matches all.l and all.o with the factor ");
        assert_non_null(strstr(wrong.text, taken[f].name));
    }
}

static void splits_weighed_by_their_logarithm_are_named(void **state) {
    (void)state;
    for (int never_set = 0; never_set < 2; never_set++) {
        begin_claim("task5", "splits_are_weighed_and_joined");
        const int width = 2 + wrong.shape.head_dim;
        for (int i = 1; i < width; i++) {
            double sum = 0;
            for (int j = 0; j < wrong.shape.seq_kv; j++) sum += wrong.in[1][j * width] * wrong.in[1][j * width + i];
            wrong.got[i] = (float)sum;
        }
        if (never_set) wrong.got[0] = (float)LAB_NO_KEYS;
        says("matches splits that are weighed by L[s] itself: L[s] is the logarithm");
    }
}

// The rows of a softmax, of a task's function and of one of its TODOs.
static void rows_with_approximated_exponentials_are_named(void **state) {
    (void)state;
    for (int f = 0; f < TAKEN; f++) {
        begin(&lab_softmax_rows, (attn_shape){1, 1, 9, 13, 8, 0});
        for (int r = 0; r < 9; r++) {
            double m = -INFINITY, sum = 0;
            for (int c = 0; c < 13; c++) m = fmax(m, wrong.in[1][r * 13 + c]);
            for (int c = 0; c < 13; c++) sum += taken[f].of(wrong.in[1][r * 13 + c] - m);
            for (int c = 0; c < 13; c++)
                wrong.got[r * 13 + c] = (float)(taken[f].of(wrong.in[1][r * 13 + c] - m) / sum);
        }
        says(taken[f].name);
        assert_non_null(strstr(wrong.text, "in place of exp(x)"));
    }
}

static void attention_with_approximated_exponentials_is_named(void **state) {
    (void)state;
    enum { ROWS = 20, D = 16 };
    for (int f = 0; f < TAKEN; f++) {
        begin(&lab_flash, (attn_shape){1, 1, ROWS, ROWS, D, 0});
        for (int r = 0; r < ROWS; r++) {
            double score[ROWS], m = -INFINITY, sum = 0;
            for (int j = 0; j < ROWS; j++) {
                score[j] = 0;
                for (int d = 0; d < D; d++) score[j] += wrong.in[1][r * D + d] * wrong.in[2][j * D + d] / sqrt(D);
                m = fmax(m, score[j]);
            }
            for (int j = 0; j < ROWS; j++) sum += score[j] = taken[f].of(score[j] - m);
            for (int d = 0; d < D; d++) {
                double o = 0;
                for (int j = 0; j < ROWS; j++) o += score[j] / sum * wrong.in[3][j * D + d];
                wrong.got[r * D + d] = (float)o;
            }
        }
        says(taken[f].name);
        assert_non_null(strstr(wrong.text, "in place of exp(x)"));
    }
}

static void right_exponentials_are_no_approximation(void **state) {
    (void)state;
    begin(&lab_softmax_rows, (attn_shape){1, 1, 9, 13, 8, 0});
    for (size_t i = 0; i < wrong.n; i++) wrong.got[i] *= 1.5f;
    examine();
    assert_null(strstr(wrong.text, "in place of exp(x)"));
}

static void a_logarithm_with_a_factor_is_named(void **state) {
    (void)state;
    static const struct {
        double factor;
        const char *words;
    } log_of[] = {{1.4426950408889634 * 1.4426950408889634, "is log2(l) times ln(2)"},
                  {1 / 2.302585092994046, "matches log10 in place of log"},
                  {0.5, "matches m + 0.5 log(l)"}};
    for (int i = 0; i < 3; i++) {
        begin_claim("task5", "a_split_says_its_log_sum_exp");
        for (size_t j = 0; j < wrong.n; j++) {
            const float *pair = wrong.in[1] + 2 * j;
            if (pair[1] > 0) wrong.got[j] = (float)(pair[0] + log_of[i].factor * log(pair[1]));
        }
        says(log_of[i].words);
    }
}

static void parts_that_are_left_as_if_they_were_whole_are_named(void **state) {
    (void)state;
    static const char *const words[] = {"with m = 0 and l = 1", "with m + log(l) as m and l = 1", "matches m = 0: "};
    for (int i = 0; i < 3; i++) {
        begin_claim("task5", "all_see_what_a_warp_has_found");
        const int width = 2 + wrong.shape.head_dim;
        for (int r = 0; r < wrong.shape.seq_kv; r++) {
            float *row = wrong.got + r * width;
            const float l = row[1];
            if (!(l > 0)) continue;
            row[0] = i == 1 ? row[0] + logf(l) : 0;
            if (i < 2) row[1] = 1;
            for (int d = 2; d < width && i < 2; d++) row[d] /= l;
        }
        says(words[i]);
    }
}

int main(void) {
    const struct CMUnitTest claims[] = {
        CLAIM(splits_with_an_approximated_factor_are_named),
        CLAIM(splits_weighed_by_their_logarithm_are_named),
        CLAIM(rows_with_approximated_exponentials_are_named),
        CLAIM(attention_with_approximated_exponentials_is_named),
        CLAIM(right_exponentials_are_no_approximation),
        CLAIM(a_logarithm_with_a_factor_is_named),
        CLAIM(parts_that_are_left_as_if_they_were_whole_are_named),
    };
    return cmocka_run_group_tests_name("explain_exponentials", claims, NULL, release);
}
