// unit_told_nan.c: what is told of claims whose output is NaN, in part or as a whole. grader/claims/told.c, contradicted.c.
#include "unit.h"

#include "common_cause.h"
#include "held.h"

// Where all is NaN there are no numbers, which neither speak for a cause nor against it.
static void a_claim_of_nan_alone_does_not_outvote_the_one_with_numbers(void **state) {
    (void)state;
    static const char cause[] = "matches l = exp(sum of (s - m))";
    for (int all = 0; all < 2; all++) {
        fails(0, cause, NULL);
        for (int i = 1; i < 4; i++) {
            fails(i, "NaN: 0 * INFINITY", NULL);
            held[i].r.verdict = LAB_NOT_FINITE, held[i].r.cmp.not_finite = all ? 4 * 8 : 8;
        }
        lab_choose_told(held, 4, 0, 0);
        assert_true((strstr(held[0].r.diagnosis, cause) != NULL) == all);
    }
}

static const char masked[] = "a guess: NaN where scores are masked", every[] = "a guess: every row is NaN";

static void not_finite(int i, const char *says, int causal, int all) {
    fails(i, says, NULL);
    held[i].r.verdict = LAB_NOT_FINITE, held[i].r.guesses.n = 0;
    held[i].c.shape.causal = causal, held[i].r.cmp.not_finite = all ? 32 : 8;
}

static void a_guess_about_nan_agrees_with_all_claims(void **state) {
    (void)state;
    not_finite(0, masked, 1, 0), not_finite(1, "NaN", 0, 0);
    lab_choose_told(held, 2, 0, 0);
    assert_string_equal(held[0].r.diagnosis, "wrong: row 0");  // NaN without a mask, too
    not_finite(0, masked, 1, 0), not_finite(1, masked, 1, 0);
    lab_choose_told(held, 2, 0, 0);
    assert_non_null(strstr(held[0].r.diagnosis, masked));
    not_finite(0, masked, 1, 0), fails(1, "each row is twice the right one", NULL);
    lab_choose_told(held, 2, 0, 0);
    assert_string_equal(held[0].r.diagnosis, "wrong: row 0");  // it does not explain the other claim
    not_finite(0, every, 0, 1), not_finite(1, "NaN", 0, 0);
    lab_choose_told(held, 2, 0, 0);
    assert_string_equal(held[0].r.diagnosis, "wrong: row 0");  // some rows are finite
    not_finite(0, every, 0, 1), not_finite(1, every, 0, 1);
    lab_choose_told(held, 2, 0, 0);
    assert_non_null(strstr(held[0].r.diagnosis, every));
    not_finite(0, every, 0, 1), fails(1, "", NULL);
    held[1].r.verdict = LAB_PASSED, held[1].r.diagnosis[0] = 0, held[1].r.guesses.n = 0;
    lab_choose_told(held, 2, 0, 0);
    assert_string_equal(held[0].r.diagnosis, "wrong: row 0");  // another claim holds
}

// What has been tried stays for the life of a program: of a function that no other test asks about.
static void a_mask_that_does_no_harm_elsewhere_makes_no_nan(void **state) {
    (void)state;
    lab_case c = {.op = &lab_sdpa, .shape = {1, 1, 4, 4, 8, 1}};
    lab_result holds = {.verdict = LAB_PASSED, .compared = 1};
    for (int large = 0; large < 2; large++) {
        if (large) lab_cause_add(&c, &holds);
        not_finite(0, masked, 1, 0);
        held[0].c.op = &lab_sdpa, held[0].c.kind = LAB_LARGE;
        lab_choose_told(held, 1, 0, 0);
        assert_true((strstr(held[0].r.diagnosis, masked) == NULL) == large);
        assert_true((strstr(held[0].r.diagnosis, "the maximum of the same row") != NULL) == large);
    }
}

int main(void) {
    const struct CMUnitTest claims[] = {
        cmocka_unit_test(a_claim_of_nan_alone_does_not_outvote_the_one_with_numbers),
        cmocka_unit_test(a_guess_about_nan_agrees_with_all_claims),
        cmocka_unit_test(a_mask_that_does_no_harm_elsewhere_makes_no_nan),
    };
    return cmocka_run_group_tests(claims, NULL, NULL);
}
