// backend.h: where CUDA stages run: on the GPU ("cuda"), or on the CPU by grader/simt ("simt").
#ifndef LAB_BACKEND_H
#define LAB_BACKEND_H

#include <stddef.h>

#include "tasks.h"

// LAB_BACKEND, or "simt". make and grade_all choose it: the best that is there.
const char *lab_backend(void);

// 1 if LAB_CHECKED asks for simt's checked mode: every access watched, many times slower.
int lab_checked(void);

// The runner of a task's stages: BUILD/bin/runner for C, BUILD/bin/runner_simt, runner_simt_checked
// or runner_cuda for CUDA.
void lab_runner_of(const lab_task *task, const char *build, char *path, size_t size);

#endif
