// unit_explain_hidden.c: what stands where scores are to be hidden, and results that are 0 everywhere.
// grader/core: probes_taskN.c, diagnose/masks.c, diagnose/diagnose.c.
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

int main(void) {
    const struct CMUnitTest claims[] = {
        CLAIM(nan_in_place_of_hidden_scores_is_named),
        CLAIM(hidden_scores_that_lie_elsewhere_are_found),
        CLAIM(a_result_of_zeros_is_named),
    };
    return cmocka_run_group_tests_name("explain_hidden", claims, NULL, release);
}
