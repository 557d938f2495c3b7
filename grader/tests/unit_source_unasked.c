// unit_source_unasked.c: a tile that is loaded with no question: source_unasked.c.
#include "unit.h"

#include <stdio.h>
#include <string.h>

#include "source_hints.h"

// A function with these lines, of which the first is line 4, where a read has strayed.
static void expect(const char *lines, const char *says) {
    char text[2000], said[500] = "";
    static const char read[] =
        "access out of bounds: global B[9900]; kernel f, launched at f.cu:60, block (0,0,2); read "
        "thread (0,4,0) f.cu:4 in f";
    snprintf(text, sizeof text,
             "__global__ void f(float *C, const float *A, const float *B, int m, int n, int k) {\n"
             "    __shared__ float As[16][17], Bs[16][16];\n"
             "    const int tx = threadIdx.x, ty = threadIdx.y, row = blockIdx.y * 16 + ty; float sum = 0;\n"
             "    %s\n    if (row < m) C[row * n + tx] = sum;\n}\n",
             lines);
    const int found = lab_hint_of_unasked(text, read, said, sizeof said);
    if (found != (says != NULL)) fail_msg("%s: %s", lines, found ? said : "nothing");
    if (says) assert_says(said, says);
    assert_false(lab_hint_of_unasked(text, "data race: global B[0]; read thread (0,0,0) f.cu:4", said, sizeof said));
}

static void a_tile_that_nobody_asks_about_is_named(void **state) {
    (void)state;
    expect("Bs[ty][tx] = B[ty * n + tx];",
           "line 4 loads a tile, and no line asks whether row and column lie in the matrix");
    expect("for (int k0 = 0; k0 < k; k0 += 16) { Bs[ty][tx] = B[(size_t)(k0 + ty) * n + tx];\n"
           "        As[tx][ty] = A[row * k + k0 + tx]; }",
           "for it is in the sums of threads that store. So it is in line 5");
    expect("const float *b = B + ty * n; Bs[ty][tx] = b[tx];\n    As[ty][tx] = row < m ? A[row * k + tx] : 0;",
           "it is in the sums of threads that store");
}

static void in_other_styles_it_is_named_too(void **state) {
    (void)state;
    expect("Bs[ty][tx] = TURNED ? B[(blockIdx.x * 16 + ty) * k + tx] : B[ty * n + tx];", "line 4 loads a tile");
    expect("Bs[ty][tx] = right.base[(size_t)ty * right.down + tx];", "line 4 loads a tile");
    expect("const int col = blockIdx.x % 4 * 16 + tx; Bs[ty][tx] = B[ty * n + col];", "line 4 loads a tile");
    expect("Bs[ty][tx] = view->base[ty * view->pitch + tx];", "line 4 loads a tile");
}

static void where_something_is_asked_nothing_is_said(void **state) {
    (void)state;
    expect("Bs[ty][tx] = ty < k ? B[ty * n + tx] : 0;", NULL);
    expect("if (ty < k) Bs[ty][tx] = B[ty * n + tx];", NULL);
    expect("if (row >= m) return; Bs[ty][tx] = B[ty * n + tx];", NULL);
    expect("const int r = min(ty, k - 1); Bs[ty][tx] = B[r * n + tx];", NULL);
    expect("const int r = ty % k; Bs[ty][tx] = B[r * n + tx];", NULL);
    expect("for (int i = ty; i < k; i += 16) Bs[i][tx] = B[i * n + tx];", NULL);
    expect("Bs[ty][tx] = load(B, ty, tx, k, n);", NULL);
    expect("sum += B[ty * n + tx];", NULL);
}

int main(void) {
    const struct CMUnitTest claims[] = {
        cmocka_unit_test(a_tile_that_nobody_asks_about_is_named),
        cmocka_unit_test(in_other_styles_it_is_named_too),
        cmocka_unit_test(where_something_is_asked_nothing_is_said),
    };
    return cmocka_run_group_tests(claims, NULL, NULL);
}
