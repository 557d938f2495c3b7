// unit_source_uncalled.c: by the text alone, a kernel that is never launched, a function that is never called:
// source_uncalled.c of grader/source.
#include "hint_text.h"

// The kernel f of hint_text.h is launched behind what is tried.
static void expect_uncalled(const char *body, const char *says) {
    char text[900];
    snprintf(text, sizeof text,
             "l = 0;\n}\n%s\nattn_status attn_all(float *s, int n) {\n    f<<<1, 32>>>(s, s, s, n, 0, 0);", body);
    expect_of(lab_hint_of_uncalled, LAB_HINT_BESIDE, text, says);
}

static void a_kernel_that_no_line_launches_is_seen(void **state) {
    (void)state;
    const char *says = "the kernel mask (line 6) is never launched";
    expect_uncalled("static __global__ void mask(float *s, int n) { s[0] = n; }", says);
    expect_uncalled("__global__ void mask(float *s,\n                     int n)\n{\n    s[0] = n;\n}", says);
    expect_uncalled("template <int N> __global__ void mask(float *s) { s[0] = N; }", says);
    expect_uncalled(
        "__global__ void mask(float *s);\n__global__ void __launch_bounds__(64)\n    mask(float *s) { s[0] = 0; }",
        "the kernel mask (line 8) is never launched");
    expect_uncalled("static __device__ inline void mask(float *s) { s[0] = 0; }",
                    "the function mask (line 6) is never called");
    expect_uncalled("namespace {\nstatic inline void mask(float *s) { s[0] = 0; }\n}",
                    "the function mask (line 7) is never called");
}

static void a_kernel_that_some_line_hands_on_is_left_alone(void **state) {
    (void)state;
    static const char *const lines[] = {"mask<<<1, 32>>>(s);",
                                        "mask<8><<<1, 32>>>(s);",
                                        "auto k = mask;",
                                        "run(mask, s);",
                                        "run(&mask, s);",
                                        "if (n) (void)mask(s);",
                                        "for (int i = 0; i < n; i++) mask(s);",
                                        "return mask<8>;",
                                        "void (*k)(float *) = n > 8 ? mask : other;"};
    char body[500];
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        snprintf(body, sizeof body,
                 "__global__ void mask(float *s) { s[0] = 0; }\nvoid go(float *s, int n) {\n    %s\n}", lines[i]);
        expect_uncalled(body, NULL);
    }
    expect_uncalled("__global__ void mask(float *s) { s[0] = 0; }\n#define GO(s) mask<<<1, 32>>>(s)", NULL);
    expect_uncalled("__global__ void a_mask(float *s) { s[0] = 0; }\n#define GO(k, s) k##_mask<<<1, 32>>>(s)", NULL);
    expect_uncalled("#if 0\n__global__ void mask(float *s) { s[0] = 0; }\n#endif", NULL);
    expect_uncalled(
        "__global__ void mask(float *s) { s[0] = 0; }\nattn_status attn_b(void) {\n    ATTN_TODO(2, 11);\n}", NULL);
    expect_uncalled("attn_status attn_b(float *s) {\n    return 0;\n}", NULL);  // the contract's
    expect_uncalled("static float mean(float a) {\n    return a;\n}", NULL);  // which alters nothing where it is called
}

// The function of the TODO that fails is what stands behind the kernel, not one further below.
static void a_kernel_belongs_to_the_function_behind_it(void **state) {
    (void)state;
    static const char text[] = "__global__ void a(float *s) { s[0] = 0; }\nint first(void) {\n    return 0;\n}\n"
                               "__global__ void b(float *s) { s[0] = 1; }\nint second(void) {\n    return 0;\n}\n";
    char said[300];
    assert_int_equal(lab_hint_of_uncalled(text, 2, 4, said, sizeof said), LAB_HINT_BESIDE);
    assert_says(said, "the kernel a (line 1) is never launched");
    assert_int_equal(lab_hint_of_uncalled(text, 6, 8, said, sizeof said), LAB_HINT_BESIDE);
    assert_says(said, "the kernel b (line 5) is never launched");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_kernel_that_no_line_launches_is_seen),
        cmocka_unit_test(a_kernel_that_some_line_hands_on_is_left_alone),
        cmocka_unit_test(a_kernel_belongs_to_the_function_behind_it),
    };
    return cmocka_run_group_tests_name("source_uncalled", tests, NULL, NULL);
}
