// unit_source_meet.c: which barrier a race lacks (grader/source/source_meet.c), and a reduction that is not what its loop does
// (grader/source/source_reductions.c).
#include "unit.h"

#include <stdio.h>
#include <string.h>

#include "source_hints.h"

static char sentence[640], text[2000];

static const char *kernel(const char *early, const char *before, const char *last) {
    snprintf(text, sizeof text,
             "static __device__ void load(float *to, const float *from) {\n"       // 1
             "    for (int n = threadIdx.x; n < 99; n += 64) to[n] = from[n];\n"   // 2
             "}\n"                                                                 // 3
             "static __device__ float use(const float *K, int t) {\n"              // 4
             "    return K[t];\n"                                                  // 5
             "}\n"                                                                 // 6
             "static __global__ void kernel(float *O, const float *K, int n) {\n"  // 7
             "    for (int k = 0; k < n; k += 32) {\n"                             // 8
             "        load(Ks, K);\n"                                              // 9
             "        %s\n"                                                        // 10
             "        load(Vs, K);\n"                                              // 11
             "        %s\n"                                                        // 12
             "        O[0] += use(Vs, 0);\n"                                       // 13
             "        %s\n"                                                        // 14
             "    }\n"
             "}\n"
             "static void launch(void) { kernel<<<1, 64>>>(0, 0, 1); }\n",
             early, before, last);
    return text;
}

#define RACE                                                                                                           \
    "data race: shared Vs[7]; kernel kernel, launched at f.cu:17, block (0,0,0); write thread (32,0,0) f.cu:2 in "     \
    "kernel; read thread (1,0,0) f.cu:5 in kernel; The two threads are in different warps"

static const char *said(const char *of) {
    return lab_hint_of_meeting(of, RACE, sentence, sizeof sentence) ? sentence : "";
}

static void a_missing_barrier_is_named_by_the_calls_that_it_keeps_apart(void **state) {
    (void)state;
    assert_says(said(kernel("", "", "__syncthreads();")),
                "between line 11, where load writes shared memory, and line 13, where use");
    assert_says(said(kernel("__syncthreads();", "", "__syncthreads();")), "The one in line 10 stands too early");
    assert_says(said(kernel("", "__syncthreads();", "")), "No barrier keeps line 9 (load) from overwriting");
    assert_says(said(kernel("", "__syncthreads();", "__syncwarp();")),
                "__syncwarp() (line 14) lets the threads of one warp wait, and no others: where each warp has numbers");
    assert_string_equal(said(kernel("", "__syncthreads();", "__syncthreads();")), "");
}

static const char *said_of_rounds(const char *of) {
    return lab_hint_of_some_rounds(of, RACE, sentence, sizeof sentence) ? sentence : "";
}

static void a_barrier_in_some_rounds_is_named(void **state) {
    (void)state;
    assert_says(said_of_rounds(kernel("if (k % 64 == 0) __syncthreads();", "", "")),
                "line 10: only in some rounds of the loop the threads meet at this barrier, by (k % 64 == 0)");
    assert_string_equal(said_of_rounds(kernel("if (k % 64 == 0) __syncthreads();", "", "__syncthreads();")), "");
    assert_string_equal(said_of_rounds(kernel("__syncthreads();", "", "if (k % 64) __syncthreads();")), "");
    assert_string_equal(said_of_rounds(kernel("if (k > 0) __syncthreads();", "", "")), "");
    assert_string_equal(said_of_rounds(kernel("if (threadIdx.x % 2) __syncthreads();", "", "")), "");
}

static void what_no_threads_share_out_lacks_no_barrier(void **state) {
    (void)state;
    char *own = strstr((char *)kernel("", "", ""), "threadIdx.x");
    memcpy(own, "kkkkkkkkkkk", 11);
    assert_string_equal(said(text), "");
}

static const char *reduced(const char *pragma, const char *loop) {
    snprintf(text, sizeof text,
             "float f(const float *s, int n) {\n    float sum = 0, max = 0;\n%s\n    %s\n    return sum + max;\n}\n",
             pragma, loop);
    return lab_hint_of_reductions(text, sentence, sizeof sentence) ? sentence : "";
}

static void a_reduction_is_what_its_loop_does(void **state) {
    (void)state;
    static const struct {
        const char *pragma, *loop, *says;
    } rows[] = {
        {"#pragma omp simd reduction(+ : max)", "for (int c = 0; c < n; c++) max = s[c] > max ? s[c] : max;",
         "reduction(max : max)"},
        {"#pragma omp simd reduction(+ : max)", "for (int c = 0; c < n; c++) max = fmaxf(max, s[c]);",
         "reduction(max : max)"},
        {"#pragma omp simd reduction(+:max)", "for (int c = 0; c < n; c++) { if (s[c] > max) max = s[c]; }",
         "reduction(max : max)"},
        {"#pragma omp parallel for reduction(max : sum)", "for (int c = 0; c < n; c++) sum += s[c];",
         "reduction(+ : sum)"},
        {"#pragma omp simd", "for (int c = 0; c < n; c++) sum += s[c];", "without reduction(+ : sum)"},
        {"#pragma omp simd", "for (int c = 0; c < n; c++) {\n        const float p = s[c];\n        sum += p;\n    }",
         "without reduction(+ : sum)"},
        {"#pragma omp simd reduction(+ : sum)", "for (int c = 0; c < n; c++) sum += s[c];", ""},
        {"#pragma omp simd reduction(+ : sum)", "for (int c = 0; c < n; c++) sum = sum + s[c];", ""},
        {"#pragma omp simd reduction(max : max)", "for (int c = 0; c < n; c++) if (max < s[c]) max = s[c];", ""},
        {"#pragma omp simd", "for (int c = 0; c < n; c++) O[c] += s[c];", ""},
        {"#pragma omp simd", "for (int c = 0; c < n; c++) { float t = s[c]; t += 1; O[c] = t; }", ""},
        {"#pragma omp simd", "for (int c = 0; c < n; c += 2) O[c] = s[c];", ""},
        {"", "for (int c = 0; c < n; c++) sum += s[c];", ""},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const char *got = reduced(rows[i].pragma, rows[i].loop);
        if (*rows[i].says ? !strstr(got, rows[i].says) : *got)
            fail_msg("row %zu: \"%s\", not \"%s\"", i, got, rows[i].says);
    }
}

int main(void) {
    const struct CMUnitTest claims[] = {
        CLAIM(a_missing_barrier_is_named_by_the_calls_that_it_keeps_apart),
        CLAIM(a_barrier_in_some_rounds_is_named),
        CLAIM(what_no_threads_share_out_lacks_no_barrier),
        CLAIM(a_reduction_is_what_its_loop_does),
    };
    return cmocka_run_group_tests_name("source_meet", claims, NULL, NULL);
}
