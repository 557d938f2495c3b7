// unit_source_right.c: of right files - answers, rungs, and the right ones of grader/tests/repair - no hint says anything.
#include "hint_text.h"

#include <glob.h>
#include <stdlib.h>

#include "source_lines.h"
#include "todo.h"

// Has it look at each of them. Returns how many there are.
static int each_right_file(void (*look)(const char *path, const char *text)) {
    static const char *const files[] = {"grader/solutions/task*/*.c*", "grader/ladder/*/*/*.c*",
                                        "grader/tests/repair/*.c*"};
    int n = 0;
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        glob_t found;
        if (glob(files[i], 0, NULL, &found)) continue;
        for (size_t k = 0; k < found.gl_pathc; k++, n++) {
            char *text = lab_todo_read(found.gl_pathv[k]);
            assert_non_null(text);
            look(found.gl_pathv[k], text);
            free(text);
        }
        globfree(&found);
    }
    return n;
}

// Those that are asked only where numbers, or a report, lead to them.
static lab_sign *const others[] = {lab_hint_of_unread, lab_hint_of_axes,     lab_hint_of_rescaled,
                                   lab_hint_of_adding, lab_hint_of_uncalled, NULL};

static void ask_each(lab_sign *const signs[], const char *path, const char *text) {
    char said[500];
    for (size_t i = 0; signs[i]; i++)
        if (signs[i](text, 1, 1 << 20, said, sizeof said)) fail_msg("%s: %s", path, said);
}

// own_bits.c has such a loop on purpose.
static void ask_all(const char *path, const char *text) {
    if (strstr(path, "own_bits")) return;
    ask_each(lab_signs + (strstr(path, "solutions") ? 0 : LAB_SIGNS_OF_TODOS), path, text);
    ask_each(others, path, text);
}

static void nothing_is_said_of_files_that_are_right(void **state) {
    (void)state;
    assert_true(each_right_file(ask_all) >= 30);
}

static void ask_for_emptied(const char *path, const char *text) {
    char said[500];
    for (int line = 1; lab_line_at(text, line); line++)
        if (lab_hint_of_braces(text, line, line, said, sizeof said) == LAB_HINT_CAUSE) fail_msg("%s: %s", path, said);
}

static void no_semicolon_of_a_right_file_is_named(void **state) {
    (void)state;
    assert_true(each_right_file(ask_for_emptied) >= 30);
}

// A stray access is reported of each line.
static void ask_for_limits(const char *path, const char *text) {
    char report[90], said[500];
    for (int line = 1; strstr(path, ".cu") && lab_line_at(text, line); line++) {
        snprintf(report, sizeof report, "access out of bounds: global C[80]; write thread (0,0,0) f.cu:%d", line);
        if (lab_hint_of_limits(text, report, said, sizeof said)) fail_msg("%s: %s", path, said);
        snprintf(report, sizeof report, "access out of bounds: global C[80]; read thread (0,0,0) f.cu:%d", line);
        if (lab_hint_of_unasked(text, report, said, sizeof said)) fail_msg("%s: %s", path, said);
    }
}

static void no_limit_of_a_right_file_is_named(void **state) {
    (void)state;
    assert_true(each_right_file(ask_for_limits) >= 30);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_is_said_of_files_that_are_right),
        cmocka_unit_test(no_semicolon_of_a_right_file_is_named),
        cmocka_unit_test(no_limit_of_a_right_file_is_named),
    };
    return cmocka_run_group_tests_name("source_right", tests, NULL, NULL);
}
