// unit_broken_text.c: a file that does not compile: what its braces say, and the first of a compiler's errors.
// grader/source/broken_text.c.
#define _GNU_SOURCE
#include "unit.h"

#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "broken_text.h"
#include "todo.h"

static char sentence[256];

#define FILE_OF(first, second, last)                                                                                   \
    "static int first(int n) {\n" first "    return n;\n}\n\nstatic __global__ void second(float *x) {\n" second       \
    "}\n" last

static void says(const char *text, const char *what) {
    assert_true(lab_broken_text(text, NULL, 0, sentence, sizeof sentence));
    assert_says(sentence, what);
}

static void a_brace_that_is_missing_is_named_by_its_function(void **state) {
    (void)state;
    says(FILE_OF("    for (;;) {\n        n++;\n", "", ""),
         "missing in first, which begins in line 1, perhaps of the { in line 2: line 7 begins second inside of it");
    says("static int first(int n) {\n    return n;\n\nint second(int n) {\n}\n",
         "missing in first, which begins in line 1: line 4 begins second inside of it");
    says(FILE_OF("", "    if (x) {\n        x[0] = 1;\n", ""),
         "missing in second, which begins in line 5, perhaps of the { in line 6");
    says("__global__ void __launch_bounds__(256) wide(float *x) {\n    if (x) {\n}\n\nint f(int n) {\n}\n",
         "missing in wide, which begins in line 1, perhaps of the { in line 2: line 5 begins f inside of it");
}

static void a_function_whose_name_stands_on_the_next_line_has_none(void **state) {
    (void)state;
    says("__global__ void __launch_bounds__(N)\n    wide(float *x) {\n    if (x) {\n}\n\nint f(int n) {\n}\n",
         "a } is missing in the function that begins in line 2");
}

static void a_brace_too_many_is_named_by_its_line(void **state) {
    (void)state;
    says(FILE_OF("    n++;\n    }\n", "", ""), "the } of line 3 ends the function first: there is one } too many");
    says(FILE_OF("", "", "}\n"), "the } of line 7 closes nothing");
}

static void braces_in_comments_and_strings_are_none(void **state) {
    (void)state;
    mkdir("build/tests", 0777);
    FILE *f = fopen("build/tests/broken_text.c", "w");
    assert_non_null(f);
    fputs(
        "// {\nenum { N = 1'000 };\nstatic const char c = '{', *s = \"}}\"; /* } */\nint f(void) {\n    return c;\n}\n",
        f);
    fclose(f);
    char *text = lab_todo_read("build/tests/broken_text.c");
    assert_false(lab_broken_text(text, NULL, 0, sentence, sizeof sentence));
    free(text);
}

static void a_line_without_its_semicolon_is_named(void **state) {
    (void)state;
    static const char text[] = "int f(int *p, int n) {\n    n = g(n)\n\n    *p += n;\n    n = n +\n        (n);\n"
                               "    if (n)\n        *p = 1;\n    h(n,\n      *p);\n    return n;\n}\n";
    assert_true(lab_broken_text(text, NULL, 4, sentence, sizeof sentence));
    assert_says(sentence, "a ; is missing at the end of line 2");
    assert_true(lab_broken_text("int f(int n) {\n    n = 1\n    n++;\n}\n", "error: expected a \";\"", 3, sentence,
                                sizeof sentence));
    assert_says(sentence, "end of line 2");
    static const int others[] = {6, 8, 10};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        assert_false(lab_broken_text(text, NULL, others[i], sentence, sizeof sentence));
    }
}

static void of_two_branches_of_the_preprocessor_one_counts(void **state) {
    (void)state;
    static const char right[] = "#if A\nint f(int n) {\n#elif B\nint f(long n) {\n#ifdef C\n}\n#endif\n#else\n"
                                "int f(char n) {\n#endif\n    return n;\n}\n",
                      wrong[] = "#if A\nenum { N = 8 };\n#else\nenum { N = 4 };\n#endif\nint f(int n) {\n"
                                "    if (n) {\n        n++;\n    return n;\n}\nint g(int n) {\n    return n;\n}\n";
    assert_false(lab_broken_text(right, NULL, 0, sentence, sizeof sentence));
    assert_true(lab_broken_text(wrong, NULL, 0, sentence, sizeof sentence));
    assert_says(sentence, "a } is missing in f, which begins in line 6");
}

static void a_loop_that_ends_at_once_and_a_header_are_named(void **state) {
    (void)state;
    const char *const unknown = "a.c:2:9: error: '%s' undeclared (first use in this function)";
    char error[100];
    snprintf(error, sizeof error, unknown, "c");
    assert_true(lab_broken_text("void f(float *x, int n) {\n    for (int c = 0; c < n; c++); x[c] = 0;\n}\n", error, 2,
                                sentence, sizeof sentence));
    assert_says(sentence, "line 2: the ; right behind for (...) ends the loop, and c with it");
    assert_false(lab_broken_text("void f(float *x, int n) {\n    for (int i = 0; i < n; i++) x[c] = 0;\n}\n", error, 2,
                                 sentence, sizeof sentence));
    snprintf(error, sizeof error, unknown, "INFINITY");
    assert_true(lab_broken_text("float f(void) {\n    return INFINITY;\n}\n", error, 2, sentence, sizeof sentence));
    assert_says(sentence, "INFINITY is declared in <math.h>, which this file does not include");
    assert_false(lab_broken_text("#include <cmath>\nfloat f(void) {\n    return INFINITY;\n}\n", error, 3, sentence,
                                 sizeof sentence));
}

static void a_name_that_is_nearly_one_of_the_file_is_asked_about(void **state) {
    (void)state;
    static const char text[] = "enum { THREADS = 8 };\nint f(int c) {\n    return c + THREAD + k;\n}\n";
    assert_true(lab_broken_text(text, "error: identifier \"THREAD\" is undefined\n", 3, sentence, sizeof sentence));
    assert_says(sentence, "nobody knows THREAD: is THREADS meant?");
    assert_false(lab_broken_text(text, "error: 'k' undeclared (first use)\n", 3, sentence, sizeof sentence));
    assert_false(
        lab_broken_text(text, "error: 'THREAD' undeclared; did you mean 'X'?\n", 3, sentence, sizeof sentence));
}

// gcc calls what nobody has declared, and leaves it to the linker to say so.
static void a_function_that_is_in_no_library_is_named_by_line_and_neighbour(void **state) {
    (void)state;
    static const char text[] = "float f(float c) {\n    return 1\n         + expff(c);\n}\n",
                      log[] = "f.c:3:16: warning: implicit declaration of function 'expff'; did you mean 'exp2f'?\n"
                              "ld: object.o: in function `f':\nf.c:3: undefined reference to `expff'\n"
                              "collect2: error: ld returned 1 exit status\n";
    const char *error;
    assert_int_equal(lab_error_line(log, "f.c", &error), 3);
    assert_true(lab_broken_text(text, error, 3, sentence, sizeof sentence));
    assert_string_equal(sentence, "nobody knows expff: is expf meant?");
    assert_true(lab_broken_text(text, "undefined reference to `row_total'", 3, sentence, sizeof sentence));
    assert_says(sentence, "there is no function row_total");
}

static void a_pointer_with_two_indices_is_named(void **state) {
    (void)state;
    static const char text[] = "typedef struct { float *O, *S; } tile;\n"
                               "void f(tile t, const float *M, row *A) {\n    t.S[r + 1][c] = M[t.n];\n"
                               "    A[r][c] = M[r][c];\n    A[r][c] = 0;\n}\n";
    assert_true(
        lab_broken_text(text, "error: subscripted value is neither array nor pointer\n", 3, sentence, sizeof sentence));
    assert_says(sentence, "line 3: S points to numbers that lie row after row, and takes one index");
    assert_true(lab_broken_text(text, "error: invalid types 'const float[int]' for array subscript\n", 4, sentence,
                                sizeof sentence));
    assert_says(sentence, "line 4: M points");
    assert_false(
        lab_broken_text(text, "error: invalid types 'int[int]' for array subscript\n", 5, sentence, sizeof sentence));
}

static void a_loop_that_a_semicolon_empties_is_named_where_its_counter_is_unknown(void **state) {
    (void)state;
    static const char text[] = "void f(int n) {\n    for (int c = 0; c < g(n); c++) ;\n        h(c);\n}\n";
    assert_true(lab_broken_text(text, "error: 'c' undeclared (first use)\n", 3, sentence, sizeof sentence));
    assert_says(sentence, "the semicolon at the end of line 2 is all that this for does");
    static const char inner[] = "void f(int n) {\n    for (int c = 0; c < n; c++)\n        if (g(c)); h(c);\n}\n";
    assert_true(lab_broken_text(inner, "error: 'c' undeclared (first use)\n", 3, sentence, sizeof sentence));
    assert_says(sentence, "the semicolon behind the if (...) of line 3");
}

static void a_declaration_without_its_semicolon_and_a_set_condition_are_named(void **state) {
    (void)state;
    static const char text[] =
        "void f(int c) {\n    int k = c + 1\n    g(k);\n    if (threadIdx.x = 0) g(c == 0);\n}\n";
    assert_true(lab_broken_text(text, "error: expected ',' or ';' before 'g'\n", 3, sentence, sizeof sentence));
    assert_says(sentence, "perhaps a ; is missing at the end of line 2");
    assert_false(lab_broken_text(text, "error: expected ')' before 'g'\n", 3, sentence, sizeof sentence));
    assert_true(lab_broken_text(text, "error: using rvalue as lvalue\n", 4, sentence, sizeof sentence));
    assert_says(sentence, "line 4: = sets a variable, and == compares: is == meant?");
    static const char behind[] = "void f(int c) {\n    if (c == 0) 3 = c;\n}\n";
    assert_false(lab_broken_text(behind, "error: lvalue required\n", 2, sentence, sizeof sentence));
}

static void a_name_that_ends_with_its_braces_is_named(void **state) {
    (void)state;
    static const char text[] =
        "void f(float *p) {\n    for (int d = 0; d < 8; d++) {\n        float sum = 0.0f;\n"
        "        sum += p[d];\n    }\n    p[0] = sum;\n    p[1] = low;\n    float low = 0;\n}\n\n"
        "void g(float *q) {\n    q[0] = sum;\n}\n";
    static const char error[] = "error: 'sum' was not declared in this scope\n";
    assert_true(lab_broken_text(text, error, 6, sentence, sizeof sentence));
    assert_says(sentence, "sum is declared in line 3, in braces that end before line 6");
    assert_true(lab_broken_text(text, "error: 'low' undeclared\n", 7, sentence, sizeof sentence));
    assert_says(sentence, "low is declared in line 8, behind its use in line 7");
    assert_true(lab_broken_text(text, "error: 'd' undeclared\n", 6, sentence, sizeof sentence));
    assert_says(sentence, "d belongs to the for of line 2 alone, and line 6 stands behind that: are its braces");
    static const char alone[] = "void f(int n) {\n    for (int i = 0; i < n; i++)\n        float sum = 0;\n}\n";
    assert_true(lab_broken_text(alone, "error: expected expression before 'float'\n", 3, sentence, sizeof sentence));
    assert_says(sentence, "line 2: are braces { } missing behind the for?");
    assert_false(lab_broken_text(text, error, 12, sentence, sizeof sentence));
}

// Of whatever else does not compile in them, their braces are not to blame.
static void nothing_is_said_of_files_that_are_right(void **state) {
    (void)state;
    static const char *const files[] = {"task*/*.c*",           "grader/solutions/task*/*.c*", "grader/ladder/*/*/*.c*",
                                        "grader/ladder/*/*.cu", "grader/tests/repair/*.c*",    "grader/cheats/*.c",
                                        "grader/cheats/*.cu"};
    int n = 0;
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        glob_t found;
        if (glob(files[i], 0, NULL, &found)) continue;
        for (size_t k = 0; k < found.gl_pathc; k++, n++) {
            char *text = lab_todo_read(found.gl_pathv[k]);
            assert_non_null(text);
            if (lab_broken_text(text, NULL, 0, sentence, sizeof sentence))
                fail_msg("%s: %s", found.gl_pathv[k], sentence);
            free(text);
        }
        globfree(&found);
    }
    assert_true(n >= 12);
}

static char *shown(const char *log) {
    static char text[2048];
    memset(text, 0, sizeof text);
    FILE *f = fmemopen(text, sizeof text - 1, "w");
    lab_show_first_error(log, f);
    fclose(f);
    return text;
}

static void the_first_error_is_shown_and_the_others_are_counted(void **state) {
    (void)state;
    const char *gcc =
        shown("f.c: In function 'f':\nf.c:1:2: warning: unused\n    1 | int x;\nf.c:3:5: error: expected ';'\n"
              "    3 | x = 1\n      |      ^\nf.c:4:1: error: second\n    4 | y\nf.c:9:1: error: third\n");
    assert_string_equal(gcc, "f.c:3:5: error: expected ';'\n    3 | x = 1\n      |      ^\n"
                             "  Errors after this one, which may follow from it: 2\n");
    const char *nvcc = shown("f.cu(7): error: expected a \";\"\n    l += p;\n    ^\n\nf.cu(3): warning #177-D: unused\n"
                             "f.cu(9): error: second\n2 errors detected in the compilation of \"f.cu\".\n");
    assert_true(strncmp(nvcc, "f.cu(7): error: expected a \";\"\n    l += p;\n    ^\n", 45) == 0);
    assert_says(nvcc, "follow from it: 1\n");
    assert_null(strstr(nvcc, "second"));
    static const char linked[] = "f.c:1: warning: implicit\n/usr/bin/ld: f.c:41: undefined reference to `exfp'\n"
                                 "collect2: error: ld returned 1 exit status\n";
    assert_string_equal(shown(linked), "/usr/bin/ld: f.c:41: undefined reference to `exfp'\n");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_brace_that_is_missing_is_named_by_its_function),
        cmocka_unit_test(a_function_whose_name_stands_on_the_next_line_has_none),
        cmocka_unit_test(a_brace_too_many_is_named_by_its_line),
        cmocka_unit_test(braces_in_comments_and_strings_are_none),
        cmocka_unit_test(a_line_without_its_semicolon_is_named),
        cmocka_unit_test(a_name_that_ends_with_its_braces_is_named),
        cmocka_unit_test(a_function_that_is_in_no_library_is_named_by_line_and_neighbour),
        cmocka_unit_test(a_pointer_with_two_indices_is_named),
        cmocka_unit_test(a_loop_that_a_semicolon_empties_is_named_where_its_counter_is_unknown),
        cmocka_unit_test(a_declaration_without_its_semicolon_and_a_set_condition_are_named),
        cmocka_unit_test(of_two_branches_of_the_preprocessor_one_counts),
        cmocka_unit_test(a_loop_that_ends_at_once_and_a_header_are_named),
        cmocka_unit_test(a_name_that_is_nearly_one_of_the_file_is_asked_about),
        cmocka_unit_test(nothing_is_said_of_files_that_are_right),
        cmocka_unit_test(the_first_error_is_shown_and_the_others_are_counted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
