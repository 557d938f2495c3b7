// unit_given.c: which lines of a file the handout gave, so that no change of them is a cure. grader/repair/given.c
#include "unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "given.h"

enum { LINES = 16 };

static char folder[] = "/tmp/lab-unit-given-XXXXXX";

static const char *written(const char *name, const char *text) {
    static char path[64];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    fputs(text, f);
    fclose(f);
    return path;
}

static const lab_task task = {.id = "task0", .folder = folder, .file = "given.c"};
static const char skeleton[] = "void f(int n) {\n"
                               "    int rows = n / 2;  // half of them\n"
                               "    for (int i = 0; i < n; i++)\n"
                               "        return ATTN_TODO(0, 1);\n"
                               "    launch(rows, n);\n"
                               "}\n";

static void marks(const char *own, const char *want) {
    unsigned char given[LINES];
    char got[LINES + 1] = "";
    written("given.c", skeleton);
    lab_given_mark(&task, written("own.c", own), given, LINES);
    for (int i = 1; i < LINES; i++) got[i - 1] = given[i] ? 'x' : '.';
    got[strlen(want)] = 0;
    assert_string_equal(got, want);
}

static void lines_of_the_handout_are_given(void **state) {
    (void)state;
    marks("void f(int n) {\n    int rows = n / 2;\n    for (int i = 0; i < n; i++)\n        sum += i;\n"
          "    launch(rows, n);\n}\n",
          "xxx.x.");
}

static void a_line_that_stands_once_more_is_not(void **state) {
    (void)state;
    marks("void f(int n) {\n    int rows = n / 2;\n    for (int i = 0; i < n; i++)\n"
          "        for (int i = 0; i < n; i++)\n            sum += i;\n    launch(rows, n);\n}\n",
          "xx...x.");
}

static void a_barrier_is_known_by_the_line_before_it(void **state) {
    (void)state;
    unsigned char given[LINES];
    written("given.c", "void f(float *part) {\n    part[t] = x_of_t;\n    __syncthreads();\n    return part[0];\n}\n");
    lab_given_mark(&task,
                   written("own.c",
                           "void f(float *part) {\n    part[t] = x_of_t;\n    __syncthreads();\n    part[t] += 1;\n"
                           "    __syncthreads();\n    return part[0];\n}\n"),
                   given, LINES);
    assert_int_equal(given[3], 1), assert_int_equal(given[5], 0);
}

static void a_line_that_was_altered_is_not(void **state) {
    (void)state;
    marks("void f(int n) {\n    int rows = n / 2;\n    for (int i = 0; i < n; i++)\n        sum += i;\n"
          "    launch(n, rows);\n}\n",
          "xxx...");
}

static void the_change_that_restores_a_line_is_known(void **state) {
    (void)state;
    marks("void f(int n) {\n    int rows = n / 4;\n    for (int i = 0; i < n; i++)\n        sum += i;\n"
          "    launch(rows, n);\n}\n",
          "x.x.x.");
    lab_edit e = {.line = 2, .column = 20, .indent = 4, .was = "4", .now = "2", .whole = "int rows = n / 4;"};
    assert_true(lab_given_restores(&e));
    strcpy(e.now, "3");
    assert_false(lab_given_restores(&e));
    strcpy(e.now, "2"), strcpy(e.also, "5");  // and another line becomes what nobody gave
    assert_false(lab_given_restores(&e));
}

static lab_altered found[LAB_MOST_ALTERED];

static void a_switch_is_there_to_be_turned(void **state) {
    (void)state;
    static const char text[] = "void f(int n) {\n    int rows = n / 2;\n    launch(rows, n);\n}\n";
    char given[400], own[400];
    unsigned char marks[LINES];
    snprintf(given, sizeof given, "static int plain = 0;\n#define TILES 1\n%s", text);
    snprintf(own, sizeof own, "static int plain = 1;\n#define TILES 0\n%s", text);
    written("given.c", given);
    assert_int_equal(lab_given_altered(&task, written("own.c", own), found), 0);
    lab_given_mark(&task, written("own.c", own), marks, LINES);
    assert_false(lab_given_restores(
        &(lab_edit){.line = 1, .column = 20, .was = "1", .now = "0", .whole = "static int plain = 1;"}));
}

// `rest`: the last line but one. Returns the line that is altered; 0: none is; -1: several are.
static int altered(const char *rows, const char *rest) {
    char text[400];
    snprintf(text, sizeof text, "void f(int n) {\n%s    for (int i = 0; i < n; i++)\n        sum += i;\n%s}\n", rows,
             rest);
    written("given.c", skeleton);
    const int n = lab_given_altered(&task, written("own.c", text), found);
    return n > 1 ? -1 : n ? found[0].line : 0;
}

static void a_line_that_was_given_otherwise_is_named(void **state) {
    (void)state;
    static const char launch[] = "    launch(rows, n);\n";
    assert_int_equal(altered("    const size_t half = 1;\n", launch), 2);      // it stands where that did
    assert_int_equal(altered("    int a = 1;\n    int b = 2;\n", launch), 0);  // other lines
    assert_int_equal(altered("    int rows = n / 4 + 1;\n", launch), 2);
    assert_string_equal(found[0].was, "int rows = n / 2;");
    assert_int_equal(altered("    int rows = n / 2;\n", "    int rest = 0;\n    launch(rows, rest);\n"), 6);
    assert_int_equal(altered("    int rows = n / 2;\n", launch), 0);  // the TODO's own line is the student's
    assert_int_equal(altered("    int rows = n / 3;\n", "    launch(rows, 1);\n"), 0);  // it is the student's file
}

static void several_lines_that_were_given_otherwise_are_named(void **state) {
    (void)state;
    static const char form[] = "void f(int *a, int b, int n) {\n    const int slot = a[b]%s;\n    store(slot, n);\n"
                               "    count(a, b, slot);\n    const int length = a[b / n]%s;\n    read(length, n);\n}\n";
    char text[300];
    snprintf(text, sizeof text, form, "", "");
    written("given.c", text);
    snprintf(text, sizeof text, form, " + 1", " + 1");
    assert_int_equal(lab_given_altered(&task, written("own.c", text), found), 2);
    assert_int_equal(found[0].line, 2);
    assert_int_equal(found[1].line, 5);
    assert_string_equal(found[1].was, "const int length = a[b / n];");
}

static void what_stands_behind_a_comment_is_there_to_be_replaced(void **state) {
    (void)state;
    static const char form[] =
        "float get(int n) {\n    const int half = n / 2;\n    // TODO 0.1: the number.\n    %s\n}\n";
    char text[200];
    snprintf(text, sizeof text, form, "return 0.0f;");
    written("given.c", text);
    snprintf(text, sizeof text, form, "return n < half ? 1.0f : n;");
    assert_int_equal(lab_given_altered(&task, written("own.c", text), found), 0);
    snprintf(text, sizeof text, form, "return n;");  // as short as what stood there, and much like it
    assert_int_equal(lab_given_altered(&task, written("own.c", text), found), 0);
}

// What a TODO asks for is not the line that stood above it, which is gone.
static void a_line_above_a_todo_that_is_gone_is_missing(void **state) {
    (void)state;
    static const char form[] = "void put(float *a, int n) {\n    for (int i = 0; i < n; i++) {\n%s"
                               "        // TODO 0.1: the number.\n%s    }\n    finish(a, n);\n}\n";
    char text[300];
    snprintf(text, sizeof text, form, "        const int h = i / 4, d = i % 4;\n", "");
    written("given.c", text);
    snprintf(text, sizeof text, form, "", "        a[i] = i / 4;\n");
    assert_int_equal(lab_given_altered(&task, written("own.c", text), found), 1);
    assert_int_equal(found[0].line, -2);
    assert_string_equal(found[0].was, "const int h = i / 4, d = i % 4;");
}

static void in_a_file_of_ones_own_nothing_is_given(void **state) {
    (void)state;
    marks("void g(int n) {\n    for (int i = 0; i < n; i++)\n        sum += i;\n}\n", "....");
    unsigned char given[LINES];
    lab_given_mark(&task, written("given.c", skeleton), given, LINES);  // it is the skeleton
    for (int i = 0; i < LINES; i++) assert_int_equal(given[i], 0);
}

int main(void) {
    if (!mkdtemp(folder)) return 2;
    const struct CMUnitTest claims[] = {
        CLAIM(lines_of_the_handout_are_given),
        CLAIM(a_line_that_stands_once_more_is_not),
        CLAIM(a_barrier_is_known_by_the_line_before_it),
        CLAIM(a_line_that_was_altered_is_not),
        CLAIM(what_stands_behind_a_comment_is_there_to_be_replaced),
        CLAIM(a_line_above_a_todo_that_is_gone_is_missing),
        CLAIM(a_switch_is_there_to_be_turned),
        CLAIM(the_change_that_restores_a_line_is_known),
        CLAIM(a_line_that_was_given_otherwise_is_named),
        CLAIM(several_lines_that_were_given_otherwise_are_named),
        CLAIM(in_a_file_of_ones_own_nothing_is_given),
    };
    const int failed = cmocka_run_group_tests(claims, NULL, NULL);
    unlink(written("own.c", "")), unlink(written("given.c", "")), rmdir(folder);
    return failed;
}
