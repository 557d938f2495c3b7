// unit_source_hints.c: what the lines say that a report of checked mode names. grader/run/source_hints.c.
#include "unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "contract.h"
#include "source_hints.h"

static const char source[] = "__global__ void kernel(float *O, int n) {\n"
                             "    if (threadIdx.x >= n) return;\n"
                             "    v[threadIdx.x] = O[threadIdx.x];\n"
                             "    __syncthreads();\n"
                             "    p[threadIdx.x] = 0;\n"
                             "    O[0] = v[1];\n"
                             "}\n"
                             "static void launch(void) {\n"
                             "    static const int warps = 4;\n"
                             "    kernel<<<1, 32>>>(0, 1);\n"
                             "}\n";

#define AT(first, second)                                                                                              \
    "kernel kernel, launched at f.cu:10, block (0,0,0); write thread (0,0,0) f.cu:" #first " in kernel; read thread "  \
    "(1,0,0) f.cu:" #second " in kernel"

static char sentence[640];

static void parts_of_shared_memory_that_overlap_are_asked_about(void **state) {
    (void)state;
    assert_int_equal(lab_hint_of_report(source, "data race: shared mem[7]; " AT(3, 5), 0, sentence, sizeof sentence),
                     LAB_HINT_FIRST);
    assert_says(sentence, "lines 3 (v) and 5 (p)");
    assert_false(lab_hint_of_report(source, "data race: shared mem[7]; " AT(3, 6), 0, sentence, sizeof sentence));
    assert_false(lab_hint_of_report(source, "data race: global O[7]; " AT(3, 5), 0, sentence, sizeof sentence));
}

static void parts_with_a_barrier_between_may_overlap(void **state) {
    (void)state;
    static const char carved[] = "__global__ void kernel(float *O) {\n"
                                 "    float *v = mem, *p = v + D;\n"
                                 "    p[threadIdx.x] = 0;\n"
                                 "    __syncwarp();\n"
                                 "    O[0] = p[0] * v[1];\n"
                                 "}\n";
    assert_int_equal(lab_hint_of_report(carved, "data race: shared mem[7]; " AT(3, 5), 0, sentence, sizeof sentence),
                     LAB_HINT_FIRST);
    assert_says(sentence, "overlap (line 2: *p = v + D)");
    char open[sizeof carved];
    strcpy(open, carved);
    memcpy(strstr(open, "__syncwarp"), "no_barrier", 10);
    assert_false(lab_hint_of_report(open, "data race: shared mem[7]; " AT(3, 5), 0, sentence, sizeof sentence));
}

static void rows_of_two_lengths_are_named(void **state) {
    (void)state;
    char file[] = "__global__ void kernel(float *O) {\n"
                  "    S[tx * BC + y] = 0;\n"
                  "    O[0] = S[tx * (BC + 1) + y];\n"
                  "}\n";
    static const char report[] = "data race: shared S[7]; " AT(2, 3);
    assert_int_equal(lab_hint_of_report(file, report, 0, sentence, sizeof sentence), LAB_HINT_FIRST);
    assert_says(sentence, "rows of S overlap: in line 2 they are BC long, in line 3 (BC + 1)");
    memcpy(strstr(file, "BC + y"), "D  + y", 6);
    memcpy(strstr(file, "(BC + 1)"), "D       ", 8);
    assert_false(lab_hint_of_rows(file, report, sentence, sizeof sentence));
}

static void two_writes_of_an_element_are_rows_that_overlap(void **state) {
    (void)state;
    static const char report[] = "data race: shared s[7]; write thread (29,0,0) f.cu:3 in kernel; "
                                 "write thread (30,0,0) f.cu:5 in kernel";
    static const char same[] = "__global__ void kernel(float *O) {\n\n    s[1] = 0;\n\n    s[2] = 1;\n}\n";
    assert_int_equal(lab_hint_of_report(same, report, 0, sentence, sizeof sentence), LAB_HINT_FIRST);
    assert_says(sentence, "lines 3 and 5 write one element of shared memory");
    static const char parts[] = "data race: global workspace[9]; write thread (0,0,0) f.cu:3 in kernel; "
                                "write another block's thread (1,0,0) f.cu:5 in kernel";
    assert_int_equal(lab_hint_of_report(same, parts, 0, sentence, sizeof sentence), LAB_HINT_FIRST);
    assert_says(sentence, "lines 3 and 5 write one element of workspace, from two blocks: two parts of it overlap");
}

static void words_of_advice_are_no_access(void **state) {
    (void)state;
    static const char report[] = "data race: shared s[7]; write thread (29,0,0) f.cu:3 in kernel; read thread (30,0,0) "
                                 "f.cu:5 in kernel; What to do: let one thread write it, and read it behind a barrier";
    static const char same[] = "__global__ void kernel(float *O) {\n\n    s[1] = 0;\n\n    O[2] = s[1];\n}\n";
    assert_false(lab_hint_of_report(same, report, 0, sentence, sizeof sentence));
}

static const char beyond[] = "__device__ float sum(const float *V, int n) {\n"
                             "    return V[n];\n"
                             "}\n"
                             "__global__ void kernel(float *ws, const float *Vc) {\n"
                             "    float l = sum(Vc, 3);\n"
                             "    float *mine = ws + 8;\n"
                             "    mine[0] = l;\n"
                             "}\n";
static const char met[] = "data race: global workspace[7]; kernel kernel, launched at f.cu:10; write thread (0,0,0) "
                          "f.cu:7 in kernel; read another block's thread (64,0,0) f.cu:2 in kernel";

static void an_index_that_runs_into_another_array_is_no_race(void **state) {
    (void)state;
    assert_int_equal(lab_hint_of_report(beyond, met, 0, sentence, sizeof sentence), LAB_HINT_FIRST);
    assert_says(sentence, "line 2 reads V, and meets what line 7 writes to ws, another array");
    char handed[sizeof beyond];
    strcpy(handed, beyond);
    memcpy(strstr(handed, "sum(Vc"), "sum(ws", 6);  // the function reads what the kernel writes
    assert_false(lab_hint_of_report(handed, met, 0, sentence, sizeof sentence));
    strcpy(handed, beyond);
    memcpy(strstr(handed, "const float *V,"), "      float *V,", 15);
    assert_false(lab_hint_of_report(handed, met, 0, sentence, sizeof sentence));
}

static void a_static_variable_is_shared_by_threads(void **state) {
    (void)state;
    static const char shared[] = "int run(void) {\n#pragma omp parallel\n    {\n        static scratch w;\n    }\n}\n";
    assert_true(lab_hint_of_state(shared, sentence, sizeof sentence));
    assert_says(sentence, "line 4: a static variable is one for all threads");
}

static void a_kernel_of_another_task_is_not_blamed(void **state) {
    (void)state;
    const lab_task *const task = lab_task_find("task6");
    static const char report[] = "access outside of every device allocation: address 0x60 at decode.cu:99 in decode; "
                                 "launched at decode.cu:230";
    assert_true(lab_hint_of_part(report, task, "pipeline.cu", sentence, sizeof sentence));
    assert_says(sentence, "decode.cu:99 is in a kernel that pipeline.cu calls");
    assert_false(lab_hint_of_part(report, task, "decode.cu", sentence, sizeof sentence));
    static const char stands_in[] = "access outside of every device allocation: address 0x60, in kernel decode, called "
                                    "at pipeline.cu:47 in run_decode";
    assert_true(lab_hint_of_part(stands_in, task, "pipeline.cu", sentence, sizeof sentence));
    assert_says(sentence, "the kernel that pipeline.cu:47 calls is not to blame");
    static const char own[] = "access outside of every device allocation: address 0x60 at mine.cu:79 in store; "
                              "launched at mine.cu:90";
    assert_false(lab_hint_of_part(own, task, "mine.cu", sentence, sizeof sentence));
    assert_false(lab_hint_of_part(own, task, "pipeline.cu", sentence, sizeof sentence));
}

static void threads_that_leave_early_are_named(void **state) {
    (void)state;
    static const char report[] =
        "read of memory that was never written: shared v[1]; kernel kernel, launched at f.cu:10, "
        "block (0,0,0); read thread (0,0,0) f.cu:6 in kernel";
    assert_int_equal(lab_hint_of_report(source, report, 0, sentence, sizeof sentence), LAB_HINT_BESIDE);
    assert_says(sentence, "line 2 sends away");
    assert_says(sentence, "__syncthreads() of line 4");
    char stays[sizeof source];
    strcpy(stays, source);
    memcpy(strstr(stays, "return;"), "n = 0; ", 7);
    assert_false(lab_hint_of_report(stays, report, 0, sentence, sizeof sentence));
}

static void an_offset_far_away_is_no_pointer_of_the_host(void **state) {
    (void)state;
    static const char report[] =
        "host pointer in a kernel; kernel kernel, launched at f.cu:10; write thread (0,0,0) f.cu:3";
    assert_int_equal(lab_hint_of_report(source, report, 0, sentence, sizeof sentence), LAB_HINT_BESIDE);
    assert_says(sentence, "the offset in line 3");
    assert_false(lab_hint_of_report(source, report, 1, sentence, sizeof sentence));
}

static void a_variable_that_stays_is_named(void **state) {
    (void)state;
    assert_false(lab_hint_of_state(source, sentence, sizeof sentence));
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
        const int seen = lab_hint_of_braces(file, 1, 100, sentence, sizeof sentence);
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

int main(void) {
    const struct CMUnitTest claims[] = {
        CLAIM(parts_of_shared_memory_that_overlap_are_asked_about),
        CLAIM(parts_with_a_barrier_between_may_overlap),
        CLAIM(two_writes_of_an_element_are_rows_that_overlap),
        CLAIM(words_of_advice_are_no_access),
        CLAIM(rows_of_two_lengths_are_named),
        CLAIM(an_index_that_runs_into_another_array_is_no_race),
        CLAIM(a_static_variable_is_shared_by_threads),
        CLAIM(a_kernel_of_another_task_is_not_blamed),
        CLAIM(threads_that_leave_early_are_named),
        CLAIM(an_offset_far_away_is_no_pointer_of_the_host),
        CLAIM(a_variable_that_stays_is_named),
        CLAIM(a_kernel_that_returns_before_a_barrier_is_asked_about),
        CLAIM(a_loop_of_one_statement_that_looks_like_two_is_seen),
        CLAIM(a_sum_that_begins_anew_in_each_round_is_seen),
        CLAIM(a_field_that_no_line_sets_is_seen),
        CLAIM(a_file_full_of_what_is_looked_for_has_no_hint),
    };
    return cmocka_run_group_tests_name("source_hints", claims, NULL, NULL);
}
