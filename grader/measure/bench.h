// bench.h: the parts of the bench program: series of points, tile sizes, whole models, ceilings.
#ifndef LAB_BENCH_H
#define LAB_BENCH_H

#include <jansson.h>

#include "contender.h"
#include "models.h"
#include "tasks.h"

typedef struct {
    const lab_task *task;
    const char *stage;         // the student's shared object
    const char *source;        // the student's file, for the sweep of tile sizes; NULL: no sweep
    const char *series;        // a list with commas; NULL: all
    const char *only;          // a part of the points' names; NULL: all. A quick look: without PyTorch
    const char *build, *tree;  // build/, and the folder of the lab's own stages
    const char *parts[2];      // the student's stages of the tasks that this one is built from, or NULL
    const char *kept;          // a folder in which the baselines' times wait for the next run; NULL: none
    int anew;                  // 1: what waits there is forgotten
    int scored;                // 1: only what carries points, and the table of speed-ups; without Python
    uint64_t seed;
    FILE *json;  // NULL: no rows are written
} lab_bench;

// Measure the task's series on the CPU, on the GPU. 0, or 1: the student's stage gave a wrong answer, or none.
int lab_bench_host(const lab_bench *b);
int lab_bench_device(const lab_bench *b);

// A sweep: compiles the source with every pair of Br and Bc, and measures each. null: the null stage; like: how the
// student's is run. 0, or 1: no pair gave a time.
int lab_bench_tiles(const lab_bench *b, const lab_experiment *sweep, lab_contender *null, const lab_contender *like);

// Task 6: the models' runs whose series are wanted, with the student's kernels (b->parts beside b->stage, see
// task6_kernels.h), the lab's, the student's without a cache, and Hugging Face's. 0, or 1: the student's pipeline gave a
// wrong token, or none.
int lab_bench_models(const lab_bench *b, const lab_model *models, int n);

// Prints what the machine can do at most, and writes it as a line of JSON (json may be NULL). 0, or 2: not written.
int lab_bench_ceilings(const char *build, FILE *json);

// The rates that build/bin/ceilings_cuda prints as one JSON object; NULL without a GPU.
json_t *lab_gpu_rates(const char *build);

#endif
