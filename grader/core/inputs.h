// inputs.h: seeded inputs, the same bits on every machine: integer arithmetic and exact conversions only, no libm.
#ifndef LAB_INPUTS_H
#define LAB_INPUTS_H

#include <stddef.h>
#include <stdint.h>

typedef enum {
    LAB_NORMAL,  // independent, near N(0, 1): sum of 12 uniform 16-bit numbers, so |x| < 6
    LAB_LARGE,   // N(0, 1) * 16: logits of several hundred, exp of which overflows unless the row max is subtracted
    LAB_SCORES,  // N(0, 1) * 4, a quarter of the elements -INFINITY, the first of each row finite: masked scores.
                 // Row 5 of each 8 begins with two of them: an online softmax has no maximum yet when they come
    LAB_OFFSET,  // N(0, 1) + 1000 in even rows, - 1000 in odd ones: harmless after subtracting the row max.
                 // In row 6 of each 8 the last, in row 7 the first is LAB_OFFSET_PEAK above the others
} lab_input_kind;

#define LAB_OFFSET_PEAK 150.0f  // exp of it overflows, as it does where the maximum leaves out an end of the row

// A key for one tensor, drawn from the secret seed: SipHash-2-4 of (name, tensor, round) under the seed. Whoever sees
// one tensor, or knows the case table, learns nothing about the next.
uint64_t lab_key(uint64_t seed, const char *name, unsigned tensor, unsigned round);

// 64 pseudo-random bits, number `index` of the sequence of `key`.
uint64_t lab_bits(uint64_t key, uint64_t index);

// x[0 .. n) for a tensor of the given kind. row: elements per row, used by LAB_SCORES and LAB_OFFSET.
void lab_fill(float *x, size_t n, size_t row, lab_input_kind kind, uint64_t key);

// Queries near 6 and keys near -6, or the other way round: every score of such a head lies far below 0, where exp is 0.
void lab_fill_far_below_0(float *x, size_t n, int query, uint64_t key);

// ---- For the clock. A GPU makes the same bits (grader/run/device_fill.cu), as fast as it can write them.

#define LAB_QUICK_SCALE 3.7376e-5f                                       // sqrt(6) / 65536
enum { LAB_FRESH = 1024, LAB_MOST_FRESH = 4096, LAB_CHUNK = 16 << 10 };  // elements

// One query of what is timed is so many times as large, and so are its scores: that of the nearest of some ten keys is
// beyond 88, where expf ends. Fresh numbers, below, stay as they are, in that query too.
enum { LAB_LARGE_TIMES = 64 };

// Elements first .. first + n of a tensor of numbers with mean 0 and variance 1: each the sum of two uniform ones.
void lab_fill_quick(float *x, size_t n, uint64_t key, uint64_t first);

// Calls of one request are linked: between two calls, every input of the next call gets some fresh numbers, elements
// 0, step, 2 step, ... `seen` are the bits of an element of the last call's output: who leaves a call for later, or
// starts one early, works on other numbers. At most LAB_MOST_FRESH, so that a link takes little time.
static inline size_t lab_fresh_step(size_t n) {
    size_t step = LAB_FRESH;
    while (n / step > LAB_MOST_FRESH) step *= 2;
    return step;
}
float lab_fresh(uint64_t key, uint32_t seen, uint32_t set, int tensor, uint64_t j);

// A number that any other content of x would change. An output has one for every LAB_CHUNK elements.
uint64_t lab_digest(const float *x, size_t n, uint64_t key);

#endif
