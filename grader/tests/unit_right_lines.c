// unit_right_lines.c: lines of a function all of whose claims hold, and of kernels that such functions alone launch.
#include "unit.h"

#include "repair.h"
#include "right_lines.h"
#include "tasks.h"

static const char text[] = "__global__ void append_kernel(float *K) {\n"  // 1
                           "    if (threadIdx.x > 3) return;\n"           // 2
                           "    __syncthreads();\n"                       // 3
                           "}\n"                                          // 4
                           "__global__ void shared_kernel(float *K) {\n"  // 5
                           "    K[0] = 1;\n"                              // 6
                           "}\n"                                          // 7
                           "attn_status attn_cache_append(float *K) {\n"  // 8
                           "    append_kernel<<<1, 32>>>(K);\n"           // 9
                           "    shared_kernel<<<1, 32>>>(K);\n"           // 10
                           "}\n"                                          // 11
                           "attn_status attn_decode(float *K) {\n"        // 12
                           "    shared_kernel<<<1, 32>>>(K);\n"           // 13
                           "}\n"                                          // 14
                           "__device__ float add(float a) {\n"            // 15
                           "    return a;\n"                              // 16
                           "}\n"                                          // 17
                           "__device__ float add_all(float a) {\n"        // 18
                           "    return add(a);\n"                         // 19
                           "}\n"                                          // 20
                           "template <int N>\n"                           // 21
                           "__global__ void rows(float *K) {\n"           // 22
                           "    K[0] = add_all(K[1]);\n"                  // 23
                           "}\n"                                          // 24
                           "attn_status attn_softmax_batched(float *K) {\n"
                           "    rows<32><<<1, 32>>>(K);\n"
                           "}\n";

static void keep(const lab_op *op, lab_verdict verdict) {
    const lab_case c = {.task = "task5", .criterion = "", .claim = "a", .op = op};
    const lab_result r = {.verdict = verdict};
    lab_repair_keep(&c, &r);
}

static void a_kernel_that_only_right_functions_launch_is_right(void **state) {
    (void)state;
    assert_false(lab_line_is_right(text, 9));  // nothing has been asked
    keep(&lab_cache_append, LAB_PASSED), keep(&lab_decode, LAB_WRONG_ANSWER);
    assert_true(lab_line_is_right(text, 9));
    assert_true(lab_line_is_right(text, 2));
    assert_false(lab_line_is_right(text, 6));  // attn_decode launches it, too
    assert_false(lab_line_is_right(text, 13));
    keep(&lab_cache_append, LAB_WRONG_ANSWER);
    assert_false(lab_line_is_right(text, 9));
    assert_false(lab_line_is_right(text, 2));
}

static void what_they_alone_call_is_right(void **state) {
    (void)state;
    keep(&lab_softmax_batched, LAB_PASSED);
    assert_true(lab_line_is_right(text, 23)), assert_true(lab_line_is_right(text, 19));
    assert_true(lab_line_is_right(text, 16));
    keep(&lab_softmax_batched, LAB_WRONG_ANSWER);
    assert_false(lab_line_is_right(text, 16));
}

// Both kernels take exponentials, and all claims about one of them hold.
static void a_cause_is_looked_for_where_claims_fail(void **state) {
    (void)state;
    static const char two[] = "__global__ void walk(float *O) {\n"
                              "    O[0] = expf(O[1] - O[2]);\n"
                              "}\n"
                              "__global__ void join(float *O) {\n"
                              "    O[0] = expf(O[3]);\n"
                              "}\n"
                              "attn_status attn_decode(float *O) {\n"
                              "    walk<<<1, 1>>>(O);\n"
                              "}\n"
                              "attn_status attn_combine(float *O) {\n"
                              "    join<<<1, 1>>>(O);\n"
                              "}\n";
    static const char cause[] = "matches O that is not rescaled by exp(m_old - m_new)";
    char said[200];
    keep(&lab_decode, LAB_WRONG_ANSWER), keep(&lab_combine, LAB_PASSED);
    assert_true(lab_place_in_wrong_lines(two, cause, said, sizeof said));
    assert_string_equal(said, "the file takes exponentials in line 2");
    keep(&lab_combine, LAB_WRONG_ANSWER);
    assert_true(lab_place_in_wrong_lines(two, cause, said, sizeof said));
    assert_string_equal(said, "the file takes exponentials in lines 2 and 5");
}

int main(void) {
    const struct CMUnitTest claims[] = {CLAIM(what_they_alone_call_is_right),
                                        CLAIM(a_cause_is_looked_for_where_claims_fail),
                                        CLAIM(a_kernel_that_only_right_functions_launch_is_right)};
    return cmocka_run_group_tests_name("right_lines", claims, NULL, NULL);
}
