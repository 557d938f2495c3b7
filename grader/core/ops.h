// ops.h: the functions that students implement, as the lab sees them: a symbol, tensors in, one tensor out, an oracle.
#ifndef LAB_OPS_H
#define LAB_OPS_H

#include "inputs.h"
#include "oracle.h"
#include "shape.h"

typedef enum { LAB_SOFTMAX_ROWS, LAB_SPLIT_HEADS, LAB_MERGE_HEADS, LAB_SDPA, LAB_MHA, LAB_TILED, LAB_N_OPS } lab_op;

enum { LAB_MAX_TENSORS = 8 };  // tensor 0 is the output, the rest are inputs in the order of the argument list

typedef struct {
    const char *symbol;                    // "attn_sdpa"
    int n_tensors;                         // output and inputs
    const char *tensors[LAB_MAX_TENSORS];  // their names in the task's header
    int n_extra;                           // integers after the shape (task 3's tiles)
} lab_op_info;

const lab_op_info *lab_op_get(lab_op op);

// Elements of tensor t. For LAB_SOFTMAX_ROWS, shape.seq_q is rows and shape.seq_kv is cols.
size_t lab_op_elements(lab_op op, attn_shape shape, int t);

// Elements of one row of tensor t: what a diagnosis counts in.
size_t lab_op_row(lab_op op, attn_shape shape, int t);

// Fill input t (1 ..) of the operation. Weights of a projection are scaled by 1/sqrt(E), so that outputs are near N(0,1).
void lab_op_fill(lab_op op, attn_shape shape, int t, lab_input_kind kind, uint64_t key, float *x);

// The right output, or that of a deliberate mistake. in[t] is input t. Returns 0 when memory is short.
int lab_op_oracle(lab_op op, attn_shape shape, const float *const in[LAB_MAX_TENSORS], lab_mistake mistake,
                  double *out);

#endif
