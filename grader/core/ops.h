// ops.h: the functions that students implement, as the lab sees them: a symbol, tensors in, one tensor out, an oracle.
#ifndef LAB_OPS_H
#define LAB_OPS_H

#include "inputs.h"
#include "oracle.h"
#include "shape.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum {
    LAB_SOFTMAX_ROWS,
    LAB_SPLIT_HEADS,
    LAB_MERGE_HEADS,
    LAB_SDPA,
    LAB_MHA,
    LAB_TILED,
    LAB_SOFTMAX_BATCHED,
    LAB_GEMM_NT,
    LAB_GEMM_NN,
    LAB_NAIVE,
    LAB_FLASH,
    LAB_CACHE_APPEND,
    LAB_DECODE,
    LAB_DECODE_SPLIT,
    LAB_TOKENS,        // task 5, for the clock: append and decode, token after token
    LAB_TOKENS_SPLIT,  // the same with attn_decode_split
    LAB_LAYER,         // task 6: one layer, a prompt and further tokens
    LAB_GENERATE,      // task 6: a whole model generates
    LAB_PROBE_LOAD_TILE,       // task 4, TODO 4.1: parts of the student's file, called through grader/probes
    LAB_PROBE_COMPUTE_SCORES,  // TODO 4.2
    LAB_N_OPS
} lab_op;

enum { LAB_MAX_TENSORS = 8 };  // tensor 0 is the output, the rest are inputs in the order of the argument list

typedef struct {
    const char *symbol;                    // "attn_sdpa"
    int n_tensors;                         // output and inputs
    const char *tensors[LAB_MAX_TENSORS];  // their names in the task's header
    int scratch;         // the tensor that is working memory: it may hold anything afterwards; 0: none
    int in_place;        // 1: the output starts as a copy of tensor 1 (a state before and after)
    int lengths;         // the tensor that holds lengths of sequences, int32; 0: none
    const char *second;  // another function that it calls; NULL: none
    int probe;           // 1: a part of the student's file, called through grader/probes
} lab_op_info;

const lab_op_info *lab_op_get(lab_op op);

// Elements of tensor t. What a shape means where an operation is not attention itself:
//     softmax: seq_q rows of seq_kv columns        GEMM: batch, m = seq_q, n = seq_kv, k = head_dim
//     cache: batch, heads, max_seq = seq_kv, head_dim; one query. Lengths are int32 in the elements of a tensor; the
//     state of a cache is K, V and lengths in one tensor.
//     tokens: seq_q tokens one after the other, into a cache of max_seq = seq_kv
//     layer: seq_q tokens in all per sequence (a prompt, padded, then one token a step), max_seq = seq_kv
//     generate: batch sequences of seq_q prompt tokens, padded; heads = tokens to generate; seq_kv = max_seq; head_dim =
//     columns of the output per token: the token's id, then its logits where columns = 1 + vocabulary
size_t lab_op_elements(lab_op op, attn_shape shape, int t);

// Elements of one row of tensor t: what a diagnosis counts in.
size_t lab_op_row(lab_op op, attn_shape shape, int t);

// Fill input t (1 ..) of the operation. Weights of a projection are scaled by 1/sqrt(E), so that outputs are near N(0,1).
void lab_op_fill(lab_op op, attn_shape shape, int t, lab_input_kind kind, uint64_t key, float *x);

// 1 if the operation is attention of in[1], in[2], in[3] = Q, K, V, whatever computes it.
int lab_op_is_attention(lab_op op);
int lab_op_is_softmax(lab_op op);

// Makes plain numbers of an output that holds integers (the lengths in a cache's state).
void lab_op_plain(lab_op op, attn_shape shape, float *out);

// The right output, or that of a deliberate mistake. in[t] is input t. Returns 0 when memory is short.
int lab_op_oracle(lab_op op, attn_shape shape, const float *const in[LAB_MAX_TENSORS], lab_mistake mistake,
                  double *out);

// probes_task4.c
size_t lab_probe_elements(lab_op op, attn_shape shape, int t);
int lab_probe_oracle(lab_op op, attn_shape shape, const float *const in[LAB_MAX_TENSORS], double *out);

#ifdef __cplusplus
}
#endif
#endif
