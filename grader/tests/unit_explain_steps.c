// unit_explain_steps.c: mistakes of decode, append, softmax and products, each for a whole family: what the number or the
// place says. grader/core: fit.c, diagnose_cache.c, op_softmax.c, op_gemm.c.
#include "unit.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "symptom.h"
#include "students_attention.h"

// ---- Decode

static void decode_with(int (*length)(int b), int extra_keys, double scale, const char *words) {
    const attn_shape s = {4, 3, 1, 40, 32, 0};
    begin(&lab_decode, s);
    for (size_t r = 0; r < 12; r++) {
        const int b = (int)r / 3, n = length ? length(b) : lab_int_at(wrong.in[4], b);
        attn_shape one = {1, 1, 1, n, 32, 0};
        float q[32];
        for (int c = 0; c < 32; c++) q[c] = (float)(wrong.in[1][r * 32 + c] * scale);
        const knobs k = {.tile = n + extra_keys, .phantom = 1};
        if (n) student_row(&k, one, q, wrong.in[2] + r * 40 * 32, wrong.in[3] + r * 40 * 32, n, wrong.got + r * 32);
    }
    examine();
    assert_says(wrong.text, words);
}

static int of_sequence0(int b) {
    const int n = lab_int_at(wrong.in[4], 0), own = lab_int_at(wrong.in[4], b);
    return n < own ? n : own;  // longer: the free slots' NaN
}

static void mistakes_of_decode_are_named(void **state) {
    (void)state;
    decode_with(NULL, 0, 1, "");
    decode_with(NULL, 0, log(2), "2^x in place of e^x");
    decode_with(NULL, 5, 1, "5 more keys of score 0");
    decode_with(of_sequence0, 0, 1, "used for every sequence");
}

// Parts of 8 keys: what should be the largest score is their sum, and the other way round.
static void parts_with_m_and_l_swapped_are_named(void **state) {
    (void)state;
    const attn_shape s = {1, 3, 1, 32, 16, 0};
    begin(&lab_decode, s);
    for (int r = 0; r < 3; r++) {
        const int n = lab_int_at(wrong.in[4], 0);
        double max = -INFINITY, l[4] = {0}, m[4], o[4][16] = {{0}}, below = 0;
        for (int part = 0; part * 8 < n; part++) {
            double score[8];
            const int end = part * 8 + 8 < n ? part * 8 + 8 : n;
            m[part] = -INFINITY;
            for (int j = part * 8; j < end; j++) {
                const float *k = wrong.in[2] + (r * 32 + j) * 16;
                score[j % 8] = 0;
                for (int d = 0; d < 16; d++) score[j % 8] += wrong.in[1][r * 16 + d] * k[d] / 4;
                m[part] = fmax(m[part], score[j % 8]);
            }
            for (int j = part * 8; j < end; j++) {
                const double p = exp(score[j % 8] - m[part]);
                l[part] += p;
                for (int d = 0; d < 16; d++) o[part][d] += p * wrong.in[3][(r * 32 + j) * 16 + d];
            }
            max = fmax(max, l[part]);
        }
        for (int d = 0; d < 16; d++) wrong.got[r * 16 + d] = 0;
        for (int part = 0; part * 8 < n; part++) below += m[part] * exp(l[part] - max);
        for (int part = 0; part * 8 < n; part++)
            for (int d = 0; d < 16; d++) wrong.got[r * 16 + d] += (float)(exp(l[part] - max) * o[part][d] / below);
    }
    examine();
    assert_says(wrong.text, "m and l are swapped");
}

// ---- Append

// The token of head bh goes into that row of the cache; its length grows by `more`. K and V may be swapped.
static void append_with(size_t (*row)(size_t bh, int length), int more, int swap, const char *words) {
    const attn_shape s = {3, 2, 1, 12, 8, 0};
    const size_t kv = 3 * 2 * 12 * 8;
    begin(&lab_cache_append, s);
    memcpy(wrong.got, wrong.in[1], wrong.n * sizeof *wrong.got);
    for (size_t bh = 0; bh < 6; bh++) {
        const int length = lab_int_at(wrong.in[1] + 2 * kv, bh / 2);
        const size_t at = row(bh, length) * 8;
        if (length == 12) continue;
        memcpy(wrong.got + swap * kv + at, wrong.in[2] + bh * 8, 8 * sizeof(float));
        memcpy(wrong.got + !swap * kv + at, wrong.in[3] + bh * 8, 8 * sizeof(float));
        const int32_t grown = length + more;
        if (bh % 2 == 0) memcpy(wrong.got + 2 * kv + bh / 2, &grown, sizeof grown);
    }
    lab_op_to_floats(wrong.op, s, wrong.got);
    examine();
    assert_says(wrong.text, words);
    assert_null(strstr(wrong.text, "column"));
}

static size_t right_row(size_t bh, int length) { return bh * 12 + length; }
static size_t next_row(size_t bh, int length) { return bh * 12 + (length + 1) % 12; }
static size_t two_rows_on(size_t bh, int length) { return bh * 12 + (length + 2) % 12; }
static size_t other_head(size_t bh, int length) { return (bh ^ 1) * 12 + length; }
static size_t same_slot(size_t bh, int length) { return (bh == 3 ? 2 : bh) * 12 + length; }

static void an_append_says_where_its_token_lies(void **state) {
    (void)state;
    append_with(right_row, 1, 0, "");
    append_with(next_row, 1, 0, "stored in slot lengths[b] + 1, one slot too far");
    append_with(two_rows_on, 1, 0, "k_new of sequence 0, head 0 belongs into slot");
    append_with(two_rows_on, 1, 0, "(lengths[b] before the call) and lies in slot");
    append_with(other_head, 1, 0, "of sequence 0, head 1");
    append_with(right_row, 1, 1, "and lies in V_cache");
    append_with(same_slot, 1, 0, "k_new of sequence");
    append_with(right_row, 0, 0, "one thread adds 1 to it");
    append_with(right_row, 2, 0, "once for all heads");
}

// ---- Softmax

// exp(t x), divided by the sum over the first n columns.
static void softmax_with(double t, int n, const char *words) {
    begin(&lab_softmax_batched, (attn_shape){1, 1, 6, 300, 8, 0});
    for (int r = 0; r < 6; r++) {
        const float *x = wrong.in[1] + r * 300;
        double sum = 0;
        for (int c = 0; c < n; c++) sum += exp(t * x[c]);
        for (int c = 0; c < 300; c++) wrong.got[r * 300 + c] = (float)(exp(t * x[c]) / sum);
    }
    examine();
    assert_says(wrong.text, words);
}

static void mistakes_of_softmax_are_named(void **state) {
    (void)state;
    softmax_with(1, 300, "");
    softmax_with(log(2), 300, "2^x in place of e^x");
    softmax_with(0.5, 300, "exp(0.5 x)");
    softmax_with(1, 256, "the first 256 columns alone: a row has 300");
}

// ---- Products

static void products_that_are_missing_are_counted(void **state) {
    (void)state;
    static const lab_op *const ops[] = {&lab_gemm_nt, &lab_gemm_nn};
    const attn_shape s = {2, 1, 9, 11, 21, 0}, short_k = {2, 1, 9, 11, 16, 0};
    for (int o = 0; o < 2; o++) {
        begin(ops[o], s);
        float a[2 * 9 * 16], b[2 * 11 * 16];
        double out[2 * 9 * 11];
        for (int r = 0; r < 18; r++) memcpy(a + r * 16, wrong.in[1] + r * 21, 16 * sizeof *a);
        for (int r = 0; r < 22 && o == 0; r++) memcpy(b + r * 16, wrong.in[2] + r * 21, 16 * sizeof *b);
        for (int g = 0; g < 2 && o == 1; g++) memcpy(b + g * 176, wrong.in[2] + g * 231, 176 * sizeof *b);
        const float *const in[LAB_MAX_TENSORS] = {NULL, a, b};
        assert_true(ops[o]->oracle(short_k, NULL, in, 0, out));
        hand_in(out);
        examine();
        assert_says(wrong.text, "the first 16 of k = 21 products");
        assert_true(ops[o]->oracle(s, NULL, (const float *const *)wrong.in, 3, out));
        hand_in(out);
        examine();
        assert_says(wrong.text, "the B of batch 0 for every batch");
        assert_true(ops[!o]->oracle(s, NULL, (const float *const *)wrong.in, 0, out));
        hand_in(out);
        examine();
        assert_says(wrong.text, o ? "A B^T in place of A B" : "A B in place of A B^T");
    }
}

// ---- Small functions of tasks 5 and 6

static void a_log_sum_exp_of_another_formula_is_named(void **state) {
    (void)state;
    begin_claim("task5", "a_split_says_its_log_sum_exp");
    for (size_t j = 0; j < wrong.n; j++)
        if (wrong.in[1][2 * j + 1] > 0) wrong.got[j] = logf(wrong.in[1][2 * j] + wrong.in[1][2 * j + 1]);
    says("matches L = log(m + l): it is m + log(l)");
}

static void lengths_that_nobody_sets_are_counted(void **state) {
    (void)state;
    for (int set = 1; set <= 3; set += 2) {
        begin_claim("task6", "the_tokens_of_a_prompt_are_counted");
        lab_poison(wrong.got + set, wrong.n - set);
        says(set == 1 ? "the length of sequence 0 alone" : "the lengths of the first H sequences");
    }
}

static void lengths_added_to(int times, const char *words) {
    begin_claim("task6", "the_tokens_of_a_prompt_are_counted");
    for (size_t b = 0; b < wrong.n; b++) {
        const int32_t sum = (int32_t)LAB_POISON + times * lab_int_at(wrong.in[1], b);
        memcpy(wrong.got + b, &sum, sizeof sum);
    }
    lab_op_to_floats(wrong.op, wrong.shape, wrong.got);
    says(words);
}

static void lengths_that_are_added_to_are_told(void **state) {
    (void)state;
    lengths_added_to(1, "set it before you add to it");
    lengths_added_to(2, "a token is counted 2 times: one thread of a sequence sets lengths[b]");
    lengths_added_to(3, "matches a token that is counted once for each head");
}

// Two tokens of 8 numbers, each number in a slot of its own.
static void numbers_of_a_token_that_lie_apart_are_named(void **state) {
    (void)state;
    begin_claim("task6", "two_tokens_are_stored");
    memcpy(wrong.got, wrong.in[1], wrong.n * sizeof *wrong.got);
    for (int i = 0; i < 16; i++) wrong.got[i * 8] = wrong.in[2][i];
    says("matches the numbers of a token that are stored D numbers apart: they are 1 apart");
}

int main(void) {
    const struct CMUnitTest claims[] = {
        CLAIM(mistakes_of_decode_are_named),          CLAIM(parts_with_m_and_l_swapped_are_named),
        CLAIM(an_append_says_where_its_token_lies),   CLAIM(mistakes_of_softmax_are_named),
        CLAIM(products_that_are_missing_are_counted), CLAIM(a_log_sum_exp_of_another_formula_is_named),
        CLAIM(lengths_that_nobody_sets_are_counted),  CLAIM(numbers_of_a_token_that_lie_apart_are_named),
        CLAIM(lengths_that_are_added_to_are_told),
    };
    return cmocka_run_group_tests_name("explain_steps", claims, NULL, release);
}
