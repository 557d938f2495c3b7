// unit_diagnose.c: every known mistake is recognised by its own explanation. grader/core/diagnose/diagnose.c and heuristics.c.
// The round trip: a mistaken oracle's output is handed in as a student's.
#include "unit.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "symptom.h"

// ---- mistakes

static const attn_shape FULL = {2, 3, 24, 24, 32, 0}, CAUSAL = {2, 3, 24, 24, 32, 1}, WIDE = {2, 2, 17, 49, 32, 1};

static const struct {
    lab_mistake mistake;
    const attn_shape *shape;
    const char *says;
} known[] = {
    {LAB_NO_SCALE, &FULL, "missing 1/sqrt(D)"},
    {LAB_SCALE_BY_D, &FULL, "scale of 1/D"},
    {LAB_SCALE_UP, &FULL, "multiplied by sqrt(D)"},
    {LAB_SCALE_AFTER, &FULL, "1/sqrt(D) applied after the softmax"},
    {LAB_NO_MASK, &CAUSAL, "without the causal mask"},
    {LAB_MASK_ALWAYS, &FULL, "mask that was not asked for"},
    {LAB_MASK_PLUS_ONE, &CAUSAL, "one key too many"},
    {LAB_MASK_MINUS_ONE, &WIDE, "misses its last key"},
    {LAB_MASK_TOP_LEFT, &WIDE, "aligned top-left"},
    {LAB_MASK_IS_ZERO, &CAUSAL, "masked scores set to 0"},
    {LAB_MASK_AFTER, &CAUSAL, "mask applied after the softmax"},
    {LAB_DROP_LAST_KEY, &FULL, "last key left out"},
    {LAB_NO_DIVISION, &FULL, "missing final division"},
    {LAB_UNIFORM, &FULL, "plain mean of V"},
    {LAB_HEAD_ZERO, &FULL, "head 0 computed for every head"},
    {LAB_BATCH_ZERO, &FULL, "batch 0 computed for every batch"},
    {LAB_KV_HEAD_ZERO, &FULL, "K and V of head 0"},
    {LAB_K_AS_V, &FULL, "K used in place of V"},
    {LAB_Q_AS_K, &FULL, "Q used in place of K"},
    {LAB_Q_K_SWAPPED, &FULL, "Q and K swapped"},
    {LAB_K_V_SWAPPED, &FULL, "K and V swapped"},
    {LAB_MASK_INVERTED, &CAUSAL, "mask the wrong way round"},
    {LAB_SOFTMAX_TWICE, &FULL, "softmax of the softmax"},
    {LAB_K_BY_COLUMNS, &FULL, "K read by columns"},
    {LAB_V_BY_COLUMNS, &FULL, "V read by columns"},
    {LAB_SCORES_RUN_ON, &FULL, "goes on from one key to the next"},
    {LAB_SUM_SO_FAR, &FULL, "sum up to their own key"},
    {LAB_FIRST_IS_ONE, &FULL, "a first score that counts 1"},
    {LAB_RAW_SCORES, &FULL, "scores used as weights"},
    {LAB_FROM_OTHER_SIDE, &FULL, "taken from S[j][i]"},
    {LAB_NO_SCALE_NO_MASK, &CAUSAL, "neither 1/sqrt(D) nor the causal mask"},
    {LAB_SCORES_STAY, &CAUSAL, "scores of hidden keys that stay as weights"},
    {LAB_RAW_SCORES_STAY, &CAUSAL, "Q K^T of hidden keys that stays as weights"},
};
enum { N_KNOWN = sizeof known / sizeof *known };

static void every_mistake_is_in_this_test(void **state) {
    (void)state;
    assert_int_equal(N_KNOWN, LAB_W_TRANSPOSED - 1);  // the last one has a test of its own
    for (int i = 0; i < N_KNOWN; i++) assert_int_equal(known[i].mistake, i + 1);
}

static void recognised(const lab_op *op, int i) {
    begin(op, *known[i].shape);
    double *out = malloc(wrong.n * sizeof *out);
    assert_true(op->oracle(wrong.shape, NULL, (const float *const *)wrong.in, known[i].mistake, out));
    hand_in(out);
    free(out);
    assert_int_not_equal(examine().verdict, LAB_PASSED);  // it differs from the truth
    assert_says(wrong.text, known[i].says);
    for (int k = 0; k < N_KNOWN; k++)
        if (strcmp(known[k].says, known[i].says)) assert_null(strstr(wrong.text, known[k].says));
}

// Head 0 is right, the others are not.
static void a_mistake_from_a_head_on_is_told_from_one_in_all(void **state) {
    (void)state;
    const struct {
        lab_mistake mistake;
        const attn_shape *shape;
        const char *says;
    } from[] = {{LAB_NO_MASK, &CAUSAL, "no causal mask from head b * heads + h = 1 on"},
                {LAB_NO_SCALE, &FULL, "scale_and_causal_mask called with a grid = Sq: it is B * H * Sq"},
                {LAB_NO_SCALE_NO_MASK, &CAUSAL, "scale_and_causal_mask called with a grid = Sq: it is B * H * Sq"}};
    for (int i = 0; i < 3; i++) {
        begin(&lab_naive, *from[i].shape);
        double *out = malloc(wrong.n * sizeof *out);
        assert_true(lab_naive.oracle(wrong.shape, NULL, (const float *const *)wrong.in, from[i].mistake, out));
        for (size_t k = 0; k < (size_t)wrong.shape.seq_q * wrong.shape.head_dim; k++) out[k] = wrong.want[k];
        hand_in(out);
        free(out);
        examine();
        assert_says(wrong.text, from[i].says);
    }
}

static void every_mistake_of_attention_is_recognised(void **state) {
    (void)state;
    for (int i = 0; i < N_KNOWN; i++) recognised(i % 2 ? &lab_sdpa : &lab_tiled, i);
}

static void mistakes_inside_multi_head_attention_are_recognised(void **state) {
    (void)state;
    for (int i = 0; i < N_KNOWN; i++)
        if (known[i].shape != &WIDE) recognised(&lab_mha, i);
}

static void mistakes_of_decode_are_recognised(void **state) {
    (void)state;
    static const attn_shape cache = {3, 2, 1, 33, 16, 0};
    static const lab_mistake made[] = {LAB_NO_SCALE, LAB_DROP_LAST_KEY, LAB_K_AS_V};
    static const char *const says[] = {"missing 1/sqrt(D)", "last key left out", "K used in place of V"};
    for (int i = 0; i < 3; i++) {
        begin(i % 2 ? &lab_decode : &lab_decode_split, cache);
        double *out = malloc(wrong.n * sizeof *out);
        assert_true(lab_decode.oracle(cache, NULL, (const float *const *)wrong.in, made[i], out));
        hand_in(out);
        free(out);
        assert_int_equal(examine().verdict, LAB_WRONG_ANSWER);
        assert_says(wrong.text, says[i]);
    }
}

static void transposed_weights_are_recognised(void **state) {
    (void)state;
    begin(&lab_mha, (attn_shape){2, 2, 9, 9, 16, 0});
    double *out = malloc(wrong.n * sizeof *out);
    assert_true(lab_mha.oracle(wrong.shape, NULL, (const float *const *)wrong.in, LAB_W_TRANSPOSED, out));
    hand_in(out);
    free(out);
    assert_int_equal(examine().verdict, LAB_WRONG_ANSWER);
    assert_says(wrong.text, "X W in place of X W^T");
}

static void moved_numbers_are_recognised(void **state) {
    (void)state;
    begin(&lab_split_heads, (attn_shape){2, 3, 5, 5, 8, 0});
    memcpy(wrong.got, wrong.in[1], wrong.n * sizeof *wrong.got);
    examine();
    assert_says(wrong.text, "plain copy");
    for (size_t i = 0; i < wrong.n; i++) wrong.got[i] = wrong.in[1][(7 * i + 3) % wrong.n];
    examine();
    assert_says(wrong.text, "right numbers in the wrong places");
    wrong.got[0] += 1;
    examine();
    assert_null(strstr(wrong.text, "right numbers"));
}

// Of one batch [S, D, B, H] is [B, S, D, H], as other claims say.
static void an_axis_of_one_stands_where_it_does_elsewhere(void **state) {
    (void)state;
    for (int batch = 1; batch < 3; batch++) {
        begin(&lab_split_heads, (attn_shape){batch, 3, 5, 5, 8, 0});
        for (size_t i = 0; i < wrong.n; i++) {
            const size_t d = i % 8, s = i / 8 % 5, h = i / 40 % 3, b = i / 120;
            wrong.got[i] = wrong.in[1][((b * 5 + s) * 8 + d) * 3 + h];
        }
        examine();
        assert_says(wrong.text, "matches X as [B, S, D, H]: it is [B, S, H, D]");
    }
}

// ---- weaker signs

// Attention to keys first .. last - 1 only.
static void partial(int first, int last) {
    begin(&lab_tiled, (attn_shape){1, 2, 20, 40, 16, 0});
    attn_shape part = wrong.shape;
    part.seq_kv = last - first;
    const size_t D = 16, head = part.seq_kv * D;
    float *k = malloc(2 * head * sizeof *k), *v = malloc(2 * head * sizeof *v);
    for (int h = 0; h < 2; h++) {
        memcpy(k + h * head, wrong.in[2] + (h * 40 + first) * D, head * sizeof *k);
        memcpy(v + h * head, wrong.in[3] + (h * 40 + first) * D, head * sizeof *v);
    }
    double *out = malloc(wrong.n * sizeof *out);
    const float *const in[LAB_MAX_TENSORS] = {NULL, wrong.in[1], k, v};
    assert_true(lab_sdpa.oracle(part, NULL, in, LAB_NO_MISTAKE, out));
    hand_in(out);
    free(out), free(k), free(v);
    examine();
}

static void missing_keys_are_counted(void **state) {
    (void)state;
    partial(0, 32);
    assert_says(wrong.text, "the last, ragged tile of keys visited (tiles of 32 keys)");
    partial(32, 40);
    assert_says(wrong.text, "the last 8 keys only");
    partial(8, 32);
    assert_null(strstr(wrong.text, "keys only"));
}

static void a_wrong_row_sum_is_recognised(void **state) {
    (void)state;
    begin(&lab_tiled, FULL);
    for (size_t i = 0; i < wrong.n; i++) wrong.got[i] *= 1 + 0.5f * (i / 32 % 5 + 1);
    examine();
    assert_says(wrong.text, "the right one times a number");
    assert_says(wrong.text, "is what it is divided by, or multiplied by, right?");
}

// Every head holds what the next one should.
static void rows_of_another_head_are_recognised(void **state) {
    (void)state;
    begin(&lab_tiled, FULL);
    const size_t head = 24 * 32;
    for (size_t h = 0; h < 6; h++)
        for (size_t i = 0; i < head; i++) wrong.got[h * head + i] = (float)wrong.want[(h + 1) % 6 * head + i];
    examine();
    assert_says(wrong.text, "holds what belongs to batch");
    assert_null(strstr(wrong.text, "row sum"));
}

static void not_finite_outputs_are_explained(void **state) {
    (void)state;
    begin_kind(&lab_sdpa, FULL, LAB_LARGE);
    for (size_t i = 0; i < wrong.n; i++) wrong.got[i] = INFINITY;
    examine();
    assert_says(wrong.text, "the largest score of the row");
    begin(&lab_sdpa, CAUSAL);
    wrong.got[3] = NAN;
    examine();
    assert_says(wrong.text, "where scores are masked");
    begin(&lab_sdpa, FULL);
    wrong.got[3] = NAN;
    examine();
    assert_says(wrong.text, "NaN");
}

static void unwritten_elements_are_counted_and_located(void **state) {
    (void)state;
    begin(&lab_sdpa, FULL);
    lab_poison(wrong.got + wrong.n - 32, 32);
    examine();
    assert_string_equal(wrong.text, "32 elements were never written: batch 1, head 2, row 23");
    lab_poison(wrong.got, wrong.n);
    examine();
    assert_string_equal(wrong.text, "4608 elements were never written: every element");
}

static void a_right_output_has_no_diagnosis(void **state) {
    (void)state;
    begin(&lab_sdpa, FULL);
    snprintf(wrong.text, sizeof wrong.text, "stale");
    assert_int_equal(examine().verdict, LAB_PASSED);
    assert_string_equal(wrong.text, "");
}

static void a_text_never_outgrows_its_buffer(void **state) {
    (void)state;
    begin(&lab_sdpa, FULL);
    for (size_t i = 0; i < wrong.n; i++) wrong.got[i] *= 3;
    const lab_symptom symptom = {wrong.op,  wrong.shape, (const float *const *)wrong.in,
                                 wrong.got, wrong.want,  lab_compare(wrong.got, wrong.want, wrong.n, LAB_TOLERANCE),
                                 {0},       NULL,        NULL};
    for (size_t size = 1; size < 400; size += 7) {
        char text[400];
        memset(text, '#', sizeof text);
        lab_diagnose(&symptom, text, size);
        assert_true(strlen(text) < size && text[size] == '#');
    }
}

int main(void) {
    const struct CMUnitTest claims[] = {
        CLAIM(every_mistake_is_in_this_test),
        CLAIM(every_mistake_of_attention_is_recognised),
        CLAIM(a_mistake_from_a_head_on_is_told_from_one_in_all),
        CLAIM(mistakes_inside_multi_head_attention_are_recognised),
        CLAIM(mistakes_of_decode_are_recognised),
        CLAIM(transposed_weights_are_recognised),
        CLAIM(moved_numbers_are_recognised),
        CLAIM(an_axis_of_one_stands_where_it_does_elsewhere),
        CLAIM(missing_keys_are_counted),
        CLAIM(a_wrong_row_sum_is_recognised),
        CLAIM(rows_of_another_head_are_recognised),
        CLAIM(not_finite_outputs_are_explained),
        CLAIM(unwritten_elements_are_counted_and_located),
        CLAIM(a_right_output_has_no_diagnosis),
        CLAIM(a_text_never_outgrows_its_buffer),
    };
    return cmocka_run_group_tests_name("diagnose", claims, NULL, release);
}
