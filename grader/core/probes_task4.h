// probes_task4.h: the probes of task 4 whose claims stand in another file than they do.
//
// A probe's tiles have 16 queries and 24 keys, and a row has 8 threads (t). Where a state is an input, m is the row max,
// l [16, 8] each thread's part of the row sum, o [16, D] the unnormalised output.
#ifndef LAB_PROBES_TASK4_H
#define LAB_PROBES_TASK4_H

#include "probes.h"

enum { BR = 16, BC = 24, LANES = 8, TILE_ROWS = 4, PADDING = 777 };

extern const lab_op probe_new_max, probe_add_probabilities, probe_store_row;  // probes_task4_rows.c
extern const lab_op probe_keys_to_visit;                                      // probes_task4_keys.c
extern const lab_op probe_add_values, probe_value_tile;                       // probes_task4_values.c

// Number i of a tile whose rows are width + 1 floats apart; the probe puts PADDING between them.
static inline double lab_of_tile(const float *M, int width, int i) {
    return i % (width + 1) == width ? PADDING : M[i / (width + 1) * width + i % (width + 1)];
}

#endif
