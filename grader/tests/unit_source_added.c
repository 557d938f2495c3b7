// unit_source_added.c: an output that a kernel adds to, and that no line sets first: source_added.c; a maximum or a sum of a
// thread's own that is taken for the row's: source_unjoined.c.
#include "unit.h"

#include <stdio.h>
#include <string.h>

#include "source_hints.h"

static void an_output_that_nothing_sets_is_seen(void **state) {
    (void)state;
    static const char says[] = "line 4 adds to C, and no line sets it before: nobody knows what an output holds";
    static const struct {
        const char *head, *first, *add, *says;
    } rows[] = {{"__global__ void f(float *C, const float *A) {", "", "C[r * n + c] += sum;", says},
                {"static __global__ void __launch_bounds__(256) f(float *C, int n) {", "", "C[i] += sum;", says},
                {"__global__ void f(float *C) {", "if (!k0) C[i] = 0;", "C[i] += sum;", NULL},
                {"__global__ void f(float *C) {", "if (C[i] == 0) return;", "C[i] += sum;", says},
                {"__global__ void f(float *C) {", "", "C[i] = sum;", NULL},
                {"__global__ void f(float *C) {", "", "C[i] *= sum;", NULL},
                {"__device__ void f(float *C) {", "", "C[i] += sum;", NULL},
                {"__global__ void f(int *C) {", "", "C[i] += sum;", NULL},
                {"__global__ void f(float *O) {", "float C[4] = {0};", "C[i] += sum;", NULL},
                {"__global__ void f(float *C) {", "", "C[i] += sum; } void g() { cudaMemsetAsync(C, 0, n, s);", NULL}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char text[400], said[300] = "";
        snprintf(text, sizeof text, "%s\n  %s\n  for (;;)\n    %s\n}\n", rows[i].head, rows[i].first, rows[i].add);
        const int found = lab_hint_of_adding(text, 1, 99, said, sizeof said);
        assert_hint(found, said, rows[i].says, text);
    }
}

static void what_a_thread_has_found_alone_is_seen(void **state) {
    (void)state;
    static const char m[] = "matches exp(s - m) with an m that is not the row's: each thread has its own",
                      l[] = "matches a division by an l that is not the row's: each thread has its own",
                      max[] = "m = fmaxf(m, s[c]);", sum[] = "l += p[c] = expf(s[c] - m);";
    static const struct {
        const char *cause, *find, *use, *says;
    } rows[] = {
        {m, max, "p[c] = expf(s[c] - m);", "line 6 takes m as line 4 has left it, the largest of this thread's"},
        {m, max, "m = block_max(m, buf);\n  p[c] = expf(s[c] - m);", NULL},
        {m, max, "buf[t] = m;\n  p[c] = expf(s[c] - m);", NULL},
        {m, max, "merge(m, l);\n  p[c] = expf(s[c] - m);", NULL},
        {m, max, "p[c] = expf(s[c] - m);\n  m = all_max(m);", "have found first, as line 7 does"},
        {l, sum, "p[c] /= l;", "line 6 takes l as line 4 has left it, the sum over this thread's own columns"},
        {l, sum, "p[c] = p[c] / l;", "line 6 takes l as line 4 has left it"},
        {l, sum, "l = block_sum(l);\n  p[c] /= l;", NULL}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char text[500], said[300] = "";
        snprintf(text, sizeof text,
                 "__global__ void f(float *p, const float *s, int cols) {\n  float m = -INFINITY, l = 0;\n"
                 "  for (int c = threadIdx.x; c < cols; c += THREADS)\n    %s\n"
                 "  for (int c = threadIdx.x; c < cols; c += THREADS)\n    %s\n}\n",
                 rows[i].find, rows[i].use);
        const int found = lab_place_of_cause(text, rows[i].cause, said, sizeof said) && strstr(said, " as line ");
        assert_hint(found, said, rows[i].says, text);
    }
}

int main(void) {
    const struct CMUnitTest claims[] = {cmocka_unit_test(an_output_that_nothing_sets_is_seen),
                                        cmocka_unit_test(what_a_thread_has_found_alone_is_seen)};
    return cmocka_run_group_tests_name("source_added", claims, NULL, NULL);
}
