// bench_gpu.h: the parts of the bench program that are about GPUs, and its ceilings.
#ifndef LAB_BENCH_GPU_H
#define LAB_BENCH_GPU_H

#include <stdint.h>
#include <stdio.h>

typedef struct {
    const char *task, *stage;  // the student's shared object
    const char *build, *tree;  // build/, and where the lab's own stages are
    const char *source;        // the student's file, for the sweep of tile sizes; NULL: no sweep
    const char *series;        // a list with commas; NULL: all
    uint64_t seed;
    FILE *json;
} lab_gpu_bench;

// Measures the task's series on the GPU. 0, or 1: the student's stage gave a wrong answer, or none.
int lab_bench_gpu(const lab_gpu_bench *b);

int lab_series_wanted(const char *list, const char *series);  // list NULL: every series

// Prints what the machine can do, and writes it as a line of JSON (json may be NULL). 0, or 2: not written.
int lab_bench_ceilings(const char *build, FILE *json);

#endif
