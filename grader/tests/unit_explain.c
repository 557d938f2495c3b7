// unit_explain.c: a student's attention with one thing wrong, for whole families of mistakes: the number that is fitted,
// the step of the online softmax that is missing. grader/core/diagnose/rows/wrong_rows.c, fit.c and online.c.
#include "unit.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "symptom.h"
#include "students_attention.h"

static void student(const lab_op *op, attn_shape s, const knobs *k) {
    begin(op, s);
    for (size_t r = 0; r < wrong.n / s.head_dim; r++) {
        const size_t head = r / s.seq_q * s.seq_kv * s.head_dim;
        const int i = (int)(r % s.seq_q), place = k->group_mask ? i % k->tile_mask % k->group_mask : 0,
                  query = k->group_mask  ? i - i % k->tile_mask + place
                          : k->tile_mask ? i % k->tile_mask
                                         : i;
        student_row(k, s, wrong.in[1] + r * s.head_dim, wrong.in[2] + head, wrong.in[3] + head,
                    s.causal ? query + 1 + s.seq_kv - s.seq_q : s.seq_kv, wrong.got + r * s.head_dim);
    }
    examine();
}

static const attn_shape FULL = {2, 3, 24, 24, 32, 0}, CAUSAL = {2, 3, 48, 48, 32, 1}, RAGGED = {1, 2, 37, 37, 40, 0};

#define SAYS(shape, words, ...)                                                                                        \
    do {                                                                                                               \
        const knobs k = {__VA_ARGS__};                                                                                 \
        student(&lab_flash, shape, &k);                                                                                \
        assert_says(wrong.text, words);                                                                                \
        student(&lab_sdpa, shape, &k);                                                                                 \
        assert_says(wrong.text, words);                                                                                \
    } while (0)

static void the_students_attention_is_right_without_a_mistake(void **state) {
    (void)state;
    const attn_shape shapes[] = {FULL, CAUSAL, RAGGED};
    for (int i = 0; i < 3; i++)
        for (int tile = 0; tile <= 32; tile += 16) {
            const knobs k = {.tile = tile};
            student(&lab_flash, shapes[i], &k);
            assert_string_equal(wrong.text, "");
        }
}

static void a_wrong_scale_is_named(void **state) {
    (void)state;
    SAYS(FULL, "2^x in place of e^x", .scale = log(2));
    SAYS(FULL, "under an exponential that is not exp2f", .scale = 1 / log(2));
    SAYS(FULL, "1/sqrt(H * D)", .scale = 1 / sqrt(3));
    SAYS(FULL, "multiplied by sqrt(D)", .scale = 32);
    SAYS(RAGGED, "root taken as a whole number", .scale = sqrt(40) / 6);
    SAYS(FULL, "1/sqrt(seq_kv)", .scale = sqrt(32.0 / 24));
    SAYS(CAUSAL, "1.3 times the right ones", .scale = 1.3);
    SAYS(CAUSAL, "or is the mean of 16 parts taken in place of their sum?", .scale = 1.0 / 16);
    SAYS(CAUSAL, "or does each product count 2 times?", .scale = 2);
}

static void keys_that_are_not_there_are_counted(void **state) {
    (void)state;
    SAYS(RAGGED, "11 more keys of score 0", .tile = 16, .phantom = 1);
    SAYS(FULL, "8 more keys of score 0", .tile = 32, .phantom = 1);
}

static void a_constant_factor_is_named(void **state) {
    (void)state;
    SAYS(FULL, "1/seq_kv times the right one", .output = 1 / 24.0);
    SAYS(FULL, "1/32 times the right one", .output = 1 / 32.0);
    SAYS(FULL, "0.9 times the right one", .output = 0.9);
}

static void a_missing_step_of_the_online_softmax_is_named(void **state) {
    (void)state;
    SAYS(RAGGED, "O that is not rescaled by exp(m_old - m_new)", .tile = 16, .no_o = 1);
    SAYS(RAGGED, "l that is not rescaled by exp(m_old - m_new)", .tile = 8, .no_l = 1);
    SAYS(CAUSAL, "O and l that are not rescaled", .tile = 16, .no_o = 1, .no_l = 1);
    SAYS(CAUSAL, "tiles of 16 keys", .tile = 16, .no_o = 1);
    SAYS(RAGGED, "O that is rescaled after", .tile = 16, .late_o = 1);
    SAYS(RAGGED, "l that is rescaled after", .tile = 16, .late_l = 1);
    SAYS(RAGGED, "l of the last tile alone", .tile = 16, .l_anew = 1);
    SAYS(RAGGED, "O of the last tile alone", .tile = 16, .o_anew = 1);
    SAYS(RAGGED, "what earlier tiles gave is lost", .tile = 16, .o_anew = 1, .l_anew = 1);
    SAYS(RAGGED, "key by key", .tile = 1, .no_l = 1);
}

static void a_mask_by_the_place_in_the_tile_is_named(void **state) {
    (void)state;
    SAYS(CAUSAL, "a row's place in its tile (of 16 rows)", .tile_mask = 16);
    SAYS(CAUSAL, "the same for each group of 4 rows of a tile", .tile_mask = 16, .group_mask = 4);
}

// Row i0 + r of a tile of 16 queries and 16 keys has, for key k0 + c, the score of query i0 + c with key k0 + r.
static void a_transposed_tile_is_named(void **state) {
    (void)state;
    const attn_shape s = {1, 2, 48, 48, 32, 0};
    begin(&lab_flash, s);
    for (int r = 0; r < 2 * 48; r++) {
        const float *q = wrong.in[1] + r / 48 * 48 * 32, *K = wrong.in[2] + r / 48 * 48 * 32,
                    *V = wrong.in[3] + r / 48 * 48 * 32;
        const int i = r % 48, i0 = i / 16 * 16;
        double o[32] = {0}, sum = 0;
        for (int j = 0; j < 48; j++) {
            double dot = 0;
            for (int d = 0; d < 32; d++) dot += q[(i0 + j % 16) * 32 + d] * K[(j - j % 16 + i - i0) * 32 + d];
            const double p = exp(dot / sqrt(32));
            sum += p;
            for (int d = 0; d < 32; d++) o[d] += p * V[j * 32 + d];
        }
        for (int d = 0; d < 32; d++) wrong.got[r * 32 + d] = (float)(o[d] / sum);
    }
    examine();
    assert_says(wrong.text, "a tile of scores (16 x 16) that is transposed");
}

// 16 x 16 threads, and tiles of 32 x 32: row ty * 2 + a of a tile has, for key k0 + tx + 16 b, the score of query i0 + tx + 16 a
// with key k0 + ty * 2 + b.
static void threads_that_exchange_query_and_key_are_named(void **state) {
    (void)state;
    begin(&lab_flash, (attn_shape){1, 2, 64, 64, 32, 0});
    for (int r = 0; r < 2 * 64; r++) {
        const float *q = wrong.in[1] + r / 64 * 64 * 32, *K = wrong.in[2] + r / 64 * 64 * 32,
                    *V = wrong.in[3] + r / 64 * 64 * 32;
        const int i0 = r % 64 / 32 * 32, ty = r % 32 / 2, a = r % 2;
        double o[32] = {0}, sum = 0;
        for (int j = 0; j < 64; j++) {
            const int i = i0 + j % 16 + 16 * a, key = j / 32 * 32 + ty * 2 + j % 32 / 16;
            double dot = 0;
            for (int d = 0; d < 32; d++) dot += q[i * 32 + d] * K[key * 32 + d];
            const double p = exp(dot / sqrt(32));
            sum += p;
            for (int d = 0; d < 32; d++) o[d] += p * V[j * 32 + d];
        }
        for (int d = 0; d < 32; d++) wrong.got[r * 32 + d] = (float)(o[d] / sum);
    }
    examine();
    assert_says(wrong.text, "matches scores whose threads exchange query and key");
}

// ---- Others

// Query n of all is taken for one of head n / seq_kv, causal or not.
static void queries_counted_as_keys_are_named(void **state) {
    (void)state;
    for (int causal = 0; causal < 2; causal++) {
        const attn_shape s = {1, 3, 37, 53, 32, causal};
        begin(&lab_flash, s);
        double o[32], p[53];
        for (int n = 0; n < 3 * 37; n++) {
            const size_t kv = (size_t)(n / 53) * 53 * 32;
            const int sees = causal && n % 53 + 17 < 53 ? n % 53 + 17 : 53;
            const attn_shape one = {1, 1, 1, sees, 32, 0};
            lab_oracle_row(o, wrong.in[1] + n * 32, wrong.in[2] + kv, wrong.in[3] + kv, one, 0, 0, 0, LAB_NO_MISTAKE,
                           p);
            for (int d = 0; d < 32; d++) wrong.got[n * 32 + d] = (float)o[d];
        }
        says("matches seq_kv taken for the number of queries");
    }
}

static void columns_that_are_right_are_listed(void **state) {
    (void)state;
    begin(&lab_flash, (attn_shape){1, 2, 24, 24, 64, 0});
    for (size_t i = 0; i < wrong.n; i++) wrong.got[i] = i % 32 ? 0.31f * (float)wrong.want[i] + 0.2f : wrong.got[i];
    examine();
    assert_says(wrong.text, "only columns 0, 32, 64, ...");
    begin(&lab_flash, (attn_shape){1, 2, 24, 24, 64, 0});
    for (size_t i = 0; i < wrong.n; i++)  // all even ones are right, and of the odd ones one
        if (i % 2 && i % 64 != 7) wrong.got[i] = 0.31f * (float)wrong.want[i] + 0.2f;
    examine();
    assert_null(strstr(wrong.text, "only columns 0"));
    begin(&lab_flash, FULL);
    for (size_t i = 0; i < wrong.n; i++) wrong.got[i] = (float)wrong.want[i / 32 * 32 + (i * 7 + 3) % 32];
    examine();
    assert_says(wrong.text, "columns in other places");
}

static void what_was_there_before_is_recognised(void **state) {
    (void)state;
    begin(&lab_flash, FULL);
    volatile float before[4];
    lab_poison((float *)before, 4);
    for (size_t i = 0; i < wrong.n; i++) wrong.got[i] += before[i % 4];
    examine();
    assert_says(wrong.text, "computed from what the output held before the call");
    lab_poison(wrong.got, 5);
    examine();
    assert_says(wrong.text, "5 elements were never written");
}

// Finite rows tell which mistake made the others NaN.
static void nan_does_not_end_the_search(void **state) {
    (void)state;
    begin(&lab_flash, CAUSAL);
    double *out = malloc(wrong.n * sizeof *out);
    assert_true(lab_flash.oracle(CAUSAL, NULL, (const float *const *)wrong.in, LAB_MASK_MINUS_ONE, out));
    hand_in(out);
    free(out);
    for (size_t head = 0; head < 6; head++)  // its first query sees no key at all: 0 / 0
        for (size_t c = 0; c < 32; c++) wrong.got[head * 48 * 32 + c] = NAN;
    assert_int_equal(examine().verdict, LAB_NOT_FINITE);
    assert_says(wrong.text, "misses its last key");
}

// What nobody can explain gets no name: noise, and rows that a race has spoiled.
static void noise_is_not_explained(void **state) {
    (void)state;
    for (uint64_t seed = 0; seed < 40; seed++) {
        begin(&lab_flash, seed % 2 ? CAUSAL : FULL);
        for (size_t i = 0; i < wrong.n; i++)
            if (seed % 4 < 2 || i / 32 % 3 == 0)
                wrong.got[i] += 0.2f * ((float)(lab_bits(seed, i) % 1000) / 1000 - 0.5f);
        examine();
        assert_null(strstr(wrong.text, "matches"));
        assert_null(strstr(wrong.text, "times"));
    }
}

int main(void) {
    const struct CMUnitTest claims[] = {
        CLAIM(the_students_attention_is_right_without_a_mistake),
        CLAIM(a_wrong_scale_is_named),
        CLAIM(keys_that_are_not_there_are_counted),
        CLAIM(a_constant_factor_is_named),
        CLAIM(a_missing_step_of_the_online_softmax_is_named),
        CLAIM(a_mask_by_the_place_in_the_tile_is_named),
        CLAIM(a_transposed_tile_is_named),
        CLAIM(threads_that_exchange_query_and_key_are_named),
        CLAIM(queries_counted_as_keys_are_named),
        CLAIM(columns_that_are_right_are_listed),
        CLAIM(what_was_there_before_is_recognised),
        CLAIM(nan_does_not_end_the_search),
        CLAIM(noise_is_not_explained),
    };
    return cmocka_run_group_tests_name("explain", claims, NULL, release);
}
