// inputs.h: seeded inputs, the same bits on every machine: integer arithmetic and exact conversions only, no libm.
#ifndef LAB_INPUTS_H
#define LAB_INPUTS_H

#include <stddef.h>
#include <stdint.h>

typedef enum {
    LAB_NORMAL,  // independent, near N(0, 1): sum of 12 uniform 16-bit numbers, so |x| < 6
    LAB_LARGE,   // N(0, 1) * 16: logits of several hundred, exp of which overflows unless the row max is subtracted
    LAB_SCORES,  // N(0, 1) * 4, a quarter of the elements -INFINITY, the first of each row finite: masked scores
    LAB_OFFSET,  // N(0, 1) + 1000 in even rows, - 1000 in odd ones: harmless after subtracting the row max
} lab_input_kind;

// A key for one tensor, drawn from the secret seed: SipHash-2-4 of (name, tensor, round) under the seed. Whoever sees
// one tensor, or knows the case table, learns nothing about the next.
uint64_t lab_key(uint64_t seed, const char *name, unsigned tensor, unsigned round);

// 64 pseudo-random bits, number `index` of the sequence of `key`.
uint64_t lab_bits(uint64_t key, uint64_t index);

// x[0 .. n) for a tensor of the given kind. row: elements per row, used by LAB_SCORES and LAB_OFFSET.
void lab_fill(float *x, size_t n, size_t row, lab_input_kind kind, uint64_t key);

// n elements of a LAB_NORMAL tensor, from number `first` on: a part without the rest.
void lab_fill_part(float *x, size_t n, uint64_t key, uint64_t first);

#endif
