// unit_cause_size.c: the size in brackets of a cause, and tiles of too few rows or keys to tell by. grader/run: cause_size.c,
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

static void flash_fails(int keys, const char *diagnosis) {
    lab_case c = {.task = "task4", .criterion = "", .claim = "a claim", .op = &lab_flash, .shape = shape};
    const lab_result r = failed(diagnosis);
    c.shape.seq_kv = keys;
    lab_cause_add(&c, &r);
}

#define LATE LAB_O_RESCALED_LATE ": first"
static void late_in_two(void) {
    flash_fails(64, LATE " (tiles of 32 keys)"), flash_fails(97, LATE " (tiles of 32 keys)");
}
static void late_and_few_keys(void) { flash_fails(1, LAB_ROWS_OF_0), late_in_two(), flash_fails(32, LAB_ROWS_OF_0); }
static void late_and_more_keys(void) { flash_fails(33, LAB_ROWS_OF_0), late_in_two(); }
static void nothing_but_0(void) { flash_fails(1, LAB_ROWS_OF_0), flash_fails(7, LAB_ROWS_OF_0); }
static void late_in_tiles_of_the_claim(void) {
    lab_case c = {.task = "task3", .criterion = "", .claim = "a claim", .op = &lab_tiled, .shape = shape};
    const lab_result late = failed(LATE), of_0 = failed(LAB_ROWS_OF_0);
    c.shape.seq_kv = 64, c.tiles.Bc = 16;
    lab_cause_add(&c, &late);
    c.tiles.Bc = 64;
    lab_cause_add(&c, &of_0);
}

static void in_one_tile_o_that_is_rescaled_late_is_0(void **state) {
    (void)state;
    play(late_and_few_keys, lab_cause_say);
    assert_string_equal(text, "one cause would explain all 4: " LATE " (tiles of 32 keys)");
    play(late_in_tiles_of_the_claim, lab_cause_say);
    assert_string_equal(text, "one cause would explain all 2: " LATE);
    play(late_and_more_keys, lab_cause_say);
    assert_string_equal(text, "");
    play(nothing_but_0, lab_cause_say);
    assert_string_equal(text, "one cause would explain all 2: " LAB_ROWS_OF_0);
}

int main(void) {
    const struct CMUnitTest claims[] = {
        CLAIM(a_size_that_other_claims_do_not_have_is_left_out),
        CLAIM(tiles_of_few_rows_say_nothing_of_what_is_left_over),
        CLAIM(in_one_tile_o_that_is_rescaled_late_is_0),
    };
    return cmocka_run_group_tests_name("cause_size", claims, NULL, NULL);
}
