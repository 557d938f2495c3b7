// unit_source_shuffles.c: shuffles that are meant to reach other warps, by the text alone: source_shuffles.c and
// source_constants.c of grader/run.
#include "hint_text.h"

#define SUM(loop) loop " l += __shfl_xor_sync(~0u, l, d);"

static void a_shuffle_reaches_its_own_warp(void **state) {
    (void)state;
    const char *says = "line 4: the distances of the shuffle in line 4 begin at 64, and it reaches the 32 lanes of its "
                       "own warp alone";
    static const char *const begin_at_64[] = {
        SUM("for (int d = 64; d > 0; d /= 2)"),
        SUM("for (int d = 64; d; d >>= 1)"),
        SUM("for (unsigned d = 128u >> 1; d >= 1; d = d / 2)"),
        SUM("for (int d = THREADS / 2; d != 0; d /= 2)") "\n}\nconstexpr int WARPS = 4, THREADS = 32 * WARPS;\nint x() "
                                                         "{",
        SUM("for (int d = THREADS / 2; d > 0; d /= 2)") "\n}\n#define THREADS (1 << 7)\nint x() {",
        SUM("for (int d = THREADS / 2; d > 0; d /= 2)") "\n}\nenum { A = 2, THREADS = 128 };\nint x() {",
        SUM("for (int d = blockDim.x / 2; d > 0; d /= 2)") "\n}\nvoid x() {\n    f<<<1, 128>>>(o);",
        SUM("for (int d = blockDim.x / 2; d > 0; d /= 2)") "\n}\nvoid x() {\n    dim3 b(128);\n    f<<<1, b>>>(o);",
        "for (int d = 64; d > 0; d /= 2) m = fmaxf(m, __shfl_down_sync(~0u, m, d));"};
    for (size_t i = 0; i < sizeof begin_at_64 / sizeof *begin_at_64; i++)
        expect(lab_hint_of_shuffles, begin_at_64[i], says);
    expect(lab_hint_of_shuffles, SUM("for (int d = 1; d < 128; d *= 2)"),
           "the distances of the shuffle in line 4 end at 64");
    expect(lab_hint_of_shuffles, "for (int d = 5; d >= 0; d--)\n        l += __shfl_up_sync(~0u, l, 1 << d);",
           "line 4: the distances of the shuffle in line 5 begin at 32");
    expect(lab_hint_of_shuffles, "l += __shfl_xor_sync(~0u, l, 32);", "line 4: the shuffle has a distance of 32");
    expect(
        lab_hint_of_shuffles,
        "}\nfloat g(float l, int far) {\n    return l + __shfl_xor_sync(~0u, l, far);\n}\nvoid x() {\n    g(1, 16);\n"
        "    g(1, 32);",
        "line 6: the shuffle has a distance of 32 (called in line 10)");
    expect(lab_hint_of_shuffles,
           "}\nfloat g(float l, int n) {\n    " SUM(
               "for (int d = n / 2; d > 0; d /= 2)") "\n}\nvoid x() {\n    g(1, 256);",
           "line 6: the distances of the shuffle in line 6 begin at 128 (called in line 9)");
    expect(lab_hint_of_shuffles,
           "}\ntemplate <int N>\nfloat g(float l) {\n    " SUM(
               "for (int d = N / 2; d > 0; d /= 2)") "\n}\nvoid x() {\n    g<256>(1);",
           "line 7: the distances of the shuffle in line 7 begin at 128 (called in line 10)");
    expect(
        lab_hint_of_shuffles,
        "}\nfloat g(float l) {\n    " SUM("for (int d = blockDim.x / 2; d > 0; d /= 2)") "\n}\nvoid k() {\n    g(1);\n"
                                                                                         "}\nvoid x() {\n    "
                                                                                         "k<<<1, 256>>>();",
        "line 6: the distances of the shuffle in line 6 begin at 128");
}

static void distances_below_32_are_right(void **state) {
    (void)state;
    static const char *const right[] = {
        SUM("for (int d = 16; d > 0; d /= 2)"),
        SUM("for (int d = 1; d < 32; d *= 2)"),
        SUM("for (int d = WARP / 2; d > 0; d /= 2)") "\n}\nenum { WARP = 32 };\nint x() {",
        SUM("for (int d = n / 2; d > 0; d /= 2)"),           // nobody knows n
        SUM("for (int d = blockDim.x / 2; d > 0; d /= 2)"),  // nor what it is launched with
        SUM("for (int d = 64; d > n; d /= 2)"),              // nor where it ends
        SUM("for (int d = THREADS / 2; d > 0; d /= 2)") "\n    THREADS = 32;\n    THREADS = 128;",
        SUM("for (int d = blockDim.x / 2; d > 0; d /= 2)") "\n}\nvoid x() {\n    f<<<1, 32>>>(o);\n    f<<<1, "
                                                           "64>>>(o);",
        SUM("for (int d = blockDim.x / 2; d > 0; d /= 2)") "\n}\nvoid x() {\n    f<<<1, n>>>(o);\n    f<<<1, 64>>>(o);",
        "for (int d = 64; d > 0; d /= 2)\n        if (d < 32) l += __shfl_xor_sync(~0u, l, d);",
        "for (int d = 64; d > 0; d /= 2) l += d < 32 ? __shfl_xor_sync(~0u, l, d) : 0;",
        "for (int d = 64; d > 16; d /= 2) l += s[d];\n    " SUM("for (int d = 16; d > 0; d /= 2)"),
        "for (int d = 32; d > 0; d /= 2) m = fmaxf(m, __shfl_xor_sync(~0u, m, d));",  // one's own changes no maximum
        "l += __shfl_xor_sync(~0u, l, 32, n);",
        "l += __shfl_sync(~0u, l, 32);",
        "}\nfloat g(float l, int far) {\n    return l + __shfl_xor_sync(~0u, l, far);\n}\nvoid x() {\n    g(1, 16);",
        "}\nint k = 64;\nfloat g(float l, int k) {\n    return l + __shfl_xor_sync(~0u, l, k);"};
    for (size_t i = 0; i < sizeof right / sizeof *right; i++) expect(lab_hint_of_shuffles, right[i], NULL);
}

static void a_mask_has_a_bit_for_each_lane(void **state) {
    (void)state;
    expect(lab_hint_of_shuffles, "l += __shfl_xor_sync(32, l, 1);",
           "line 4: the first argument of a shuffle is a mask with a bit for each lane that takes part, and 32 is lane "
           "5 alone");
    expect(lab_hint_of_shuffles, "l += __shfl_down_sync(WARP, l, 1);\n}\n#define WARP 16\nint x() {",
           "and 16 is lane 4 alone");
    static const char *const right[] = {"l += __shfl_xor_sync(0xf, l, 1);", "l += __shfl_xor_sync(1 << 4, l, 1);",
                                        "l += __shfl_xor_sync(n, l, 1);", "l += __shfl_xor_sync(0xffffffff, l, 1);"};
    for (size_t i = 0; i < sizeof right / sizeof *right; i++) expect(lab_hint_of_shuffles, right[i], NULL);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_shuffle_reaches_its_own_warp),
        cmocka_unit_test(distances_below_32_are_right),
        cmocka_unit_test(a_mask_has_a_bit_for_each_lane),
    };
    return cmocka_run_group_tests_name("source_shuffles", tests, NULL, NULL);
}
