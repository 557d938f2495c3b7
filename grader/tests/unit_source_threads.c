// unit_source_threads.c: what one thread has for itself, shares of threads, float4s, and barriers, by the text alone:
// source_alone.c, source_same_place.c, source_shares.c, source_fours.c and source_barriers.c of grader/run.
#include "hint_text.h"

static void what_one_thread_has_found_is_handed_on(void **state) {
    (void)state;
    const char *says = "one thread alone sets m, of which each thread has its own";
    expect(lab_hint_of_one_thread,
           "if (t == 0)\n        for (int c = 0; c < n; c++) m = fmaxf(m, s[c]);\n    o[t] = expf(s[t] - m);", says);
    expect(lab_hint_of_one_thread, "if (threadIdx.x == 0) { m = e; }\n    o[t] = m;", says);
    expect(lab_hint_of_one_thread, "if (threadIdx.x == 0 && threadIdx.y == 0) m = e;\n    o[t] = m;", says);
    expect(lab_hint_of_one_thread, "if (t == 0 && m < n) m = e;\n    o[t] = m;", NULL);
    expect(lab_hint_of_one_thread, "size_t m = 0;\n    if (t == 0 && threadIdx.y == 0) m = e;\n    o[t] = s[m];", says);
    expect(lab_hint_of_one_thread, "if (t == 0) m = e;\n    m = __shfl_sync(~0u, m, 0);\n    o[t] = m;", NULL);
    expect(lab_hint_of_one_thread, "if (t == 0) m = e;\n    o[t] = fix + __shfl_sync(~0u, m, 0);", NULL);
    expect(lab_hint_of_one_thread, "if (t == 0) m = e;\n    if (t == 0) o[t] = m;", NULL);
    expect(lab_hint_of_one_thread, "if (t == 0) m = e;\n    __syncthreads();\n    if (m >= n) return;", says);
    expect(lab_hint_of_one_thread, "if (t == 0) m = e;\n    if (t == 0 && m >= n) o[0] = 0;", NULL);
    expect(lab_hint_of_one_thread, "if (t == 0) m = e;\n    if (t == 0) if (m >= n) o[0] = 0;", NULL);
    expect(lab_hint_of_one_thread, "if (t == 0) m = e;\n    if (t) return;\n    if (m >= n) o[0] = 0;", NULL);
    expect(lab_hint_of_one_thread, "if (t / 32 == 0) m = e;\n    if (t == 0) o[0] = m;", NULL);
    expect(lab_hint_of_one_thread, "const int w = t / 32;\n    if (w == 0) m = e;\n    if (t == 0) o[0] = m;", NULL);
    expect(lab_hint_of_one_thread,
           "const int x = threadIdx.x + blockIdx.x * 32;\n    if (x == 0) m = e;\n    o[x] = m;", NULL);
    expect(lab_hint_of_one_thread, "if (t == 0) m = e; else m = fix;\n    o[t] = m;", NULL);
    expect(lab_hint_of_one_thread, "if (n == 0) m = e;\n    o[t] = m;", NULL);
    expect(lab_hint_of_one_thread, "__shared__ float all;\n    if (t == 0) all = e;\n    o[t] = all;", NULL);
    expect(lab_hint_of_one_thread, "if (t == 0) o[0] = m;\n    o[t + 1] = m;", NULL);
    expect(lab_hint_of_one_thread, "if (t == 0) {\n        float x = e;\n        o[0] = x;\n    }\n    o[t + 1] = m;",
           NULL);
}

static void pieces_of_n_numbers_begin_n_apart(void **state) {
    (void)state;
    const char *says = "the pieces of neighbouring threads overlap: the one of thread n has share numbers";
    expect(lab_hint_of_pieces, "for (int j = t; j < t + share; j++) l += s[j];", says);
    expect(lab_hint_of_pieces, "for (int j = t * share; j < t * share + share; j++) l += s[j];", NULL);
    says = "the last pieces end behind n, as share is rounded up, and no line asks for it: it is c < n, too";
    expect(lab_hint_of_pieces,
           "const int share = (n + 31) / 32;\n    for (int c = t * share; c < (t + 1) * share; c++) l += s[c];", says);
    expect(lab_hint_of_pieces,
           "const int share = (n + 31) / 32;\n    for (int c = t * share; c < t * share + share; c++) l += s[c];",
           says);
    expect(
        lab_hint_of_pieces,
        "const int share = (n + 31) / 32;\n    for (int c = t * share; c < (t + 1) * share && c < n; c++) l += s[c];",
        NULL);
    expect(lab_hint_of_pieces,
           "const int share = (n + 31) / 32;\n    for (int c = t * share; c < (t + 1) * share; c++)\n"
           "        if (c < n) l += s[c];",
           NULL);
    expect(lab_hint_of_pieces,
           "const int share = n / 32;\n    for (int c = t * share; c < (t + 1) * share; c++) l += s[c];", NULL);
    expect(lab_hint_of_pieces,
           "const int share = (n + 31) / 32, c0 = threadIdx.x % 32 * share;\n"
           "    for (int c = c0; c < c0 + share; c++) l += s[c];",
           says);
    expect(lab_hint_of_pieces,
           "const int share = n / 32, c0 = threadIdx.x % 32 * share;\n    for (int c = c0; c < c0 + share; c++) l += "
           "s[c];",
           NULL);
    expect(lab_hint_of_pieces, "for (int j = n; j < n + share; j++) l += s[j];", NULL);
    expect(lab_hint_of_pieces, "for (int j = t; j < t + 1; j++) l += s[j];", NULL);
    expect(lab_hint_of_pieces, "for (int j = t; j < n; j += 32) l += s[j];", NULL);
}

static void shared_memory_is_not_each_threads_own(void **state) {
    (void)state;
    const char *says = "line 6: every thread stores its own number in a, at the same places, and line 4 makes one a";
    expect(lab_hint_of_same_place,
           "__shared__ float a[8], b;\n    const int i = n + t;\n    for (int l = 0; l < 8; l++) a[l] = s[i + l];",
           says);
    expect(lab_hint_of_same_place, "__shared__ float a[8];\n\n    a[0] += s[t];", says);
    says = "line 6: every thread stores its own number in b, at the same place, and line 4 makes one b";
    expect(lab_hint_of_same_place, "__shared__ float a[8], b;\n    a[t] = e;\n    b = fmaxf(b, s[t]);", says);
    static const char *const right[] = {
        "__shared__ float a[8];\n    for (int l = 0; l < 8; l++) a[l] = s[l];",  // all store the same number
        "__shared__ float a[8];\n    a[t] = s[t];",
        "__shared__ float a[8];\n    if (t == 0) a[0] = s[t];",
        "__shared__ float a[8];\n    if (n > 3 && t % 32 == 0) {\n        a[n] = s[t];\n    }",
        "__shared__ float a[8];\n    if (t > n) return;\n    a[0] = s[t];",
        "__shared__ float a[8];\n    if (t) e = 0;\n    else a[0] = s[t];",
        "__shared__ float a[8];\n    if (lane() == 0) a[0] = s[t];",
        "__shared__ float a[8];\n    if (lane == 0) a[0] = s[t];",  // a member of its class, which nobody knows
        "__shared__ float a[8];\n    const int w = mine / 32;\n    a[w] = s[t];",
        "__shared__ float a[8];\n    a[lane()] = s[t];",
        "__shared__ float a[8];\n    for (int i = t; i < 8; i += 32) a[i] = s[i];",
        "__shared__ float a[8], b;\n    b = sum_of(s[t], a);",
        "__shared__ float a[8];\n    fill(a, s[t]);\n    a[0] = s[t];",
        "float a[8];\n    a[0] = s[t];"};
    for (size_t i = 0; i < sizeof right / sizeof *right; i++) expect(lab_hint_of_same_place, right[i], NULL);
    char said[400];
    static const char macro[] =
        "#define LANE (threadIdx.x % 32)\nvoid f(const float *s) {\n    __shared__ float a[8];\n"
        "    const float x = s[threadIdx.x];\n    if (LANE == 0) a[0] = x;\n}\n";
    assert_int_equal(lab_hint_of_same_place(macro, 1, 99, said, sizeof said), LAB_HINT_NONE);
}

static void float4s_are_counted_in_fours(void **state) {
    (void)state;
    const char *says = "takes float4 number d, and d goes up by 4 a round";
    expect(lab_hint_of_fours, "for (int d = 0; d < n; d += 4) l += ((const float4 *)s)[d].x;", says);
    expect(lab_hint_of_fours, "for (int d = 0; d < n; d += 4) l += reinterpret_cast<const float4 *>(s)[d].x;", says);
    expect(lab_hint_of_fours, "const float4 *s4 = (const float4 *)s;\n    for (int d = 0; d < n; d += 4) l += s4[d].x;",
           says);
    says = "takes the float4 that begins at float c, and c goes up by 1 a round (line 4)";
    expect(lab_hint_of_fours, "for (int c = 0; c < n; c++) l += (*(const float4 *)(s + c)).x;", says);
    expect(lab_hint_of_fours, "for (int c = 0; c < n; c++) l += (*(const float4 *)(s + 4 * c)).x;", NULL);
    expect(lab_hint_of_fours, "for (int c = 0; c < n; c++) l += (*(const float4 *)(s + c * 4)).x;", NULL);
    expect(lab_hint_of_fours, "for (int d = 0; d < n; d += 4) l += ((const float4 *)s)[d / 4].x;", NULL);
    expect(lab_hint_of_fours, "for (int d = 0; d < n; d++) l += ((const float4 *)s)[d].x;", NULL);
    expect(lab_hint_of_fours, "for (int j = 0; j < n; j += 4) l += ((const float4 *)s)[(size_t)j * D4 + t].x;", NULL);
    expect(lab_hint_of_fours, "for (int j = 0; j < n; j += 4) l += ((const float4 *)s)[(j + 1) * D4 + t].x;", NULL);
    expect(lab_hint_of_fours, "for (int d = 0; d < n; d += 4) l += ((const float4 *)s)[t * D4 + d].x;",
           "takes float4 number t*D4+d");
    expect(lab_hint_of_fours, "for (int d = 0; d < n; d += 4) l += s[d] + *(const float4 *)(s + d);", NULL);
}

// Lines 2 and 4 race, which are of several warps or of one.
static void a_barrier_of_a_warp_holds_up_no_other(void **state) {
    (void)state;
    static const struct {
        const char *body, *where, *says;
    } rows[] = {
        {"s[r] = e;\n__syncwarp();\nif (t < 8) m = s[t];\n__syncwarp();", "in different warps",
         "line 3: __syncwarp() holds up the threads of one warp alone, and lines 2 and 4 meet in shared memory from "
         "several "
         "warps. Put __syncthreads() there, and in line 5, if"},
        {"s[r] = e;\n__syncwarp();\nif (t < 8) { m = s[t];\n__syncwarp(); }\n__syncwarp();", "in different warps",
         "and in line 6, if what"},
        {"s[r] = e;\n__syncwarp();\nif (t < 8) m = s[t];", "in different warps",
         "several warps. Put __syncthreads() there"},
        {"s[r] = e;\n__syncwarp();\nif (t < 8) m = s[t];", "in one warp", NULL},
        {"s[r] = e;\n__syncwarp(); __syncthreads();\nif (t < 8) m = s[t];", "in different warps", NULL},
        {"s[r] = e;\n\nif (t < 8) m = s[t];\n__syncwarp();", "in different warps", NULL},
        {"s[r] = e; __syncwarp();}\nvoid g() {\nm = s[t];", "in different warps", NULL},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char text[400], report[400], said[500] = "";
        snprintf(text, sizeof text, "void f() {\n%s\n}\n", rows[i].body);
        snprintf(report, sizeof report,
                 "data race: shared s[3]; kernel f, launched at flash.cu:9, block (0,0,0); write thread (0,2,0) "
                 "flash.cu:2 in f; read thread (2,0,0) flash.cu:4 in f; The two threads are %s, and no __syncthreads() "
                 "lies between the two accesses.",
                 rows[i].where);
        if (lab_hint_of_warps(text, report, said, sizeof said) != (rows[i].says != NULL)) fail_msg("%zu: %s", i, said);
        if (rows[i].says) assert_says(said, rows[i].says);
    }
}

// The one line in a function that the kernel calls: its call, before the barrier.
static void a_barrier_of_a_warp_behind_a_call_is_seen(void **state) {
    (void)state;
    static const char report[] =
        "data race: shared t[3]; kernel f<X>, launched at naive.cu:9, block (0,0,0); write "
        "thread (32,0,0) naive.cu:3 in load; read thread (0,0,0) naive.cu:9 in f; The two "
        "threads are in different warps, and no __syncthreads() lies between the two accesses.",
                      form[] = "static __device__ void load(float *s, const float *x) {\n  const int e = threadIdx.x;\n"
                               "  s[e] = x[e];\n}\n__global__ void f(float *p, const float *x) {\n"
                               "  %s\n  load(t, x);\n  %s\n  *p = t[0];\n}\n";
    char text[400], said[400] = "";
    snprintf(text, sizeof text, form, "__syncwarp();", "__syncwarp();");
    assert_true(lab_hint_of_warps(text, report, said, sizeof said));
    assert_says(said, "line 8: __syncwarp() holds up the threads of one warp alone, and lines 3 and 9 meet");
    snprintf(text, sizeof text, form, "__syncwarp();", "__syncthreads();");
    assert_false(lab_hint_of_warps(text, report, said, sizeof said));
}

// A kernel whose function reads what those that have left did not load.
static void threads_that_leave_a_kernel_whose_function_reads_are_named(void **state) {
    (void)state;
    static const char form[] = "__device__ float sum(const float *s) {\n  return s[0] + s[31];\n}\n\n"
                               "template <class X>\n__global__ void f(float *p, int n) {\n"
                               "  const int col = 8 * blockIdx.x + threadIdx.x;\n  if (%s >= n) return;\n"
                               "  s[threadIdx.x] = p[col];\n  __syncthreads();\n  p[col] = sum(s);\n}\n",
                      left[] = "8 of its 256 threads had returned from the kernel before", none[] = "";
    static const struct {
        const char *who, *left;
        int is;
    } rows[] = {{"col", left, LAB_HINT_FIRST}, {"col", none, LAB_HINT_NONE}, {"blockIdx.x", left, LAB_HINT_BESIDE}};
    for (int i = 0; i < 3; i++) {
        char text[500], report[300], said[400] = "";
        snprintf(text, sizeof text, form, rows[i].who);
        snprintf(
            report, sizeof report,
            "read of memory that was never written: shared s[31]; kernel f, launched at naive.cu:20, block (4,0,0); "
            "read thread (0,0,0) naive.cu:2 in sum; %s",
            rows[i].left);
        assert_int_equal(lab_hint_of_leaving_early(text, report, said, sizeof said), rows[i].is);
        if (rows[i].is)
            assert_says(said, "threads that line 8 sends away load no share of what the block loads before");
    }
}

static void a_block_that_leaves_whole_is_not_to_blame(void **state) {
    (void)state;
    static const char form[] = "__global__ void f(float *p, int n) {\n  const int b = blockIdx.x, t = threadIdx.x;\n"
                               "  if (%s) return;\n  s[t] = p[b];\n  __syncthreads();\n  p[b] = s[31];\n}\n",
                      report[] = "read of memory that was never written: shared s[31]; kernel f, launched at a.cu:20, "
                                 "block (4,0,0); read thread (0,0,0) a.cu:6 in f";
    static const char *const who[] = {"b >= n", "t >= n"};
    for (int i = 0; i < 2; i++) {
        char text[500], said[400] = "";
        snprintf(text, sizeof text, form, who[i]);
        assert_int_equal(lab_hint_of_leaving_early(text, report, said, sizeof said),
                         i ? LAB_HINT_FIRST : LAB_HINT_NONE);
    }
}

static void a_barrier_is_for_all_threads(void **state) {
    (void)state;
    const char *says = "line 6: the barrier stands under the if of line 4, which not all threads of the block fulfil";
    expect_of(lab_hint_of_barriers, LAB_HINT_BESIDE, "if (t < n) {\n        o[t] = 1;\n        __syncthreads();\n    }",
              says);
    expect_of(lab_hint_of_barriers, LAB_HINT_BESIDE, "if (t < n)\n        __syncthreads();",
              "line 5: the barrier stands under the if of line 4");
    expect_of(
        lab_hint_of_barriers, LAB_HINT_BESIDE,
        "const int lane = t % 32;\n    for (int h = 16; h; h /= 2) {\n        if (lane >= h) break;\n        o[t] "
        "+= o[t + h];\n"
        "        __syncthreads();\n    }",
        "line 6 sends some threads out of the loop (break), and the barrier in line 8, in that loop, waits for all");
    expect_of(lab_hint_of_barriers, LAB_HINT_BESIDE,
              "for (int h = 16; h; h /= 2) {\n        if (t < h) o[t] += o[t + h];\n        __syncthreads();\n    }",
              NULL);
    expect_of(
        lab_hint_of_barriers, LAB_HINT_BESIDE,
        "for (int k = 0; k < n; k++) {\n        for (int c = 0; c < n; c++) {\n            if (c > t) break;\n"
        "            o[t] += s[c];\n        }\n        for (int c = 0; c < n; c++)\n            if (c > t) continue;\n"
        "        __syncthreads();\n    }",
        NULL);
    expect_of(lab_hint_of_barriers, LAB_HINT_BESIDE,
              "for (int k = 0; k < n; k++) {\n        __syncthreads();\n        if (t > k) continue;\n        o[t] "
              "= 1;\n    }",
              NULL);
    expect_of(lab_hint_of_barriers, LAB_HINT_BESIDE,
              "for (int k = 0; k < n; k++) {\n        if (t > k) continue;\n        __syncthreads();\n    }",
              "line 5 sends some threads into the next round (continue), and the barrier in line 6");
    expect_of(
        lab_hint_of_barriers, LAB_HINT_BESIDE,
        "const int me = t;\n    const int i = 4 + me;\n    const int mine = i + 1;\n    for (int k = 0; k < n; k++) "
        "{\n        __syncthreads();\n        const int seen = min(n, mine - k);\n        if (seen <= 0) "
        "continue;\n        __syncthreads();\n    }",
        "line 10 sends some threads into the next round (continue), and the barrier in line 11");
    expect_of(lab_hint_of_barriers, LAB_HINT_BESIDE,
              "int end = n;\n    if (c) end = min(n, t + 1);\n    for (int k = 0; k < end; k += 4) {\n        "
              "__syncthreads();\n    }",
              "line 7: the barrier stands in the loop of line 6, which ends at end, another number in each thread");
    expect_of(lab_hint_of_barriers, LAB_HINT_BESIDE,
              "int end = n;\n    for (int k = t; k < end; k += 4) {\n        __syncthreads();\n    }\n    end = t;",
              NULL);
    expect_of(lab_hint_of_barriers, LAB_HINT_BESIDE,
              "const int y = t, end = f(blockIdx.y * 8, n), i = t;\n    for (int k = 0; k < end; k += 4) {\n        "
              "__syncthreads();\n    }",
              NULL);
    expect_of(lab_hint_of_barriers, LAB_HINT_BESIDE, "if (n > 3) {\n        o[t] = 1;\n        __syncthreads();\n    }",
              NULL);
    expect_of(lab_hint_of_barriers, LAB_HINT_BESIDE, "if (t < n) {\n        o[t] = 1;\n    }\n    __syncthreads();",
              NULL);
    expect_of(lab_hint_of_barriers, LAB_HINT_BESIDE, "if (blockIdx.x > n) return;\n    __syncthreads();", NULL);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_one_thread_has_found_is_handed_on),
        cmocka_unit_test(pieces_of_n_numbers_begin_n_apart),
        cmocka_unit_test(shared_memory_is_not_each_threads_own),
        cmocka_unit_test(float4s_are_counted_in_fours),
        cmocka_unit_test(a_barrier_of_a_warp_holds_up_no_other),
        cmocka_unit_test(a_barrier_of_a_warp_behind_a_call_is_seen),
        cmocka_unit_test(a_barrier_of_a_warp_holds_up_no_other),
        cmocka_unit_test(threads_that_leave_a_kernel_whose_function_reads_are_named),
        cmocka_unit_test(a_barrier_of_a_warp_holds_up_no_other),
        cmocka_unit_test(a_block_that_leaves_whole_is_not_to_blame),
        cmocka_unit_test(a_barrier_is_for_all_threads),
    };
    return cmocka_run_group_tests_name("source_threads", tests, NULL, NULL);
}
