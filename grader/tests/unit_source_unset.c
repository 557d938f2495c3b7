// unit_source_unset.c: what is wrong by its words alone: numbers that are added to before they have a value, those of each
// thread that are read behind their region, products that overwrite what they read, and lanes that do not come where their
// warp exchanges numbers. source_unset.c, source_pragmas.c, source_overwritten.c and source_lanes.c of grader/run.
#include "unit.h"

#include <stdio.h>
#include <string.h>

#include "source_hints.h"

static void a_number_without_a_value_is_seen(void **state) {
    (void)state;
    static const struct {
        const char *body, *says;
    } rows[] = {
        {"float sum;\n    for (int d = 0; d < n; d++) sum += x[d];",
         "line 4: sum is added to, and line 3 has declared"},
        {"float sum[4][4];\n    sum[a][b] += x[0];", "line 4: sum is added to, and line 3 has declared it without a "
                                                     "value: it must begin as = {}, all 0"},
        {"float a = 0, l;\n    l -= x[0];", "line 4: l is added to"},
        {"float sum[4] = {};\n    sum[0] += x[0];", NULL},
        {"float sum = 0;\n    sum += x[0];", NULL},
        {"float sum;\n    sum = 0;\n    sum += x[0];", NULL},
        {"float sum;\n    begin(&sum);\n    sum += x[0];", NULL},
        {"float sum;\n    p.sum += x[0];\n    sum = 1;", NULL},  // a field
        {"{ float sum; }\n    sum += x[0];", NULL},              // another sum
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char text[400], said[400] = "";
        snprintf(text, sizeof text, "static float sum;\nfloat f(const float *x, int n) {\n    %s\n    return sum;\n}\n",
                 rows[i].body);
        const int found = lab_hint_of_unset(text, 1, 99, said, sizeof said);
        if (!found != !rows[i].says) fail_msg("%zu: %s", i, said);
        if (found) assert_int_equal(found, LAB_HINT_CAUSE);
        if (found) assert_says(said, rows[i].says);
        assert_false(lab_hint_of_unset(text, 1, 2, said, sizeof said));
    }
}

static void a_private_number_that_is_read_behind_is_seen(void **state) {
    (void)state;
    static const struct {
        const char *clause, *behind, *says;
    } rows[] = {
        {"private(status)", "return status;", "line 7 does not read what they set it to"},
        {"firstprivate(n, status)", "return status;", "line 3: by firstprivate(status)"},
        {"lastprivate(status)", "return status;", NULL},
        {"firstprivate(status)", "free(status.S); return 0;", NULL},  // all copies point to the same
        {"private(n)", "return status;", NULL},
        {"private(status)", "status = 0; return status;", NULL},
        {"", "return status;", NULL},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char text[400], said[400] = "";
        snprintf(text, sizeof text,
                 "int f(int n) {\n    int status = 0;\n#pragma omp parallel %s\n    {\n        status = n;\n    }\n    "
                 "%s\n}\nint status;\n",
                 rows[i].clause, rows[i].behind);
        const int found = lab_hint_of_private(text, said, sizeof said);
        if (!found != !rows[i].says) fail_msg("%zu: %s", i, said);
        if (found) assert_says(said, rows[i].says);
    }
}

static void a_product_that_overwrites_its_input_is_seen(void **state) {
    (void)state;
    static const struct {
        const char *call, *says;
    } rows[] = {
        {"status = project(flat, flat, Wk, rows, E);", "line 2: project reads flat and writes to it"},
        {"status = attn_merge_heads(O + n, O + n, shape);", "attn_merge_heads reads O+n"},
        {"status = attn_gemm_nn(O, P, O, 1, 2, 3, 4, stream);", "attn_gemm_nn reads O and"},
        {"status = project(flat, X, Wk, rows, E);", NULL},
        {"status = attn_softmax_batched(S, S, 3, 4, stream);", NULL},  // it may
        {"status = attn_split_heads(Q, flat, Q);", NULL},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char text[300], said[300] = "";
        snprintf(text, sizeof text, "int f(void) {\n    %s\n}\n", rows[i].call);
        const int found = lab_hint_of_overwriting(text, 1, 9, said, sizeof said);
        if (!found != !rows[i].says) fail_msg("%zu: %s", i, said);
        if (found) assert_says(said, rows[i].says);
        assert_false(lab_hint_of_overwriting(text, 3, 9, said, sizeof said));
    }
}

static void lanes_that_do_not_come_are_seen(void **state) {
    (void)state;
    static const struct {
        const char *body, *says;
    } rows[] = {
        {"if (r < rows) {\n        x = row_sum(l);\n    }",
         "line 7: the lanes of a warp exchange numbers in row_sum, and "
         "those that are kept away by `if (r < rows)`"},
        {"if (r >= rows) return;\n    x = row_sum(l);", "those that leave by `if (r >= rows)` do not come"},
        {"if (t < 4) x += __shfl_xor_sync(0xffffffff, x, 4);", "in __shfl_xor_sync"},
        {"if (t < 4) x += __shfl_xor_sync(15, x, 2);", NULL},  // these four alone
        {"if (t < 4) x += __shfl_xor_sync(__activemask(), x, 2);", NULL},
        {"if (t < 32) x = row_sum(l);", NULL},  // whole warps
        {"if (t >= 64 && n > 3) x = row_sum(l);", NULL},
        {"if (t < WARPS * 32) x = row_sum(l);", NULL},
        {"if (t < 48) x = row_sum(l);", "in row_sum"},
        {"if (t <= 32) x = row_sum(l);", "in row_sum"},
        {"if (t / 32 == 0) x = row_sum(l);", NULL},
        {"if (t / 8 == 0) x = row_sum(l);", "in row_sum"},
        {"if (warp == 0) x = row_sum(l);", NULL},
        {"if (r + warp < rows) x = row_sum(l);", "in row_sum"},
        {"me.lane = t % 32;\n    if (me.lane == 0) x = row_sum(l);", "in row_sum"},
        {"me.row = 4 * warp + 1;\n    if (me.row < rows) x = row_sum(l);", NULL},
        {"if (that.r < rows) x = row_sum(l);", NULL},  // another r
        {"const int row = (blockIdx.x * 128 + t) >> 5;\n    if (row >= rows) return;\n    x = row_sum(l);", NULL},
        {"x = row_sum(l);\n    if (r >= rows) return;", NULL},
        {"if (r < rows) x = plain(l);", NULL},
        {"if (causal) x = row_sum(l);", NULL},  // all or none
        {"if (threadIdx.x < 32) x = row_sum(l);", NULL},
        {"if (threadIdx.x < WARP) x = row_sum(l);", NULL},
        {"if (threadIdx.x < 16) x = row_sum(l);", "in row_sum"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char text[500], said[300] = "";
        snprintf(text, sizeof text,
                 "float row_sum(float x) {\n    return __shfl_xor_sync(0xffffffff, x, 4);\n}\n"
                 "void f(int r) {\n    const int t = threadIdx.x, warp = t / 32;\n    %s\n}\nfloat plain(float x) {\n  "
                 "  return x;\n}\n"
                 "void k() {\n    f(threadIdx.x / 8);\n}\nenum { WARP = 32 };\n",
                 rows[i].body);
        const int found = lab_hint_of_lanes(text, 4, 10, said, sizeof said);
        if (!found != !rows[i].says) fail_msg("%zu: %s", i, said);
        if (found) assert_says(said, rows[i].says);
    }
}

int main(void) {
    const struct CMUnitTest claims[] = {
        CLAIM(a_number_without_a_value_is_seen),
        CLAIM(a_private_number_that_is_read_behind_is_seen),
        CLAIM(a_product_that_overwrites_its_input_is_seen),
        CLAIM(lanes_that_do_not_come_are_seen),
    };
    return cmocka_run_group_tests_name("source_unset", claims, NULL, NULL);
}
