// unit_todo_calls.c: a TODO whose function calls that of another one, and what is said of it: todo_calls.c and revise.c of
// grader/claims.
#include "unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "common_cause.h"
#include "ops.h"
#include "todo.h"
#include "todo_calls.h"

static const char path[] = "build/tests/todo_calls.cu",
                  file[] = "static float zero(void) {\n    return 0;\n}\n\n// What is behind the edge.\n"
                           "static float edge(int r) {\n    // TODO 2.6: the edge.\n    return r ? zero() : 1;\n}\n\n"
                           "static void load(float *p) {\n    // TODO 2.7: the tile.\n    p[0] = edge(1);\n}\n\n"
                           "static void multiply(float *p) {\n    // TODO 2.8: no edge(1) here.\n    p[0] *= 2;\n}\n\n"
                           "static void product(float *p) {\n    // TODO 2.9: a step.\n    load(p);\n    "
                           "multiply(p);\n}\n\n"
                           "int attn_gemm_nt(void) {\n    return ATTN_TODO(2, 6);\n    return ATTN_TODO(2, 9);\n}\n";

static char *text_of_file(void) {
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    fputs(file, f);
    fclose(f);
    char *text = lab_todo_read(path);
    assert_non_null(text);
    return text;
}

static void who_calls_is_known_by_the_text(void **state) {
    (void)state;
    char *text = text_of_file();
    assert_true(lab_todo_calls(path, text, "task2", "2.7", "2.6"));
    assert_true(lab_todo_calls(path, text, "task2", "2.9", "2.6"));  // by load
    assert_false(lab_todo_calls(path, text, "task2", "2.8", "2.6"));
    assert_false(lab_todo_calls(path, text, "task2", "2.8", "2.9"));
    assert_false(lab_todo_calls(path, text, "task2", "2.6", "2.7"));
    assert_false(lab_todo_calls(path, text, "task2", "2.6", "2.6"));
    assert_false(lab_todo_calls(path, text, "task2", "2.7", ""));
    free(text);
    remove(path);
}

static void the_todo_of_a_change_is_named_where_its_claims_hold(void **state) {
    (void)state;
    char change[200] = "line 13, in load:\np[0] = edge(1);\nWith 0 in place of 1, every claim passes.";
    free(text_of_file());
    lab_todo_of_change(path, "task2", change, sizeof change);
    assert_says(change, "every claim passes. The claims of TODO 2.7 alone do not show it.");
    strcpy(change, "line 26, in attn_gemm_nt: Without it, every claim passes.");
    lab_todo_of_change(path, "task2", change, sizeof change);
    assert_null(strstr(change, "TODO"));
    remove(path);
}

static void what_calls_an_open_one_waits_for_it(void **state) {
    (void)state;
    char *text = text_of_file();
    const lab_case load = {.task = "task2", .claim = "load", .todo = "2.7"},
                   multiply = {.task = "task2", .claim = "multiply", .todo = "2.8"}, whole = {.task = "task2"};
    assert_string_equal(lab_todo_waits(path, text, &load, ""), "2.6");
    assert_null(lab_todo_waits(path, text, &load, " 2.6,"));  // written, and its line still stands
    assert_null(lab_todo_waits(path, text, &multiply, ""));
    assert_null(lab_todo_waits(path, text, &whole, ""));
    free(text);
    remove(path);
}

static void what_calls_a_wrong_one_follows_from_it(void **state) {
    (void)state;
    const lab_case
        first = {.task = "task2", .claim = "edge", .todo = "2.6", .op = &lab_softmax_rows, .shape = {1, 1, 4, 4, 8, 0}},
        caller = {
            .task = "task2", .claim = "load", .todo = "2.7", .op = &lab_softmax_rows, .shape = {1, 1, 4, 4, 8, 0}};
    lab_result r = {.verdict = LAB_WRONG_ANSWER, .compared = 1}, same;
    strcpy(r.diagnosis, "matches A; wrong: row 1");
    lab_cause_todo(&first, &r);
    same = r;
    lab_cause_revise(&caller, &same, 0);
    assert_true(strncmp(same.diagnosis, "matches A", 9) == 0);
    lab_cause_revise(&caller, &same, 1);
    assert_true(strncmp(same.diagnosis, "after TODO 2.6; wrong: row 1", 28) == 0);
}

int main(void) {
    mkdir("build/tests", 0777);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(who_calls_is_known_by_the_text),
        cmocka_unit_test(the_todo_of_a_change_is_named_where_its_claims_hold),
        cmocka_unit_test(what_calls_an_open_one_waits_for_it),
        cmocka_unit_test(what_calls_a_wrong_one_follows_from_it),
    };
    return cmocka_run_group_tests_name("todo_calls", tests, NULL, NULL);
}
