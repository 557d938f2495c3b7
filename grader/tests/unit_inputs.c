// unit_inputs.c: seeded inputs are the same bits everywhere, different where they must be, and distributed as promised.
// grader/core/inputs.c.
#include "unit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cases.h"
#include "ops.h"

// ---- the generator

// SipHash-2-4, written apart from the lab's: message words, then the last word, which holds the length.
static uint64_t turned(uint64_t x, int n) { return x << n | x >> (64 - n); }

static uint64_t siphash(uint64_t k0, uint64_t k1, const uint64_t *words, int n, uint64_t last) {
    uint64_t a = k0 ^ 0x736f6d6570736575, b = k1 ^ 0x646f72616e646f6d;
    uint64_t c = k0 ^ 0x6c7967656e657261, d = k1 ^ 0x7465646279746573;
    for (int i = 0; i <= n + 1; i++) {
        const uint64_t word = i < n ? words[i] : last;
        if (i <= n)
            d ^= word;
        else
            c ^= 0xff;
        for (int round = 0; round < (i <= n ? 2 : 4); round++) {
            a += b, b = turned(b, 13) ^ a, a = turned(a, 32), c += d, d = turned(d, 16) ^ c;
            a += d, d = turned(d, 21) ^ a, c += b, b = turned(b, 17) ^ c, c = turned(c, 32);
        }
        if (i <= n) a ^= word;
    }
    return a ^ b ^ c ^ d;
}

static void keys_are_siphash(void **state) {
    (void)state;
    // The vector of the paper's appendix A: key 00 .. 0f, message 00 .. 0e.
    const uint64_t message[] = {0x0706050403020100};
    assert_true(siphash(0x0706050403020100, 0x0f0e0d0c0b0a0908, message, 1, 0x0f0e0d0c0b0a0908) == 0xa129ca6149be45e5);
    const uint64_t words[] = {'a', 'b', 'c', 5ull << 32 | 9};
    assert_true(lab_key(77, "abc", 5, 9) == siphash(77, 0x6174746e2d6c6162, words, 4, 4ull << 56));
}

static void keys_differ_by_seed_name_tensor_and_round(void **state) {
    (void)state;
    enum { SEEDS = 3, TENSORS = 4, ROUNDS = 8 };
    const uint64_t seeds[SEEDS] = {0, 1, UINT64_MAX};
    const char *const names[] = {"", "a", "aa", "b", "causal_mask_hides_later_keys"};
    uint64_t keys[SEEDS * 5 * TENSORS * ROUNDS];
    int n = 0;
    for (int s = 0; s < SEEDS; s++)
        for (int c = 0; c < 5; c++)
            for (unsigned t = 0; t < TENSORS; t++)
                for (unsigned r = 0; r < ROUNDS; r++) keys[n++] = lab_key(seeds[s], names[c], t, r);
    for (int i = 0; i < n; i++)
        for (int k = 0; k < i; k++) assert_true(keys[i] != keys[k]);
}

// Changing these numbers changes every result that was ever published with a seed.
static void bits_are_pinned(void **state) {
    (void)state;
    assert_true(lab_key(1, "one_head_of_64_keys", 1, 0) == 0xa20a933707295519);
    assert_true(lab_bits(1234567, 0) == 6457827717110365317 &&
                lab_bits(1234567, 1) == 3203168211198807973);  // published
    assert_true(lab_bits(1, 0) == 0x910a2dec89025cc1);
    assert_true(lab_bits(1, 1) == 0xbeeb8da1658eec67);
    assert_true(lab_bits(0x123456789abcdef0, 1000000007) == 0x397f23cb4847d6e3);
}

static uint64_t hash(const float *x, size_t n) {  // FNV-1a over the bits
    uint64_t h = 0xcbf29ce484222325;
    for (size_t i = 0; i < n; i++) {
        uint32_t bits;
        memcpy(&bits, x + i, sizeof bits);
        h = (h ^ bits) * 0x100000001b3;
    }
    return h;
}

enum { MANY = 10000, ROW = 97 };
static float x[200000];

static void ten_thousand_elements_of_each_kind_are_pinned(void **state) {
    (void)state;
    const uint64_t pinned[] = {[LAB_NORMAL] = 0x2d8312129ee753e5,
                               [LAB_LARGE] = 0x5b0a8876dee753e5,
                               [LAB_SCORES] = 0xcfc4668ecc5f02e5,
                               [LAB_OFFSET] = 0x127dcc482182ab4};
    const uint32_t first[] = {
        [LAB_NORMAL] = 0x3e324000, [LAB_LARGE] = 0x40324000, [LAB_SCORES] = 0x3f324000, [LAB_OFFSET] = 0x447a0b24};
    for (int kind = LAB_NORMAL; kind <= LAB_OFFSET; kind++) {
        uint32_t bits;
        lab_fill(x, MANY, ROW, kind, 20261120);
        memcpy(&bits, x, sizeof bits);
        assert_int_equal(bits, first[kind]);
        if (hash(x, MANY) != pinned[kind]) fail_msg("kind %d: 0x%llx", kind, (unsigned long long)hash(x, MANY));
    }
}

static void a_prefix_does_not_depend_on_the_length(void **state) {
    (void)state;
    for (int kind = LAB_NORMAL; kind <= LAB_OFFSET; kind++) {
        lab_fill(x, MANY, ROW, kind, 5);
        const uint64_t h = hash(x, 123);
        lab_fill(x, 123, ROW, kind, 5);
        assert_true(hash(x, 123) == h);
    }
}

// ---- what is in them

static void moments(const float *v, size_t n, double *mean, double *variance) {
    double sum = 0, squares = 0;
    for (size_t i = 0; i < n; i++) sum += v[i];
    *mean = sum / n;
    for (size_t i = 0; i < n; i++) squares += (v[i] - *mean) * (v[i] - *mean);
    *variance = squares / n;
}

static int is_peak(int k) {
    const int row = k / ROW % 8, column = k % ROW;
    return (row == 6 && column == ROW - 1) || (row == 7 && column == 0);
}

// 200,000 samples: the mean's standard error is 0.0022, the variance's 0.0032 times the variance. Bounds of 5 of them.
static void moments_are_those_of_a_normal_distribution(void **state) {
    (void)state;
    const double deviation[] = {[LAB_NORMAL] = 1, [LAB_LARGE] = 16, [LAB_OFFSET] = 1};
    const lab_input_kind kinds[] = {LAB_NORMAL, LAB_LARGE, LAB_OFFSET};
    for (int i = 0; i < 3; i++) {
        double mean, variance, d = deviation[kinds[i]];
        lab_fill(x, 200000, ROW, kinds[i], 11 + i);
        for (int k = 0; kinds[i] == LAB_OFFSET && k < 200000; k++)
            x[k] -= (k / ROW % 2 ? -1000 : 1000) + (is_peak(k) ? LAB_OFFSET_PEAK : 0);
        moments(x, 200000, &mean, &variance);
        assert_true(fabs(mean) < 0.011 * d);
        assert_true(fabs(variance / d / d - 1) < 0.016);
    }
}

static void normals_are_exact_and_bounded(void **state) {
    (void)state;
    lab_fill(x, 200000, ROW, LAB_NORMAL, 3);
    for (int i = 0; i < 200000; i++) {
        assert_true(fabsf(x[i]) < 6);
        assert_true(x[i] * 65536 == rintf(x[i] * 65536));
    }
}

static void masked_scores_leave_a_finite_one_in_each_row(void **state) {
    (void)state;
    const size_t widths[] = {1, 2, 97, 1009};
    for (int w = 0; w < 4; w++) {
        size_t masked = 0;
        lab_fill(x, 200000, widths[w], LAB_SCORES, w);
        for (size_t i = 0; i < 200000; i++) {
            masked += isinf(x[i]) && x[i] < 0;
            const int begins_masked = widths[w] > 2 && i / widths[w] % 8 == 5 && i % widths[w] < 3;
            if (begins_masked) assert_int_equal(isinf(x[i]) != 0, i % widths[w] < 2);
            assert_true(isfinite(x[i]) || ((begins_masked || i % widths[w]) && x[i] < 0));
        }
        if (widths[w] > 90) assert_true(masked > 0.24 * 200000 && masked < 0.26 * 200000);
        if (widths[w] == 1) assert_int_equal(masked, 0);
    }
}

// ---- what differs

static double correlation(const float *a, const float *b, size_t n) {
    double ab = 0, aa = 0, bb = 0;
    for (size_t i = 0; i < n; i++) ab += a[i] * b[i], aa += a[i] * a[i], bb += b[i] * b[i];
    return ab / sqrt(aa * bb);
}

static void every_batch_head_and_tensor_has_its_own_data(void **state) {
    (void)state;
    const attn_shape shape = {2, 4, 64, 64, 32, 0};
    enum { HEAD = 64 * 32, SLABS = 3 * 8 };
    for (int t = 1; t <= 3; t++)
        lab_op_fill(&lab_sdpa, shape, NULL, t, LAB_NORMAL, lab_key(1, "unit", t, 0), x + (t - 1) * 8 * HEAD);
    for (int i = 0; i < SLABS; i++)
        for (int k = 0; k < i; k++) assert_true(fabs(correlation(x + i * HEAD, x + k * HEAD, HEAD)) < 0.15);
}

static void rounds_and_seeds_give_fresh_inputs(void **state) {
    (void)state;
    for (unsigned i = 0; i < 20; i++)
        lab_fill(x + i * MANY, MANY, ROW, LAB_NORMAL, i < 10 ? lab_key(1, "unit", 1, i) : lab_key(i, "unit", 1, 0));
    for (int i = 0; i < 20; i++)
        for (int k = 0; k < i; k++) assert_true(fabs(correlation(x + i * MANY, x + k * MANY, MANY)) < 0.06);
}

static void large_inputs_make_large_scores_and_small_values(void **state) {
    (void)state;
    const attn_shape shape = {1, 1, 64, 64, 64, 0};
    double mean, variance;
    for (int t = 1; t <= 3; t++) {
        lab_op_fill(&lab_sdpa, shape, NULL, t, LAB_LARGE, lab_key(1, "unit", t, 0), x);
        moments(x, 64 * 64, &mean, &variance);
        assert_true(t < 3 ? variance > 200 : variance < 1.2);  // Q and K, not V
    }
}

int main(void) {
    const struct CMUnitTest claims[] = {
        CLAIM(keys_are_siphash),
        CLAIM(keys_differ_by_seed_name_tensor_and_round),
        CLAIM(bits_are_pinned),
        CLAIM(ten_thousand_elements_of_each_kind_are_pinned),
        CLAIM(a_prefix_does_not_depend_on_the_length),
        CLAIM(moments_are_those_of_a_normal_distribution),
        CLAIM(normals_are_exact_and_bounded),
        CLAIM(masked_scores_leave_a_finite_one_in_each_row),
        CLAIM(every_batch_head_and_tensor_has_its_own_data),
        CLAIM(rounds_and_seeds_give_fresh_inputs),
        CLAIM(large_inputs_make_large_scores_and_small_values),
    };
    return cmocka_run_group_tests_name("inputs", claims, NULL, NULL);
}
