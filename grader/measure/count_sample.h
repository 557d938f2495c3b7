// count_sample.h: long lengths: four blocks of each launch stand for all, where that is known to hold.
#ifndef LAB_COUNT_SAMPLE_H
#define LAB_COUNT_SAMPLE_H

#include "count_case.h"

// Counts a sampled case. First, of the longest length that is counted whole, it counts a sample, too, and compares the two.
// Where they differ there is no sampled case either, and result->why says so. results: what has been counted so far, in the
// order of lab_experiments.
void lab_count_sampled(lab_stage *stage, const lab_experiment *c, uint64_t seed, double seconds,
                       const lab_counted *results, lab_counted *result);

#endif
