// roof.h: the measured ceilings that a timing stands under, and how near to them it came.
#ifndef LAB_ROOF_H
#define LAB_ROOF_H

#include <jansson.h>

// What the machine can do with the threads of a timing (the GPU, if it has none). NaN where it was not measured.
typedef struct {
    double flop_s, byte_s;
} lab_roof;

lab_roof lab_roof_over(const json_t *root, const json_t *timing);

double lab_ridge(lab_roof roof);                          // FLOP per byte: memory-bound left of it, compute-bound right
double lab_roof_at(lab_roof roof, double flop_per_byte);  // the most FLOP per second at an intensity
double lab_rate(const json_t *timing);                    // FLOP per second
double lab_byte_rate(const json_t *timing);               // bytes per second
double lab_intensity(const json_t *timing);               // FLOP per byte of the model's traffic

// FLOP and bytes per head of the naive chain (float32, full mask), which moves the S x S scores so many times: 4 when
// scale and mask ride with the products, 6 when they have a kernel of their own, as task 2's do.
double lab_attention_flops(double S, double D);
double lab_chain_traffic(double S, double D, int passes);

#endif
