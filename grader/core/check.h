// check.h: does an output equal the oracle's? No I/O, no memory of its own, never compiled with -ffast-math.
#ifndef LAB_CHECK_H
#define LAB_CHECK_H

#include <stddef.h>
#include <stdint.h>

#include "verdict.h"

#define LAB_TOLERANCE 1e-3      // on max |got - want|; an error equal to it fails
#define LAB_RMS_TOLERANCE 0.01  // on rms(got - want) / rms(want): catches small outputs that are wrong by a percent
#define LAB_EXACT 1.5e-4        // the same in a row of a call that is timed or counted: as exact as float32 is

// What an output holds before the call: a signalling NaN. Arithmetic makes it a quiet one, so that what was computed
// from it can be told from what was never written (not on a GPU, which has one NaN for all results).
#define LAB_POISON 0x7f80a77eu
#define LAB_USED_POISON 0x7fc0a77eu

typedef struct {
    lab_verdict verdict;  // PASSED, NOT_FINITE, WRONG_ANSWER; GRADER_ERROR when there is nothing to compare
    double max_err;       // over the finite elements
    double rms_rel_err;   // over the finite elements; 0 when both are all zero
    size_t first_bad;     // the first element that is not within `tolerance` of the oracle, or n
    size_t bad_elements;  // how many such
    size_t not_finite;    // NaN or Inf, among them
    size_t unwritten;     // still LAB_POISON, among the not finite
    size_t used;          // LAB_USED_POISON, among the not finite
} lab_comparison;

int lab_is_finite(float x);  // by bit pattern: no compiler flag can make it lie

// got[n] from the student against want[n] from the oracle.
lab_comparison lab_compare(const float *got, const double *want, size_t n, double tolerance);

// Fill with LAB_POISON; fill a guard band with NaN; count the words of a guard band that changed.
void lab_poison(float *x, size_t n);
void lab_guard_fill(uint32_t *guard, size_t words);
size_t lab_guard_damage(const uint32_t *guard, size_t words);
// Was x computed from a word of a guard band of so many words? Which one? 0: no, or nobody can tell, as on a GPU.
int lab_guard_place(float x, size_t words, size_t *place);

#endif
