// unit_explain_facts.c: what is said of a TODO holds of all elements: of those that are right, too.
// grader/core: probes_taskN.c, diagnose/formula.c, exponential.c, pointwise.c, heuristics.c.
#include "unit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "heuristics.h"
#include "symptom.h"

static void says_not(const char *words) {
    examine();
    if (strstr(wrong.text, words)) fail_msg("\"%s\" says \"%s\"", wrong.text, words);
}

// From one dim on nothing is rescaled: what is right before it is no copy.
static void a_formula_names_the_columns_that_have_it(void **state) {
    (void)state;
    begin_claim("task4", "all_dims_of_the_largest_head_are_rescaled");
    const int columns = (int)(wrong.n / (size_t)wrong.shape.seq_q);
    for (size_t i = 0; i < wrong.n; i++)
        if (i % columns >= 64 && i % columns < 128) wrong.got[i] = wrong.in[1][i / columns * 128 + i % columns];
    says("matches o[e] = o in columns 64 .. 127 alone: it is o * exp(m_old - m_new)");
}

static void columns_of_which_some_are_right_are_counted(void **state) {
    (void)state;
    begin_claim("task1", "probabilities_sum_to_1");
    const int cols = wrong.shape.seq_kv;
    for (size_t i = 0; i < wrong.n; i++)
        if (i % cols == 1 || i % cols == 3) wrong.got[i] = wrong.in[1][i];
    says_not("p[1 .. 3]");
    assert_says(wrong.text, "elements stay as they were, ");
    begin_claim("task1", "probabilities_sum_to_1");
    for (size_t i = 0; i < wrong.n; i += 2 * cols) wrong.got[i] = wrong.in[1][i];  // p[0] of every other row
    says_not("the loop");
    assert_says(wrong.text, "elements stay as they were, ");
}

// Only the place in memory is tested, and behind the matrix there are zeros.
static void a_test_of_the_place_alone_is_named(void **state) {
    (void)state;
    begin_claim("task2", "outside_of_the_matrix_are_zeros");
    const int rows = wrong.shape.seq_q, cols = wrong.shape.seq_kv;
    for (int i = 0; i < (rows + 3) * (cols + 5); i++) {
        const int at = i / (cols + 5) * cols + i % (cols + 5);
        wrong.got[i] = at < rows * cols ? wrong.in[1][at] : 0;
    }
    says("matches r * cols + c < rows * cols alone");
    says_not("r < rows or c < cols");
    says_not("c is not checked");
}

// One tile is loaded with the other matrix's size, and the other one is right.
static void a_size_that_is_wrong_for_one_tile_is_not_called_swapped(void **state) {
    (void)state;
    static const char *const claims[] = {"the_first_tiles_of_a_and_b_transposed", "ragged_tiles_of_a_and_b_transposed"};
    enum { TILE = 32 };
    for (int which = 0; which < 2; which++) {
        begin_claim("task2", claims[which]);
        const int m = wrong.shape.seq_q, n = wrong.shape.seq_kv, across = (n + TILE - 1) / TILE;
        for (size_t i = 0; i < wrong.n; i++) {
            const int block = (int)(i / (2 * TILE * TILE)), is_b = i / (TILE * TILE) % 2;
            if (is_b && block % across * TILE + (int)(i % (TILE * TILE)) / TILE >= m) wrong.got[i] = 0;
        }
        lab_guesses fits = {.n = 0};
        wrong.guesses = &fits;
        examine();
        assert_says(wrong.text, "the tile of B is loaded with m in place of n");
        for (int k = 0; k < fits.n && which; k++) assert_null(strstr(fits.text[k], "swapped"));
        wrong.guesses = NULL;
        release(NULL);
    }
}

// 2^n 2^(f r) has other coefficients than 2^n 2^r, all of them, and the polynomial is right.
static void a_rest_of_the_wrong_sign_is_no_coefficient(void **state) {
    (void)state;
    for (int sign = 0; sign < 2; sign++) {
        begin_claim("task3", "exp_of_is_exact_and_calls_nothing");
        for (int i = 0; i < wrong.shape.seq_q; i++) {
            const double y = wrong.in[1][i] * 1.44269504, r = y - rint(y);
            if (y >= -126) wrong.got[i] = 1 + 50 * (exp2((sign ? -1 : 0.5) * r) / exp2(r) - 1);
        }
        says(sign ? "matches 2^n 2^-r: r has the wrong sign" : "matches 2^n 2^(0.5 r)");
        release(NULL);
    }
}

// Half of the heads have the mistake, and each row of the others is right.
static void a_mistake_of_some_rows_is_not_said_of_all(void **state) {
    (void)state;
    for (int heads = 2; heads <= 4; heads += 2) {
        begin(&lab_flash, (attn_shape){1, 4, 24, 40, 32, 0});
        double *out = malloc(wrong.n * sizeof *out);
        assert_true(out && wrong.op->oracle(wrong.shape, NULL, (const float *const *)wrong.in, LAB_NO_DIVISION, out));
        for (size_t i = wrong.n / 4 * (4 - heads); i < wrong.n; i++) wrong.got[i] = (float)out[i];
        free(out);
        examine();
        assert_says(wrong.text, LAB_NO_DIVISION_TEXT);
        assert_int_equal(strstr(wrong.text, LAB_NOT_IN_RIGHT_ROWS) != NULL, heads < 4);
        release(NULL);
    }
}

// A thread for each row, and no loop: those behind the last thread of a block are left as they were.
static void rows_behind_the_threads_of_a_block_are_named(void **state) {
    (void)state;
    enum { ROWS = 96, KEYS = 40, D = 32 };
    for (int from = 60; from <= 64; from += 4) {
        begin(&lab_naive, (attn_shape){1, 2, ROWS, KEYS, D, 0});
        double *out = malloc(wrong.n * sizeof *out);
        assert_true(out && wrong.op->oracle(wrong.shape, NULL, (const float *const *)wrong.in, LAB_NO_SCALE, out));
        for (size_t i = 0; i < wrong.n; i++)
            if ((int)(i / D % ROWS) >= from) wrong.got[i] = (float)out[i];
        free(out);
        examine();
        assert_says(wrong.text, LAB_NOT_IN_RIGHT_ROWS);
        assert_int_equal(strstr(wrong.text, "which are those from 64 on: who has them?") != NULL, from == 64);
        release(NULL);
    }
}

// Of one lane that has it, and of others: what is said of all was looked at in all.
static void lanes_with_the_sum_are_told_apart(void **state) {
    (void)state;
    enum { LANES = 32 };
    for (int more = 0; more < 2; more++) {
        begin_claim("task5", "every_lane_has_the_sum_of_all");
        for (size_t i = 0; i < wrong.n; i++)
            if (i % LANES && !(more && i % LANES == 16)) wrong.got[i] = wrong.in[1][i];
        says(more ? "lane 0 has the sum, and not all others have" : "lane 0 alone has the sum");
        release(NULL);
    }
}

// A length that is neither the old one nor the new one was not read too late.
static void a_length_of_another_sequence_is_not_called_late(void **state) {
    (void)state;
    for (int late = 0; late < 2; late++) {
        begin_claim("task5", "a_token_is_counted_once");
        wrong.got[5 + 7] = late ? wrong.got[0] : wrong.got[5 + 64];
        if (late) {
            says("a thread read lengths[b] after it was changed");
        } else {
            says("a thread of block 0 read ");
            says_not("after it was changed");
        }
        release(NULL);
    }
}

static void numbers_without_two_exponentials_are_not_called_so(void **state) {
    (void)state;
    for (int finite = 0; finite < 2; finite++) {
        begin_claim("task3", "large_maxima_are_rescaled");
        for (size_t i = 0; i < wrong.n; i++) wrong.got[i] = finite && i % 3 ? 2 * wrong.got[i] : NAN;
        examine();
        assert_int_equal(strstr(wrong.text, "another two exponentials") != NULL, !finite);
        release(NULL);
    }
}

// One row holds another head's, and the rest of its head does not.
static void one_row_does_not_speak_for_its_head(void **state) {
    (void)state;
    for (int all = 0; all < 2; all++) {
        begin(&lab_sdpa, (attn_shape){1, 2, 24, 24, 32, 0});
        const size_t head = wrong.n / 2;
        for (size_t i = 0; i < (all ? head : 32); i++) wrong.got[i] = (float)wrong.want[head + i];
        for (size_t i = 32; i < head && !all; i++) wrong.got[i] += 0.1f * (float)(i % 7);
        examine();
        assert_int_equal(strstr(wrong.text, "batch 0, head 0 holds what belongs to batch 0, head 1") != NULL, all);
        release(NULL);
    }
}

static void one_row_that_is_no_multiple_is_enough(void **state) {
    (void)state;
    for (int odd = 0; odd < 2; odd++) {
        begin(&lab_softmax_rows, (attn_shape){1, 1, 64, 40, 8, 0});
        for (size_t i = 0; i < wrong.n; i++) wrong.got[i] *= 1.3f + 0.01f * (float)(i / 40);
        if (odd) wrong.got[41 * 40 + 3] += 0.02f;  // of the rows that a sample takes it is none
        examine();
        assert_int_equal(strstr(wrong.text, "each wrong row is the right one times a number") != NULL, !odd);
        release(NULL);
    }
}

// All heads are walked in the same way: where the rows of one are right, the walk is.
static void a_walk_that_gives_right_rows_is_not_blamed(void **state) {
    (void)state;
    enum { KEYS = 64, TILE = 16, D = 32, ROWS = 24 };
    for (int all = 0; all < 2; all++) {
        double p[KEYS], o[D];
        begin(&lab_tiled, (attn_shape){1, 2, ROWS, KEYS, D, 0});
        wrong.extra[0] = 8, wrong.extra[1] = TILE;
        for (int r = all ? 0 : ROWS; r < 2 * ROWS; r++) {
            const float *const k = wrong.in[2] + r / ROWS * KEYS * D, *const v = wrong.in[3] + r / ROWS * KEYS * D;
            lab_oracle_row(o, wrong.in[1] + r * D, k, v, (attn_shape){1, 1, 1, TILE, D, 0}, 0, 0, 0, LAB_NO_MISTAKE, p);
            for (int d = 0; d < D; d++) wrong.got[r * D + d] = (float)o[d];
        }
        examine();
        assert_int_equal(strstr(wrong.text, "a walk that ends after the first tile") != NULL, all);
        wrong.extra[0] = wrong.extra[1] = 0;
        release(NULL);
    }
}

int main(void) {
    const struct CMUnitTest claims[] = {
        cmocka_unit_test_teardown(a_formula_names_the_columns_that_have_it, release),
        cmocka_unit_test_teardown(columns_of_which_some_are_right_are_counted, release),
        cmocka_unit_test_teardown(a_test_of_the_place_alone_is_named, release),
        cmocka_unit_test_teardown(a_size_that_is_wrong_for_one_tile_is_not_called_swapped, release),
        cmocka_unit_test_teardown(a_rest_of_the_wrong_sign_is_no_coefficient, release),
        cmocka_unit_test_teardown(a_mistake_of_some_rows_is_not_said_of_all, release),
        cmocka_unit_test(rows_behind_the_threads_of_a_block_are_named),
        cmocka_unit_test_teardown(lanes_with_the_sum_are_told_apart, release),
        cmocka_unit_test_teardown(a_length_of_another_sequence_is_not_called_late, release),
        cmocka_unit_test_teardown(numbers_without_two_exponentials_are_not_called_so, release),
        cmocka_unit_test_teardown(one_row_does_not_speak_for_its_head, release),
        cmocka_unit_test_teardown(one_row_that_is_no_multiple_is_enough, release),
        cmocka_unit_test_teardown(a_walk_that_gives_right_rows_is_not_blamed, release),
    };
    return cmocka_run_group_tests_name("explain_facts", claims, NULL, NULL);
}
