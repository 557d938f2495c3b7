// unit_explain_idle.c: a row sum of threads that begin with what is counted already, or with a column that they do not have;
// a sum whose log is missing, a row that is filled up with 0. grader/core: idle_threads.c, row_number.c, padded_row.c.
#include "unit.h"

#include <math.h>
#include <string.h>

#include "symptom.h"

enum { THREADS = 128, ROWS = 6 };

typedef double (*sum_of)(const float *s, int n, double m);

static double sum(const float *s, int n, double m) {
    double l = 0;
    for (int c = 0; c < n; c++) l += exp(s[c] - m);
    return l;
}

// Each thread goes through its columns; one without begins with column `idle`, if there is one. twice: its first counts twice, -1: not at all.
static double threads(const float *s, int n, double m, int idle, int twice) {
    double l = 0;
    for (int t = 0; t < THREADS; t++) {
        if (t >= n && idle >= 0) l += exp(s[idle] - m);
        if (t < n && twice) l += exp(s[t] - m);
        for (int c = twice < 0 ? t + THREADS : t; c < n; c += THREADS) l += exp(s[c] - m);
        if (t < n && twice < 0) l -= exp(s[t] - m);
    }
    return l;
}
static double last_again(const float *s, int n, double m) { return threads(s, n, m, n - 1, 0); }
static double first_again(const float *s, int n, double m) { return threads(s, n, m, 0, 0); }
static double twice(const float *s, int n, double m) { return threads(s, n, m, -1, 1); }
static double lost(const float *s, int n, double m) { return threads(s, n, m, -1, -1); }
static double padded(const float *s, int n, double m) { return sum(s, n, m) + (512 - n) * exp(-m); }
static double ones(const float *s, int n, double m) { return sum(s, n, m) + THREADS; }

static void divide(int rows, int cols, sum_of l) {
    begin(&lab_softmax_batched, (attn_shape){1, 1, rows, cols, 8, 0});
    for (int r = 0; r < rows; r++) {
        const float *s = wrong.in[1] + (size_t)r * cols;
        double m = s[0];
        for (int c = 1; c < cols; c++) m = fmax(m, s[c]);
        for (int c = 0; c < cols; c++) wrong.got[r * cols + c] = (float)(exp(s[c] - m) / l(s, cols, m));
    }
}

static void what_threads_begin_with_is_named(void **state) {
    (void)state;
    const struct {
        int cols;
        sum_of l;
        const char *words;
    } known[] = {
        {17, last_again, "sum of 128 threads, of which those without a column add the last one once more"},
        {17, first_again, "sum of 128 threads, of which those without a column add the first one once more"},
        {300, twice, "in which the first 128 columns count twice"},
        {300, lost, "without the first 128 columns"},
        {300, padded, "columns behind the end of a row that count with a score of 0"},
        {300, ones, "that is 128 too large: l of each of 128 threads begins with 0"},
    };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        divide(ROWS, known[i].cols, known[i].l);
        says(known[i].words);
        release(NULL);
    }
}

// One score tells that they are 128, and not which of them is counted again.
static void of_one_score_it_is_among_what_fits(void **state) {
    (void)state;
    divide(1, 1, last_again);
    is_among_what_fits("those without a column add the last one once more");
}

// All columns count twice, which is a factor of 0.5 whatever the threads are.
static void a_factor_is_no_matter_of_threads(void **state) {
    (void)state;
    divide(ROWS, 17, twice);
    examine();
    assert_null(strstr(wrong.text, "threads"));
    assert_null(strstr(wrong.text, "columns count twice"));
}

static double exp_l(const float *s, int n, double m) { return exp(sum(s, n, m)); }

static void a_log_that_is_missing_is_named(void **state) {
    (void)state;
    divide(ROWS, 17, exp_l);
    says("matches a division by exp(l), as exp(s - m - l) does");
    release(NULL);
    divide(ROWS, 900, exp_l);  // all of it is 0
    is_among_what_fits("matches a division by exp(l)");
}

int main(void) {
    const struct CMUnitTest claims[] = {
        cmocka_unit_test(what_threads_begin_with_is_named),
        cmocka_unit_test_teardown(of_one_score_it_is_among_what_fits, release),
        cmocka_unit_test_teardown(a_factor_is_no_matter_of_threads, release),
        cmocka_unit_test_teardown(a_log_that_is_missing_is_named, release),
    };
    return cmocka_run_group_tests_name("explain_idle", claims, NULL, release);
}
