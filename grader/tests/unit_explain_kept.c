// unit_explain_kept.c: what an earlier tile has left, a sum that does not follow the maximum, what stands in place of
// -INFINITY where nobody can tell, and an offset made of sizes of a tile.
// grader/core/diagnose: carried.c, divisor.c, zero_mask.c, masks.c.
#include "unit.h"

#include <math.h>
#include <string.h>

#include "cases.h"
#include "heuristics.h"
#include "pointwise.h"
#include "symptom.h"
#include "tasks.h"

static const attn_shape FULL = {1, 2, 32, 40, 32, 0};

// Rows of the second tile of queries go on with the sums of those `back` rows before them, as far as t says.
static void carry(int back, int from, double (*t)(int d)) {
    begin(&lab_tiled, FULL);
    for (int h = 0; h < 2; h++)
        for (int i = from; i < 32; i++)
            for (int d = 0; d < 32; d++) {
                const size_t at = ((size_t)h * 32 + i) * 32 + d;
                wrong.got[at] += (float)(t(d) * (wrong.got[at - (size_t)back * 32] - wrong.got[at]));
            }
    examine();
}
static double half(int d) { return d < 0 ? 0 : 0.5; }
static double another(int d) { return 0.2 + 0.02 * d; }

static void rows_that_go_on_with_sums_of_others_are_named(void **state) {
    (void)state;
    carry(16, 16, half);
    assert_says(wrong.text, "go on with the m, l and O of a row done before");
    release(NULL);
    carry(16, 16, another);  // no sum of both: each column has another share
    assert_null(strstr(wrong.text, "go on with"));
}

// In decoding a warp takes one head after another; of a head without keys nothing is carried.
static void heads_that_go_on_with_sums_of_others_are_named(void **state) {
    (void)state;
    begin(&lab_decode, (attn_shape){3, 4, 1, 60, 32, 0});
    for (int head = 0; head < 12; head++)
        for (int d = 0; d < 32 && head % 4; d++) {
            const int at = head * 32 + d;
            if (lab_int_at(wrong.in[4], head / 4)) wrong.got[at] += 0.4f * (wrong.got[at - 32] - wrong.got[at]);
        }
    says("go on with the m, l and O of a row done before (head b * heads + h =");
}

// Key by key: where the maximum grows the sum is kept, begins anew, or the new key adds nothing.
static void a_sum_that_does_not_follow_the_maximum_is_named(void **state) {
    (void)state;
    static const char *const words[] = {"a sum that is not rescaled when the maximum grows",
                                        "a sum that begins anew when the maximum grows",
                                        "a key that is a new maximum adds nothing"};
    for (int kind = 0; kind < 3; kind++) {
        begin(&lab_softmax_rows, (attn_shape){1, 1, 12, 80, 8, 0});
        for (int r = 0; r < 12; r++) {
            const float *x = wrong.in[1] + r * 80;
            double top = -INFINITY, z = 0;
            for (int c = 0; c < 80; c++) {
                if (x[c] > top)
                    z = kind == 0 ? z + 1 : kind == 1 ? 1 : z * exp(top - x[c]), top = x[c];
                else
                    z += exp(x[c] - top);
            }
            for (int c = 0; c < 80; c++) wrong.got[r * 80 + c] = (float)(exp(x[c] - top) / z);
        }
        examine();
        assert_says(wrong.text, words[kind]);
        release(NULL);
    }
}

// Hidden keys of score 0, and scores that are large: where all of a row are far below, 0 is as good as -20.
static void what_hides_nothing_is_not_called_0_where_nobody_can_tell(void **state) {
    (void)state;
    const attn_shape causal = {1, 2, 32, 32, 32, 1};
    for (int low = 0; low < 3; low++) {
        begin(&lab_tiled, causal);
        for (size_t e = 0; low && e < wrong.n; e++)  // q . k is near -32 * 3 * 3, over sqrt(32)
            wrong.in[1][e] = 3 + 0.1f * wrong.in[1][e], wrong.in[2][e] = -3 + 0.1f * wrong.in[2][e];
        const float *const in[LAB_MAX_TENSORS] = {NULL, wrong.in[1], wrong.in[2], wrong.in[3]};
        assert_true(lab_tiled.oracle(causal, wrong.extra, in, LAB_NO_MISTAKE, wrong.want));
        double out[2 * 32 * 32];
        assert_true(lab_tiled.oracle(causal, wrong.extra, in, LAB_MASK_IS_ZERO, out));
        for (int e = 0; e < 2 * 32 * 32 && low == 2; e++) {  // a walk to the end of a tile of 16 keys
            const int h = e / 1024, i = e / 32 % 32, n = (i / 16 + 1) * 16 - i - 1;
            double sum = 0;
            for (int j = i + 1; j <= i + n; j++) sum += wrong.in[3][(h * 32 + j) * 32 + e % 32];
            out[e] = n ? sum / n : wrong.want[e];
        }
        hand_in(out);
        examine();
        if (low)
            assert_says(wrong.text, "masked scores set to a number that is above the other scores of these rows");
        else
            assert_says(wrong.text, "masked scores set to 0");
        release(NULL);
    }
}

static void an_offset_of_a_tile_is_named(void **state) {
    (void)state;
    const lab_case *rows = lab_task_find("task3")->todos;
    while (rows->claim && strcmp(rows->claim, "later_keys_are_hidden_whatever_the_tiles")) rows++;
    assert_non_null(rows->claim);
    static const char *const words[] = {"matches nk - nq as the offset", "matches Bc - Br as the offset"};
    for (int way = 0; way < 2; way++) {
        begin(rows->op, rows->shape);
        const int Sq = wrong.shape.seq_q, Sk = wrong.shape.seq_kv, Br = 4, Bc = 7;
        wrong.extra[0] = Br, wrong.extra[1] = Bc;
        for (int n = 0; n < Sq * Sk; n++) {
            const int i = n / Sk, j = n % Sk, i0 = i / Br * Br, j0 = j / Bc * Bc;
            const int nq = Sq - i0 < Br ? Sq - i0 : Br, nk = Sk - j0 < Bc ? Sk - j0 : Bc;
            wrong.got[n] = j > i + (way ? Bc - Br : nk - nq) ? (float)LAB_HIDDEN : wrong.in[1][n];
        }
        examine();
        assert_says(wrong.text, words[way]);
        release(NULL);
    }
}

int main(void) {
    const struct CMUnitTest claims[] = {
        CLAIM(rows_that_go_on_with_sums_of_others_are_named),
        CLAIM(heads_that_go_on_with_sums_of_others_are_named),
        CLAIM(a_sum_that_does_not_follow_the_maximum_is_named),
        CLAIM(what_hides_nothing_is_not_called_0_where_nobody_can_tell),
        CLAIM(an_offset_of_a_tile_is_named),
    };
    return cmocka_run_group_tests_name("explain_kept", claims, NULL, release);
}
