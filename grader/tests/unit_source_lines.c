// unit_source_lines.c: what the lines say by themselves, without a report: what braces, indents and fields show, what a
// variable keeps, who leaves before a barrier. grader/run: source_hints.c, source_braces.c, source_sums.c, source_fields.c.
#include "unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "contract.h"
#include "source_hints.h"

static char sentence[640];

static void a_static_variable_is_shared_by_threads(void **state) {
    (void)state;
    static const char shared[] = "int run(void) {\n#pragma omp parallel\n    {\n        static scratch w;\n    }\n}\n";
    assert_true(lab_hint_of_state(shared, sentence, sizeof sentence));
    assert_says(sentence, "line 4: a static variable is one for all threads");
}

static void a_variable_that_stays_is_named(void **state) {
    (void)state;
    static const char plain[] = "static void launch(void) {\n    static const int warps = 4;\n}\n";
    assert_false(lab_hint_of_state(plain, sentence, sizeof sentence));
    assert_true(lab_hint_of_state("static int f(void) {\n    static int calls = 0;\n}\n", sentence, sizeof sentence));
    assert_says(sentence, "line 2 keeps a variable");
}

static void a_kernel_that_returns_before_a_barrier_is_asked_about(void **state) {
    (void)state;
    static const char early[] = "static __global__ void f(float *a, int n) {\n"
                                "    if (threadIdx.x >= n) return;\n"
                                "    __syncthreads();\n"
                                "}\n";
    static const char late[] = "static __global__ void f(float *a, int n) {\n"
                               "    __syncthreads();\n"
                               "    if (threadIdx.x >= n) return;\n"
                               "    a[0] = 1;\n"
                               "}\n"
                               "static __global__ void g(float *a) {\n"
                               "    __syncthreads();\n"
                               "}\n";
    assert_true(lab_hint_of_leaving(early, sentence, sizeof sentence));
    assert_says(sentence, "line 2 sends threads away, and behind it, in line 3");
    assert_false(lab_hint_of_leaving(late, sentence, sizeof sentence));
    static const char class_behind[] = "__global__ void f(float *a, int n) {\n"
                                       "    __syncthreads();\n"
                                       "    if (threadIdx.x >= n) return;\n"
                                       "    a[0] = 1;\n"
                                       "}\n"
                                       "template <int N>\n"
                                       "class reducer {\n"
                                       "    __device__ float operator()(float x) {\n"
                                       "        __syncthreads();\n"
                                       "        return x;\n"
                                       "    }\n"
                                       "};\n";
    assert_false(lab_hint_of_leaving(class_behind, sentence, sizeof sentence));
    static const char row[] = "static __global__ void f(float *a, int n) {\n"
                              "    const int t = threadIdx.x, i = blockIdx.x * 8 + t;\n"
                              "    if (i >= n) return;\n"
                              "    __syncthreads();\n"
                              "}\n";
    static const char block[] = "static __global__ void f(float *a, int n) {\n"
                                "    const int i = blockIdx.x;\n"
                                "    if (i >= n) return;\n"
                                "    __syncthreads();\n"
                                "}\n";
    assert_true(lab_hint_of_leaving(row, sentence, sizeof sentence));
    assert_false(lab_hint_of_leaving(block, sentence, sizeof sentence));  // the whole block leaves
}

// says: NULL: nothing.
static void as_the_row_says(int seen, const char *says, size_t row) {
    if (seen != (says != NULL) || (seen && !strstr(sentence, says)))
        fail_msg("row %zu: %s", row, seen ? sentence : "nothing");
    assert_null(strstr(sentence, "; "));  // one fact
}

static void a_loop_of_one_statement_that_looks_like_two_is_seen(void **state) {
    (void)state;
    static const struct {
        const char *body, *says;  // NULL: nothing
    } rows[] = {
        {"    for (c = 0; c < n; c++)\n        p[c] = s[c];\n    *l += p[c];\n", "where c has run past the last one"},
        {"    for (int c = 0; c < n; c++)\n        a = s[c];\n        b += a;\n",
         "only line 3 belongs to the for of line 2"},
        {"    if (c < n)\n        a = s[c];\n        b += a;\n", "line 4 stands behind it"},
        {"    for (int c = 0; c < n; c++);\n        b += s[c];\n", "the semicolon at the end of line 2"},
        {"    for (c = 0; c < n; c++); {\n        b += s[c];\n    }\n", "the semicolon behind the for (...) of line 2"},
        {"    for (c = 0; c < n; c++);\n    {\n        b += s[c];\n    }\n", "the semicolon at the end of line 2"},
        {"    if (c < n); b += s[c];\n", "the semicolon behind the if (...) of line 2"},
        {"    if (c < n);\n    b += s[c];\n", "the semicolon at the end of line 2"},
        {"    if (c < n);\n    else b += s[c];\n", NULL},
        {"    do {\n        a++;\n    }\n    while (a < n); b = a;\n", NULL},
        {"    for (int c = 0; c < n; c++)\n        for (int d = 0; d < n; d++)\n            a = 1;\n        b += a;\n",
         "line 5 stands behind it"},
        {"    for (int c = 0; c < n; c++)\n        a = s[c];\n    b += a;\n", NULL},
        {"    for (int c = 0; c < n; c++) {\n        a = s[c];\n    }\n        b += a;\n", NULL},
        {"    for (c = 0; c < n; c++)\n        a += s[c];\n    if (c == n) b = p[c - 1];\n", NULL},
        {"    if (a)\n        b = 1;\n    else\n        b = 2;\n    c = 3;\n", NULL},
        {"    if (a)\n        b = 1;\n        else\n        b = 2;\n    c = 3;\n", NULL},
        {"    for (int c = 0; c < n; c++)\n            a = s[c];\n        b += a;\n", NULL},
        {"    do\n        a++;\n    while (a < n);\n    b = a;\n", NULL},
        {"    while (n < 8);\n    b = a;\n", NULL},
        {"    for (int c = 0; c < n; c++)\n        a = s[c] +\n            b;\n    d = a;\n", NULL},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char file[400];
        snprintf(file, sizeof file, "static void f(void) {\n%s}\n", rows[i].body);
        const int seen = lab_hint_of_braces(file, 1, 100, sentence, sizeof sentence) != LAB_HINT_NONE;
        as_the_row_says(seen, rows[i].says, i);
        assert_false(lab_hint_of_braces(file, 9, 100, sentence, sizeof sentence));  // it is in another function
    }
}

static void a_sum_that_begins_anew_in_each_round_is_seen(void **state) {
    (void)state;
    static const struct {
        const char *body, *says;  // NULL: nothing
    } rows[] = {
        {"    for (j) {\n        for (d) out[d] = 0.0f;\n        for (d) out[d] += w * V[d];\n    }\n",
         "line 3 sets out to 0 again"},
        {"    for (j) {\n        *l = 0;\n        *l += p[j];\n    }\n", "line 3 sets l to 0 again"},
        {"    for (j) {\n        float t = 0.0f;\n        t += a;\n        O[j] = t;\n    }\n", NULL},
        {"    for (j) out[j] += w;\n", NULL},
        {"    for (j) out[j] = w;\n", NULL},
        {"    out[0] = 0.5f;\n    out[0] += w;\n", NULL},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char file[400];
        snprintf(file, sizeof file, "static void f(void) {\n%s}\n", rows[i].body);
        const int seen = lab_hint_of_clearing(file, 1, 100, sentence, sizeof sentence);
        as_the_row_says(seen, rows[i].says, i);
    }
}

static void a_field_that_no_line_sets_is_seen(void **state) {
    (void)state;
    static const struct {
        const char *body, *says;  // NULL: nothing
    } rows[] = {
        {"    t.nk = 1;\n", "no line sets j0 of the struct tile, which line 6 reads"},
        {"    t.nk = 1;\n    t.j0 = 2;\n", NULL},
        {"    t.nk = 1;\n    take(&t.j0);\n", NULL},
        {"    t = (tile){.nk = 1, .j0 = 2};\n", NULL},
        {"    t = (tile){1, 2};\n    t.nk = 1;\n", NULL},
        {"    tile u = {1, 2};\n    t.nk = 1;\n", NULL},
        {"    t.nk = 1;\n    ++t.j0;\n", NULL},
        {"    t.nk = 1;\n    t.j0--;\n", NULL},
        {"    t.nk = 1;\n    t.j0 |= 1;\n", NULL},
        {"    x = 1;\n", NULL},  // it sets no field
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char file[500];
        snprintf(file, sizeof file,
                 "typedef struct {\n    int j0, nk;\n} tile;\n\nint g(tile t) {\n    return t.j0 + t.nk;\n}\n"
                 "static void f(tile t) {\n%s}\n",
                 rows[i].body);
        const int seen = lab_hint_of_fields(file, 8, 100, sentence, sizeof sentence);
        as_the_row_says(seen, rows[i].says, i);
    }
}

static void a_function_that_gives_nothing_back_is_seen(void **state) {
    (void)state;
    static const struct {
        const char *head, *body, *says;  // says NULL: nothing
    } rows[] = {
        {"static __device__ float f(int n) {", "    n < 2 ? n : 0.0f;", "f, in line 2, is to give something back"},
        {"size_t f(int n,\n         int k) {", "    size_t o = n * k;", "f, in line 2, is to give something back"},
        {"static __device__ parts(float *base) {", "    q = base;", NULL},
        {"static __device__ float f(int n) {", "    if (n) return 1;", NULL},
        {"#define DONE(n) \\\n    return n\nint f(int n) {", "    DONE(n);", NULL},
        {"#define TRY(x) if (x) return 1\nint f(int n) {", "    TRY(n);\n    g(n);",
         "f, in line 3, is to give something back, and ends without a return, behind line 5"},
        {"int f(int n) {", "    if (n) return 1;\n    x[n] = (n ? 1 : 2);", "ends without a return, behind line 4"},
        {"int f(int n) {", "    if (n) return 1;\n    __trap();", NULL},
        {"int f(int n) {", "    if (n) return 1;\n    else g(n);", NULL},
        {"int f(int n) {", "    for (;;) if (n++) return 1;", NULL},
        {"int f(int n) {", "    while (1) {\n        if (n++) return 1;\n    }", NULL},
        {"int f(int n) {", "    g([&] { return 1; });\n    return n;", NULL},
        {"int main(void) {", "    n++;", NULL},
        {"static void f(int n) {", "    n++;", NULL},
        {"static __global__ void f(int n) {", "    n++;", NULL},
        {"CLAIM(f) {", "    n++;", NULL},
        {"float f(int n);", "", NULL},
        {"static const float f[] = {", "(1)", NULL},
        {"enum { N = (1) };", "", NULL},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char file[400];
        snprintf(file, sizeof file, "int x;\n%s\n%s\n}\n", rows[i].head, rows[i].body);
        as_the_row_says(lab_hint_of_returns(file, 1, 100, sentence, sizeof sentence) != LAB_HINT_NONE, rows[i].says, i);
    }
}

// A number of a struct of zeros may count, and a pointer may not.
static void a_pointer_that_moves_from_nowhere_is_seen(void **state) {
    (void)state;
    static const char file[] = "typedef struct {\n    int n;\n    const float *K;\n} tile;\n"
                               "float g(tile t) {\n    return t.K[t.n];\n}\n"
                               "void f(tile t, const float *K) {\n    t.n += 1;\n    t.K += 8;\n}\n",
                      set[] = "typedef struct {\n    int n;\n    const float *K;\n} tile;\n"
                              "void f(tile t, const float *K) {\n    t.n += 1;\n    t.K = K;\n    t.K += 8;\n}\n";
    assert_true(lab_hint_of_fields(file, 1, 100, sentence, sizeof sentence));
    assert_string_equal(sentence,
                        "line 10 moves K of the struct tile, and no line has set it: a pointer begins with =");
    assert_false(lab_hint_of_fields(set, 1, 100, sentence, sizeof sentence));
}

// The time it takes must not grow with the square of the file, or its cube: then this takes minutes.
static void a_file_full_of_what_is_looked_for_has_no_hint(void **state) {
    static const char *const words[] = {"aa bb ", "return; ", "static float a; ", "<<<( ", "cudaMalloc \n"};
    enum { SIZE = 1 << 20 };
    char *text = malloc(SIZE + 200), *end;
    (void)state;
    assert_non_null(text);
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        const size_t n = strlen(words[i]);
        end = text + sprintf(text, "static __global__ void f(float *a) {\n    ");
        for (; end - text < SIZE; end += n) memcpy(end, words[i], n + 1);
        strcpy(end, "if (a) return;\n    __syncthreads();\n}\n");
        assert_false(lab_hint_of_leaving(text, sentence, sizeof sentence));
        assert_false(lab_hint_of_state(text, sentence, sizeof sentence));
        assert_false(lab_breaks_contract(text, sentence, sizeof sentence));
    }
    free(text);
}

int main(void) {
    const struct CMUnitTest claims[] = {
        CLAIM(a_static_variable_is_shared_by_threads),
        CLAIM(a_variable_that_stays_is_named),
        CLAIM(a_kernel_that_returns_before_a_barrier_is_asked_about),
        CLAIM(a_loop_of_one_statement_that_looks_like_two_is_seen),
        CLAIM(a_sum_that_begins_anew_in_each_round_is_seen),
        CLAIM(a_field_that_no_line_sets_is_seen),
        CLAIM(a_function_that_gives_nothing_back_is_seen),
        CLAIM(a_pointer_that_moves_from_nowhere_is_seen),
        CLAIM(a_file_full_of_what_is_looked_for_has_no_hint),
    };
    return cmocka_run_group_tests_name("source_lines", claims, NULL, NULL);
}
