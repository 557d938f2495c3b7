// unit_check.c: the comparison that decides every exercise, to the edge. grader/core/check.c and verdict.c.
#include "unit.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "check.h"

enum { N = 100 };

static float got[N];
static double want[N];

static float from_bits(uint32_t bits) {
    float x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

// An output of ones that equals its oracle.
static int ones(void **state) {
    (void)state;
    for (int i = 0; i < N; i++) got[i] = 1, want[i] = 1;
    return 0;
}

static lab_comparison compare(size_t n) { return lab_compare(got, want, n, LAB_TOLERANCE); }

static void equal_outputs_pass(void **state) {
    (void)state;
    const lab_comparison r = compare(N);
    assert_int_equal(r.verdict, LAB_PASSED);
    assert_true(r.max_err == 0 && r.rms_rel_err == 0);
    assert_int_equal(r.first_bad, N);
    assert_int_equal(r.bad_elements + r.not_finite + r.unwritten, 0);
}

static void an_empty_output_never_passes(void **state) {
    (void)state;
    assert_int_equal(compare(0).verdict, LAB_GRADER_ERROR);
}

static void one_element_is_compared(void **state) {
    (void)state;
    assert_int_equal(compare(1).verdict, LAB_PASSED);
    got[0] = 1.002f;
    assert_int_equal(compare(1).verdict, LAB_WRONG_ANSWER);
}

static void an_error_equal_to_the_tolerance_fails(void **state) {
    (void)state;
    got[7] = 0, want[7] = LAB_TOLERANCE;
    lab_comparison r = compare(N);
    assert_int_equal(r.verdict, LAB_WRONG_ANSWER);
    assert_int_equal(r.bad_elements, 1);
    assert_int_equal(r.first_bad, 7);
    want[7] = -LAB_TOLERANCE;
    assert_int_equal(compare(N).verdict, LAB_WRONG_ANSWER);
}

static void an_error_one_ulp_below_the_tolerance_passes(void **state) {
    (void)state;
    got[7] = 0, want[7] = nextafter(LAB_TOLERANCE, 0);
    assert_int_equal(compare(N).verdict, LAB_PASSED);
    want[7] = nextafter(LAB_TOLERANCE, 1);
    assert_int_equal(compare(N).verdict, LAB_WRONG_ANSWER);
}

static void a_nan_fails_wherever_it_stands(void **state) {
    for (size_t n = 1; n <= N; n++)
        for (size_t at = 0; at < n; at++) {
            ones(state);
            got[at] = NAN;
            const lab_comparison r = compare(n);
            assert_int_equal(r.verdict, LAB_NOT_FINITE);
            assert_int_equal(r.first_bad, at);
            assert_int_equal(r.not_finite, 1);
        }
}

static void every_kind_of_nan_and_inf_fails(void **state) {
    const uint32_t patterns[] = {0x7fc00000, 0xffc00000, 0x7f800001, 0xff800001, 0x7fffffff, 0x7f800000, 0xff800000};
    for (size_t i = 0; i < sizeof patterns / sizeof *patterns; i++) {
        ones(state);
        got[N - 1] = from_bits(patterns[i]);
        assert_int_equal(compare(N).verdict, LAB_NOT_FINITE);
        want[N - 1] = got[N - 1];  // not even where the oracle says the same
        assert_int_equal(compare(N).verdict, LAB_NOT_FINITE);
    }
}

static void finiteness_follows_the_bits(void **state) {
    (void)state;
    for (uint32_t exponent = 0; exponent < 256; exponent++)
        for (uint32_t mantissa = 0; mantissa < 1 << 23; mantissa = 2 * mantissa + 1) {
            const uint32_t bits = exponent << 23 | mantissa;
            assert_int_equal(!!lab_is_finite(from_bits(bits)), exponent < 255);
            assert_int_equal(!!lab_is_finite(from_bits(bits | 0x80000000)), exponent < 255);
        }
}

static void the_largest_float_is_an_error_and_not_an_overflow(void **state) {
    (void)state;
    got[3] = -FLT_MAX;
    const lab_comparison r = compare(N);
    assert_int_equal(r.verdict, LAB_WRONG_ANSWER);
    assert_true(isfinite(r.max_err) && r.max_err > 3e38 && isfinite(r.rms_rel_err));
}

static void denormals_and_negative_zero_are_numbers(void **state) {
    (void)state;
    got[0] = FLT_TRUE_MIN, want[0] = 0;
    got[1] = -0.0f, want[1] = 0;
    got[2] = 0, want[2] = -FLT_TRUE_MIN;
    assert_int_equal(compare(N).verdict, LAB_PASSED);
}

static void where_the_oracle_is_zero_only_zeros_pass(void **state) {
    (void)state;
    for (int i = 0; i < N; i++) got[i] = i % 2 ? 0.0f : -0.0f, want[i] = 0;
    assert_int_equal(compare(N).verdict, LAB_PASSED);
    assert_true(compare(N).rms_rel_err == 0);
    got[50] = 1e-4f;  // far below max_err's tolerance
    assert_int_equal(compare(N).verdict, LAB_WRONG_ANSWER);
    assert_true(isinf(compare(N).rms_rel_err));
    got[50] = FLT_TRUE_MIN;
    assert_int_equal(compare(N).verdict, LAB_WRONG_ANSWER);
}

static void a_small_output_wrong_by_a_percent_fails(void **state) {
    (void)state;
    for (int i = 0; i < N; i++) want[i] = i % 2 ? 0.026 : -0.026;
    for (int i = 0; i < N; i++) got[i] = (float)(want[i] * 1.009);
    assert_int_equal(compare(N).verdict, LAB_PASSED);
    for (int i = 0; i < N; i++) got[i] = (float)(want[i] * 1.011);
    const lab_comparison r = compare(N);
    assert_true(r.max_err < LAB_TOLERANCE && r.bad_elements == 0);
    assert_true(r.rms_rel_err > 0.0109 && r.rms_rel_err < 0.0111);
    assert_int_equal(r.verdict, LAB_WRONG_ANSWER);
}

static void one_bad_element_among_right_ones_fails(void **state) {
    (void)state;
    got[99] = 1.0011f;  // rms error 0.01 %
    assert_true(compare(N).rms_rel_err < LAB_RMS_TOLERANCE);
    assert_int_equal(compare(N).verdict, LAB_WRONG_ANSWER);
}

static void bad_elements_are_counted_and_the_first_is_named(void **state) {
    (void)state;
    got[12] = 2, got[40] = NAN, got[41] = -INFINITY, got[99] = 0;
    const lab_comparison r = compare(N);
    assert_int_equal(r.bad_elements, 4);
    assert_int_equal(r.not_finite, 2);
    assert_int_equal(r.first_bad, 12);
    assert_true(r.max_err == 1);  // over the finite ones
}

static void unwritten_is_told_from_a_computed_nan(void **state) {
    (void)state;
    lab_poison(got + 90, 10);
    lab_comparison r = compare(N);
    assert_int_equal(r.unwritten, 10);
    assert_int_equal(r.first_bad, 90);
    assert_int_equal(r.verdict, LAB_WRONG_ANSWER);
    got[0] = NAN;  // computed
    r = compare(N);
    assert_int_equal(r.unwritten, 10);
    assert_int_equal(r.not_finite, 11);
    assert_int_equal(r.verdict, LAB_NOT_FINITE);
    assert_int_not_equal(LAB_POISON, 0x7fc00000);  // the NaN that arithmetic makes
    assert_false(lab_is_finite(from_bits(LAB_POISON)));
}

static void damage_to_any_word_of_a_guard_band_is_seen(void **state) {
    (void)state;
    uint32_t guard[64];
    for (int i = 0; i < 64; i++)
        for (int bit = 0; bit < 32; bit++) {
            lab_guard_fill(guard, 64);
            assert_int_equal(lab_guard_damage(guard, 64), 0);
            guard[i] ^= 1u << bit;
            assert_int_equal(lab_guard_damage(guard, 64), 1);
        }
    assert_int_equal(lab_guard_damage(guard, 0), 0);
}

static void a_shifted_guard_band_is_damage(void **state) {
    (void)state;
    uint32_t guard[65];
    lab_guard_fill(guard, 65);
    assert_int_equal(lab_guard_damage(guard + 1, 64), 64);
    for (int i = 1; i < 65; i++) assert_int_not_equal(guard[i], guard[i - 1]);
}

static void a_number_computed_from_a_guard_band_tells_its_place(void **state) {
    (void)state;
    uint32_t guard[65];
    size_t place = 0;
    lab_guard_fill(guard, 65);
    for (size_t i = 0; i < 65; i++) {
        float x;
        memcpy(&x, guard + i, sizeof x);
        assert_false(lab_is_finite(x));
        x = 0.0f * x - 1.0f;
        assert_true(lab_guard_place(x, 65, &place) && place == i);
        assert_false(lab_guard_place(x, i, &place));  // there are not so many words
    }
    const uint32_t others[] = {LAB_POISON, LAB_USED_POISON, 0x7fc00000, 0xffc00000, 0x7fffffff, 0x3f800000};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        float x;
        memcpy(&x, others + i, sizeof x);
        assert_false(lab_guard_place(x, 65, &place));
    }
}

static void verdict_names_go_there_and_back(void **state) {
    (void)state;
    enum { N_VERDICTS = LAB_GRADER_ERROR + 1 };
    assert_int_equal(N_VERDICTS, 24);
    for (int v = 0; v < N_VERDICTS; v++) {
        lab_verdict back = LAB_CRASH;
        assert_true(lab_verdict_parse(lab_verdict_name(v), &back));
        assert_int_equal(back, v);
        for (int w = 0; w < v; w++) assert_string_not_equal(lab_verdict_name(v), lab_verdict_name(w));
    }
    lab_verdict v = LAB_CRASH;
    assert_false(lab_verdict_parse("passed", &v) || lab_verdict_parse("", &v));
    assert_int_equal(v, LAB_CRASH);
    assert_string_equal(lab_verdict_name((lab_verdict)N_VERDICTS), "GRADER_ERROR");
    assert_string_equal(lab_verdict_name((lab_verdict)-1), "GRADER_ERROR");
}

#define ON_ONES(function) cmocka_unit_test_setup(function, ones)

int main(void) {
    const struct CMUnitTest claims[] = {
        ON_ONES(equal_outputs_pass),
        ON_ONES(an_empty_output_never_passes),
        ON_ONES(one_element_is_compared),
        ON_ONES(an_error_equal_to_the_tolerance_fails),
        ON_ONES(an_error_one_ulp_below_the_tolerance_passes),
        ON_ONES(a_nan_fails_wherever_it_stands),
        ON_ONES(every_kind_of_nan_and_inf_fails),
        ON_ONES(finiteness_follows_the_bits),
        ON_ONES(the_largest_float_is_an_error_and_not_an_overflow),
        ON_ONES(denormals_and_negative_zero_are_numbers),
        ON_ONES(where_the_oracle_is_zero_only_zeros_pass),
        ON_ONES(a_small_output_wrong_by_a_percent_fails),
        ON_ONES(one_bad_element_among_right_ones_fails),
        ON_ONES(bad_elements_are_counted_and_the_first_is_named),
        ON_ONES(unwritten_is_told_from_a_computed_nan),
        CLAIM(damage_to_any_word_of_a_guard_band_is_seen),
        CLAIM(a_shifted_guard_band_is_damage),
        CLAIM(a_number_computed_from_a_guard_band_tells_its_place),
        CLAIM(verdict_names_go_there_and_back),
    };
    return cmocka_run_group_tests_name("check", claims, NULL, NULL);
}
