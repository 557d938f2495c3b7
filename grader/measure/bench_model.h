// bench_model.h: task 6's part of the bench program: whole language models, timed token by token.
#ifndef LAB_BENCH_MODEL_H
#define LAB_BENCH_MODEL_H

#include "bench_gpu.h"
#include "model_experiments.h"

// Measures the models' runs whose series are wanted, with the student's kernels ($LAB_TASK4 and $LAB_TASK5 beside
// b->stage, see kernels.h), the lab's, the student's without a cache, and Hugging Face's. 0, or 1: the student's
// pipeline gave a wrong token, or none.
int lab_bench_models(const lab_gpu_bench *b, const lab_model *models, int n);

#endif
