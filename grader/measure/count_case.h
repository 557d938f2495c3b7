// count_case.h: one case of traffic.h against one stage in simt's checked mode: fill, call, compare, take the counts.
#ifndef LAB_RUN_COUNT_CASE_H
#define LAB_RUN_COUNT_CASE_H

#include "counts.h"
#include "stage.h"
#include "traffic.h"

typedef struct {
    lab_verdict verdict;  // PASSED: the output is right, and counts hold
    lab_counts counts;
    char why[640];  // what is wrong, in words; "" when passed
} lab_counted;

// The arena that a case needs.
size_t lab_count_arena(const lab_traffic_case *c);

// The stage must be open, with an arena of at least that size. After a verdict that ended the runner, stage->alive is
// 0.
void lab_count_case(lab_stage *stage, const lab_traffic_case *c, uint64_t seed, double seconds, lab_counted *result);

// Bytes moved, in whole sectors, of all of global memory; the least that it could be.
uint64_t lab_moved(const lab_counts *counts);
uint64_t lab_must_move(const lab_traffic_case *c);

#endif
