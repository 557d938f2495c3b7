// unit_source_halves.c: some threads alone come to a loop that shares its work out among all of them. source_halves.c.
#include "unit.h"

#include <stdio.h>
#include <string.h>

#include "source_hints.h"

static const char never_written[] = "read of memory that was never written: shared v[1]; kernel f, launched at f.cu:20";

// A kernel with these lines, of which the first is line 8, and a function that shares rows out by threadIdx.y.
static void expect(const char *lines, const char *says) {
    static const char head[] = "__device__ void load(float *to, const float *from, int rows) {\n"
                               "    for (int r = threadIdx.y; r < rows; r += N)\n"
                               "        to[r] = from[r];\n"
                               "}\n"
                               "__global__ void f(float *o, const float *K, const float *V, int n) {\n"
                               "    __shared__ float k[64], v[64];\n"
                               "    const int ty = threadIdx.y, tx = threadIdx.x;\n";
    char text[2000], said[500] = "";
    snprintf(text, sizeof text, "%s    %s\n    __syncthreads();\n}\n", head, lines);
    const int found = lab_hint_of_halves(text, never_written, said, sizeof said);
    assert_int_equal(found, says != NULL);
    if (says) assert_says(said, says);
    assert_false(lab_hint_of_halves(text, "data race: shared v[1]", said, sizeof said));
}

static void a_share_of_those_that_do_not_come_is_named(void **state) {
    (void)state;
    const char *says =
        "line 8 calls load for the threads with ty < N / 2 alone, and the loop in line 2 shares the work out "
        "among all of them, by threadIdx.y: what is the others' share is never loaded";
    expect("if (ty < N / 2)\n        load(k, K, n);\n    else\n        load(v, V, n);",
           "line 9 calls load for the threads with ty < N / 2 alone");
    expect("if (ty < N / 2) load(k, K, n);\n    else load(v, V, n);", says);
    expect("if (threadIdx.y < 8) { load(k, K, n); } else { load(v, V, n); }",
           "line 8 calls load for the threads with threadIdx.y < 8 alone");
    expect("if (ty >= 8) load(k, K, n);", "line 8 calls load for the threads with ty >= 8 alone");
    expect("if (ty < 8) for (int r = ty; r < n; r += N) k[r] = K[r];",
           "line 8 lets the threads with ty < 8 alone come to the loop in line 8, which shares the work out among all");
}

static void shares_of_those_that_come_are_right(void **state) {
    (void)state;
    expect("load(k, K, n);\n    load(v, V, n);", NULL);
    expect("if (tx < 8) load(k, K, n);", NULL);  // of another axis
    expect("if (n < 8) load(k, K, n);", NULL);
    expect("if (ty < N) load(k, K, n);", NULL);
    expect("if (ty < 8) for (int r = ty; r < n; r += 8) k[r] = K[r];", NULL);
    expect("if (ty < 8) store(k, K, n);", NULL);
    expect("const int M = 8;\n    if (ty < M) for (int r = ty; r < n; r += 8) k[r] = K[r];", NULL);
    expect("if (ty < n) for (int r = ty; r < n; r += N) k[r] = K[r];", NULL);  // the others have no row
    static const char others[] = "__global__ void g(float *o, int n) {\n    if (threadIdx.x < 8)\n"
                                 "        for (int r = threadIdx.x; r < n; r += N) v[r] = o[r];\n}\n",
                      macro[] = "#define ROW(b) (b)\n__global__ void f(float *o, int n) {\n"
                                "    for (int r = threadIdx.x; r < n; r += N) v[r] = o[r];\n"
                                "    if (threadIdx.x < 8) o[ROW(0)] = v[0];\n}\n";
    char said[400];
    assert_false(lab_hint_of_halves(others, never_written, said, sizeof said));
    assert_false(lab_hint_of_halves(macro, never_written, said, sizeof said));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_share_of_those_that_do_not_come_is_named),
        cmocka_unit_test(shares_of_those_that_come_are_right),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
