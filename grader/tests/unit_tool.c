// unit_tool.c: the lab's own programs end when their time is over, and take their children with them. grader/grade/tool.c.
#define _GNU_SOURCE
#include "unit.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lock.h"
#include "process.h"
#include "tool.h"

static const char log_file[] = "build/tests/tool.log", child_file[] = "build/tests/tool.child";

static int shell(double seconds, const char *script) {
    char *const argv[] = {"sh", "-c", (char *)script, NULL};
    unlink(log_file), unlink(child_file);
    return lab_tool_within(seconds, argv, log_file);
}

static void read_text(const char *path, char text[256]) {
    FILE *f = fopen(path, "r");
    text[f ? fread(text, 1, 255, f) : 0] = 0;
    if (f) fclose(f);
}

static int is_alive(void) {
    char text[256], path[64];
    read_text(child_file, text);
    assert_true(atoi(text) > 0);
    snprintf(path, sizeof path, "/proc/%d/stat", atoi(text));
    read_text(path, text);
    return *text && !strstr(text, ") Z ");
}

static void wait_for_its_end(void) {
    for (int i = 0; i < 6000 && is_alive(); i++) usleep(10000);
    assert_false(is_alive());
}

static void a_program_gives_its_status_and_its_words(void **state) {
    (void)state;
    char text[256];
    assert_int_equal(shell(60, "echo one; echo two >&2; exit 3"), 3);
    read_text(log_file, text);
    assert_string_equal(text, "one\ntwo\n");
    char *const none[] = {"build/no such program", NULL}, *const line[] = {"printf", "a\\nb\\n", NULL};
    assert_int_not_equal(lab_tool(none, log_file), 0);
    assert_true(lab_tool_line(line, text, sizeof text));
    assert_string_equal(text, "a");
    assert_false(lab_tool_line(none, text, sizeof text));
}

static void a_program_that_hangs_is_stopped_with_its_children(void **state) {
    (void)state;
    char text[256];
    assert_int_equal(shell(0.5, "sleep 1000 & echo $! >build/tests/tool.child; wait"), -1);
    wait_for_its_end();
    read_text(log_file, text);
    assert_says(text, "was stopped after");
}

static void what_a_program_leaves_behind_is_stopped(void **state) {
    (void)state;
    assert_int_equal(shell(60, "sleep 1000 & echo $! >build/tests/tool.child"), 0);
    wait_for_its_end();
}

static void after_the_deadline_only_what_has_its_own_time_runs(void **state) {
    (void)state;
    char *const argv[] = {"true", NULL};
    assert_int_equal(lab_tool(argv, log_file), 0);
    lab_deadline_in(-1);
    assert_true(lab_deadline_passed());
    assert_int_equal(lab_tool(argv, log_file), -1);
    assert_int_equal(lab_tool_with_seed(argv, log_file, 1), -1);
    assert_int_equal(lab_tool_within(60, argv, log_file), 0);
    lab_deadline_later(1000);
    assert_int_equal(lab_tool(argv, log_file), 0);
}

static void others_build_beside_a_clock_where_processors_are_to_spare(void **state) {
    (void)state;
    assert_true(lab_lock_builds_beside(1, 6, 16));
    assert_false(lab_lock_builds_beside(1, 7, 16));
    assert_false(lab_lock_builds_beside(1, 1, 2));
    assert_true(lab_lock_builds_beside(2, 8, 16));  // else the clocks of two GPUs would wait for each other
}

int main(void) {
    mkdir("build/tests", 0777);
    const struct CMUnitTest claims[] = {
        CLAIM(a_program_gives_its_status_and_its_words),
        CLAIM(a_program_that_hangs_is_stopped_with_its_children),
        CLAIM(what_a_program_leaves_behind_is_stopped),
        CLAIM(after_the_deadline_only_what_has_its_own_time_runs),
        CLAIM(others_build_beside_a_clock_where_processors_are_to_spare),
    };
    return cmocka_run_group_tests_name("tool", claims, NULL, NULL);
}
