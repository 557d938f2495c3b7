// unit_seen_sets.c: rows of attention tell which keys they see, where there are fewer keys than dims.
// grader/core: diagnose/seen_sets.c.
#include "seen_sets.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "unit.h"

enum { KEYS = 40, D = 64 };
static float q[D], k[KEYS * D], v[KEYS * D], got[D];

static void fill(float *x, int n) {
    for (int i = 0; i < n; i++) x[i] = (float)(rand() % 2001 - 1000) / 500.0f;
}

// Attention to the keys of which sees says so; times: how often key 0 counts.
static void attend(const char *sees, int times) {
    double o[D] = {0}, l = 0;
    for (int j = 0; j < KEYS; j++) {
        double s = 0;
        for (int d = 0; d < D; d++) s += q[d] * k[j * D + d] / sqrt(D);
        const double p = sees[j] ? exp(s) * (j ? 1 : times) : 0;
        for (int d = 0; d < D; d++) o[d] += p * v[j * D + d];
        l += p;
    }
    for (int d = 0; d < D; d++) got[d] = (float)(o[d] / l);
}

static int prepare(void **state) {
    (void)state;
    srand(7);
    fill(q, D), fill(k, KEYS * D), fill(v, KEYS * D);
    return 0;
}

static void the_keys_that_a_row_sees_are_known(void **state) {
    (void)state;
    char is[KEYS], seen[KEYS], text[160];
    for (int way = 0; way < 4; way++) {
        for (int j = 0; j < KEYS; j++)
            is[j] = way == 0 ? j < 17 : way == 1 ? j % 8 < 3 : way == 2 ? j < 5 || (j > 7 && j < 30) : j == 9;
        attend(is, 1);
        assert_true(lab_keys_seen(q, k, v, got, KEYS, D, seen));
        assert_memory_equal(seen, is, KEYS);
        lab_list_keys(seen, KEYS, text, sizeof text);
        if (way == 0) assert_string_equal(text, "keys 0 .. 16");
        if (way == 2) assert_string_equal(text, "keys 0 .. 4 and 8 .. 29");
        if (way == 3) assert_string_equal(text, "key 9");
    }
    memset(is, 0, KEYS);
    lab_list_keys(is, KEYS, text, sizeof text);
    assert_string_equal(text, "no key");
}

// A key that counts twice, an output that is not divided, other numbers, and more keys than can be told.
static void what_is_no_softmax_of_some_keys_is_not(void **state) {
    (void)state;
    char is[KEYS], seen[LAB_MOST_SOLVED_KEYS];
    memset(is, 1, KEYS);
    attend(is, 2);
    assert_false(lab_keys_seen(q, k, v, got, KEYS, D, seen));
    attend(is, 1);
    for (int d = 0; d < D; d++) got[d] *= 1.1f;
    assert_false(lab_keys_seen(q, k, v, got, KEYS, D, seen));
    fill(got, D);
    assert_false(lab_keys_seen(q, k, v, got, KEYS, D, seen));
    attend(is, 1);
    assert_false(lab_keys_seen(q, k, v, got, KEYS, KEYS, seen));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(the_keys_that_a_row_sees_are_known, prepare),
        cmocka_unit_test_setup(what_is_no_softmax_of_some_keys_is_not, prepare),
    };
    return cmocka_run_group_tests_name("seen_sets", tests, NULL, NULL);
}
