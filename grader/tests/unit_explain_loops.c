// unit_explain_loops.c: the loops of one TODO with one index, one length or one bound that is another. grader/core/sums.c,
// masks.c, pointwise.c.
#include "unit.h"

#include <math.h>
#include <string.h>

#include "cases.h"
#include "symptom.h"

static attn_shape start(const char *task, const char *claim) {
    lab_case c;
    assert_true(lab_case_find(task, claim, 1, &c));
    begin(c.op, c.shape);
    return c.shape;
}

static void said(const char *words) {
    assert_int_not_equal(examine().verdict, LAB_PASSED);
    assert_says(wrong.text, words);
}

// S[i * row + j] = scale * sum over d of Q[i * D + d] K[j * k_row + d * k_step], from d = first on.
static void scores(int row, int k_row, int k_step, int first, double scale, int runs_on) {
    const attn_shape s = start("task1", "scores_are_scaled_dot_products");
    const int D = s.head_dim;
    double dot = 0;
    for (int i = 0; i < s.seq_q; i++)
        for (int j = 0; j < s.seq_kv; j++) {
            if (!runs_on || j == 0) dot = 0;
            for (int d = first; d < D; d++) dot += wrong.in[1][i * D + d] * wrong.in[2][j * k_row + d * k_step];
            wrong.got[i * row + j] = (float)(dot * scale);
        }
}

static void a_wrong_loop_of_the_scores_is_named(void **state) {
    (void)state;
    const double right = 1 / sqrt(40);
    scores(11, 40, 1, 0, right, 0);
    assert_int_equal(examine().verdict, LAB_PASSED);
    scores(11, 11, 1, 0, right, 0), said("matches K[j * Sk + d]: it is K[j * D + d]");
    scores(11, 1, 11, 0, right, 0), said("matches K[d * Sk + j]: it is K[j * D + d]");
    scores(11, 40, 1, 1, right, 0), said("the term d = 0 is left out");
    scores(11, 40, 1, 39, right, 0), said("only the last d is in the sum");
    scores(11, 40, 1, 0, right, 1), said("goes on from one j to the next");
    scores(11, 40, 1, 0, 1 / sqrt(7), 0), said("multiplied by 1/sqrt(Sq)");
    scores(7, 40, 1, 0, right, 0), said("matches S[i * Sq + j]");
}

// O[i][d] = sum over j < n of P V, added to what the element before holds.
static void a_wrong_sum_of_the_values_is_named(void **state) {
    (void)state;
    const attn_shape s = start("task1", "values_are_summed_with_their_weights");
    const int D = s.head_dim, Sk = s.seq_kv;
    for (int i = 0; i < s.seq_q; i++)
        for (int d = 0; d < D; d++) {
            double sum = 0;
            for (int j = 0; j < s.seq_q; j++) sum += wrong.in[1][i * Sk + j] * wrong.in[2][j * D + d];
            wrong.got[i * D + d] = (float)sum;
        }
    said("matches a sum over j < Sq: it runs to Sk");
}

// The keys j with from <= j - i <= to are seen.
static void mask(const char *claim, int from, int to, float hidden) {
    const attn_shape s = start("task1", claim);
    for (int i = 0; i < s.seq_q; i++)
        for (int j = 0; j < s.seq_kv; j++) {
            const size_t at = i * s.seq_kv + j;
            wrong.got[at] = j - i < from || j - i > to ? hidden : wrong.in[1][at];
        }
}

static void a_mask_is_named_by_its_rule(void **state) {
    (void)state;
    mask("the_mask_is_aligned_bottom_right", -99, 6, -12345), assert_int_equal(examine().verdict, LAB_PASSED);
    mask("the_mask_is_aligned_bottom_right", -99, 3, -12345), said("sees the keys up to i +3: here Sk - Sq is 6");
    mask("the_mask_is_aligned_bottom_right", -99, -6, -12345), said("hides every key from every query");
    mask("the_mask_is_aligned_bottom_right", 6, 99, -12345), said("a mask the wrong way round");
    mask("later_keys_are_hidden_where_causal", -99, 0, -1e9f), said("hidden scores become -1e+09");
    mask("later_keys_are_hidden_where_causal", -99, 0, -100), said("hidden scores become -100");
}

static void what_a_loop_does_not_reach_is_named(void **state) {
    (void)state;
    const attn_shape s = start("task1", "probabilities_sum_to_1");
    for (int r = 0; r < s.seq_q; r++) wrong.got[r * s.seq_kv] = wrong.in[1][r * s.seq_kv];
    said("elements stay as they were, p[0]: the loop starts at 0");
}

// The largest score of some rows is the last one, so that a loop that ends early is always seen.
static void a_maximum_that_misses_the_last_score_is_named(void **state) {
    (void)state;
    const attn_shape s = start("task1", "each_row_has_its_own_maximum");
    for (int r = 0; r < s.seq_q; r++)
        for (int c = 0; c < s.seq_kv - 1; c++)
            wrong.got[r] = c ? fmaxf(wrong.got[r], wrong.in[1][r * s.seq_kv + c]) : wrong.in[1][r * s.seq_kv];
    said("the last score is not looked at");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(a_wrong_loop_of_the_scores_is_named, release),
        cmocka_unit_test_teardown(a_wrong_sum_of_the_values_is_named, release),
        cmocka_unit_test_teardown(a_mask_is_named_by_its_rule, release),
        cmocka_unit_test_teardown(what_a_loop_does_not_reach_is_named, release),
        cmocka_unit_test_teardown(a_maximum_that_misses_the_last_score_is_named, release),
    };
    return cmocka_run_group_tests_name("explain_loops", tests, NULL, NULL);
}
