// unit_source_crews.c: half of the threads call a function that shares its work among all, by the text alone: source_crews.c of
// grader/run.
#include "hint_text.h"

#define LOAD                                                                                                           \
    "}\nvoid load(float *o, const float *s, int t, int n) {\n    for (int e = t; e < 64; e += n) o[e] = s[e];\n}\n"
#define COPY(from, step)                                                                                               \
    "}\nvoid load(float *o, const float *s) {\n    const int y = threadIdx.y;\n    for (int r = " from                 \
    "; r < 64; r += " step ") o[r] = s[r];\n}\n"
#define KERNEL "void k(float *o) {\n    const int ty = threadIdx.y, t = ty * 16 + threadIdx.x;\n    "

static void half_of_the_threads_do_half_of_the_work(void **state) {
    (void)state;
    expect(lab_hint_of_crews, LOAD KERNEL "if (t < N / 2) load(a, s, t, N); else load(b, v, t - N / 2, N);",
           "line 10: threads with t < N/2 alone call load for this, the others for what line 10 says, and both go on "
           "by N, "
           "which is all threads");
    expect(lab_hint_of_crews,
           LOAD KERNEL
           "if (t < N / 2) {\n        ta.load(s, 0, t, N);\n    } else {\n        tb.load(v, 0, t - N / 2, N);\n    }",
           "line 10: threads with t < N/2 alone call load for this, the others for what line 13 says");
    expect(lab_hint_of_crews, COPY("y", "16") KERNEL "if (ty < 8) load(a, s); else load(b, v);",
           "and its loop in line 7 goes on by 16, for all threads");
    expect(lab_hint_of_crews, COPY("threadIdx.y", "SIDE") KERNEL "if (ty < SIDE / 2) load(a, s); else load(b, v);",
           "and its loop in line 7 goes on by SIDE, for all threads");
}

static void halves_of_the_work_are_right(void **state) {
    (void)state;
    static const char *const right[] = {LOAD KERNEL
                                        "if (t < N / 2) load(a, s, t, N / 2); else load(b, v, t - N / 2, N / 2);",
                                        LOAD KERNEL "if (t < N / 2) load(a, s, t, N); else store(b, v, t - N / 2, N);",
                                        LOAD KERNEL "if (n < N / 2) load(a, s, t, N); else load(b, v, t, N);",
                                        COPY("threadIdx.x", "16") KERNEL "if (ty < 8) load(a, s); else load(b, v);",
                                        COPY("y", "8") KERNEL "if (ty < 8) load(a, s); else load(b, v);",
                                        COPY("y", "16") KERNEL "load(a, s);\n    load(b, v);",
                                        COPY("y", "16") KERNEL "if (n < 8) load(a, s); else load(b, v);"};
    for (size_t i = 0; i < sizeof right / sizeof *right; i++) expect(lab_hint_of_crews, right[i], NULL);
}

int main(void) {
    const struct CMUnitTest claims[] = {cmocka_unit_test(half_of_the_threads_do_half_of_the_work),
                                        cmocka_unit_test(halves_of_the_work_are_right)};
    return cmocka_run_group_tests_name("source_crews", claims, NULL, NULL);
}
