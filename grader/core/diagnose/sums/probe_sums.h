// probe_sums.h: what else may be wrong in the loops of one TODO, for KNOWN_OR (probes.h).
#ifndef LAB_PROBE_SUMS_H
#define LAB_PROBE_SUMS_H

#include "diagnose.h"

int lab_scores_else(const lab_symptom *s, char *text, size_t size);  // task 1: 1.6, 1.8, 1.9
int lab_weighted_sum_else(const lab_symptom *s, char *text, size_t size);
int lab_project_else(const lab_symptom *s, char *text, size_t size);
int lab_multiply_nt_else(const lab_symptom *s, char *text, size_t size);     // task 2: 2.8
int lab_scores_of_tile_else(const lab_symptom *s, char *text, size_t size);  // task 3: 3.1, 3.6 and 3.12
int lab_multiply_add_else(const lab_symptom *s, char *text, size_t size);

// block_steps.c: the same, with rows of several matrices too close to each other, or sums that go on
int lab_explain_block_steps(const lab_symptom *s, char *text, size_t size);

#endif
