// rows.h: rows of an output against the oracle. Inputs are a function of their keys, so the checker makes again only
// those that a row depends on, and holds no copy of the rest.
#ifndef LAB_ROWS_H
#define LAB_ROWS_H

#include "experiments.h"

// Numbers in a row of the output, and rows in the output of one set.
size_t lab_row_width(const lab_experiment *e);
size_t lab_row_count(const lab_experiment *e);

// out: `have` rows of the output of set `set`, from row `first` on. Element i of set s of input t, which has n, is
// number s * n + i of lab_fill's normal numbers under keys[t]. Compares `rows` rows, drawn by `key`. 1: all are within
// the tolerances.
int lab_rows_are_right(const lab_experiment *e, const uint64_t keys[LAB_MAX_TENSORS], int set, const float *out,
                       size_t first, size_t have, int rows, uint64_t key);

// 1: no NaN (which poison is) and no infinity in the n numbers.
int lab_all_finite(const float *out, size_t n);

#endif
