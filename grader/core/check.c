// check.c: the comparison that decides every exercise.
//
// A NaN must never pass: comparisons are written so that only a proven `error < tolerance` counts as right.
#include "check.h"

#include <math.h>
#include <string.h>

#ifdef __FAST_MATH__
#error "the checker must see NaN and Inf: compile it without -ffast-math"
#endif

static uint32_t bits_of(float x) {
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

int lab_is_finite(float x) { return (bits_of(x) & 0x7f800000) != 0x7f800000; }

lab_comparison lab_compare(const float *got, const double *want, size_t n, double tolerance) {
    lab_comparison r = {.verdict = LAB_GRADER_ERROR, .first_bad = n};
    double error_squares = 0, want_squares = 0;
    for (size_t i = 0; i < n; i++) {
        int finite = lab_is_finite(got[i]);
        double err = fabs((double)got[i] - want[i]);
        if (finite) {
            r.max_err = err > r.max_err ? err : r.max_err;
            error_squares += err * err;
            want_squares += want[i] * want[i];
        }
        r.not_finite += !finite;
        r.unwritten += bits_of(got[i]) == LAB_POISON;
        r.used += bits_of(got[i]) == LAB_USED_POISON;
        if (!(finite && err < tolerance)) {
            if (r.bad_elements++ == 0) r.first_bad = i;
        }
    }
    if (n == 0) return r;

    if (error_squares > 0) r.rms_rel_err = want_squares > 0 ? sqrt(error_squares / want_squares) : INFINITY;
    int within = r.bad_elements == 0 && r.max_err < tolerance && r.rms_rel_err < LAB_RMS_TOLERANCE;
    // Elements that were never written, or not before they were added to, are a mistake of indexing, not of arithmetic.
    r.verdict = within ? LAB_PASSED : r.not_finite > r.unwritten + r.used ? LAB_NOT_FINITE : LAB_WRONG_ANSWER;
    return r;
}

void lab_poison(float *x, size_t n) {
    const uint32_t poison = LAB_POISON;
    for (size_t i = 0; i < n; i++) memcpy(x + i, &poison, sizeof poison);
}

// The pattern differs from word to word, so that a shifted copy of a guard band is damage, too. Each word is a signalling
// NaN that has its place in the lower bits; arithmetic on a CPU keeps them. As an integer it is negative.
enum { GUARD_PLACE = 0x1fffff, QUIET = 0x400000 };
static const uint32_t guard_nan = 0xffa00000u;

static uint32_t guard_word(size_t i) { return guard_nan | (uint32_t)((i + 1) & GUARD_PLACE); }

int lab_guard_place(float x, size_t words, size_t *place) {
    const uint32_t bits = (bits_of(x) | 0x80000000u) & ~(uint32_t)QUIET;
    if ((bits & ~(uint32_t)GUARD_PLACE) != guard_nan || (bits & GUARD_PLACE) == GUARD_PLACE) return 0;
    *place = (bits - 1) & GUARD_PLACE;
    return words <= GUARD_PLACE && *place < words;
}

void lab_guard_fill(uint32_t *guard, size_t words) {
    for (size_t i = 0; i < words; i++) guard[i] = guard_word(i);
}

size_t lab_guard_damage(const uint32_t *guard, size_t words) {
    size_t damaged = 0;
    for (size_t i = 0; i < words; i++) damaged += guard[i] != guard_word(i);
    return damaged;
}
