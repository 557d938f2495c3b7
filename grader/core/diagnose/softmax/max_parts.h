// max_parts.h: a maximum of some of the numbers in place of all.
#ifndef LAB_MAX_PARTS_H
#define LAB_MAX_PARTS_H

#include "diagnose.h"

typedef struct {
    const float *x, *start, *got;  // [rows][cols], [rows] or NULL, [rows][copies]
    int rows, cols, copies;
    double nothing;  // what stands for -INFINITY
} lab_max;

// Is each maximum that of the first numbers, of the last, or of every second, third ...? advice: what it should look at.
int lab_explain_max(const lab_max *a, const char *advice, char *text, size_t size);

#endif
