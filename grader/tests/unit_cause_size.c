// unit_cause_size.c: the size in brackets of a cause, and tiles of too few rows to tell by. grader/run: cause_size.c,
// cause_shapes.c.
#include "scene.h"

#include "wrong_rows.h"

static void tiled_fails(int rows, const char *diagnosis) {
    lab_case c = {.task = "task3", .criterion = "", .claim = "a claim", .op = &lab_tiled, .shape = shape};
    const lab_result r = failed(diagnosis);
    c.shape.seq_q = rows;
    lab_cause_add(&c, &r);
}

static const char *const behind_groups = LAB_LEFT_ROWS " (whole groups)";

static void left_over_in_two(void) { tiled_fails(33, LAB_LEFT_ROWS), tiled_fails(39, behind_groups); }
static void left_over_of_few(void) { tiled_fails(3, "the wrong rows are 0"), left_over_in_two(); }
static void left_over_of_many(void) { tiled_fails(30, "the wrong rows are 0"), left_over_in_two(); }

static void own_tiles_too(void) { tiled_fails(64, "matches A"), tiled_fails(512, "matches A (tiles of 64 keys)"); }

static void tiles_of_two_sizes(void) {
    tiled_fails(64, "matches A (tiles of 32 keys)"), tiled_fails(32, "matches A (tiles of 16 keys)");
}

static void tiles_of_one_size(void) {
    tiled_fails(64, "matches A (tiles of 32 keys)"), tiled_fails(32, "matches A (tiles of 32 keys)");
}

// In the first claim both fit.
static void pieces_of_one_number(void) {
    const lab_case c = {.task = "task1", .claim = "a claim", .op = &lab_softmax_rows, .shape = shape};
    lab_result r = failed("matches A (pieces of 32 columns)");
    char none[2] = "";
    lab_guess(&r.guesses, "matches A (pieces of 32 columns)", none, sizeof none);
    lab_guess(&r.guesses, "matches A (2 pieces)", none, sizeof none);
    lab_cause_add(&c, &r);
    fails(&lab_softmax_rows, "matches A (2 pieces)", 1);
}

static void a_size_that_other_claims_do_not_have_is_left_out(void **state) {
    (void)state;
    play(tiles_of_two_sizes, lab_cause_say);
    assert_string_equal(text, "one cause would explain all 2: matches A");
    play(tiles_of_one_size, lab_cause_say);
    assert_string_equal(text, "one cause would explain all 2: matches A (tiles of 32 keys)");
    play(pieces_of_one_number, lab_cause_say);
    assert_string_equal(text, "one cause would explain all 2: matches A (2 pieces)");
}

static void tiles_of_few_rows_say_nothing_of_what_is_left_over(void **state) {
    (void)state;
    play(left_over_in_two, lab_cause_say);
    assert_string_equal(text, "one cause would explain all 2: " LAB_LEFT_ROWS " (whole groups)");
    play(left_over_of_few, lab_cause_say);
    assert_string_equal(text, "one cause would explain all 3: " LAB_LEFT_ROWS " (whole groups)");
    play(left_over_of_many, lab_cause_say);
    assert_string_equal(text, "");
    play(own_tiles_too, lab_cause_say);  // what stands in brackets there is one claim's
    assert_string_equal(text, "one cause would explain all 2: matches A");
}

int main(void) {
    const struct CMUnitTest claims[] = {
        CLAIM(a_size_that_other_claims_do_not_have_is_left_out),
        CLAIM(tiles_of_few_rows_say_nothing_of_what_is_left_over),
    };
    return cmocka_run_group_tests_name("cause_size", claims, NULL, NULL);
}
