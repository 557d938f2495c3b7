// count_case.h: one counted experiment against one stage in simt's checked mode: fill, call, compare, take the counts.
#ifndef LAB_COUNT_CASE_H
#define LAB_COUNT_CASE_H

#include "counts.h"
#include "experiments.h"
#include "stage.h"

typedef struct {
    lab_verdict verdict;  // PASSED: the output is right, and counts hold
    lab_counts counts;
    char why[640];  // what is wrong, in words; "" when passed
} lab_counted;

// The arena that a case needs.
size_t lab_count_arena(const lab_experiment *c);

// The stage must be open, with an arena of at least that size. After a verdict that ended the runner, stage->alive is
// 0.
void lab_count_case(lab_stage *stage, const lab_experiment *c, uint64_t seed, double seconds, lab_counted *result);

// The minimum traffic of tensor t: every byte read and written once, as the task's header has it. 0: none of it.
uint64_t lab_traffic_least(const lab_experiment *c, int t);

// As the task's formula has them: two floating-point operations each.
double lab_multiply_adds(const lab_experiment *c);

// Bytes moved, in whole sectors, of all of global memory. Their minimum is lab_experiment_bytes().
uint64_t lab_bytes_moved(const lab_counts *counts);

#endif
