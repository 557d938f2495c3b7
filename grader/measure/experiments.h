// experiments.h: what is measured, and how: the one table of points.
#ifndef LAB_EXPERIMENTS_H
#define LAB_EXPERIMENTS_H

#include "ops.h"

typedef enum {
    LAB_ON_HOST,   // timed on the CPU
    LAB_ON_GPU,    // timed on a GPU
    LAB_COUNTED,   // memory traffic, counted by simt's checked mode: small shapes
    LAB_PROFILED,  // a GPU's counters, read by ncu
} lab_method;

typedef struct {
    const char *task, *series;  // series: what varies
    const char *name;           // of the point within its series, "S=1024 full"; NULL: the number of threads
    lab_method method;
    // What is computed. When timed, implementations may compute it by another operation (implementations.h): lab_sdpa
    // is attention, lab_decode one token of every sequence against a full cache, and lab_tokens tokens one after the
    // other, each appended to the cache first, by time per token. lab_generate stands for the whole models of models.h.
    const lab_op *op;
    attn_shape shape;
    int tiles[2];    // LAB_ON_HOST: 0, 0 is the implementation's own choice
    int one_thread;  // LAB_ON_HOST: on one thread, not on all
    int alone;       // without baselines
    int graph;       // LAB_ON_GPU: the calls are replayed from a CUDA graph
    int sweep;       // LAB_ON_GPU: the student's file alone, compiled for each of many pairs of Br and Bc
    int splits;      // LAB_COUNTED: task 5's n_splits
    int sampled;     // LAB_COUNTED: a few blocks of each launch stand for all; the output is not looked at
} lab_experiment;

extern const lab_experiment lab_experiments[];
extern const int lab_n_experiments;

int lab_has_experiments(const char *task, lab_method method);

// The point's name; `threads` where the series is about them: "2 threads".
void lab_experiment_name(const lab_experiment *e, int threads, char *text, size_t size);

// 1 where `only` is NULL, or a part of "series name", whatever the case of its letters.
int lab_only_wanted(const char *only, const char *series, const char *name);

// Nothing of the task is called so: says it, and what there is. method: how it is measured. wanted: as `list` below.
void lab_only_list(const char *only, const char *task, lab_method method, const char *wanted);

// list: with commas; behind a '-' those that are not wanted: "-tiles". NULL: every series.
int lab_series_wanted(const char *list, const char *series);

// Of one call, or of one token of lab_tokens. Bytes are the minimum traffic; chain: with whole score matrices.
double lab_experiment_flops(const lab_experiment *e);
double lab_experiment_bytes(const lab_experiment *e, int chain);

#endif
