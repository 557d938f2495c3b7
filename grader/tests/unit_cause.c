// unit_cause.c: one sentence for many claims that fail. grader/claims/common_cause.c.
#include "scene.h"

#include "heuristics.h"

static void is_all_nan(const lab_op *op, const char *diagnosis) {
    const lab_case c = {.task = "task1", .criterion = "", .claim = "a claim", .op = op, .shape = shape};
    lab_result r = failed(diagnosis);
    r.verdict = LAB_NOT_FINITE, r.cmp.not_finite = op->elements(shape, 0);
    lab_cause_add(&c, &r);
}

// ---- What cannot be compared: all is NaN, or 0

static void nothing_but_nan(void) {
    is_all_nan(&lab_sdpa, "a guess: every row is NaN");
    is_all_nan(&lab_sdpa, "NaN: two tiles (tiles of 4 keys)");
}

static void where_all_is_nan_no_cause_is_named(void **state) {
    (void)state;
    play(nothing_but_nan, lab_cause_say);
    assert_string_equal(text, "");
}

static void was_there_before(int elements) {
    char diagnosis[80];
    const lab_case c = {.task = "task1", .criterion = "", .claim = "a claim", .op = &lab_sdpa, .shape = shape};
    snprintf(diagnosis, sizeof diagnosis, "%d elements were computed from what the output held", elements);
    lab_result r = failed(diagnosis);
    r.cmp.used = r.cmp.not_finite = lab_sdpa.elements(shape, 0);
    lab_cause_add(&c, &r);
}

static void nothing_but_what_was_there(void) { was_there_before(32), was_there_before(64); }

static void what_the_output_held_is_a_cause_though_all_is_nan(void **state) {
    (void)state;
    play(nothing_but_what_was_there, lab_cause_say);
    assert_string_equal(text, "one cause would explain all 2: elements were computed from what the output held");
}

// Of sums of 12 products without the first 16 nothing is left.
static void product_fails(int k, const char *diagnosis) {
    const lab_case c = {
        .task = "task2", .criterion = "", .claim = "a", .op = &lab_gemm_nn, .shape = {1, 1, 8, 8, k, 0}};
    const lab_result r = failed(diagnosis);
    lab_cause_add(&c, &r);
}

static void the_first_tile_is_left_out(void) {
    product_fails(50, LAB_FIRST_LEFT_OUT "16 products: the first tile"), product_fails(12, "all is 0");
    product_fails(64, LAB_FIRST_LEFT_OUT "16 products: the first tile");
}

static void where_sums_are_no_longer_than_what_is_left_out_they_are_0(void **state) {
    (void)state;
    play(the_first_tile_is_left_out, lab_cause_say);
    assert_says(text, "one cause would explain all 3: " LAB_FIRST_LEFT_OUT "16 products");
}

// ---- A match goes before a sign

static const char sign[] = "each wrong row is the right one times a number";

static void sign_and_half_a_match(void) { fails(&lab_sdpa, sign, 4), fails(&lab_sdpa, "matches A", 4); }

static void sign_and_most_match(void) { fails(&lab_sdpa, sign, 1), fails(&lab_sdpa, "matches A", 4); }

static void sign_and_four_of_nine(void) { fails(&lab_sdpa, sign, 5), fails(&lab_sdpa, "matches A", 4); }

static void four_of_nine(void) { fails(&lab_sdpa, "", 5), fails(&lab_sdpa, "matches A", 4); }

static void sign_and_one_match(void) { fails(&lab_sdpa, sign, 2), fails(&lab_sdpa, "matches A", 1); }

static void four_and_one_of_nan(void) { sign_and_most_match(), is_all_nan(&lab_sdpa, ""); }

static void part_of_which_most_claims_match(void) {
    fails(&lab_softmax_rows, "matches B", 4), fails(&lab_softmax_rows, "", 1);
    fails(&lab_sdpa, "matches A", 3);
}

// Of claims that were not compared with it, a guess says nothing.
static void a_guess_counts_the_claims_that_it_fits(void **state) {
    (void)state;
    play(part_of_which_most_claims_match, lab_cause_say);
    assert_string_equal(text, "a guess, which explains 4 of the 5 (3 more are about what may use attn_softmax_rows): "
                              "matches B");
}

static void what_many_claims_match_goes_before_a_sign(void **state) {
    (void)state;
    play(four_and_one_of_nan, lab_cause_say);  // of all that fail, also of what cannot be compared
    assert_string_equal(text, "a guess, which explains 4 of the 6: matches A");
    play(sign_and_most_match, lab_cause_say);
    assert_string_equal(text, "a guess, which explains 4 of the 5: matches A");
    play(sign_and_half_a_match, lab_cause_say);  // a guess that explains less than four of five is none
    assert_null(strstr(text, "matches A"));
    play(sign_and_four_of_nine, lab_cause_say);
    assert_null(strstr(text, "matches A"));
    play(four_of_nine, lab_cause_say);
    assert_null(strstr(text, "matches A"));
    play(sign_and_one_match, lab_cause_say);  // one claim may match by chance
    assert_null(strstr(text, "matches A"));
}

// ---- Large scores

static void of_large_scores(const char *diagnosis) {
    const lab_case c = {
        .task = "task1", .criterion = "", .claim = "a claim", .op = &lab_sdpa, .shape = shape, .kind = LAB_LARGE};
    const lab_result r = failed(diagnosis);
    lab_cause_add(&c, &r);
}

static void splits_fail(int n_splits, const char *diagnosis) {
    const lab_case c = {.task = "task5",
                        .criterion = "",
                        .claim = "a claim",
                        .op = &lab_decode_split,
                        .shape = shape,
                        .n_splits = n_splits};
    const lab_result r = failed(diagnosis);
    lab_cause_add(&c, &r);
}

static void splits_of_the_students_number(void) { fails(&lab_decode, "matches A", 4), splits_fail(0, ""); }
static void splits_of_the_labs_number(void) { fails(&lab_decode, "matches A", 4), splits_fail(4, ""); }

static void splits_of_the_students_number_say_nothing_against_a_cause(void **state) {
    (void)state;
    play(splits_of_the_students_number, lab_cause_say);
    assert_string_equal(text, "one cause would explain 4 of 5 (the other's numbers do not tell): matches A");
    play(splits_of_the_labs_number, lab_cause_say);
    assert_non_null(strstr(text, "a guess, which explains 4 of the 5"));
}

static void one_of_large_scores(void) { fails(&lab_sdpa, "matches A", 3), of_large_scores("matches B"); }
static void two_of_large_scores(void) { one_of_large_scores(), of_large_scores(""); }
static void none_but_large_scores(void) { of_large_scores("matches A"), of_large_scores("matches B"); }

static void large_scores_say_nothing_against_a_cause(void **state) {
    (void)state;
    play(one_of_large_scores, lab_cause_say);
    assert_string_equal(text, "one cause would explain 3 of 4 (the other's numbers do not tell): matches A");
    play(two_of_large_scores, lab_cause_say);
    assert_string_equal(text, "one cause would explain 3 of 5 (the others' numbers do not tell): matches A");
    play(none_but_large_scores, lab_cause_say);
    assert_string_equal(text, "");
}

// ---- What builds on a part that is wrong

static void part_with_a_match(void) {
    fails(&lab_softmax_rows, "matches B", 2), fails(&lab_softmax_rows, "matches C", 1);
    fails(&lab_sdpa, "matches A", 3);
}

static void build_on_part(int times) {
    fails(&lab_softmax_rows, "matches B", 1), fails(&lab_gemm_nn, "matches C", 1);
    fails(&lab_sdpa, "matches A", times);
}

static void part_that_all_claims_match(void) { build_on_part(3); }

static void part_that_one_claim_uses(void) { build_on_part(1); }

static void two_parts(void) {
    fails(&lab_split_heads, "of each 64 numbers", 1), fails(&lab_merge_heads, "columns 8..31", 1);
    fails(&lab_mha, "matches A", 2);
}

static void layer_in_a_model(void) {
    for (int i = 0; i < 2; i++) is_all_nan(&lab_layer, "NaN: all"), is_all_nan(&lab_generate, "NaN: all");
}

static void a_part_says_what_all_its_claims_match(void **state) {
    (void)state;
    play(part_that_all_claims_match, lab_cause_say);
    assert_says(text, "attn_softmax_rows is wrong: matches B; mend it first; 3 claims about what may use it fail, too");
    play(part_that_one_claim_uses, lab_cause_say);
    assert_says(text, "mend it first; 1 claim about what may use it fails, too");
    play(part_with_a_match, lab_cause_say);
    assert_null(strstr(text, "matches A"));  // it follows
    play(two_parts, lab_cause_say);
    assert_says(text,
                "attn_split_heads and attn_merge_heads are wrong: mend them first; 2 claims about what may use them");
    play(layer_in_a_model, lab_cause_say);
    assert_string_equal(text, "");  // the layer is all that the file has
}

// ---- No keys

static const char no_keys[] =
    "only sequences without keys (lengths[b] = 0) are wrong: their output is 0, not a sum over 0";

static void some_are_nan_without_keys(void) {
    is_all_nan(&lab_decode, "NaN");
    is_all_nan(&lab_decode, no_keys);
}

static void a_number_is_wrong_too(void) {
    some_are_nan_without_keys();
    fails(&lab_decode, "matches something", 1);
}

static void say_no_keys(char *into, size_t size) { snprintf(into, size, "%d", lab_cause_is_no_keys()); }

static void where_all_that_fails_is_nan_it_may_be_for_want_of_keys(void **state) {
    (void)state;
    play(some_are_nan_without_keys, say_no_keys);
    assert_string_equal(text, "1");
    play(a_number_is_wrong_too, say_no_keys);
    assert_string_equal(text, "0");
    play(nothing_but_nan, say_no_keys);
    assert_string_equal(text, "0");
}

int main(void) {
    const struct CMUnitTest claims[] = {
        CLAIM(where_all_is_nan_no_cause_is_named),
        CLAIM(where_sums_are_no_longer_than_what_is_left_out_they_are_0),
        CLAIM(what_the_output_held_is_a_cause_though_all_is_nan),
        CLAIM(a_guess_counts_the_claims_that_it_fits),
        CLAIM(splits_of_the_students_number_say_nothing_against_a_cause),
        CLAIM(what_many_claims_match_goes_before_a_sign),
        CLAIM(large_scores_say_nothing_against_a_cause),
        CLAIM(a_part_says_what_all_its_claims_match),
        CLAIM(where_all_that_fails_is_nan_it_may_be_for_want_of_keys),
    };
    return cmocka_run_group_tests_name("cause", claims, NULL, NULL);
}
