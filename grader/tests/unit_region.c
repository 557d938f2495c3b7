// unit_region.c: which lines of a student's file belong to a TODO (grader/repair/region.c), with its comment and without.
#include "unit.h"

#include <stdio.h>
#include <sys/stat.h>

#include "region.h"

static const char file[] = "build/tests/region.c";

static void writes(const char *text) {
    mkdir("build/tests", 0777);
    FILE *f = fopen(file, "w");
    assert_non_null(f);
    fputs(text, f);
    fclose(f);
}

static void expect_lines(const char *todo, int first, int last) {
    int from, to;
    assert_int_equal(lab_region_of(file, "task1", todo, &from, &to), last > 0);
    if (last && (from > first || to != last)) fail_msg("TODO %s: lines %d to %d", todo, from, to);
}

static void a_function_is_known_by_its_comment_or_by_its_name(void **state) {
    (void)state;
    writes("static int row_max(float *m) {\n    // TODO 1.1: the maximum.\n    return 0;\n}\n\n"
           "static int normalise(float *p);\n\n"
           "static int my_normalise(float *p) {\n    return normalise(p);\n}\n\n"
           "static int normalise(float *p) {\n    return 1;\n}\n\n"
           "int attn_split_heads(float *Y) {\n    return 2;\n}\n");
    expect_lines("1.1", 1, 4);
    expect_lines("1.3", 12, 14);
    expect_lines("1.4", 16, 18);
    expect_lines("1.5", 0, 0);
    writes("static int other(float *p) {\n    // TODO 1.3: it stands here now.\n}\n\n"
           "static int normalise(float *p) {\n    return 1;\n}\n");
    expect_lines("1.3", 1, 3);
}

// What stands above the functions, of a switch or of all of them, is in none.
static void a_comment_of_no_function_does_not_count(void **state) {
    (void)state;
    writes("// TODO 1.3: the switch.\n#define FAST 1\nenum {\n    A,\n};\n\n"
           "static int normalise(float *p) {\n    return 1;\n}\n");
    expect_lines("1.3", 7, 9);
}

static void a_todo_goes_on_in_the_next_function(void **state) {
    (void)state;
    writes("static int first(float *p) {\n    // TODO 1.3: here and below.\n    return 1;\n}\n\n"
           "static int second(float *p) {\n    // TODO 1.3, the second half.\n    return 1;\n}\n\n"
           "static int third(float *p) {\n    // as in TODO 1.3, but for the sign\n    return 1;\n}\n");
    expect_lines("1.3", 1, 9);
}

int main(void) {
    const struct CMUnitTest claims[] = {CLAIM(a_function_is_known_by_its_comment_or_by_its_name),
                                        CLAIM(a_comment_of_no_function_does_not_count),
                                        CLAIM(a_todo_goes_on_in_the_next_function)};
    return cmocka_run_group_tests_name("region", claims, NULL, NULL);
}
