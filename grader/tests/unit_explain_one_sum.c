// unit_explain_one_sum.c: a sum that rows share and each should have for itself, or that is used before it is whole.
// grader/core: diagnose/softmax/one_sum.c, op_softmax.c.
#include "unit.h"

#include <math.h>
#include <string.h>

#include "symptom.h"

enum { H = 2, SQ = 24, SK = 40, D = 32 };

// Row r is divided by `by`, given its own sum and maximum and those of all rows.
static void divided_by(double (*by)(int r, const double *m, const double *l), const char *words) {
    begin(&lab_sdpa, (attn_shape){1, H, SQ, SK, D, 0});
    double m[H * SQ], l[H * SQ];
    for (int r = 0; r < H * SQ; r++) {
        double s[SK];
        m[r] = -INFINITY, l[r] = 0;
        for (int j = 0; j < SK; j++) {
            double dot = 0;
            for (int d = 0; d < D; d++) dot += wrong.in[1][r * D + d] * wrong.in[2][(r / SQ * SK + j) * D + d];
            s[j] = dot / sqrt(D), m[r] = fmax(m[r], s[j]);
        }
        for (int j = 0; j < SK; j++) l[r] += exp(s[j] - m[r]);
    }
    for (int e = 0; e < H * SQ * D; e++) wrong.got[e] *= (float)(l[e / D] / by(e / D, m, l));
    if (*words) {
        says(words);
    } else {
        examine();
        assert_null(strstr(wrong.text, "over all rows"));
        assert_null(strstr(wrong.text, "goes on from"));
    }
}

static double own(int r, const double *m, const double *l) { return l[r] * (1.5 + r % 3) + 0 * m[r]; }
static double of_head(int r, const double *m, const double *l) {
    (void)m;
    double sum = 0;
    for (int i = r / SQ * SQ; i < r / SQ * SQ + SQ; i++) sum += l[i];
    return sum;
}
static double of_head_common(int r, const double *m, const double *l) {
    double sum = 0;
    for (int i = r / SQ * SQ; i < r / SQ * SQ + SQ; i++) sum += l[i] * exp(m[i] - m[r]);
    return sum;
}
static double of_all(int r, const double *m, const double *l) {
    return of_head(r % SQ, m, l) + of_head(r % SQ + SQ, m, l);
}
static double so_far(int r, const double *m, const double *l) {
    (void)m;
    double sum = 0;
    for (int i = r / SQ * SQ; i <= r; i++) sum += l[i];
    return sum;
}
static double of_thread(int r, const double *m, const double *l) {
    (void)m;
    double sum = 0;
    for (int i = r % SQ; i >= 0; i -= 8) sum += l[r / SQ * SQ + i];
    return sum;
}
static double of_first(int r, const double *m, const double *l) { return l[r / SQ * SQ] + 0 * m[r]; }

static void a_sum_that_rows_share_is_named(void **state) {
    (void)state;
    divided_by(of_head, "matches a division by one sum over all rows of a head");
    divided_by(of_head_common, "matches a division by one sum over all rows of a head");
    divided_by(of_all, "matches a division by one sum over all rows of all heads");
    divided_by(so_far, "matches a row sum that goes on from row to row");
    divided_by(of_thread, "matches a row sum that goes on from each row to the one 8 further");
    divided_by(of_first, "matches a division of every row by the sum of the first row of its head");
    divided_by(own, "");
}

// Of a number as large as that the row's own l is no part that one could see.
static void a_divisor_that_has_nothing_of_l_is_not_called_l_plus_something(void **state) {
    (void)state;
    lab_guesses guesses = {0};
    wrong.guesses = &guesses;
    divided_by(of_all, "matches a division by one sum over all rows");
    for (int i = 0; i < guesses.n; i++) assert_null(strstr(guesses.text[i], "a division by l +"));
    wrong.guesses = NULL;
}

// Probabilities divided in the loop that adds them up; scores large enough that the first of a row are 0, as their sum.
static void a_division_within_the_sum_is_named(void **state) {
    (void)state;
    for (int large = 0; large < 2; large++) {
        begin_kind(&lab_softmax_rows, (attn_shape){1, 1, 6, 40, 8, 0}, large ? LAB_LARGE : LAB_NORMAL);
        for (int r = 0; r < 6; r++) {
            float top = -INFINITY, sum = 0;
            for (int c = 0; c < 40; c++) top = fmaxf(top, wrong.in[1][r * 40 + c]);
            for (int c = 0; c < 40; c++) {
                const float p = expf(wrong.in[1][r * 40 + c] - top);
                sum += p;
                wrong.got[r * 40 + c] = p / sum;
            }
        }
        says("divided by the sum up to their own column");
        wrong.got[3] = 0.5f;  // another mistake, and no overflow: where a sum is Inf, all of its row is NaN or 0
        examine();
        assert_null(strstr(wrong.text, "up to their own"));
        assert_null(strstr(wrong.text, "exp overflows"));
        release(NULL);
    }
}

int main(void) {
    const struct CMUnitTest claims[] = {
        CLAIM(a_sum_that_rows_share_is_named),
        CLAIM(a_divisor_that_has_nothing_of_l_is_not_called_l_plus_something),
        CLAIM(a_division_within_the_sum_is_named),
    };
    return cmocka_run_group_tests_name("explain_one_sum", claims, NULL, release);
}
