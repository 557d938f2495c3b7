// warp_steps.h: threads of a row, side by side in their warp, that join what each of them has by shuffles.
#ifndef LAB_WARP_STEPS_H
#define LAB_WARP_STEPS_H

#include "diagnose.h"

typedef struct {
    const char *what, *calls;                              // "the max", "row_max"
    int rows, lanes, is_max;                               // lanes: threads of a row, a power of 2
    const double *x;                                       // [rows][lanes], what each of them has before
    int (*fits)(const lab_symptom *s, const double *all);  // all: [rows][lanes], and afterwards
} lab_warp_steps;

// Which other distances, or another direction, give the student's output?
int lab_explain_warp_steps(const lab_symptom *s, const lab_warp_steps *w, char *text, size_t size);

#endif
