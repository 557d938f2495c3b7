// unit_explain_terms.c: products that a sum leaves out, slips of the pen, pointers that walk on; powers of another base.
// grader/core/diagnose/sums/sum_terms.c, powers.c, moved.c, masks.c, unwritten.c.
#include "unit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cases.h"
#include "check.h"
#include "symptom.h"

static attn_shape start(const char *task, const char *claim) {
    lab_case c;
    assert_true(lab_case_find(task, claim, 1, &c));
    begin_kind(c.op, c.shape, c.kind);
    return c.shape;
}

static void said(const char *words) {
    assert_int_not_equal(examine().verdict, LAB_PASSED);
    assert_says(wrong.text, words);
}

// Scores of task 1; times[d % 4]: how often this product counts. slip: the fourth of four takes Q's third. walk: Q's pointer
// is not set back from key to key.
static void scores(const int times[4], int slip, int walk) {
    const attn_shape s = start("task1", "scores_are_scaled_dot_products");
    const int D = s.head_dim;
    for (int i = 0; i < s.seq_q; i++)
        for (int j = 0; j < s.seq_kv; j++) {
            double dot = 0;
            for (int d = 0; d < D; d++) {
                const int row = walk ? i + j : i, column = slip && d % 4 == 3 ? d - 1 : d;
                dot += row < s.seq_q ? times[d % 4] * wrong.in[1][row * D + column] * wrong.in[2][j * D + d] : NAN;
            }
            wrong.got[i * s.seq_kv + j] = (float)(dot / sqrt(D));
        }
}

// Features of task 1, from products first .. end - 1 alone.
static void features(int first, int end) {
    const attn_shape s = start("task1", "each_feature_has_its_own_weights");
    const int E = s.head_dim;
    for (int i = 0; i < s.seq_q * E; i++) {
        double sum = 0;
        for (int k = first; k < end; k++) sum += wrong.in[1][i / E * E + k] * wrong.in[2][i % E * E + k];
        wrong.got[i] = (float)sum;
    }
}

static void products_that_are_not_there_once_are_named(void **state) {
    (void)state;
    scores((int[]){1, 1, 1, 1}, 0, 0);
    assert_int_equal(examine().verdict, LAB_PASSED);
    scores((int[]){1, 1, 1, 0}, 0, 0), said("matches a sum without the products of d % 4 = 3");
    scores((int[]){1, 0, 0, 1}, 0, 0), said("matches a sum without the products of d % 4 = 1 .. 2");
    scores((int[]){1, 1, 2, 1}, 0, 0), said("matches a sum with the products of d % 4 = 2 more than once");
    scores((int[]){2, 1, 1, 0}, 0, 0), said("of which 10 are left out, and 10 count more than once");
    start("task1", "each_feature_has_its_own_weights");
    features(8, 24), said("without the products of k = 0 .. 7");
    assert_null(strstr(wrong.text, "each block"));  // 16 are no last block of 8
    features(16, 24), said("matches a sum without the products of k = 0 .. 15: is each block of them added to what");
    memset(wrong.got, 0, wrong.n * sizeof(float)),
        said("every sum is 0: does the loop over k run at all, with E = 24?");
}

static void a_slip_and_a_pointer_that_walks_on_are_named(void **state) {
    (void)state;
    scores((int[]){1, 1, 1, 1}, 1, 0), said("written out 4 at a time in which product d + 3 takes Q from d + 2");
    scores((int[]){1, 1, 1, 1}, 0, 1), said("a pointer into Q that moves on from one j to the next");
}

static void a_power_of_another_base_is_named(void **state) {
    (void)state;
    const attn_shape s = start("task3", "scores_become_probabilities_and_l_their_sum");
    const int n = s.seq_kv;
    for (int r = 0; r < s.seq_q; r++) {
        double l = wrong.in[2][r];
        for (int c = 0; c < n; c++)
            l += wrong.got[r * (n + 1) + c] = powf(2.7f, wrong.in[1][r * n + c] - wrong.in[3][r]);
        wrong.got[r * (n + 1) + n] = (float)l;
    }
    said("matches 2.7^(s - m), or exp(0.9933 (s - m))");
}

static void masked_scores_that_are_skipped_are_named(void **state) {
    (void)state;
    const attn_shape s = start("task2", "exponentials_of_a_short_row");
    const uint32_t poison = LAB_POISON;
    for (int i = 0; i < s.seq_q * s.seq_kv; i++)
        if (isinf(wrong.in[1][i]))
            memcpy(&wrong.got[i / s.seq_kv * (s.seq_kv + 256) + i % s.seq_kv], &poison, sizeof poison);
    said("matches a loop that skips masked scores");
}

// A token's e = h * D + d.
static void an_index_taken_apart_by_another_length_is_named(void **state) {
    (void)state;
    const attn_shape s = start("task1", "a_small_tensor_is_merged");
    const int H = s.heads, D = s.head_dim, S = s.seq_q;
    for (int i = 0; i < s.batch * S * H * D; i++) {
        const int e = i % (H * D), row = i / (H * D);
        wrong.got[i] = wrong.in[1][((row / S * H + e / H % H) * S + row % S) * D + e % D];
    }
    said("matches h = e / H % H, d = e % D");
}

static void a_difference_that_wraps_round_is_named(void **state) {
    (void)state;
    const attn_shape s = start("task1", "the_mask_is_aligned_bottom_right");
    for (size_t i = 0; i < (size_t)s.seq_q; i++)
        for (size_t j = 0; j < (size_t)s.seq_kv; j++)
            if (j - i > (size_t)(s.seq_kv - s.seq_q)) wrong.got[i * s.seq_kv + j] = -12345;
    said("hides the keys before i, too: all keys up to i + Sk - Sq are seen. In size_t, j - i is huge");
}

static void bytes_for_floats_are_named(void **state) {
    (void)state;
    const attn_shape s = start("task1", "a_small_tensor_is_split");
    const uint32_t poison = LAB_POISON;
    for (size_t i = 0; i < wrong.n; i++)
        if (i % s.head_dim >= (size_t)s.head_dim / 4) memcpy(&wrong.got[i], &poison, sizeof poison);
    said("of each 8 numbers a quarter is written: memcpy and memset count bytes");
    release(NULL);
    begin(&lab_merge_heads, (attn_shape){2, 3, 4, 4, 10, 0});  // two numbers and a half
    for (size_t i = 0; i < wrong.n; i++)
        if (i % 10 >= 3) memcpy(&wrong.got[i], &poison, sizeof poison);
    said("of each 10 numbers a quarter is written: memcpy and memset count bytes");
}

static void heads_that_are_added_up_are_named(void **state) {
    (void)state;
    for (int mean = 0; mean < 2; mean++) {
        begin(&lab_merge_heads, (attn_shape){2, 3, 4, 4, 10, 0});
        for (size_t i = 0; i < wrong.n; i++) {
            wrong.got[i] = 0;
            for (size_t h = 0; h < 3; h++)
                wrong.got[i] += wrong.in[1][((i / 120 * 3 + h) * 4 + i / 30 % 4) * 10 + i % 10] / (mean ? 3 : 1);
        }
        said(mean ? "matches the mean of a token's heads"
                  : "matches the sum of a token's heads: merge adds nothing up");
        release(NULL);
    }
}

// ---- Rows of scores of another length, and values of another tile

// Scores [heads, Sq, Sk], a softmax of runs of `run` numbers, times V. value: which one key j takes, for query i.
static void attention(int run, int (*value)(int i, int j)) {
    const attn_shape z = wrong.shape;
    const int heads = z.batch * z.heads, Sq = z.seq_q, Sk = z.seq_kv, D = z.head_dim, n = heads * Sq * Sk;
    double *p = calloc((size_t)n, sizeof *p);
    assert_non_null(p);
    for (int e = 0; e < n; e++) {
        const float *q = wrong.in[1] + e / Sk * D, *k = wrong.in[2] + (e / Sk / Sq * Sk + e % Sk) * D;
        for (int d = 0; d < D; d++) p[e] += q[d] * k[d] / sqrt(D);
    }
    for (int r = 0; r < n / run; r++) {
        double sum = 0;
        for (int c = 0; c < run; c++) sum += p[r * run + c] = exp(p[r * run + c]);
        for (int c = 0; c < run; c++) p[r * run + c] /= sum;
    }
    for (int o = 0; o < heads * Sq * D; o++) {
        double sum = 0;
        const int i = o / D % Sq, head = o / D / Sq;
        for (int j = 0; j < Sk; j++)
            sum += p[(head * Sq + i) * Sk + j] * wrong.in[3][(head * Sk + (value ? value(i, j) : j)) * D + o % D];
        wrong.got[o] = (float)sum;
    }
    free(p);
    examine();
}

static int of_the_queries_tile(int i, int j) { return i / 16 * 16 + j % 16; }

static void a_softmax_of_rows_of_the_other_side_is_named(void **state) {
    (void)state;
    begin(&lab_naive_chain, (attn_shape){2, 3, 10, 15, 16, 0});
    attention(10, NULL);
    assert_says(wrong.text, "matches attn_softmax_batched called with B * H * Sk rows of Sq columns");
    begin(&lab_naive_chain, (attn_shape){2, 3, 10, 15, 16, 0});
    attention(150, NULL);
    assert_says(wrong.text, "matches attn_softmax_batched called with B * H rows of Sq * Sk columns");
}

static void values_of_the_tile_of_queries_are_named(void **state) {
    (void)state;
    begin(&lab_tiled, (attn_shape){1, 2, 48, 48, 16, 0});
    attention(48, of_the_queries_tile);
    assert_says(wrong.text, "V + i0 * D, where the queries begin");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(products_that_are_not_there_once_are_named, release),
        cmocka_unit_test_teardown(a_softmax_of_rows_of_the_other_side_is_named, release),
        cmocka_unit_test_teardown(values_of_the_tile_of_queries_are_named, release),
        cmocka_unit_test_teardown(a_slip_and_a_pointer_that_walks_on_are_named, release),
        cmocka_unit_test_teardown(a_power_of_another_base_is_named, release),
        cmocka_unit_test_teardown(masked_scores_that_are_skipped_are_named, release),
        cmocka_unit_test_teardown(an_index_taken_apart_by_another_length_is_named, release),
        cmocka_unit_test_teardown(a_difference_that_wraps_round_is_named, release),
        cmocka_unit_test_teardown(bytes_for_floats_are_named, release),
        cmocka_unit_test_teardown(heads_that_are_added_up_are_named, release),
    };
    return cmocka_run_group_tests_name("explain_terms", tests, NULL, NULL);
}
