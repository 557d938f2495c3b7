// experiments.h: what is measured: series of shapes, the one place for them.
#ifndef LAB_EXPERIMENTS_H
#define LAB_EXPERIMENTS_H

#include "ops.h"

typedef struct {
    const char *task;
    const char *series;  // "seq", "heads", "batch", "threads", "tiles": what varies
    attn_shape shape;
    int tiles[2];    // 0, 0: the implementation's own choice
    int one_thread;  // 0: all threads; 1: one
    int baselines;   // 0: only the student's implementation
} lab_experiment;

extern const lab_experiment lab_experiments[];
extern const int lab_n_experiments;

int lab_has_experiments(const char *task);

// "S=1024 full", "H=4", "B=2 causal", "2 threads", "Br=64 Bc=128": the name of a point within its series.
void lab_experiment_name(const lab_experiment *e, int threads, char *text, size_t size);

#endif
