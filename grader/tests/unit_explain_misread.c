// unit_explain_misread.c: steps of tasks 4 to 6 that are taken for another step as a whole. grader/core: probes_task4*.c,
// probes_task5*.c, probes_task6*.c, diagnose/cache.
#include <math.h>
#include <string.h>

#include "joined.h"
#include "symptom.h"
#include "unit.h"

enum { BR = 16, BC = 24, LANES = 8 };  // of probes_task4.h

// ---- Task 4

static void a_tile_with_a_row_for_each_dim_is_named(void **state) {
    (void)state;
    enum { ROWS = BC, D = 64 };
    for (int apart = ROWS; apart <= ROWS + 1; apart++) {
        begin_claim("task4", "a_whole_tile_is_loaded");
        for (int i = 0; i < ROWS * D; i++) {
            const int n = i / D * (D + 1) + i % D, d = n / apart, r = n % apart;
            wrong.got[i] = d < D && r < ROWS ? wrong.in[1][r * D + d] : NAN;
        }
        says(apart == ROWS ? "a row for each dim, src[r][d] at d * 24 + r"
                           : "a row for each dim, src[r][d] at d * 25 + r");
        release(NULL);
    }
}

// edge: of the tile's places, the one whose key decides for all of them, by both rules, or one.
static void hide_tiles(const char *claim, int edge, int seen, int real, const char *words) {
    begin_claim("task4", claim);
    const attn_shape s = wrong.shape;
    for (int e = 0; e < BR * BC; e++) {
        const int i = wrong.extra[0] + e / BC, c = e % BC, k0 = wrong.extra[1], last = i + s.seq_kv - s.seq_q;
        const int hide = (s.causal && k0 + (seen ? edge : c) > last) || k0 + (real ? edge : c) >= s.seq_kv;
        wrong.got[e] = hide ? -100 : wrong.in[1][e];
    }
    is_among_what_fits(words);
    release(NULL);
}

static void a_tile_that_is_hidden_as_a_whole_is_named(void **state) {
    (void)state;
    static const char last[] = "hidden as a whole where its last key is not seen";
    hide_tiles("keys_behind_the_last_are_hidden", BC - 1, 0, 1, last);
    hide_tiles("the_mask_is_aligned_bottom_right", BC - 1, 1, 1, last);
    hide_tiles("the_mask_is_aligned_bottom_right", BC - 1, 1, 0, last);
    hide_tiles("later_keys_are_hidden_where_causal", 0, 1, 0, "hidden as a whole where its first key is not seen");
}

static void scores_that_are_added_up_for_a_maximum_are_named(void **state) {
    (void)state;
    for (int mean = 0; mean < 2; mean++) {
        begin_claim("task4", "all_threads_of_a_row_have_its_max");
        for (int i = 0; i < BR * LANES; i++) {
            double sum = 0;
            for (int c = 0; c < BC; c++) sum += wrong.in[1][i / LANES * BC + c];
            wrong.got[i] = (float)(mean ? sum / BC : wrong.in[2][i / LANES] + sum);
            if (!isfinite(wrong.got[i])) wrong.got[i] = -100;
        }
        is_among_what_fits(mean ? "the mean of the row's scores in place of the largest"
                                : "a sum of scores in place of the largest");
        release(NULL);
    }
}

static void a_share_of_the_keys_is_named(void **state) {
    (void)state;
    begin_claim("task4", "the_walk_ends_bottom_right");
    const attn_shape s = wrong.shape;
    for (int last = 0; last < (int)wrong.n; last++) {
        const int share = (last + 1) * s.seq_kv / s.seq_q;
        wrong.got[last] = (float)(share < s.seq_kv ? share : s.seq_kv);
    }
    says("matches a share of the keys, as large as that of the queries");
}

static void a_walk_to_the_end_of_a_tile_is_named(void **state) {
    (void)state;
    begin_claim("task4", "the_walk_ends_bottom_right");
    for (int last = 0; last < (int)wrong.n; last++) {
        const int end = (last / BR + 1) * BR;
        wrong.got[last] = (float)(end < wrong.shape.seq_kv ? end : wrong.shape.seq_kv);
    }
    says("matches the end of the tile of queries that `last` is counted to be in");
}

static void a_mean_of_old_and_new_is_named(void **state) {
    (void)state;
    begin_claim("task4", "values_are_added_with_their_weights");
    for (size_t i = 0; i < wrong.n; i++) wrong.got[i] = (float)(wrong.want[i] / 2);
    says("matches the mean of o and what is to be added to it");
}

// ---- Task 5

static void one_register_for_all_dims_is_named(void **state) {
    (void)state;
    enum { WARP = 32 };
    begin_claim("task5", "a_lane_multiplies_its_own_dims");
    const int D = wrong.shape.head_dim;
    for (size_t i = 0; i < wrong.n; i++) {
        double sum = 0;
        for (int d = (int)i % WARP; d < D; d += WARP) sum += wrong.in[1][i % WARP] * wrong.in[2][(int)i / WARP * D + d];
        wrong.got[i] = (float)sum;
    }
    says("matches register q[0] for every dim of a lane");
}

static void a_token_in_several_slots_is_named(void **state) {
    (void)state;
    begin_claim("task5", "a_token_lands_in_its_slot");
    const attn_shape s = wrong.shape;
    const int D = s.head_dim, slot = wrong.extra[0];
    for (int bh = 0; bh < s.batch * s.heads; bh++)
        for (int j = slot; j < s.seq_kv; j++)
            memcpy(wrong.got + (bh * s.seq_kv + j) * D, wrong.in[2] + bh * D, (size_t)D * sizeof(float));
    is_among_what_fits("it has one, slot");
}

static void lengths_of_another_sequence_are_named(void **state) {
    (void)state;
    for (int added = 0; added < 2; added++) {
        begin_claim("task5", "a_token_is_counted_once");
        for (int b = 0; b < wrong.shape.batch; b++)
            wrong.got[b] = (float)(added ? 2 * wrong.want[b] - 1 : wrong.want[wrong.shape.batch - 1]);
        says(added ? "slot + 1 is added to lengths[b]" : "every length is set to that of sequence");
        release(NULL);
    }
}

static void sums_of_exp_of_the_scores_are_named(void **state) {
    (void)state;
    begin_claim("task5", "more_keys_are_added");
    const int width = 2 + wrong.shape.head_dim;
    for (int i = 1; i < width; i++) {
        double sum = 0;
        for (int j = 0; j < wrong.shape.seq_kv; j++) {
            const float *key = wrong.in[1] + j * width;
            if (key[0] != -INFINITY) sum += exp(key[0]) * (i == 1 ? 1 : key[i]);
        }
        wrong.got[i] = (float)sum;
    }
    says("matches sums of exp(s)");
}

static void a_warp_for_each_run_of_dims_is_named(void **state) {
    (void)state;
    begin_claim("task5", "warps_are_joined");
    const int n = wrong.shape.seq_kv, width = 2 + wrong.shape.head_dim;
    for (int i = 1; i < width; i++) {
        int part = -1;
        for (int j = 0; j < n; j++)
            if (j * 7 / (n - 1) == (i == 1 ? 0 : (i - 2) / 16)) part = j;
        const float *x = wrong.in[1] + part * width;
        wrong.got[i] = part < 0 || x[0] == -INFINITY ? 0 : (float)(exp(x[0] - wrong.want[0]) * x[i]);
    }
    is_among_what_fits("matches dim d of warp d * WARPS / MAX_D alone");
}

static void splits_weighed_by_the_l_of_no_keys_are_named(void **state) {
    (void)state;
    begin_claim("task5", "a_split_without_keys_has_no_weight");
    for (size_t i = 0; i < wrong.n; i++) wrong.got[i] = NAN;
    wrong.got[0] = (float)LAB_NO_KEYS, wrong.got[1] = -INFINITY;
    is_among_what_fits("matches splits that are weighed by L[s] itself");
}

// All parts are right, but l is the largest factor, which is as much as the whole sum by itself.
static void the_largest_factor_for_their_sum_is_named(void **state) {
    (void)state;
    begin_claim("task5", "splits_are_weighed_and_joined");
    wrong.got[1] = 1;
    assert_int_equal(sentences_that_fit("matches all.l = 1, the largest factor"), 1);
    assert_int_equal(sentences_that_fit("the whole sum l"), 0);
}

// ---- Task 6

static void a_prompt_at_the_end_of_its_slots_is_named(void **state) {
    (void)state;
    begin_claim("task6", "a_prompt_is_stored_without_its_padding");
    const attn_shape s = wrong.shape;
    const int D = s.head_dim, S = s.seq_q;
    for (size_t i = 0; i < wrong.n; i++) wrong.got[i] = wrong.in[1][i];
    for (int bh = 0; bh < s.batch * s.heads; bh++) {
        const int count = lab_int_at(wrong.in[3], (size_t)(bh / s.heads));
        memcpy(wrong.got + (bh * s.seq_kv + S - count) * D, wrong.in[2] + bh * S * D,
               (size_t)(count * D) * sizeof(float));
    }
    says("matches a prompt whose last token is in slot S - 1");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_tile_with_a_row_for_each_dim_is_named),
        cmocka_unit_test(a_tile_that_is_hidden_as_a_whole_is_named),
        cmocka_unit_test(scores_that_are_added_up_for_a_maximum_are_named),
        cmocka_unit_test_teardown(a_share_of_the_keys_is_named, release),
        cmocka_unit_test_teardown(a_walk_to_the_end_of_a_tile_is_named, release),
        cmocka_unit_test_teardown(a_mean_of_old_and_new_is_named, release),
        cmocka_unit_test_teardown(one_register_for_all_dims_is_named, release),
        cmocka_unit_test_teardown(a_token_in_several_slots_is_named, release),
        cmocka_unit_test(lengths_of_another_sequence_are_named),
        cmocka_unit_test_teardown(sums_of_exp_of_the_scores_are_named, release),
        cmocka_unit_test_teardown(a_warp_for_each_run_of_dims_is_named, release),
        cmocka_unit_test_teardown(splits_weighed_by_the_l_of_no_keys_are_named, release),
        cmocka_unit_test_teardown(the_largest_factor_for_their_sum_is_named, release),
        cmocka_unit_test_teardown(a_prompt_at_the_end_of_its_slots_is_named, release),
    };
    return cmocka_run_group_tests_name("explain_misread", tests, NULL, NULL);
}
