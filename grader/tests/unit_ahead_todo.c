// unit_ahead_todo.c: once a claim of a TODO has failed, the changes of its function are listed and compiled while other
// claims are judged. grader/repair/ahead.c, whose questions about claims are answered here.
#include "unit.h"

#include <stdio.h>
#include <string.h>

#include "aside.h"
#include "candidates.h"
#include "judged.h"
#include "region.h"

enum { FROM = 40, TO = 60 };

static struct {
    const char *todo;  // the first that fails; NULL: none does
    const char *wrong, *right;
    const char *rest;  // functions that have not been judged yet
    int calls;         // its function calls others
    int dim;
    int begun, dropped;
    char list[4300];  // of the other process
} world;

static const char *fake_todo(const char *after) { return after ? NULL : world.todo; }
static int fake_calls(const char *todo) { return todo && world.calls; }
static int fake_dim(void) { return world.dim; }
static int fake_wanted(void) { return 1; }
static int none(void) { return 0; }

static void fake_functions(int failing, char *list, size_t size) {
    snprintf(list, size, "%s", failing ? world.wrong : world.right);
}

static void fake_rest(const lab_task *of, char *list, size_t size) {
    if (of && world.rest) snprintf(list, size, "%s", world.rest);
}

static int fake_region(const char *source, const char *task, const char *todo, int *from, int *to) {
    *from = FROM, *to = TO;
    return source && task && todo;
}

// The other process writes its list at once.
static int fake_begin(int (*work)(void *of), void *of) {
    world.begun += work && of;
    FILE *f = *world.list ? fopen(world.list, "w") : NULL;
    if (f) fprintf(f, "list %d\n", world.begun), fclose(f);
    return 1;
}

static void fake_name(const lab_repair_ask *ask, lab_candidates *c) {
    snprintf(c->file, 64, "%s", ask->stage);
    snprintf(c->plain, sizeof c->plain, "%s.txt", ask->stage);
    if (strstr(ask->stage, ".ahead.so")) snprintf(world.list, sizeof world.list, "%s", c->plain);
}
static void forget(int begun) { world.dropped += begun > 0; }

#define lab_judged_next_todo fake_todo
#define lab_judged_calls_others fake_calls
#define lab_judged_add_rest fake_rest
#define lab_judged_functions fake_functions
#define lab_judged_refused none
#define lab_judged_statuses none
#define lab_judged_room none
#define lab_judged_dim fake_dim
#define lab_repair_wanted fake_wanted
#define lab_region_of fake_region
#define lab_aside_begin fake_begin
#define lab_aside_drop forget
#define lab_candidates_name fake_name
#define lab_repair_ahead_due ahead_due
#define lab_repair_ahead ahead_begin
#define lab_repair_ahead_end ahead_end
#define lab_ahead_judge ahead_judge
#define lab_ahead_list ahead_list
#define lab_ahead_wider ahead_wider
#define lab_ahead_enough ahead_enough
#define lab_ahead_take ahead_take
#include "ahead.c"

static const lab_task task = {.id = "task4", .file = "flash.cu", .language = LAB_CUDA};
static const lab_repair_ask ask = {
    .task = &task, .source = "flash.cu", .edits = "/bin/sh", .stage = "build/tests/unit_ahead_todo.so"};

static int reset(void **state) {
    (void)state;
    memset(&world, 0, sizeof world), memset(&ahead, 0, sizeof ahead);
    world.wrong = world.right = "";
    return 0;
}

static void the_function_of_the_first_todo_that_fails_is_begun_with(void **state) {
    (void)state;
    world.todo = "4.3";
    assert_true(ahead_due(&ask));
    ahead_begin(&ask);
    assert_int_equal(world.begun, 1), assert_int_equal(ahead.probe, 1);
    assert_int_equal(ahead.c.from, FROM), assert_int_equal(ahead.c.to, TO);
}

static void claims_of_the_whole_that_fail_later_do_not_alter_it(void **state) {
    (void)state;
    world.todo = "4.3";
    assert_true(ahead_due(&ask));
    ahead_begin(&ask);
    world.wrong = "attn_flash";
    assert_false(ahead_due(&ask));
}

static void what_calls_functions_of_the_task_waits_for_them(void **state) {
    (void)state;
    world.todo = "2.11", world.calls = 1;
    assert_false(ahead_due(&ask));
    world.wrong = "attn_naive";
    assert_true(ahead_due(&ask));
}

static void without_todos_the_whole_file_is_begun_with(void **state) {
    (void)state;
    assert_true(ahead_due(&ask));
    ahead_begin(&ask);
    assert_int_equal(ahead.probe, 0), assert_int_equal(ahead.c.to, 0);
}

static void functions_that_are_to_be_judged_hold_until_they_fail(void **state) {
    (void)state;
    world.wrong = "attn_decode", world.rest = "attn_combine";
    assert_true(ahead_due(&ask));
    ahead_begin(&ask);
    assert_string_equal(ahead.c.right, "attn_combine");
    assert_false(ahead_due(&ask));
    world.rest = NULL, world.right = "attn_combine";
    assert_false(ahead_due(&ask));
    world.wrong = "attn_decode,attn_combine", world.right = "";
    assert_true(ahead_due(&ask));
}

static void of_several_functions_the_size_of_a_head_may_become_another(void **state) {
    (void)state;
    world.wrong = "attn_decode", world.dim = 64;
    assert_true(ahead_due(&ask));
    ahead_begin(&ask);
    world.dim = 32;
    assert_false(ahead_due(&ask));
    world.right = "attn_combine";
    assert_true(ahead_due(&ask));
    ahead_begin(&ask);
    world.dim = 16;
    assert_true(ahead_due(&ask));
}

static void the_whole_file_comes_next_unless_the_function_is_enough(void **state) {
    (void)state;
    world.todo = "4.3";
    assert_true(ahead_due(&ask));
    ahead_begin(&ask);
    ahead_enough();
    assert_int_equal(world.dropped, 0);  // what is data in the function may be wanted
    ahead_wider(&ask, "4.3");
    assert_int_equal(world.begun, 2), assert_int_equal(ahead.probe, 1), assert_int_equal(ahead.c.to, 0);
    world.dropped = 0;
    ahead_enough();
    assert_int_equal(world.dropped, 1), assert_int_equal(ahead.begun, 0);
}

// What was taken of the first list is read until its changes have been tried.
static void the_next_list_does_not_spoil_the_one_that_was_taken(void **state) {
    (void)state;
    char taken[4310], text[32] = "";
    world.todo = "4.3";
    assert_true(ahead_due(&ask));
    ahead_begin(&ask);
    snprintf(taken, sizeof taken, "%s.taken", world.list);
    assert_true(share(ahead.c.plain, taken));
    ahead_wider(&ask, "4.3");
    FILE *f = fopen(taken, "r");
    assert_non_null(f);
    assert_non_null(fgets(text, sizeof text, f));
    fclose(f), unlink(taken), unlink(world.list);
    assert_string_equal(text, "list 1\n");
}

int main(void) {
    const struct CMUnitTest claims[] = {
        cmocka_unit_test_setup(the_function_of_the_first_todo_that_fails_is_begun_with, reset),
        cmocka_unit_test_setup(claims_of_the_whole_that_fail_later_do_not_alter_it, reset),
        cmocka_unit_test_setup(what_calls_functions_of_the_task_waits_for_them, reset),
        cmocka_unit_test_setup(the_whole_file_comes_next_unless_the_function_is_enough, reset),
        cmocka_unit_test_setup(the_next_list_does_not_spoil_the_one_that_was_taken, reset),
        cmocka_unit_test_setup(without_todos_the_whole_file_is_begun_with, reset),
        cmocka_unit_test_setup(functions_that_are_to_be_judged_hold_until_they_fail, reset),
        cmocka_unit_test_setup(of_several_functions_the_size_of_a_head_may_become_another, reset),
    };
    return cmocka_run_group_tests(claims, NULL, NULL);
}
