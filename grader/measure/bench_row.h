// bench_row.h: one measured time, as a line of the table that people read, and of results.json's "timings".
#ifndef LAB_BENCH_ROW_H
#define LAB_BENCH_ROW_H

#include <stdio.h>

#include "clock.h"
#include "shape.h"

typedef struct {
    const char *series, *point;
    attn_shape shape;
    int threads;   // 0: on the GPU
    int tiles[2];  // 0, 0: the implementation's own choice
    const char *implementation;
    const lab_timing *timing;
    double flops, bytes;
    double yours;                                     // seconds of the student's implementation; 0: unknown
    int first;                                        // of its point
    double tbt_p99_s, tokens_per_s, attention_share;  // of a model; 0: nothing to say
} lab_row;

// "+- 1.2 %", as wide as that where one run says nothing about the spread.
void lab_print_spread(const lab_timing *t);
void lab_row_print(const lab_row *row);
void lab_row_write(const lab_row *row, FILE *json);  // json may be NULL. Ends the program when it cannot write

#endif
