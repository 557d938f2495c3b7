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

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_tile_larger_than_the_block_is_named),
        cmocka_unit_test(where_it_may_be_something_else_nothing_is_said),
    };
    return cmocka_run_group_tests_name("source_single", tests, NULL, NULL);
}
