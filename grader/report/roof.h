// roof.h: the measured ceilings that a timing stands under.
#ifndef ROOF_H
#define ROOF_H

#include <jansson.h>

// What this machine can do at most, for the threads of the timing (the GPU if it has none). NaN where not measured.
typedef struct {
    double gflop_s;
    double gb_s;
} roof_ceilings;

roof_ceilings roof_ceilings_for(const json_t *root, const json_t *timing);

// The most that the ceilings allow at an intensity of flop_per_byte: min(gflop_s, gb_s * flop_per_byte).
double roof_at(roof_ceilings ceilings, double flop_per_byte);

#endif
