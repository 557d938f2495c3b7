// gpu_rows.h: rows of a GPU's output against the oracle, from inputs made again row by row.
#ifndef LAB_GPU_ROWS_H
#define LAB_GPU_ROWS_H

#include "gpu_experiments.h"

// Numbers in a row of the output, and rows in the output of one set.
size_t lab_gpu_row_width(const lab_gpu_experiment *e);
size_t lab_gpu_rows(const lab_gpu_experiment *e);

// out: `have` rows of the output of set `set`, from row `first` on; its inputs are those of LAB_FILL under keys[tensor].
// Compares `rows` of them, drawn by `key`. 1: all within the tolerances.
int lab_gpu_rows_are_right(const lab_gpu_experiment *e, const uint64_t keys[LAB_MAX_TENSORS], int set, const float *out,
                           size_t first, size_t have, int rows, uint64_t key);

// 1: no NaN (what is left of the poison) and no infinity in the n numbers.
int lab_gpu_all_finite(const float *out, size_t n);

#endif
