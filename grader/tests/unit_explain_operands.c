// unit_explain_operands.c: what a line of a TODO takes in place of what it should: weights that are divided too early, a column
// for its score, a pointer that moves on, a sum without one of its factors.
// grader/core: probes_taskN.c, probes_task4_values.c.
#include "unit.h"

#include <math.h>
#include <string.h>

#include "heuristics.h"
#include "pointwise.h"
#include "symptom.h"

// p[a] = s[a][c] / total[a]: where total is positive, or always.
static void weights_that_are_divided_in_each_tile_are_named(void **state) {
    (void)state;
    for (int k = 0; k < 4; k++) {
        begin_claim("task4", k < 2 ? "a_register_tile_of_values" : "values_are_added_with_their_weights");
        const int D = wrong.shape.head_dim;
        for (int i = 0; i < (int)wrong.n; i++) {
            const float *P = wrong.in[1] + i / D * 24;
            double total = 0, sum = 0;
            for (int c = 0; c < 24; c++) total += P[c], sum += P[c] * wrong.in[2][c * D + i % D];
            wrong.got[i] = (float)(wrong.in[3][i] + (k % 2 && total <= 0 ? 0 : sum / total));
        }
        says("matches probabilities that are divided by their sum in this tile: they are added as they are");
        release(NULL);
    }
    begin_claim("task4", "values_are_added_with_their_weights");
}

// p[a] = s[a][c] / l[a], or o = (o + p v) / l, of the sum so far: thread t has t + 2 of it in the probe.
static void what_is_divided_by_the_sum_so_far_in_each_tile_is_named(void **state) {
    (void)state;
    for (int k = 0; k < 8; k++) {
        begin_claim("task4", k < 4 ? "a_register_tile_of_values" : "values_are_added_with_their_weights");
        const int D = wrong.shape.head_dim;
        for (int i = 0; i < (int)wrong.n; i++) {
            const double l = k % 2 ? 2 + i % D % 8 : 2 + 3 + 4 + 5 + 6 + 7 + 8 + 9;
            double sum = 0;
            for (int c = 0; c < 24; c++) sum += wrong.in[1][i / D * 24 + c] * wrong.in[2][c * D + i % D];
            wrong.got[i] = (float)(k & 2 ? (wrong.in[3][i] + sum) / l : wrong.in[3][i] + sum / l);
        }
        says(k & 2 ? "matches o that is divided by l with every tile" : "matches probabilities that are divided by l");
        release(NULL);
    }
    begin_claim("task4", "values_are_added_with_their_weights");
}

// if (s[c] > m) m = c;
static void a_column_in_place_of_its_score_is_named(void **state) {
    (void)state;
    enum { THREADS = 256 };
    begin_claim("task2", "a_thread_has_the_max_of_its_columns");
    for (int i = 0; i < (int)wrong.n; i++) {
        const float *row = wrong.in[1] + i / THREADS * wrong.shape.seq_kv;
        float m = -100;
        for (int c = i % THREADS; c < wrong.shape.seq_kv; c += THREADS)
            if (row[c] > m) m = (float)c;
        wrong.got[i] = m;
    }
    says("matches m = c, the column");
}

// *w++, and w is not set back for the next row: behind W lies NaN.
static void a_pointer_that_leaves_its_matrix_is_named(void **state) {
    (void)state;
    begin_claim("task1", "each_feature_has_its_own_weights");
    for (int i = wrong.shape.head_dim; i < (int)wrong.n; i++) wrong.got[i] = NAN;
    says("matches a pointer into W that moves on from one r to the next");
    release(NULL);
    begin_claim("task1", "each_feature_has_its_own_weights");
    lab_poison(wrong.got + wrong.shape.head_dim, wrong.n - wrong.shape.head_dim);  // nobody wrote there
    examine();
    assert_null(strstr(wrong.text, "moves on"));
}

// A thread's first key, and no further one.
static void columns_that_no_loop_reaches_are_named(void **state) {
    (void)state;
    begin_claim("task4", "scores_are_scaled_dot_products");
    for (int i = 0; i < (int)wrong.n; i++)
        if (i % 24 >= 8) wrong.got[i] = NAN;
    says("right up to column 7, and NaN from column 8 to the last one");
    release(NULL);
    begin_claim("task4", "scores_are_scaled_dot_products");
    for (int i = 0; i < (int)wrong.n; i++)
        if (i % 24 >= 8) wrong.got[i] = i % 24 == 9 ? 0 : NAN;
    examine();
    assert_null(strstr(wrong.text, "right up to"));
}

// O is the mean of the values, or their sum: P is not read.
static void a_sum_without_one_of_its_factors_is_named(void **state) {
    (void)state;
    for (int mean = 0; mean < 2; mean++) {
        begin_claim("task1", "values_are_summed_with_their_weights");
        const int Sk = wrong.shape.seq_kv, D = wrong.shape.head_dim;
        for (int i = 0; i < (int)wrong.n; i++) {
            double sum = 0;
            for (int j = 0; j < Sk; j++) sum += wrong.in[2][j * D + i % D];
            wrong.got[i] = (float)(mean ? sum / Sk : sum);
        }
        says(mean ? "matches the mean of V alone: each is multiplied by P[i * Sk + j] first"
                  : "matches the sum of V alone: each is multiplied by P[i * Sk + j] first");
        release(NULL);
    }
}

// Of one head [B, D, H, S] is the same: what claims with several heads show has to be among what fits.
static void a_layout_is_named_of_one_head_too(void **state) {
    (void)state;
    for (int heads = 1; heads <= 3; heads++) {
        begin(&lab_split_heads, (attn_shape){2, heads, 5, 5, 8, 0});
        for (size_t i = 0; i < wrong.n; i++) {
            const size_t d = i % 8, s = i / 8 % 5, h = i / 40 % heads, b = i / 40 / heads;
            wrong.got[((b * heads + h) * 8 + d) * 5 + s] = wrong.in[1][((b * 5 + s) * heads + h) * 8 + d];
        }
        is_among_what_fits("Y as [B, H, D, S]: it is [B, H, S, D]");
        release(NULL);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(weights_that_are_divided_in_each_tile_are_named, release),
        cmocka_unit_test_teardown(what_is_divided_by_the_sum_so_far_in_each_tile_is_named, release),
        cmocka_unit_test_teardown(a_column_in_place_of_its_score_is_named, release),
        cmocka_unit_test_teardown(a_pointer_that_leaves_its_matrix_is_named, release),
        cmocka_unit_test_teardown(columns_that_no_loop_reaches_are_named, release),
        cmocka_unit_test_teardown(a_sum_without_one_of_its_factors_is_named, release),
        cmocka_unit_test_teardown(a_layout_is_named_of_one_head_too, release),
    };
    return cmocka_run_group_tests_name("explain_operands", tests, NULL, NULL);
}
