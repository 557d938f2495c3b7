// backend.h: where CUDA stages run: on the GPU, or on the CPU by grader/simt. One table.
#ifndef LAB_BACKEND_H
#define LAB_BACKEND_H

#include <stddef.h>

#include "tasks.h"

typedef struct {
    const char *name;     // "cuda" or "simt": what LAB_BACKEND, --backend and results.json say
    const char *flavour;  // of what is linked for it: runner_simt_checked, model_simt_checked.so
    const char *variant;  // in the name of a stage: task4.checked.so
    int on_gpu;           // 1: on the GPU
    int checked;          // 1: simt's checked mode: every access watched, many times slower
} lab_backend_row;

// The row that LAB_BACKEND and LAB_CHECKED ask for, or simt's. make and grade_all choose it: the best that is there.
const lab_backend_row *lab_backend(void);

// The runner of a task's stages: BUILD/bin/runner for C, BUILD/bin/runner_FLAVOUR for CUDA.
void lab_runner_of(const lab_task *task, const char *build, char *path, size_t size);

// What nvidia-smi says of the GPU that CUDA_VISIBLE_DEVICES names first, or of the first one: fields as for --query-gpu.
// Returns 0 when there is no answer.
int lab_gpu_says(const char *fields, char *text, size_t size);

#endif
