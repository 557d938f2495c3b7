// bench_best.h: which tile sizes a sweep found best, and which of the others are as good: the noise is larger.
#ifndef LAB_BENCH_BEST_H
#define LAB_BENCH_BEST_H

#include "bench_row.h"

typedef struct {
    char name[32];
    double seconds, noise;  // noise: lab_noise() of it
} lab_tried;

enum { LAB_MOST_TRIED = 64 };

typedef struct {
    lab_tried tried[LAB_MOST_TRIED];
    int n;
} lab_best;

void lab_best_note(lab_best *best,
                   const lab_row *row);  // ignores what has no tiles, is not the student's, or has no time
void lab_best_print(lab_best *best);     // a line or two; nothing where fewer than two were tried

#endif
