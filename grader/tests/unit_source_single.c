// unit_source_single.c: a tile that is larger than the block, of which each thread loads one number: source_single.c.
#include "unit.h"

#include <stdio.h>
#include <string.h>

#include "source_hints.h"

// A function `load` with this body in line 3, and a kernel with these lines, of which the first is line 8.
static void expect(const char *element, const char *load, const char *lines, const char *says) {
    char text[2000], said[500] = "", report[200];
    snprintf(text, sizeof text,
             "enum { EDGE = 32, STEP = 16 };\n"
             "static __device__ void load(float dst[STEP][EDGE + 1], const float *M, int rows) {\n"
             "    const int r = threadIdx.y, c = threadIdx.x; %s\n}\n"
             "__global__ void f(float *o, const float *K, const float *V, int n) {\n"
             "    __shared__ float a[STEP][EDGE + 1], b[STEP][EDGE + 1], s[256];\n"
             "    const int ty = threadIdx.y, tx = threadIdx.x;\n    %s\n    __syncthreads();\n    use(o);\n}\n",
             load, lines);
    snprintf(
        report, sizeof report,
        "read of memory that was never written: shared %s; kernel f, launched at f.cu:20, block (0,0,0); read thread "
        "(0,0,0) f.cu:9 in f",
        element);
    const int found = lab_hint_of_single(text, report, said, sizeof said);
    if (found != (says != NULL)) fail_msg("%s, %s: %s", load, lines, found ? said : "nothing");
    if (says) assert_says(said, says);
    assert_false(
        lab_hint_of_single(text, "data race: shared b[0][16]; kernel f, launched at f.cu:20", said, sizeof said));
}

static const char stores[] = "dst[r][c] = r < rows ? M[r] : 0.0f;",
                  calls[] =
                      "for (int l = 0; l < n; l += STEP) {\n        load(b, V, n);\n        __syncthreads();\n    }";

static void a_tile_larger_than_the_block_is_named(void **state) {
    (void)state;
    expect(
        "b[0][16]", stores, calls,
        "line 3 has each thread store one number of b, dst[r][c], and no thread has threadIdx.x = 16: what is behind");
    expect("b[8][3]", stores, calls, "and no thread has threadIdx.y = 8 and threadIdx.x = 3:");
    expect("b[0][16]", "", "b[tx][ty] = V[n];",
           "line 8 has each thread store one number of b, b[tx][ty], and no thread "
           "has threadIdx.y = 16");
    expect("s[128]", "", "s[threadIdx.x] = V[n];", "of s, s[threadIdx.x], and no thread has threadIdx.x = 128");
}

static void where_it_may_be_something_else_nothing_is_said(void **state) {
    (void)state;
    expect("b[0][32]", stores, calls, NULL);  // padding
    expect("b[0][0]", stores, calls, NULL);
    expect("a[0][16]", stores, calls, NULL);  // nobody stores to it
    expect("b[0][16]", "for (; c < EDGE; c += 16) dst[r][c] = M[c];", calls, NULL);
    expect("b[0][16]", "dst[r][c] = M[c]; dst[r][c + 16] = M[c];", calls, NULL);
    expect("b[0][16]", "if (c < rows) dst[r][c] = M[c];", calls, NULL);
    expect("b[0][16]", "if (c >= rows) return; dst[r][c] = M[c];", calls, NULL);
    expect("b[0][16]", "dst[r][2 * c] = M[c];", calls, NULL);
    expect("b[0][16]", stores, "if (ty < 8) load(b, V, n);", NULL);
    expect("b[0][16]", stores, "load(b, V, n); copy(b, V);", NULL);
    expect("s[128]", "", "s[tx] = V[n];\n    s[tx] += s[tx + 128];", NULL);
}

// A tile of SIDE rows, of which each thread of the block stores a number in row t / WIDE.
static void expect_few(const char *threads, const char *declared, const char *load, const char *says) {
    char text[2000], said[500] = "";
    snprintf(text, sizeof text,
             "#define SIDE 64\n#define WIDE 16\n#define NT %s\n"
             "static __device__ void load(float (*dst)[SIDE + 4], const float *M, int k) {\n"
             "    const int c = threadIdx.x %% WIDE%s\n    %s\n}\n"
             "__global__ void __launch_bounds__(NT) f(float *o, const float *K, int n) {\n"
             "    __shared__ float a[WIDE][SIDE + 4];\n    load(a, K, n);\n    use(o);\n}\n",
             threads, declared, load);
    const int found =
        lab_hint_of_few(text, "read of memory that was never written: shared s[1104]; kernel f", said, sizeof said);
    if (found != (says != NULL)) fail_msg("%s, %s: %s", threads, load, found ? said : "nothing");
    if (says) assert_says(said, says);
    assert_false(lab_hint_of_few(text, "data race: shared b[0][16]; kernel f", said, sizeof said));
}

static void a_tile_of_more_rows_than_the_threads_make_is_named(void **state) {
    (void)state;
    static const char row[] = ", r = threadIdx.x / WIDE;", store[] = "float v = M[r];\n    dst[c][r] = v;";
    expect_few(
        "((SIDE / 4) * (SIDE / 4))", row, store,
        "line 7 stores one number for each thread, to dst[c][r] with r = threadIdx.x / WIDE: of 256 threads that "
        "are 16 of the 64 that the tile has there");
    expect_few("128", ";\n    int r = threadIdx.x / WIDE;", "if (c < k) dst[c][r] = M[r];",
               "of 128 threads that are 8");
    expect_few("256", "; const int t = threadIdx.x;\n    int r = t / WIDE;", store,
               "with r = t / WIDE: of 256 threads");
    expect_few("1024", row, store, NULL);
    expect_few("256", ";", "for (int e = threadIdx.x; e < 1024; e += NT) { int r = e / WIDE; dst[c][r] = M[r]; }",
               NULL);
    expect_few("256", ";", "for (int r = threadIdx.x / WIDE; r < SIDE; r += 16) dst[c][r] = M[r];", NULL);
    expect_few("256", row, "for (int i = 0; i < 4; i++) dst[c][r + 16 * i] = M[r];", NULL);
    expect_few("256", ";\n    int r = threadIdx.x / WIDE;", "while (r < SIDE) { dst[c][r] = M[r]; r += 16; }", NULL);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_tile_larger_than_the_block_is_named),
        cmocka_unit_test(a_tile_of_more_rows_than_the_threads_make_is_named),
        cmocka_unit_test(where_it_may_be_something_else_nothing_is_said),
    };
    return cmocka_run_group_tests_name("source_single", tests, NULL, NULL);
}
