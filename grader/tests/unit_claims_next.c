// unit_claims_next.c: the end of a page: how many hold, and what comes next. grader/claims/claims_next.c, claims_show.c.
#include "unit.h"

#include <string.h>

#include "shown.h"

static void hang_all(void) {
    shows("a", "4.1", LAB_PASSED, "");
    shows("b", "4.2", LAB_TIMEOUT, "no answer");
    shows("c", NULL, LAB_SKIPPED, "not run: b did not end");
    shows("d", NULL, LAB_SKIPPED, "not run: b did not end");
    char text[200];
    const lab_end end = {.task = lab_task_find("task4"), .left_open = "", .off = "", .todos = 1};
    lab_show_end(&end, text, sizeof text);
}

static void stand_behind_in(int all) {
    shows("a", "4.1", LAB_PASSED, "");
    shows("b", "4.2", LAB_PASSED, "");
    shows("c", "4.3", LAB_MISSING, "TODO 4.3 is not written yet");
    char text[200];
    const lab_end end = {.task = lab_task_find("task4"),
                         .text = "return ATTN_TODO(4, 3);\nreturn ATTN_TODO(4, 2);\n",
                         .left_open = "4.3",
                         .off = "",
                         .todos = 1,
                         .all = all};
    lab_show_end(&end, text, sizeof text);
}

static void stand_behind(void) { stand_behind_in(1); }
static void stand_behind_in_a_part(void) { stand_behind_in(0); }

static void wait_without_a_line(void) {  // 3.9 has none, and its claim waits for what it calls
    lab_case c = {.task = "task3", .claim = "c", .todo = "3.9", .op = &lab_tiled};
    lab_result r = {.verdict = LAB_MISSING, .todo = "3.7"};
    lab_show_claim(&c, &r);
    char text[200];
    const lab_end end = {.task = lab_task_find("task3"), .text = "", .left_open = "3.8", .off = "", .todos = 1};
    lab_show_end(&end, text, sizeof text);
}

static void the_end_counts_what_was_not_run_and_names_a_line_that_stands(void **state) {
    (void)state;
    assert_says(page(wait_without_a_line), "next: TODO 3.7 in ");
    assert_null(strstr(page(wait_without_a_line), "delete its line"));
    assert_says(page(hang_all), "1 of 2 TODOs hold. 2 claims not run.");
    assert_says(page(stand_behind), "next: TODO 4.2 holds, so delete its line with ATTN_TODO(4, 2)");
    assert_says(page(stand_behind_in_a_part), "next: TODO 4.3 in ");  // a claim of 4.2 holds, and maybe not all of them
}

// Of task 5's bonus, the criterion split: its claim, and the TODO for which it waits or which is wrong.
static void bonus_claim(lab_verdict verdict, const char *todo) {
    const lab_case c = {.task = "task5", .claim = "splits_are_combined", .criterion = "split", .op = &lab_decode_split};
    lab_result r = result_of(verdict, "");
    if (todo) snprintf(r.todo, sizeof r.todo, "%s", todo);
    lab_show_claim(&c, &r);
}

static void asked_claims_hold(int all) {
    const lab_case c = {.task = "task5", .claim = "ragged_lengths", .criterion = "decode", .op = &lab_decode};
    const lab_result r = result_of(LAB_PASSED, "");
    lab_show_claim(&c, &r);
    char text[200];
    const lab_end end = {.task = lab_task_find("task5"),
                         .text = "return ATTN_TODO(5, 10);\nreturn ATTN_TODO(5, 8);\n",
                         .left_open = "5.10",
                         .off = "",
                         .todos = 1,
                         .all = all};
    printf("status %d\n", lab_show_end(&end, text, sizeof text));
}

static void todo_of_task5(const char *todo, lab_verdict verdict) {
    const lab_case c = {.task = "task5", .claim = "c", .todo = todo, .criterion = "todo", .op = &lab_decode};
    const lab_result r = result_of(verdict, "");
    lab_show_claim(&c, &r);
}

static void leave_the_bonus(void) {
    todo_of_task5("5.7", LAB_PASSED);
    todo_of_task5("5.8", LAB_MISSING);
    bonus_claim(LAB_MISSING, "5.8");
    asked_claims_hold(1);
}

static void ask_for_the_bonus(void) {
    bonus_claim(LAB_MISSING, "5.8");
    asked_claims_hold(0);
}

static void begin_the_bonus(void) {
    todo_of_task5("5.8", LAB_PASSED);
    todo_of_task5("5.9", LAB_MISSING);
    bonus_claim(LAB_MISSING, "5.9");
    asked_claims_hold(1);
}

static void miss_the_bonus(void) {
    todo_of_task5("5.8", LAB_WRONG_ANSWER);
    bonus_claim(LAB_MISSING, "5.9");
    asked_claims_hold(1);
}

static void fail_the_bonus(void) {
    bonus_claim(LAB_WRONG_ANSWER, NULL);
    asked_claims_hold(1);
}

static void a_bonus_that_is_open_is_not_asked_for(void **state) {
    (void)state;
    const char *text = page(leave_the_bonus);
    assert_says(text, "1 of 2 TODOs hold, 1 of 2 claims hold: all but the bonus.");
    assert_says(text, "next: make task5 bench says how fast it is, then make task6 test");
    assert_says(text, "or the bonus: TODO 5.8 in task5_decode/decode.cu");
    assert_says(text, "status 0");
    assert_says(page(begin_the_bonus), "next: TODO 5.8 holds, so delete its line with ATTN_TODO(5, 8)");
    assert_says(page(begin_the_bonus), "status 0");
}

static void a_bonus_that_is_wrong_or_asked_for_is_to_hold(void **state) {
    (void)state;
    assert_says(page(ask_for_the_bonus), "status 1");
    assert_says(page(miss_the_bonus), "next: mend TODO 5.8");
    assert_says(page(miss_the_bonus), "status 1");
    assert_says(page(fail_the_bonus), "1 of 2 claims hold.");
    assert_says(page(fail_the_bonus), "status 1");
}

static void hold_one(void) {
    shows("a", "4.1", LAB_PASSED, "");
    char text[200];
    const lab_end end = {.task = lab_task_find("task4"), .left_open = "", .off = "", .todos = 1};
    lab_show_end(&end, text, sizeof text);
}

static void hang_before_one(void) {
    shows("a", "4.1", LAB_TIMEOUT, "no answer");
    shows("b", NULL, LAB_SKIPPED, "not run: a did not end");
    char text[200];
    const lab_end end = {.task = lab_task_find("task4"), .left_open = "", .off = "", .todos = 1};
    lab_show_end(&end, text, sizeof text);
}

static void one_is_no_plural(void **state) {
    (void)state;
    assert_says(page(hold_one), "1 of 1 TODO holds.");
    assert_says(page(hang_before_one), " 1 claim not run.");
}

int main(void) {
    const struct CMUnitTest claims[] = {
        cmocka_unit_test(the_end_counts_what_was_not_run_and_names_a_line_that_stands),
        cmocka_unit_test(a_bonus_that_is_open_is_not_asked_for),
        cmocka_unit_test(a_bonus_that_is_wrong_or_asked_for_is_to_hold),
        cmocka_unit_test(one_is_no_plural),
    };
    return cmocka_run_group_tests(claims, NULL, NULL);
}
