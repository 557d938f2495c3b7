// unit_oracle.c: the oracle is right. It is anchored to vectors from PyTorch, and to properties that need no vectors.
// grader/core/oracle.c, op_*.c and shape.c.
#include "unit.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "golden.h"
#include "ops.h"
#include "sizes.h"

// ---- golden vectors

// The golden outputs were rounded to float32: up to 2^-25 relative, 1.2e-7 at |O| = 4. The projections of multi-head
// attention are rounded once more in the oracle. 2e-6 leaves room for the order of float64 sums and for nothing else.
static const double BOUND = 2e-6;

static json_t *golden;

static int open_golden(void **state) {
    (void)state;
    golden = json_load_file("grader/golden/index.json", 0, NULL);
    return golden ? 0 : -1;
}

static int close_golden(void **state) {
    (void)state;
    json_decref(golden);
    return 0;
}

static int number(const json_t *o, const char *key) {
    const json_t *x = json_object_get(o, key);
    return json_is_boolean(x) ? json_is_true(x) : (int)json_integer_value(x);
}

static double check_golden(const json_t *c, const lab_op *op, attn_shape shape,
                           const char *const files[LAB_MAX_TENSORS]) {
    float *t[LAB_MAX_TENSORS] = {NULL};
    double worst = 0;
    for (int i = 0; i < op->n_tensors; i++) {
        size_t n = 0;
        t[i] = golden_read(json_string_value(json_object_get(c, files[i])), &n);
        assert_non_null(t[i]);
        assert_int_equal(n, op->elements(shape, i));
    }
    const size_t n = op->elements(shape, 0);
    double *out = malloc(n * sizeof *out);
    assert_true(op->oracle(shape, NULL, (const float *const *)t, LAB_NO_MISTAKE, out));
    for (size_t i = 0; i < n; i++) {
        const double err = fabs(out[i] - t[0][i]);
        if (!(err < BOUND))
            fail_msg("%s: element %zu is off by %g", json_string_value(json_object_get(c, "name")), i, err);
        worst = err > worst ? err : worst;
    }
    free(out);
    for (int i = 0; i < LAB_MAX_TENSORS; i++) free(t[i]);
    return worst;
}

static void attention_equals_pytorch(void **state) {
    (void)state;
    size_t i;
    int n = 0, causal = 0, large = 0, bottom_right = 0;
    json_t *c;
    json_array_foreach(json_object_get(golden, "cases"), i, c) {
        if (strcmp(json_string_value(json_object_get(c, "op")), "sdpa")) continue;
        const attn_shape shape = {number(c, "batch"),  number(c, "heads"),    number(c, "seq_q"),
                                  number(c, "seq_kv"), number(c, "head_dim"), number(c, "causal")};
        const char *const files[LAB_MAX_TENSORS] = {"O", "Q", "K", "V"};
        check_golden(c, &lab_sdpa, shape, files);
        check_golden(c, &lab_tiled, shape, files);
        n++, causal += shape.causal, bottom_right += shape.causal && shape.seq_q < shape.seq_kv;
        large += strcmp(json_string_value(json_object_get(c, "kind")), "large") == 0;
    }
    assert_true(n >= 14 && causal >= 7 && bottom_right >= 1 && large >= 2);  // the vectors reach every branch
}

static void multi_head_attention_equals_pytorch(void **state) {
    (void)state;
    size_t i;
    int n = 0;
    json_t *c;
    json_array_foreach(json_object_get(golden, "cases"), i, c) {
        if (strcmp(json_string_value(json_object_get(c, "op")), "mha")) continue;
        const int heads = number(c, "heads"), seq = number(c, "seq");
        const attn_shape shape = {number(c, "batch"), heads, seq, seq, number(c, "hidden") / heads,
                                  number(c, "causal")};
        const char *const files[LAB_MAX_TENSORS] = {"y", "x", "Wq", "Wk", "Wv", "Wo"};
        check_golden(c, &lab_mha, shape, files);
        n++;
    }
    assert_true(n >= 4);
}

// ---- properties

static void softmax_rows_sum_to_one(void **state) {
    (void)state;
    float s[97];
    double p[97];
    for (int kind = LAB_NORMAL; kind <= LAB_OFFSET; kind++) {
        double sum = 0;
        lab_fill(s, 97, 97, kind, 3);
        lab_oracle_softmax(p, s, 97, LAB_NO_MISTAKE);
        for (int i = 0; i < 97; i++) {
            sum += p[i];
            assert_true(p[i] >= 0 && p[i] <= 1);
            if (isinf(s[i])) assert_true(p[i] == 0);
            if (i && isfinite(s[i]) && isfinite(s[i - 1])) assert_true((p[i] >= p[i - 1]) == (s[i] >= s[i - 1]));
        }
        assert_true(fabs(sum - 1) < 1e-12);
    }
}

static void softmax_of_known_scores(void **state) {
    (void)state;
    const float s[] = {0, logf(2), logf(3), -INFINITY};
    double p[4];
    lab_oracle_softmax(p, s, 4, LAB_NO_MISTAKE);
    assert_true(fabs(p[0] - 1.0 / 6) < 1e-7 && fabs(p[1] - 2.0 / 6) < 1e-7 && fabs(p[2] - 0.5) < 1e-7 && p[3] == 0);
}

static void attention_to_one_key_is_its_value(void **state) {
    (void)state;
    const attn_shape shape = {2, 3, 1, 1, 8, 1};
    float q[48], k[48], v[48];
    double o[48];
    lab_fill(q, 48, 8, LAB_LARGE, 1), lab_fill(k, 48, 8, LAB_LARGE, 2), lab_fill(v, 48, 8, LAB_NORMAL, 3);
    assert_true(lab_sdpa.oracle(shape, NULL, (const float *[]){NULL, q, k, v}, LAB_NO_MISTAKE, o));
    for (int i = 0; i < 48; i++) assert_true(o[i] == v[i]);
}

static void merge_is_the_inverse_of_split(void **state) {
    (void)state;
    const attn_shape shape = {2, 3, 5, 5, 8, 0};
    enum { COUNT = 2 * 3 * 5 * 8 };
    float x[COUNT], y[COUNT];
    double out[COUNT];
    for (int i = 0; i < COUNT; i++) x[i] = i;
    assert_true(lab_split_heads.oracle(shape, NULL, (const float *[]){NULL, x}, 0, out));
    // y[b][h][s][d] = x[b][s][h * D + d]
    for (int b = 0; b < 2; b++)
        for (int h = 0; h < 3; h++)
            for (int s = 0; s < 5; s++)
                for (int d = 0; d < 8; d++)
                    assert_true(out[((b * 3 + h) * 5 + s) * 8 + d] == x[(b * 5 + s) * 24 + h * 8 + d]);
    for (int i = 0; i < COUNT; i++) y[i] = (float)out[i];
    assert_true(lab_merge_heads.oracle(shape, NULL, (const float *[]){NULL, y}, 0, out));
    for (int i = 0; i < COUNT; i++) assert_true(out[i] == x[i]);
}

// ---- sizes

static void pairs_and_flops_are_counted_exactly(void **state) {
    (void)state;
    for (int sq = 1; sq <= 40; sq += 3)
        for (int sk = sq; sk <= 60; sk += 7)
            for (int causal = 0; causal <= 1; causal++) {
                const attn_shape s = {2, 3, sq, sk, 16, causal};
                long seen = 0;
                for (int i = 0; i < sq; i++)
                    for (int j = 0; j < sk; j++) seen += !causal || j <= i + (sk - sq);
                assert_true(lab_pairs(s) == 6.0 * seen);
                assert_true(lab_flops(s) == 4.0 * 16 * 6 * seen);
                assert_int_equal(lab_elements_q(s), 6 * sq * 16);
                assert_int_equal(lab_elements_kv(s), 6 * sk * 16);
                assert_true(lab_least_bytes(s) == 4.0 * 6 * 16 * (2 * sq + 2 * sk));
            }
}

static void sizes_do_not_overflow_an_int(void **state) {
    (void)state;
    const attn_shape s = {64, 64, 16384, 16384, 128, 0};
    assert_true(lab_elements_q(s) == (size_t)1 << 33);
    assert_true(lab_flops(s) == 4.0 * 64 * 64 * 16384 * 16384 * 128);
}

static void shapes_outside_the_contract_are_refused(void **state) {
    (void)state;
    const attn_shape good = {1, 1, 5, 5, 64, 1};
    assert_true(lab_shape_valid(good));
    const attn_shape bad[] = {{0, 1, 5, 5, 64, 0},  {1, 0, 5, 5, 64, 0},   {1, 1, 0, 5, 64, 0},  {1, 1, 5, 0, 64, 0},
                              {1, 1, 5, 5, 0, 0},   {1, 1, 5, 5, 60, 0},   {1, 1, 5, 5, 136, 0}, {1, 1, 6, 5, 64, 1},
                              {-1, 1, 5, 5, 64, 0}, {1, 1, -5, -5, 64, 0}, {1, 1, 5, 5, -64, 0}};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) assert_false(lab_shape_valid(bad[i]));
    assert_true(lab_shape_valid((attn_shape){1, 1, 6, 5, 64, 0}));
    assert_true(lab_shape_valid((attn_shape){1, 1, 1, 1, 8, 0}) && lab_shape_valid((attn_shape){1, 1, 1, 1, 128, 0}));
}

int main(void) {
    const struct CMUnitTest claims[] = {
        CLAIM(attention_equals_pytorch),
        CLAIM(multi_head_attention_equals_pytorch),
        CLAIM(softmax_rows_sum_to_one),
        CLAIM(softmax_of_known_scores),
        CLAIM(attention_to_one_key_is_its_value),
        CLAIM(merge_is_the_inverse_of_split),
        CLAIM(pairs_and_flops_are_counted_exactly),
        CLAIM(sizes_do_not_overflow_an_int),
        CLAIM(shapes_outside_the_contract_are_refused),
    };
    return cmocka_run_group_tests_name("oracle", claims, open_golden, close_golden);
}
