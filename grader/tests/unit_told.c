// unit_told.c: of the sentences of many claims, those that are told. grader/claims/told.c.
#include "unit.h"

#include "common_cause.h"
#include "crash.h"
#include "held.h"
#include "heuristics.h"

static void one_mistake_has_one_cause(void **state) {
    (void)state;
    fails(0, "matches the last key left out", "matches a lost tile (tiles of 32 keys)");
    fails(1, "matches a lost tile (tiles of 32 keys)", NULL);
    fails(2, "matches a lost tile (tiles of 16 keys)", NULL);
    fails(3, "matches a mask that is off by one", NULL);
    lab_choose_told(held, CLAIMS, 0, 0);
    assert_string_equal(held[0].r.diagnosis,
                        "a guess, which fits 3 of the 4 claims: a lost tile (tiles of 16 keys); wrong: row 0");
    for (int i = 1; i < CLAIMS; i++) assert_null(strstr(held[i].r.diagnosis, "matches"));
    fails(3, "matches a lost tile (tiles of 16 keys)", NULL), fails(0, "matches a lost tile (tiles of 16 keys)", NULL);
    fails(1, "matches a lost tile (tiles of 16 keys)", NULL), fails(2, "matches a lost tile (tiles of 16 keys)", NULL);
    lab_choose_told(held, CLAIMS, 0, 0);
    assert_string_equal(held[0].r.diagnosis, "matches a lost tile (tiles of 16 keys); wrong: row 0");
}

// Where the rows of one claim that are right have no such mistake, it is not said of all rows.
static void what_some_rows_lack_is_said_with_that(void **state) {
    (void)state;
    static const char all[] = "matches a missing division", some[] = "matches a missing division" LAB_NOT_IN_RIGHT_ROWS;
    fails(0, all, NULL), fails(1, all, NULL), fails(2, some, NULL), fails(3, all, NULL);
    lab_choose_told(held, CLAIMS, 0, 0);
    assert_non_null(strstr(held[0].r.diagnosis, some));
}

// Decoding without splits is wrong, too: the parts may be right.
static void parts_are_not_to_blame_for_what_is_wrong_without_them(void **state) {
    (void)state;
    static const char parts[] = "the L_s in workspace do not make L = log sum_s exp(L_s)";
    for (int whole = 0; whole < 2; whole++) {
        for (int i = 0; i < 3; i++) fails(i, parts, NULL), held[i].c.op = &lab_decode_split;
        fails(3, "", NULL), held[3].c.op = whole ? &lab_decode : &lab_combine, held[3].r.guesses.n = 0;
        lab_choose_told(held, CLAIMS, 0, 0);
        assert_int_equal(strstr(held[0].r.diagnosis, parts) != NULL, !whole);
    }
}

// What fits most of them is read with the first that fails, though it does not fit that one.
static void a_guess_stands_at_the_first_claim(void **state) {
    (void)state;
    static const char tile[] = "matches a lost tile (tiles of 16 keys)";
    fails(0, "", NULL), fails(1, tile, NULL), fails(2, tile, NULL), fails(3, tile, NULL);
    held[0].r.guesses.n = 0, held[1].c.claim = "key_tiles";
    lab_choose_told(held, CLAIMS, 0, 0);
    assert_non_null(strstr(held[0].r.diagnosis, "a guess, which fits 3 of the 4 claims, as in key_tiles: a lost tile"));
    for (int i = 1; i < CLAIMS; i++) assert_null(strstr(held[i].r.diagnosis, "tile"));
}

static void of_two_mistakes_both_are_told(void **state) {
    (void)state;
    fails(0, "matches scores without the scale", NULL), fails(1, "matches scores without the scale", NULL);
    fails(2, "matches a mask that is off by one", NULL), fails(3, "matches a mask that is off by one", NULL);
    lab_choose_told(held, CLAIMS, 0, 0);
    assert_string_equal(held[0].r.diagnosis, "matches scores without the scale; wrong: row 0");
    assert_string_equal(held[2].r.diagnosis, "matches a mask that is off by one; wrong: row 2");
    assert_string_equal(held[3].r.diagnosis, "wrong: row 3");
}

// What fits two of the four claims that are left, or all of few, fits by chance.
static void a_second_cause_explains_all_the_rest(void **state) {
    (void)state;
    static const char scale[] = "matches scores without the scale", mask[] = "matches a mask that is off by one";
    fails(0, scale, NULL), fails(1, mask, NULL), fails(2, mask, NULL), fails(3, scale, NULL), fails(4, scale, NULL);
    lab_choose_told(held, 5, 0, 0);
    assert_string_equal(held[0].r.diagnosis,
                        "a guess, which fits 3 of the 5 claims: scores without the scale; wrong: row 0");
    for (int i = 1; i < 5; i++) assert_null(strstr(held[i].r.diagnosis, "matches"));
    fails(0, scale, NULL), fails(1, mask, NULL), fails(2, mask, NULL), fails(3, scale, NULL);
    fails(4, "matches a lost tile", NULL);
    lab_choose_told(held, 5, 0, 0);
    assert_null(strstr(held[0].r.diagnosis, "scale"));
    assert_null(strstr(held[4].r.diagnosis, "tile"));
}

// One function fails in three ways, and one of them looks like a known mistake: it is another one.
static void of_a_todo_a_cause_explains_all_claims(void **state) {
    (void)state;
    static const char last[] = "matches l of the last key alone";
    fails(0, "", NULL), fails(1, "l is 0: it must be 1", NULL), fails(2, last, NULL);
    for (int i = 0; i < 3; i++) held[i].c.todo = "5.5";
    lab_choose_told(held, 3, 0, 0);
    assert_null(strstr(held[2].r.diagnosis, "matches"));
    fails(0, last, NULL), fails(1, last, NULL), fails(2, last, NULL);
    for (int i = 0; i < 3; i++) held[i].c.todo = "5.5";
    lab_choose_told(held, 3, 0, 0);
    assert_string_equal(held[0].r.diagnosis, "matches l of the last key alone; wrong: row 0");
}

// What is known and does not begin with "matches" is said, and as what it is.
static void a_known_mistake_in_other_words_is_a_guess_where_a_claim_lacks_it(void **state) {
    (void)state;
    for (int both = 0; both < 2; both++) {
        fails(0, "hidden scores are 0", NULL), fails(1, both ? "hidden scores are 0" : "", NULL);
        held[1].r.guesses.n = both;
        for (int i = 0; i < 2; i++) held[i].c.todo = "4.3";
        lab_choose_told(held, 2, 0, 0);
        assert_string_equal(held[0].r.diagnosis,
                            both ? "hidden scores are 0; wrong: row 0"
                                 : "a guess, which fits 1 of the 2 claims: hidden scores are 0; wrong: row 0");
    }
}

// With large scores one key has all the weight: what fits there, and no other claim that fails, does so by chance.
static void what_fits_large_scores_alone_is_not_told(void **state) {
    (void)state;
    for (int large = 0; large < 2; large++) {
        fails(0, "", NULL), fails(1, "", NULL), fails(2, "matches attention to the last key only", NULL);
        held[0].r.guesses.n = held[1].r.guesses.n = 0;
        held[2].c.kind = large ? LAB_LARGE : LAB_NORMAL;
        lab_choose_told(held, 3, 0, 0);
        assert_null(strstr(held[2].r.diagnosis, "matches"));
    }
}

// A change that mends the file is proven: what fits most of the claims is no more than a guess, and what fits all is.
static void a_guess_is_not_told_beside_what_is_proven(void **state) {
    (void)state;
    static const char tile[] = "matches a lost tile (tiles of 16 keys)";
    for (int all = 0; all < 2; all++) {
        fails(0, tile, NULL), fails(1, tile, NULL), fails(2, tile, NULL), fails(3, all ? tile : "", NULL);
        held[3].r.guesses.n = all;
        lab_choose_told(held, CLAIMS, 0, 1);
        assert_int_equal(strstr(held[0].r.diagnosis, "a lost tile") != NULL, all);
    }
}

// Where small scores give wrong numbers, a maximum that is not subtracted is not what is wrong with large ones.
static void an_overflow_is_not_told_where_small_scores_are_wrong(void **state) {
    (void)state;
    static const char overflow[] = "exp overflows where scores are large: subtract the row maximum";
    for (int others = 0; others < 2; others++) {
        fails(0, "", NULL), fails(1, "", NULL), fails(2, overflow, NULL);
        held[0].r.guesses.n = held[1].r.guesses.n = 0;
        for (int i = 0; i < 2 && !others; i++) held[i].r.verdict = LAB_PASSED;
        held[2].r.verdict = LAB_NOT_FINITE, held[2].c.kind = LAB_LARGE;
        lab_choose_told(held, 3, !others, 0);
        assert_int_equal(strstr(held[2].r.diagnosis, overflow) != NULL, !others);
    }
}

static void what_is_seen_stays_where_the_cause_is_known(void **state) {
    (void)state;
    fails(0, "8 elements were never written: row 3; as many blocks as whole tiles: round up", NULL);
    fails(1, "each wrong row is the right one times a number", NULL);
    fails(2, "after TODO 4.10", NULL);
    lab_choose_told(held, 3, 0, 1);
    assert_string_equal(held[0].r.diagnosis, "8 elements were never written: row 3; wrong: row 0");
    assert_string_equal(held[1].r.diagnosis, "wrong: row 1");
    assert_string_equal(held[2].r.diagnosis, "after TODO 4.10; wrong: row 2");
}

static void a_change_that_mends_leaves_other_advice_out(void **state) {
    (void)state;
    static const char read[] = "what line 8 got from malloc is read where nothing was written" LAB_UNSET_ADVICE;
    for (int certain = 0; certain < 2; certain++) {
        fails(0, read, NULL);
        held[0].r.guesses.n = 0;
        lab_choose_told(held, 1, 1, certain);
        assert_non_null(strstr(held[0].r.diagnosis, "read where nothing was written"));
        assert_true((strstr(held[0].r.diagnosis, "or is it to be set to 0 first") == NULL) == certain);
        assert_non_null(strstr(held[0].r.diagnosis, "; wrong: row 0"));
    }
}

// One key has all the weight there, and much looks like it: beside a change that mends it that is no cause.
static void what_fits_large_scores_is_not_told_beside_a_change_that_mends(void **state) {
    (void)state;
    for (int large = 0; large < 2; large++)
        for (int certain = 0; certain < 2; certain++) {
            fails(0, "matches a softmax of each lane", NULL);
            held[0].c.kind = large ? LAB_LARGE : LAB_NORMAL;
            lab_choose_told(held, 1, 0, certain);
            assert_true((strstr(held[0].r.diagnosis, "matches") == NULL) == (large && certain));
        }
    held[0].c.kind = LAB_NORMAL;
}

static void ones_own_number_of_splits_is_not_blamed_where_another_is_wrong_too(void **state) {
    (void)state;
    static const char own[] = "the wrong rows are 0, as if there were no parts: n_splits = 0 asks for your own number";
    for (int asked = 0; asked < 2; asked++) {
        fails(0, own, NULL), fails(1, "", NULL);
        held[0].r.guesses.n = held[1].r.guesses.n = 0, held[1].c.extra[0] = asked;
        lab_choose_told(held, 2, 0, 0);
        assert_true((strstr(held[0].r.diagnosis, "no parts") == NULL) == asked);
    }
}

// Claim i is one of TODO 4.3, which both sentences fit.
static void todo_fails(int i, const char *fits, const char *too) {
    fails(i, fits, too);
    held[i].c.todo = "4.3";
    lab_cause_todo(&held[i].c, &held[i].r);
}

// What is seen of a TODO stays for the life of the program: this claim is the last one.
static void what_a_todo_matches_is_said_once_and_silences_the_rest(void **state) {
    (void)state;
    static const char first[] = "matches no check at all", longer[] = "matches a sum of all lengths, held against all";
    char note[400];
    for (int i = 0; i < 2; i++) todo_fails(i, first, longer);
    assert_true(lab_cause_matched(note, sizeof note));
    assert_string_equal(note, "TODO 4.3: matches no check at all");
    fails(2, "matches keys that do not count once each", NULL), fails(3, "", NULL);
    held[3].r.guesses.n = 0, held[3].r.verdict = LAB_PASSED, held[3].r.diagnosis[0] = 0;
    lab_choose_told(held, CLAIMS, 1, 1);
    for (int i = 0; i < 3; i++) assert_null(strstr(held[i].r.diagnosis, "matches"));
}

int main(void) {
    const struct CMUnitTest claims[] = {
        cmocka_unit_test(one_mistake_has_one_cause),
        cmocka_unit_test(what_some_rows_lack_is_said_with_that),
        cmocka_unit_test(parts_are_not_to_blame_for_what_is_wrong_without_them),
        cmocka_unit_test(a_guess_stands_at_the_first_claim),
        cmocka_unit_test(of_two_mistakes_both_are_told),
        cmocka_unit_test(a_second_cause_explains_all_the_rest),
        cmocka_unit_test(of_a_todo_a_cause_explains_all_claims),
        cmocka_unit_test(a_known_mistake_in_other_words_is_a_guess_where_a_claim_lacks_it),
        cmocka_unit_test(what_fits_large_scores_alone_is_not_told),
        cmocka_unit_test(a_guess_is_not_told_beside_what_is_proven),
        cmocka_unit_test(an_overflow_is_not_told_where_small_scores_are_wrong),
        cmocka_unit_test(what_is_seen_stays_where_the_cause_is_known),
        cmocka_unit_test(a_change_that_mends_leaves_other_advice_out),
        cmocka_unit_test(what_fits_large_scores_is_not_told_beside_a_change_that_mends),
        cmocka_unit_test(ones_own_number_of_splits_is_not_blamed_where_another_is_wrong_too),
        cmocka_unit_test(what_a_todo_matches_is_said_once_and_silences_the_rest),
    };
    return cmocka_run_group_tests(claims, NULL, NULL);
}
