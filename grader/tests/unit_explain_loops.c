// unit_explain_loops.c: the loops of one TODO with one index, one length or one bound that is another. grader/core/diagnose/sums/sums.c,
// masks.c, pointwise.c, exponential.c, exponential_parts.c, wiring.c, chain.c.
#include "unit.h"

#include <math.h>
#include <stdlib.h>
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
    mask("the_mask_is_aligned_bottom_right", 0, 99, -12345), said("it hides key j from the queries behind it");
    mask("later_keys_are_hidden_where_causal", -99, 0, -1e9f), said("hidden scores become -1e+09");
    mask("later_keys_are_hidden_where_causal", -99, 0, -100), said("hidden scores become -100");
}

static void what_a_loop_does_not_reach_is_named(void **state) {
    (void)state;
    const attn_shape s = start("task1", "probabilities_sum_to_1");
    for (int r = 0; r < s.seq_q; r++) wrong.got[r * s.seq_kv] = wrong.in[1][r * s.seq_kv];
    said("elements stay as they were, p[0]: the loop must start at 0");
}

// The largest score of some rows is the last one, so that a loop that ends early is always seen.
static void a_maximum_that_misses_the_last_score_is_named(void **state) {
    (void)state;
    const attn_shape s = start("task1", "each_row_has_its_own_maximum");
    for (int r = 0; r < s.seq_q; r++)
        for (int c = 0; c < s.seq_kv - 1; c++)
            wrong.got[r] = c ? fmaxf(wrong.got[r], wrong.in[1][r * s.seq_kv + c]) : wrong.in[1][r * s.seq_kv];
    said("the last score is not looked at");
    for (int r = 0; r < s.seq_q; r++)
        for (int c = 0; c < s.seq_kv; c++)
            wrong.got[r] = c || r ? fmaxf(wrong.got[c ? r : r - 1], wrong.in[1][r * s.seq_kv + c]) : wrong.in[1][0];
    said("matches a maximum that goes on from row to row");
}

// Y = merge(attention(Q, K, V)) Wo^T from other weights, or what was never merged.
static void parts_put_together_the_wrong_way_are_named(void **state) {
    (void)state;
    start("task1", "a_small_multi_head_attention");
    float *const weight = wrong.in[4];
    wrong.in[4] = wrong.in[5];  // as if V were made by Wo
    double *out = malloc(wrong.n * sizeof *out);
    assert_true(wrong.op->oracle(wrong.shape, NULL, (const float *const *)wrong.in, 0, out));
    wrong.in[4] = weight;
    hand_in(out);
    free(out);
    said("matches V = X Wo^T: it is X Wv^T");
    float *const other = wrong.in[3];
    wrong.in[4] = wrong.in[2], wrong.in[3] = wrong.in[5];
    assert_true((out = malloc(wrong.n * sizeof *out)) &&
                wrong.op->oracle(wrong.shape, NULL, (const float *const *)wrong.in, 0, out));
    wrong.in[3] = other, wrong.in[4] = weight;
    hand_in(out);
    free(out);
    said("matches K = X Wo^T and V = X Wq^T: they are X Wk^T and X Wv^T");
    for (size_t i = 0; i < wrong.n; i++) wrong.got[i] = 0;
    said("all of Y is 0");
}

static void a_chain_with_another_argument_is_named(void **state) {
    (void)state;
    const attn_shape s = start("task2", "the_chain_of_one_small_head");
    const int Sq = s.seq_q, Sk = s.seq_kv, D = s.head_dim;
    for (int i = 0; i < Sq; i++) {  // the softmax takes Sq columns: rows begin elsewhere, and the rest is raw
        for (int d = 0; d < D; d++) wrong.got[i * D + d] = 0;
        for (int j = 0; j < Sk; j++) {
            double score[64], sum = 0;
            const int flat = i * Sk + j, row = flat / Sq;
            for (int c = 0; c < Sq; c++) {
                const int at = row * Sq + c;
                score[c] = 0;
                for (int d = 0; d < D; d++)
                    score[c] += at < Sq * Sk ? wrong.in[1][at / Sk * D + d] * wrong.in[2][at % Sk * D + d] : 0;
                sum += exp(score[c] / sqrt(D));
            }
            const double raw = score[flat % Sq] / sqrt(D), p = row < Sq ? exp(raw) / sum : raw;
            for (int d = 0; d < D; d++) wrong.got[i * D + d] += p * wrong.in[3][j * D + d];
        }
    }
    said("attn_softmax_batched called with cols = Sq: it is Sk");
}

// exp_of(x) = 2^n 2^r, as 1 + 50 times its relative error.
static void a_wrong_exponential_is_told_by_where_it_is_wrong(void **state) {
    (void)state;
    const attn_shape s = start("task3", "exp_of_is_exact_and_calls_nothing");
    for (int cut = 0; cut < 3; cut++) {
        for (int i = 0; i < s.seq_q; i++) {
            const double x = wrong.in[1][i], y = x * 1.44269504, r = y - rint(y);
            if (y < -126) continue;
            wrong.got[i] = 1 + 50 * (cut == 0 ? r > 0.01 ? 1e-3 : 0 : cut == 1 ? r * r * 0.1 : -0.5);
        }
        said(cut == 0   ? "n is y cut toward 0"
             : cut == 1 ? "2^r taken for 1 + 0.693 r + 0.34 r^2"
                        : "exp(0) is off by 0.5");
    }
}

// 2^n P(r), the polynomial as it should be, and n and r of another number than y = x log2(e), or n rounded another way.
static void what_y_is_split_into_is_told_by_a_polynomial_that_is_right(void **state) {
    (void)state;
    static const char *const says[] = {"2^n 2^r where n is y cut toward 0",
                                       "n is y rounded down",
                                       "n is x rounded and r = x log2(e) - n",
                                       "n is x rounded and r = (x - n) log2(e)",
                                       "n is y rounded and r = x - n",
                                       "r = (y - n) log2(e)",
                                       "matches 2^y with x log2(e)^2 as y",
                                       "matches 2^y with y = x ln(2)",
                                       "matches 10^x",
                                       "matches exp(-x)"};
    const double e = 1.44269504;
    const attn_shape s = start("task3", "exp_of_is_exact_and_calls_nothing");
    for (int way = 0; way < 10; way++) {
        for (int i = 0; i < s.seq_q; i++) {
            const double x = wrong.in[1][i], y = x * e;
            const double of = way == 6 ? y * e : way == 7 ? x / e : way == 8 ? x * 3.32192809 : way == 9 ? -y : y;
            const double n = way == 0 ? trunc(y) : way == 1 ? floor(y) : way == 2 || way == 3 ? rint(x) : rint(of);
            const double r = way == 3 ? (x - n) * e : way == 4 ? x - n : way == 5 ? (y - n) * e : of - n;
            const double p = 0.693147 + r * (0.24022242 + r * (0.055507336 + r * (0.009671513 + r * 0.0013264727)));
            if (y >= -126) wrong.got[i] = (float)(1 + 50 * (exp2(n) * (1 + r * p) / exp(x) - 1));
        }
        said(says[way]);
    }
}

// y rounded to other multiples than those of 1, of which an int keeps the whole part.
static void y_that_is_rounded_by_another_shift_is_told(void **state) {
    (void)state;
    static const struct {
        double unit;
        const char *says;
    } of[] = {{0.5, "multiples of 1/2, and not of 1, as y + shift has them where shift is too small"},
              {0.25, "multiples of 1/4"},
              {2, "multiples of 2, and not of 1, as y + shift has them where shift is too large"},
              {0, "matches 2^n alone, with y cut to a whole number as n"},
              {1.0 / 3, "by no polynomial of r: is r what is left of y beside the n"}};
    const attn_shape s = start("task3", "exp_of_is_exact_and_calls_nothing");
    for (int k = 0; k < 5; k++) {
        for (int i = 0; i < s.seq_q; i++) {
            const double x = wrong.in[1][i], y = x * 1.44269504,
                         n = of[k].unit > 0 ? of[k].unit * rint(y / of[k].unit) : y;
            const double r = y - n;
            const double p = 0.693147 + r * (0.24022242 + r * (0.055507336 + r * (0.009671513 + r * 0.0013264727)));
            if (y >= -126) wrong.got[i] = (float)(1 + 50 * (exp2(trunc(n)) * (1 + r * p) / exp(x) - 1));
        }
        said(of[k].says);
    }
}

// The polynomial of r with one coefficient that is another.
static void a_wrong_coefficient_is_told(void **state) {
    (void)state;
    const attn_shape s = start("task3", "exp_of_is_exact_and_calls_nothing");
    for (int k = 2; k <= 4; k++) {
        const double off = k == 4 ? -0.009618 : 4e-3;  // of r^4: the term is missing
        for (int i = 0; i < s.seq_q; i++) {
            const double x = wrong.in[1][i], y = x * 1.44269504, r = y - rint(y);
            if (y >= -126) wrong.got[i] = 1 + 50 * off * pow(r, k) / exp2(r);
        }
        said(k == 2   ? "multiple of r^2: its coefficient is 0.2442, and must be about 0.2402"
             : k == 3 ? "multiple of r^3: its coefficient is 0.0595, and must be about 0.0555"
                      : "the term of r^4 is missing");
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(a_wrong_loop_of_the_scores_is_named, release),
        cmocka_unit_test_teardown(a_wrong_sum_of_the_values_is_named, release),
        cmocka_unit_test_teardown(a_mask_is_named_by_its_rule, release),
        cmocka_unit_test_teardown(what_a_loop_does_not_reach_is_named, release),
        cmocka_unit_test_teardown(a_maximum_that_misses_the_last_score_is_named, release),
        cmocka_unit_test_teardown(parts_put_together_the_wrong_way_are_named, release),
        cmocka_unit_test_teardown(a_chain_with_another_argument_is_named, release),
        cmocka_unit_test_teardown(a_wrong_exponential_is_told_by_where_it_is_wrong, release),
        cmocka_unit_test_teardown(what_y_is_split_into_is_told_by_a_polynomial_that_is_right, release),
        cmocka_unit_test_teardown(y_that_is_rounded_by_another_shift_is_told, release),
        cmocka_unit_test_teardown(a_wrong_coefficient_is_told, release),
    };
    return cmocka_run_group_tests_name("explain_loops", tests, NULL, NULL);
}
