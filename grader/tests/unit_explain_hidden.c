// unit_explain_hidden.c: what stands where scores are to be hidden, and results that are 0 everywhere.
// grader/core: probes_taskN.c, diagnose/masks.c, diagnose/diagnose.c, diagnose/weights_left.c, hidden_weights.c.
#include "unit.h"

#include <math.h>
#include <string.h>

#include "heuristics.h"
#include "pointwise.h"
#include "symptom.h"

// Hidden scores that hold another number do not lie elsewhere.
static void nan_in_place_of_hidden_scores_is_named(void **state) {
    (void)state;
    begin_claim("task1", "later_keys_are_hidden_where_causal");
    for (size_t i = 0; i < wrong.n; i++)
        if (wrong.want[i] == LAB_HIDDEN) wrong.got[i] = NAN;
    examine();
    assert_says(wrong.text, "hidden scores become NaN, as 0 * -INFINITY does");
    assert_null(strstr(wrong.text, "S[i"));
    release(NULL);
    begin_claim("task1", "the_mask_is_aligned_bottom_right");
    for (size_t i = 0; i < wrong.n; i++)
        if (wrong.want[i] == LAB_HIDDEN) wrong.got[i] = wrong.in[1][i] * 2 - 1;
    examine();
    assert_null(strstr(wrong.text, "S[i"));
}

// Those that do leave what is to be hidden as it is.
static void hidden_scores_that_lie_elsewhere_are_found(void **state) {
    (void)state;
    begin_claim("task1", "the_mask_is_aligned_bottom_right");
    const int Sq = wrong.shape.seq_q, Sk = wrong.shape.seq_kv;
    memcpy(wrong.got, wrong.in[1], wrong.n * sizeof *wrong.got);
    for (int i = 0; i < Sq; i++)
        for (int j = i + Sk - Sq + 1; j < Sk; j++)
            if (i * Sq + j < Sq * Sk) wrong.got[i * Sq + j] = (float)LAB_HIDDEN;
    examine();
    assert_says(wrong.text, "matches S[i * Sq + j]: it is S[i * Sk + j]");
}

static void a_result_of_zeros_is_named(void **state) {
    (void)state;
    for (size_t first = 0; first < 2; first++) {
        begin_claim("task4", "a_row_is_divided_by_its_sum_and_stored");
        for (size_t i = first; i < wrong.n; i++) wrong.got[i] = 0;
        examine();
        const int said = strstr(wrong.text, "every element is 0: nothing is added up") != NULL;
        if (said != (first == 0)) fail_msg("%s", wrong.text);
        release(NULL);
    }
}

// Weights among all keys, of which threads have set some hidden ones to 0, and others have written over that.
static void a_mask_behind_the_softmax_is_seen_in_the_weights(void **state) {
    (void)state;
    enum { S = 21, D = 16, HEADS = 2 };
    static float p[HEADS * S * S];
    for (int hides = 1; hides >= 0; hides--) {
        begin(&lab_naive, (attn_shape){1, HEADS, S, S, D, 1});
        for (int r = 0; r < HEADS * S; r++) {
            const float *K = wrong.in[2] + r / S * S * D, *V = wrong.in[3] + r / S * S * D;
            float sum = 0;
            for (int j = 0; j < S; j++) {
                float dot = 0;
                for (int d = 0; d < D; d++) dot += wrong.in[1][r * D + d] * K[j * D + d];
                sum += p[r * S + j] = expf(dot / 4);
            }
            for (int j = 0; j < S; j++) p[r * S + j] = hides && j > r % S ? (j % 3 ? 0 : 1 / sum) : p[r * S + j] / sum;
            for (int d = 0; d < D; d++) {
                wrong.got[r * D + d] = 0;
                for (int j = 0; j < S; j++) wrong.got[r * D + d] += p[r * S + j] * V[j * D + d];
            }
        }
        wrong.work = p;
        says(hides ? "a mask applied after the softmax" : "without the causal mask");
        wrong.work = NULL;
        release(NULL);
    }
}

// Scores of tiles that are hidden as a whole are not stored: the softmax of their rows is made of what lay there.
static void hidden_tiles_that_nobody_stores_are_named(void **state) {
    (void)state;
    enum { ROWS = 80, D = 64, TILE = 64 };
    for (int last = TILE; last > TILE - 5; last -= 4) {
        begin(&lab_naive, (attn_shape){1, 2, ROWS, ROWS, D, 1});
        for (size_t i = 0; i < wrong.n; i++)
            if ((int)(i / D % ROWS) < last) memcpy(&wrong.got[i], &(uint32_t){LAB_USED_POISON}, sizeof(float));
        examine();
        assert_int_equal(strstr(wrong.text, "matches tiles of scores that nobody stores") != NULL, last == TILE);
        release(NULL);
    }
}

// O has the hidden keys by what is left in their places: their scores under attention in tiles, which is divided at the end, or
// under a softmax in place, and what nobody added to l.
static void hidden_keys_that_o_has_alone_are_named(void **state) {
    (void)state;
    enum { S = 45, D = 16, ROWS = 2 * S };
    static const char *const said[] = {"in O with their score", "in O with q . k", "in O with exp(s - m)",
                                       "in O with 1", "in O with their score times log2(e)"};
    for (int way = 2; way < 10; way++) {  // of ways 0 and 1 the op itself knows
        const int tiled = way / 5, weight = way % 5;
        begin(tiled ? &lab_tiled : &lab_sdpa, (attn_shape){1, 2, S, S, D, 1});
        for (int r = 0; r < ROWS; r++) {
            const float *q = wrong.in[1] + r * D, *K = wrong.in[2] + r / S * S * D, *V = wrong.in[3] + r / S * S * D;
            const int end = tiled ? r % S / 16 * 16 + 16 : S;
            double score[S], max = -INFINITY, l = 0;
            for (int j = 0; j < S; j++) {
                score[j] = 0;
                for (int d = 0; d < D; d++) score[j] += q[d] * K[j * D + d] / 4;
                if (j <= r % S) max = fmax(max, score[j]);
            }
            for (int j = 0; j <= r % S; j++) l += exp(score[j] - max);
            for (int j = r % S + 1; j < S && j < end; j++) {
                const double x[] = {score[j], 4 * score[j], exp(score[j] - max), 1, score[j] * 1.442695};
                for (int d = 0; d < D; d++) wrong.got[r * D + d] += x[weight] / (tiled ? l : 1) * V[j * D + d];
            }
        }
        says(said[weight]);
        release(NULL);
    }
}

int main(void) {
    const struct CMUnitTest claims[] = {
        CLAIM(nan_in_place_of_hidden_scores_is_named),
        CLAIM(hidden_scores_that_lie_elsewhere_are_found),
        CLAIM(a_mask_behind_the_softmax_is_seen_in_the_weights),
        CLAIM(a_result_of_zeros_is_named),
        cmocka_unit_test(hidden_keys_that_o_has_alone_are_named),
        cmocka_unit_test(hidden_tiles_that_nobody_stores_are_named),
    };
    return cmocka_run_group_tests_name("explain_hidden", claims, NULL, release);
}
