// gpu_experiments.h: what is measured on a GPU: series of shapes, and who is measured beside the student.
#ifndef LAB_GPU_EXPERIMENTS_H
#define LAB_GPU_EXPERIMENTS_H

#include "ops.h"

typedef enum {  // what is computed; how, is the implementation's affair
    LAB_GPU_ATTENTION,
    LAB_GPU_SOFTMAX,
    LAB_GPU_GEMM_NT,
    LAB_GPU_GEMM_NN,
    LAB_GPU_DECODE,  // one token of every sequence against a full cache
    LAB_GPU_TOKENS,  // tokens one after the other, each appended to the cache first; times are per token
    LAB_GPU_KINDS
} lab_gpu_kind;

typedef struct {
    const char *task, *series, *name;  // name: "S=1024 full", of the point within its series
    lab_gpu_kind kind;
    attn_shape shape;
    int graph;      // 1: the calls are replayed from a CUDA graph
    int baselines;  // 0: only the student's
} lab_gpu_experiment;

extern const lab_gpu_experiment lab_gpu_experiments[];
extern const int lab_n_gpu_experiments;

enum { LAB_MAX_GPU_IMPLEMENTATIONS = 10 };

typedef struct {
    const char *name;  // "yours", "task 2", "cuBLAS chain", "PyTorch", ...
    const char
        *file;  // of its shared object or script, below build/ ("$TREE": of the lab's stages); NULL: the student's
    const char *argument;             // of a script
    const lab_op *op[LAB_GPU_KINDS];  // by kind; NULL: it does not do that
    const char *series;               // those it is measured in; NULL: all
} lab_gpu_implementation;

// The implementations of a task, "yours" first. Returns how many.
int lab_gpu_implementations(const char *task, lab_gpu_implementation found[LAB_MAX_GPU_IMPLEMENTATIONS]);

int lab_has_gpu_experiments(const char *task);

double lab_gpu_flops(const lab_gpu_experiment *e);             // of one call; of one token for LAB_GPU_TOKENS
double lab_gpu_bytes(const lab_gpu_experiment *e, int chain);  // the least; chain: with whole score matrices in memory

#endif
