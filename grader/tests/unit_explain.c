// unit_explain.c: a student's attention with one thing wrong, for whole families of mistakes: the number that is fitted,
// the step of the online softmax that is missing. grader/core/wrong_rows.c, fit.c and online.c.
#include "unit.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "symptom.h"

enum { MOST = 512 };

// Attention as a student writes it, in float32, with knobs. 0 is right for each.
typedef struct {
    double scale, output;  // factors; 0: none
    int tile;              // keys of a tile; 0: all of them in one
    int no_o, no_l;        // O, l not rescaled
    int late_o, late_l;    // rescaled after this tile was added
    int o_anew, l_anew;    // set by each tile, not added to
    int phantom;           // keys behind the end of the last tile have score 0
    int tile_mask;         // the mask counts queries from the first of their tile of so many
} knobs;

static double factor(double f) { return f != 0 ? f : 1; }

static void student_row(const knobs *k, attn_shape s, const float *q, const float *K, const float *V, int seen,
                        float *o) {
    const int D = s.head_dim, tile = k->tile ? k->tile : s.seq_kv;
    float m = -INFINITY, l = 0, p[MOST];
    for (int c = 0; c < D; c++) o[c] = 0;
    for (int from = 0; from < s.seq_kv; from += tile) {
        float m_new = m, sum = 0;
        for (int j = from; j < from + tile; j++) {
            float dot = 0;
            for (int c = 0; c < D && j < s.seq_kv; c++) dot += q[c] * K[j * D + c];
            p[j - from] = j < seen                      ? dot * (float)(factor(k->scale) / sqrt(D))
                          : k->phantom && j >= s.seq_kv ? 0
                                                        : -INFINITY;
            m_new = fmaxf(m_new, p[j - from]);
        }
        if (m_new == -INFINITY) continue;
        const float a = expf(m - m_new);
        for (int j = 0; j < tile; j++) sum += p[j] = expf(p[j] - m_new);
        l = k->l_anew ? sum : k->late_l ? a * (l + sum) : k->no_l ? l + sum : a * l + sum;
        for (int c = 0; c < D; c++) {
            float add = 0;
            for (int j = from; j < from + tile && j < s.seq_kv; j++) add += p[j - from] * V[j * D + c];
            o[c] = k->o_anew ? add : k->late_o ? a * (o[c] + add) : k->no_o ? o[c] + add : a * o[c] + add;
        }
        m = m_new;
    }
    for (int c = 0; c < D; c++) o[c] *= (float)factor(k->output) / l;
}

static void student(const lab_op *op, attn_shape s, const knobs *k) {
    begin(op, s);
    for (size_t r = 0; r < wrong.n / s.head_dim; r++) {
        const size_t head = r / s.seq_q * s.seq_kv * s.head_dim;
        const int i = (int)(r % s.seq_q), query = k->tile_mask ? i % k->tile_mask : i;
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
static size_t other_head(size_t bh, int length) { return (bh ^ 1) * 12 + length; }
static size_t same_slot(size_t bh, int length) { return (bh == 3 ? 2 : bh) * 12 + length; }

static void an_append_says_where_its_token_lies(void **state) {
    (void)state;
    append_with(right_row, 1, 0, "");
    append_with(next_row, 1, 0, "k_new of sequence 0, head 0 belongs into slot");
    append_with(next_row, 1, 0, "(lengths[b] before the call) and lies in slot");
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

// ---- Others

static void columns_that_are_right_are_listed(void **state) {
    (void)state;
    begin(&lab_flash, (attn_shape){1, 2, 24, 24, 64, 0});
    for (size_t i = 0; i < wrong.n; i++) wrong.got[i] = i % 32 ? 0.31f * (float)wrong.want[i] + 0.2f : wrong.got[i];
    examine();
    assert_says(wrong.text, "only columns 0, 32, 64, ...");
    begin(&lab_flash, FULL);
    for (size_t i = 0; i < wrong.n; i++) wrong.got[i] = (float)wrong.want[i / 32 * 32 + (i * 7 + 3) % 32];
    examine();
    assert_says(wrong.text, "in other columns");
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
        CLAIM(mistakes_of_decode_are_named),
        CLAIM(a_transposed_tile_is_named),
        CLAIM(parts_with_m_and_l_swapped_are_named),
        CLAIM(an_append_says_where_its_token_lies),
        CLAIM(mistakes_of_softmax_are_named),
        CLAIM(products_that_are_missing_are_counted),
        CLAIM(columns_that_are_right_are_listed),
        CLAIM(what_was_there_before_is_recognised),
        CLAIM(nan_does_not_end_the_search),
        CLAIM(noise_is_not_explained),
    };
    return cmocka_run_group_tests_name("explain", claims, NULL, release);
}
