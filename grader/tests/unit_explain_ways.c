// unit_explain_ways.c: single TODOs that are done another way: a mask that hides less, a number for all rows, one lane's
// number for all, a projection of what was projected. grader/core: masks.c, max_parts.c, wiring.c, joined.c, probes.
#include "unit.h"

#include <math.h>
#include <string.h>

#include "pointwise.h"
#include "symptom.h"

static void a_number_that_hidden_scores_are_lowered_by_is_named(void **state) {
    (void)state;
    begin_claim("task1", "later_keys_are_hidden_where_causal");
    for (size_t i = 0; i < wrong.n; i++)
        if (wrong.want[i] == LAB_HIDDEN) wrong.got[i] = wrong.in[1][i] - 10;
    says("matches hidden scores to which -10 is added");
}

static void a_mask_of_whole_tiles_is_named(void **state) {
    (void)state;
    begin_claim("task3", "later_keys_are_hidden_whatever_the_tiles");
    const int Sq = wrong.shape.seq_q, Sk = wrong.shape.seq_kv, Br = wrong.extra[0], Bc = wrong.extra[1];
    for (int n = 0; n < Sq * Sk; n++)
        wrong.got[n] = n % Sk / Bc * Bc > n / Sk / Br * Br + Sk - Sq ? (float)LAB_HIDDEN : wrong.in[1][n];
    says("matches a mask that hides whole tiles and nothing within the others");
}

static void no_mask_at_all_is_not_called_one_of_whole_tiles(void **state) {
    (void)state;
    begin_claim("task3", "later_keys_are_hidden_whatever_the_tiles");
    memcpy(wrong.got, wrong.in[1], wrong.n * sizeof *wrong.got);
    examine();
    assert_null(strstr(wrong.text, "whole tiles"));
    memset(wrong.extra, 0, sizeof wrong.extra);
}

static void one_number_that_all_rows_are_divided_by_is_named(void **state) {
    (void)state;
    begin_claim("task3", "each_row_is_divided_by_its_sum");
    for (int i = 0; i < wrong.shape.seq_q * wrong.shape.head_dim; i++) wrong.got[i] = wrong.in[1][i] / 7;
    says("matches a division of every row by 7: row r has a sum of its own");
}

static void a_sum_in_place_of_a_maximum_is_named(void **state) {
    (void)state;
    begin_claim("task3", "the_row_max_counts_earlier_tiles");
    const int nk = wrong.shape.seq_kv;
    for (int r = 0; r < wrong.shape.seq_q; r++) {
        wrong.got[r] = isfinite(wrong.in[2][r]) ? wrong.in[2][r] : 0;
        for (int c = 0; c < nk; c++) wrong.got[r] += wrong.in[1][r * nk + c];
    }
    says("matches the sum of the scores: look for the largest");
}

// What -INFINITY makes of a sum is no NaN of the lab's.
static void infinity_is_not_called_memory_that_was_never_written(void **state) {
    (void)state;
    for (int nan = 0; nan < 2; nan++) {
        begin_claim("task3", "the_row_max_counts_earlier_tiles");
        for (size_t i = 0; i < wrong.n; i++) wrong.got[i] = i % 2 ? -INFINITY : (float)(3 * i);
        if (nan) wrong.got[0] = NAN;
        says(nan ? "the lab put NaN where your code writes" : "Inf, and no NaN: a term of a sum is Inf or -INFINITY");
    }
}

static void one_lanes_number_in_all_lanes_is_named(void **state) {
    (void)state;
    begin_claim("task5", "every_lane_has_the_sum_of_all");
    for (size_t i = 0; i < wrong.n; i++) wrong.got[i] = wrong.in[1][i / 32 * 32];
    says("matches the x of lane 0 in every lane");
}

static void an_l_that_counts_keys_is_named(void **state) {
    (void)state;
    begin_claim("task5", "more_keys_are_added");
    wrong.got[1] = (float)wrong.shape.seq_kv;
    says("matches l = l + 1");
}

static void one_split_that_counts_though_nobody_has_keys_is_named(void **state) {
    (void)state;
    begin_claim("task5", "no_split_has_keys");
    wrong.got[1] = 1;
    says("matches the split with the largest L alone");
}

// The scores of keys before a query are taken from the other side of the diagonal: in a TODO, and in a whole attention.
static void scores_from_the_other_side_are_named(void **state) {
    (void)state;
    begin_claim("task1", "scores_are_scaled_dot_products");
    const int Sk = wrong.shape.seq_kv;
    for (int i = 0; i < wrong.shape.seq_q; i++)
        for (int j = 0; j < i; j++) wrong.got[i * Sk + j] = wrong.got[j * Sk + i];
    says("matches scores of keys j < i that are taken from S[j][i]");
    release(NULL);
    enum { S = 12, D = 16 };
    begin(&lab_sdpa, (attn_shape){1, 1, S, S, D, 0});
    for (int i = 0; i < S; i++) {
        double p[S], sum = 0;
        for (int j = 0; j < S; j++) {
            double dot = 0;
            for (int d = 0; d < D; d++)
                dot += (double)wrong.in[1][(j < i ? j : i) * D + d] * wrong.in[2][(j < i ? i : j) * D + d];
            sum += p[j] = exp(dot / sqrt(D));
        }
        for (int d = 0; d < D; d++) {
            double o = 0;
            for (int j = 0; j < S; j++) o += p[j] / sum * wrong.in[3][j * D + d];
            wrong.got[i * D + d] = (float)o;
        }
    }
    says("matches scores of keys j < i that are taken from S[j][i]");
}

static void a_mask_of_the_first_query_alone_is_named(void **state) {
    (void)state;
    begin_claim("task1", "the_mask_is_aligned_bottom_right");
    for (size_t i = wrong.shape.seq_kv; i < wrong.n; i++) wrong.got[i] = wrong.in[1][i];
    says("matches a mask of query 0 alone");
}

// ---- Keys that are projected from the queries as they lie after the split, and not split themselves

enum { HEADS = 2, S = 5, D = 8, E = HEADS * D };

static void project(float *y, const float *x, const float *W) {
    for (int e = 0; e < S * E; e++) {
        double sum = 0;
        for (int k = 0; k < E; k++) sum += (double)x[e / E * E + k] * W[e % E * E + k];
        y[e] = (float)sum;
    }
}

static void split(float *y, const float *x) {
    for (int e = 0; e < S * E; e++) y[(e % E / D * S + e / E) * D + e % D] = x[e];
}

static void a_projection_of_what_was_split_is_named(void **state) {
    (void)state;
    float flat[S * E], Q[S * E], K[S * E], V[S * E];
    double o[S * E];
    begin(&lab_mha, (attn_shape){1, HEADS, S, S, D, 0});
    project(flat, wrong.in[1], wrong.in[2]), split(Q, flat);
    project(K, Q, wrong.in[3]);
    project(flat, wrong.in[1], wrong.in[4]), split(V, flat);
    const float *const in[LAB_MAX_TENSORS] = {NULL, Q, K, V};
    assert_true(lab_sdpa.oracle(wrong.shape, NULL, in, LAB_NO_MISTAKE, o));
    for (int e = 0; e < S * E; e++) flat[e] = (float)o[(e % E / D * S + e / E) * D + e % D];
    project(wrong.got, flat, wrong.in[5]);
    says("matches K = (split of Q) Wk^T: it is X Wk^T, split into heads");
}

// The mean of the products in place of their sum: in all projections, or the last one alone. What comes out is so small that
// it is near to many a mistake.
static void projections_that_are_means_are_named(void **state) {
    (void)state;
    for (int last = 0; last < 2; last++) {
        float flat[S * E], made[3][S * E];
        double o[S * E];
        begin(&lab_mha, (attn_shape){1, HEADS, S, S, D, 0});
        for (int t = 0; t < 3; t++) {
            project(flat, wrong.in[1], wrong.in[2 + t]);
            for (int e = 0; e < S * E && !last; e++) flat[e] /= E;
            split(made[t], flat);
        }
        const float *const in[LAB_MAX_TENSORS] = {NULL, made[0], made[1], made[2]};
        assert_true(lab_sdpa.oracle(wrong.shape, NULL, in, LAB_NO_MISTAKE, o));
        for (int e = 0; e < S * E; e++) flat[e] = (float)o[(e % E / D * S + e / E) * D + e % D];
        project(wrong.got, flat, wrong.in[5]);
        for (int e = 0; e < S * E; e++) wrong.got[e] /= E;
        says(last ? "matches projections of which each number is the mean of its E products (Y, or V)"
                  : "matches projections of which each number is the mean of its E products (Q, K, V and Y)");
        release(NULL);
    }
}

int main(void) {
    const struct CMUnitTest claims[] = {
        CLAIM(projections_that_are_means_are_named),
        CLAIM(a_number_that_hidden_scores_are_lowered_by_is_named),
        CLAIM(a_mask_of_whole_tiles_is_named),
        CLAIM(no_mask_at_all_is_not_called_one_of_whole_tiles),
        CLAIM(one_number_that_all_rows_are_divided_by_is_named),
        CLAIM(a_sum_in_place_of_a_maximum_is_named),
        CLAIM(infinity_is_not_called_memory_that_was_never_written),
        CLAIM(one_lanes_number_in_all_lanes_is_named),
        CLAIM(an_l_that_counts_keys_is_named),
        CLAIM(scores_from_the_other_side_are_named),
        CLAIM(a_mask_of_the_first_query_alone_is_named),
        CLAIM(a_projection_of_what_was_split_is_named),
        CLAIM(one_split_that_counts_though_nobody_has_keys_is_named),
    };
    return cmocka_run_group_tests_name("explain_ways", claims, NULL, release);
}
