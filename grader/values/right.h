// right.h: the numbers that attention is made of, step by step, for the inputs of a claim.
#ifndef LAB_VALUES_RIGHT_H
#define LAB_VALUES_RIGHT_H

#include "trial.h"

typedef enum {
    LAB_STEP_SCORES,
    LAB_STEP_MAXIMA,
    LAB_STEP_SUMS,
    LAB_STEP_WEIGHTED,
    LAB_STEP_PROBABILITIES,
    LAB_STEP_OUTPUTS,
    LAB_STEP_UNSCALED_SUMS,  // of exp(s - m) with q . k as it is: no step, but what a missing 1/sqrt(D) gives
    LAB_N_STEPS
} lab_step;

// The numbers of a step; a file may as well have them times one of the factors. n 0: the function has no such step.
enum { LAB_MOST_FACTORS = 3 };
typedef struct {
    double *number;
    size_t n;
    int given;  // an input, and no step
    double factor[LAB_MOST_FACTORS];
    int factors;
    int unscaled;               // which of them is sqrt(D): the numbers are still without the scale; 0: none is
    double relative, absolute;  // how far float32 may be from them
} lab_right;

// Of softmax over rows, and of attention with or without a cache. Only what a query sees counts. Returns 0 for another
// function, and if memory is short; lab_right_free all the same.
int lab_right_numbers(const lab_trial *t, lab_right right[LAB_N_STEPS]);
void lab_right_free(lab_right right[LAB_N_STEPS]);

#endif
