// unit_explain_todos.c: what is said of single TODOs whose numbers are other ones, and of products that lie at other
// places.
// grader/core: probes_taskN.c, diagnose/formula.c.
#include "unit.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "heuristics.h"
#include "symptom.h"

static void a_scale_of_the_models_width_is_named(void **state) {
    (void)state;
    begin_claim("task1", "scores_are_scaled_dot_products");
    for (size_t i = 0; i < wrong.n; i++) wrong.got[i] /= sqrtf((float)wrong.shape.heads);
    says("matches 1/sqrt(E)");
}

static void an_exponential_twice_is_named(void **state) {
    (void)state;
    begin_claim("task2", "all_columns_are_divided_by_the_sum");
    for (size_t i = 0; i < wrong.n; i++) wrong.got[i] = expf(wrong.in[1][i]) / wrong.in[2][i / wrong.shape.seq_kv];
    says("matches p[c] = exp(p) / l: it is p / l");
}

static void an_output_that_alpha_is_added_to_is_named(void **state) {
    (void)state;
    begin_claim("task3", "l_and_o_are_rescaled_when_the_max_grows");
    const int D = wrong.shape.head_dim;
    for (int r = 0; r < wrong.shape.seq_q; r++)
        for (int d = 0; d < D; d++)
            wrong.got[r * (D + 1) + d] = wrong.in[1][r * D + d] + expf(wrong.in[3][r] - wrong.in[4][r]);
    says("matches o[d] = exp(m_old - m_new) + o: it is o * exp(m_old - m_new)");
}

static void rows_that_are_not_cleared_are_named(void **state) {
    (void)state;
    begin_claim("task4", "rows_that_do_not_exist_become_zeros");
    const size_t D = wrong.shape.head_dim, last = wrong.n - D;  // the row behind the tile is no part of it
    for (size_t i = wrong.shape.seq_kv * D; i < last; i++) wrong.got[i] = NAN;
    says("rows that do not exist hold NaN: they are not written, or are made of what is read there");
}

static void a_mask_in_the_tile_of_the_last_key_alone_is_named(void **state) {
    (void)state;
    for (int last = 0; last < 2; last++) {
        begin_claim("task4", "later_keys_are_hidden_where_causal");
        const int BC = 24, k0 = wrong.extra[1];
        for (size_t n = 0; n < wrong.n; n++) {
            const int i = wrong.extra[0] + (int)n / BC, seen = i < 47 ? i + 1 : 48;
            if ((seen - last) / BC != k0 / BC) wrong.got[n] = wrong.in[1][n];
        }
        says("matches a mask in the one tile alone in which the keys that a query sees end");
    }
}

// Nothing was written at the TODO, or half of it was left out: the output is what an input was.
static void stays(const char *claim, int tensor, const char *words) {
    begin_claim("task4", claim);
    memcpy(wrong.got, wrong.in[tensor], wrong.n * sizeof *wrong.got);
    says(words);
    release(NULL);
}

// Each thread gives all of its scores the key of its first one: some that are to be hidden are, and others are not.
static void the_key_of_a_threads_first_score_is_named(void **state) {
    (void)state;
    begin_claim("task4", "the_mask_is_aligned_bottom_right");
    const attn_shape s = wrong.shape;
    const int columns = 24;
    for (int e = 0; e < (int)wrong.n; e++) {
        const int row = wrong.extra[0] + e / columns, key = wrong.extra[1] + e % columns % 8;
        wrong.got[e] = key <= row + s.seq_kv - s.seq_q && key < s.seq_kv ? wrong.in[1][e] : -100;
    }
    lab_guesses fits = {.n = 0};  // in this tile no key is hidden, too
    const lab_symptom symptom = {wrong.op,
                                 wrong.shape,
                                 (const float *const *)wrong.in,
                                 wrong.got,
                                 wrong.want,
                                 lab_compare(wrong.got, wrong.want, wrong.n, LAB_TOLERANCE),
                                 {wrong.extra[0], wrong.extra[1]},
                                 &fits,
                                 NULL};
    lab_diagnose(&symptom, wrong.text, sizeof wrong.text);
    memset(wrong.extra, 0, sizeof wrong.extra);
    int named = 0;
    for (int i = 0; i < fits.n; i++) named |= strstr(fits.text[i], "key k0 + t for all scores of a thread") != NULL;
    assert_true(named);
}

static void what_was_left_out_in_task4_is_named(void **state) {
    (void)state;
    stays("later_keys_are_hidden_where_causal", 1, "no later key is hidden where causal");
    stays("the_mask_is_aligned_bottom_right", 1, "no later key is hidden where causal");
    stays("values_are_added_with_their_weights", 3, "o stays as it was");
    stays("a_register_tile_of_values", 3, "o stays as it was");
    begin_claim("task4", "l_and_o_are_rescaled_when_the_max_grows");
    const size_t D = wrong.shape.head_dim, row = wrong.n / wrong.shape.seq_q;
    for (size_t i = 0; i < wrong.n; i++) {
        const size_t r = i / row, e = i % row;
        wrong.got[i] = e < D ? wrong.in[1][r * D + e] : wrong.in[2][r * (row - D) + e - D];
    }
    says("l and o stay as they were");
    release(NULL);
    begin_claim("task4", "all_threads_of_a_row_have_its_max");
    for (size_t i = 0; i < wrong.n; i++) wrong.got[i] = fmaxf(-100, wrong.in[2][i / (wrong.n / wrong.shape.seq_q)]);
    says("m stays as it was");
    for (size_t i = 0; i < wrong.n; i++) {
        const size_t r = i / (wrong.n / wrong.shape.seq_q), n = wrong.shape.seq_kv;
        double sum = 0;
        for (size_t c = 0; c < n; c++) sum += wrong.in[1][r * n + c];
        wrong.got[i] = fmaxf(-100, fmaxf(wrong.in[2][r], (float)(sum / (double)n)));
    }
    says("matches the mean of the row's scores in place of the largest");
}

static void an_l_that_is_set_is_named(void **state) {
    (void)state;
    begin_claim("task4", "scores_become_probabilities_and_l_their_sum");
    const size_t row = wrong.n / wrong.shape.seq_q, Bc = wrong.shape.seq_kv, threads = row - Bc;
    for (size_t i = 0; i < wrong.n; i++)
        if (i % row >= Bc) wrong.got[i] = (float)wrong.want[i - threads];
    says("l is set to one probability after the other");
}

static void a_walk_that_ends_at_the_last_key_is_named(void **state) {
    (void)state;
    begin_claim("task4", "the_walk_ends_bottom_right");
    for (size_t i = 0; i < wrong.n; i++) wrong.got[i] = (float)i + wrong.shape.seq_kv - wrong.shape.seq_q;
    says("one key short, and goes beyond the last key");
}

// A kernel whose tiles have sizes of its own is not told how wide the last one is.
static void a_kernel_that_gives_nan_is_not_told_of_narrow_tiles(void **state) {
    (void)state;
    begin_claim("task4", "one_tile_is_complete_before_it_is_read");
    for (size_t i = 0; i < wrong.n; i++) wrong.got[i] = NAN;
    examine();
    assert_null(strstr(wrong.text, "narrow"));
}

static void a_length_that_is_read_too_late_is_named(void **state) {
    (void)state;
    begin_claim("task5", "a_token_is_counted_once");
    wrong.got[wrong.shape.batch + 40] += 1;
    says("a barrier must come before the change");
}

// ---- Where numbers lie

static void a_product_that_is_stored_in_other_steps_is_named(void **state) {
    (void)state;
    const int m = 12, n = 20;
    for (int columns = 0; columns < 2; columns++) {
        begin(&lab_gemm_nt, (attn_shape){2, 1, m, n, 16, 0});
        lab_poison(wrong.got, wrong.n);
        for (int e = 0; e < 2 * m * n; e++) {
            const int r = e / n % m, c = e % n;
            wrong.got[e / n / m * m * n + (columns ? c * m + r : r * m + c)] = (float)wrong.want[e];
        }
        says(columns ? "matches C[r][c] stored at c * m + r, column by column" : "matches C[r][c] stored at r * m + c");
    }
}

static void matrices_that_are_stored_elsewhere_are_named(void **state) {
    (void)state;
    static const char *const every[] = {"0", "m", "n", "m * k"};
    const int m = 12, n = 20, k = 16, step[] = {0, m, n, m * k};
    for (int i = 0; i < 4; i++) {
        begin(&lab_gemm_nt, (attn_shape){3, 1, m, n, k, 0});
        lab_poison(wrong.got, wrong.n);
        for (int e = 0; e < 3 * m * n; e++) wrong.got[e / n / m * step[i] + e % (m * n)] = (float)wrong.want[e];
        char words[80];
        snprintf(words, sizeof words, "matches matrices of C that are stored every %s numbers", every[i]);
        says(words);
    }
}

// Of thousands of numbers some of the second matrix are those of the first.
static void a_first_matrix_that_is_alone_is_not_stored_elsewhere(void **state) {
    (void)state;
    begin(&lab_gemm_nn, (attn_shape){2, 1, 64, 64, 8, 0});
    lab_poison(wrong.got + 64 * 64, 64 * 64);
    for (int e = 0; e < 12; e++) wrong.want[64 * 64 + e] = wrong.want[e];
    says("matches the first matrix of the batch alone, and nothing is written of the others");
    assert_null(strstr(wrong.text, "stored every"));
}

static void a_quarter_that_is_cleared_is_named(void **state) {
    (void)state;
    begin(&lab_sdpa, (attn_shape){1, 2, 9, 9, 32, 0});
    for (size_t i = 0; i < wrong.n; i++) {
        if (i % 32 < 8) continue;
        lab_poison(wrong.got + i, 1);
        wrong.got[i] += (float)wrong.want[i];
    }
    says("the first quarter of each row was cleared: memset counts bytes");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(a_scale_of_the_models_width_is_named, release),
        cmocka_unit_test_teardown(an_exponential_twice_is_named, release),
        cmocka_unit_test_teardown(an_output_that_alpha_is_added_to_is_named, release),
        cmocka_unit_test_teardown(rows_that_are_not_cleared_are_named, release),
        cmocka_unit_test_teardown(a_mask_in_the_tile_of_the_last_key_alone_is_named, release),
        cmocka_unit_test_teardown(the_key_of_a_threads_first_score_is_named, release),
        cmocka_unit_test_teardown(what_was_left_out_in_task4_is_named, release),
        cmocka_unit_test_teardown(an_l_that_is_set_is_named, release),
        cmocka_unit_test_teardown(a_walk_that_ends_at_the_last_key_is_named, release),
        cmocka_unit_test_teardown(a_kernel_that_gives_nan_is_not_told_of_narrow_tiles, release),
        cmocka_unit_test_teardown(a_length_that_is_read_too_late_is_named, release),
        cmocka_unit_test_teardown(a_product_that_is_stored_in_other_steps_is_named, release),
        cmocka_unit_test_teardown(matrices_that_are_stored_elsewhere_are_named, release),
        cmocka_unit_test_teardown(a_first_matrix_that_is_alone_is_not_stored_elsewhere, release),
        cmocka_unit_test_teardown(a_quarter_that_is_cleared_is_named, release),
    };
    return cmocka_run_group_tests_name("explain_todos", tests, NULL, NULL);
}
