// unit_given_back.c: a line of the handout that was altered, lost or moved, and the file with it. grader/repair/given_back.c
#include "unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "given_back.h"

static char folder[] = "/tmp/lab-unit-given-back-XXXXXX";
static char own[80], output[80], handout[100];

static const lab_task task = {.id = "task0", .folder = folder, .file = "given.c"};

#define BEGIN "float f(float *m, int n) {\n    m[0] = -INFINITY;\n    const float old = m[0];\n"
#define RAISE "    raise(m,\n          n);\n"
#define TODO "    // TODO 0.1: rescale\n"
#define END "    __syncthreads();\n    return all(m, old);\n}\n"

static void write_file(const char *path, const char *text) {
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    fputs(text, f);
    fclose(f);
}

static const char *back(const char *text, int i, lab_given *g) {
    static char found[600];
    write_file(own, text);
    memset(found, 0, sizeof found);
    if (!lab_given_back(&task, own, i, output, g)) return NULL;
    FILE *f = fopen(output, "r");
    assert_non_null(f);
    const size_t n = fread(found, 1, sizeof found - 1, f);
    assert_true(n > 0);
    fclose(f);
    return found;
}

static void expect(const char *text, lab_given_kind kind, int line, const char *given, const char *restored) {
    lab_given g;
    const char *found = back(text, 0, &g);
    assert_non_null(found);
    assert_int_equal(g.kind, kind);
    assert_int_equal(g.line, line);
    assert_string_equal(g.given, given);
    assert_string_equal(found, restored);
    assert_null(back(text, 1, &g));
}

static void a_line_that_is_another_one_is_put_back(void **state) {
    (void)state;
    expect("float f(float *m, int n) {\n    m[0] = 0.0f;\n    const float old = m[0];\n" RAISE "    m[0] *= 2;\n" END,
           LAB_GIVEN_ALTERED, 2, "m[0] = -INFINITY;",
           "float f(float *m, int n) {\nm[0] = -INFINITY;\n    const float old = m[0];\n" RAISE "    m[0] *= 2;\n" END);
}

static void what_is_missing_is_put_back_with_all_of_its_lines(void **state) {
    (void)state;
    expect(BEGIN "    m[0] *= 2;\n" END, LAB_GIVEN_MISSING, 3, "raise(m,", BEGIN "raise(m,\nn);\n    m[0] *= 2;\n" END);
}

static void a_barrier_is_missing_where_the_student_has_another(void **state) {
    (void)state;
    const char *const begin = "float f(float *m, int n) {\n    m[0] = -INFINITY;\n    __syncthreads();\n"
                              "    const float old = m[0];\n" RAISE "    m[0] *= 2;\n",
                      *const end = "    return all(m, old);\n}\n";
    char text[400], restored[400];
    snprintf(text, sizeof text, "%s%s", begin, end);
    snprintf(restored, sizeof restored, "%s__syncthreads();\n%s", begin, end);
    expect(text, LAB_GIVEN_MISSING, 7, "__syncthreads();", restored);
}

static void what_stands_elsewhere_is_moved(void **state) {
    (void)state;
    expect("float f(float *m, int n) {\n    m[0] = -INFINITY;\n" RAISE
           "    const float old = m[0];\n    m[0] *= 2;\n" END,
           LAB_GIVEN_MOVED, 5, "const float old = m[0];",
           "float f(float *m, int n) {\n    m[0] = -INFINITY;\nconst float old = m[0];\n" RAISE "    m[0] *= 2;\n" END);
}

#define LOOP "float g(float *m, int n) {\n    for (int a = 0; a < n; a++) {\n        mask(m, a);\n"
#define VALUES "    all_values(m);\n    sum(m);\n"
#define REST "    return m[0];\n}\n"

static void a_block_that_ends_elsewhere_ends_where_it_did(void **state) {
    (void)state;
    write_file(handout, LOOP "    }\n" VALUES REST);
    expect(LOOP VALUES "    }\n" REST, LAB_GIVEN_ENDS, 6, "for (int a = 0; a < n; a++) {", LOOP "}\n" VALUES REST);
    write_file(handout, LOOP VALUES "    }\n" REST);
    expect(LOOP "    }\n" VALUES REST, LAB_GIVEN_ENDS, 4, "for (int a = 0; a < n; a++) {", LOOP VALUES "}\n" REST);
}

static void what_a_todo_replaces_is_not(void **state) {
    (void)state;
    lab_given g;
    assert_null(back(BEGIN RAISE "    m[0] *= 2;\n" END, 0, &g));
    assert_null(back("int main(void) {\n    return something_else();\n}\n", 0, &g));  // a file of one's own
}

int main(void) {
    if (!mkdtemp(folder)) return 1;
    snprintf(own, sizeof own, "%s/own.c", folder), snprintf(output, sizeof output, "%s/out.c", folder);
    snprintf(handout, sizeof handout, "%s/given.c", folder);
    write_file(handout, BEGIN RAISE TODO "    scale(m, 2.0f);\n\n    return 0.0f;\n" END);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_line_that_is_another_one_is_put_back),
        cmocka_unit_test(what_is_missing_is_put_back_with_all_of_its_lines),
        cmocka_unit_test(a_barrier_is_missing_where_the_student_has_another),
        cmocka_unit_test(what_stands_elsewhere_is_moved),
        cmocka_unit_test(what_a_todo_replaces_is_not),
        cmocka_unit_test(a_block_that_ends_elsewhere_ends_where_it_did),
    };
    const int failed = cmocka_run_group_tests_name("given_back", tests, NULL, NULL);
    unlink(own), unlink(output), unlink(handout), rmdir(folder);
    return failed;
}
