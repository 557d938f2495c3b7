// unit_first_todo.c: which TODO fails first, and what is said where a function that it calls is wrong itself
// (grader/claims/first_todo, revise); which claims that hold rule a cause out (grader/claims/cause_shapes).
#include "unit.h"

#include <string.h>

#include "cause_shapes.h"
#include "common_cause.h"
#include "failed.h"

static lab_case case_of(const lab_op *op, const char *todo) {
    return (lab_case){
        .task = "task1", .criterion = "", .claim = "c", .op = op, .shape = {1, 1, 4, 4, 8, 0}, .todo = todo};
}

static void a_todo_that_calls_what_is_wrong_itself_is_not_the_first(void **state) {
    (void)state;
    const lab_case todo = case_of(&lab_mha_probe, "1.10"), softmax = case_of(&lab_softmax_rows, NULL),
                   layer = case_of(&lab_mha, NULL);
    lab_result r = failed("matches A");
    lab_cause_todo(&todo, &r);
    assert_string_equal(lab_first_todo(), "1.10");
    assert_true(lab_cause_known());
    assert_true(lab_first_todo_calls(&lab_softmax_rows));
    assert_false(lab_first_todo_calls(&lab_mha));

    r = failed("matches B"), lab_cause_revise(&softmax, &r, 0);
    assert_true(strncmp(r.diagnosis, "matches B", 9) == 0);  // what it calls has a sentence of its own
    lab_result after = failed("matches C");
    lab_cause_revise(&layer, &after, 0);
    assert_true(strncmp(after.diagnosis, "after TODO 1.10", 15) == 0);

    const lab_case whole = case_of(&lab_walk_probe, "1.11");
    lab_result unwritten = {.verdict = LAB_WRONG_ANSWER, .compared = 1};
    strcpy(unwritten.diagnosis, "3 elements were never written: row 2");
    lab_cause_revise(&whole, &unwritten, 0);  // a TODO that puts others together
    assert_true(strncmp(unwritten.diagnosis, "after TODO 1.10", 15) == 0);

    const lab_case alone = case_of(&lab_softmax_rows, "1.3");
    lab_result of_caller = failed("matches D");
    lab_cause_revise(&alone, &of_caller, 0);
    assert_true(strncmp(of_caller.diagnosis, "matches D", 9) == 0);

    lab_cause_add(&softmax, &r);
    assert_true(lab_first_todo_follows());
    assert_string_equal(lab_first_todo(), "");
    assert_false(lab_cause_known());
    assert_null(lab_first_todo_matches());
}

static void a_ragged_tile_that_is_right_rules_a_lost_one_out(void **state) {
    (void)state;
    static const char lost[] = "matches attention to the first keys only: is the last, ragged tile of keys visited "
                               "(tiles of 4 keys)?";
    lab_case c = case_of(&lab_tiled, NULL);
    const lab_result held = {.verdict = LAB_PASSED};
    lab_cause_add(&c, &held);
    assert_false(lab_cause_is_refuted(lost, &lab_tiled));  // 4 keys are a whole tile
    c.shape.seq_kv = 5, lab_cause_add(&c, &held);
    assert_true(lab_cause_is_refuted(lost, &lab_tiled));
    assert_false(lab_cause_is_refuted(lost, &lab_flash));  // that holds in another function
    assert_false(lab_cause_is_refuted("matches A", &lab_tiled));

    c = case_of(&lab_decode, NULL), c.shape.seq_kv = 5, lab_cause_add(&c, &held);
    assert_false(lab_cause_is_refuted(lost, &lab_decode));  // 4 of its 5 slots may have keys
    c.shape.seq_kv = 3, lab_cause_add(&c, &held);
    assert_true(lab_cause_is_refuted(lost, &lab_decode));
}

int main(void) {
    const struct CMUnitTest claims[] = {CLAIM(a_todo_that_calls_what_is_wrong_itself_is_not_the_first),
                                        CLAIM(a_ragged_tile_that_is_right_rules_a_lost_one_out)};
    return cmocka_run_group_tests_name("first_todo", claims, NULL, NULL);
}
