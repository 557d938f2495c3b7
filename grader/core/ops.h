// ops.h: the functions that students implement, as the lab sees them. An operation is one row: a function of a stage,
// its tensors, and all that the lab knows about it. The rows are in op_*.c; those of probes are in probes_taskN.c.
//
// Tensor 0 is the output. The others are inputs, in the order of the argument list. The fields of a shape mean:
//     attention: batch, heads, seq_q, seq_kv, head_dim, causal
//     softmax: seq_q rows of seq_kv columns
//     GEMM: batch, m = seq_q, n = seq_kv, k = head_dim
//     cache: batch, heads, max_seq = seq_kv, head_dim; one query
//     tokens: seq_q tokens one after the other, into a cache of max_seq = seq_kv
//     layer: seq_q tokens in all per sequence (a prompt, padded, then one token a step), max_seq = seq_kv
//     generate: batch sequences of seq_q prompt tokens, padded; heads = tokens to generate; max_seq = seq_kv;
//     head_dim = columns of the output per token: the id of the token, then its logits if columns = 1 + vocabulary
// `extra` are two more numbers: Br and Bc of tiled, n_splits of decode_split and combine, the longest prompt of layer. A probe says
// itself what its shape and extra mean.
#ifndef LAB_OPS_H
#define LAB_OPS_H

#include "inputs.h"
#include "oracle.h"
#include "shape.h"
#include "sizes.h"

#ifdef __cplusplus
extern "C" {
#endif

struct lab_symptom;  // diagnose.h

enum { LAB_MOST_USED = 4 };

typedef struct lab_op {
    const char *name;                      // unique: what a request calls it
    const char *symbol;                    // "attn_sdpa"; a probe's: "lab_probe_load_tile"
    const char *second;                    // another function that it calls; NULL: none
    int n_tensors;                         // output and inputs
    const char *tensors[LAB_MAX_TENSORS];  // their names in the task's header
    int scratch;   // the tensor that is working memory: it may hold anything afterwards; 0: none
    int in_place;  // 1: the output starts as a copy of tensor 1 (a state before and after)
    int lengths;   // the tensor that holds lengths of sequences, int32; 0: none
    int probe;     // 1: a part of the student's file, called through grader/probes
    int pipeline;  // 1: called by the driver of a model around it (grader/model)

    // Elements of tensor t.
    size_t (*elements)(attn_shape s, int t);
    // The output as [batch, heads, rows, columns], for messages. NULL: B, H, Sq, D.
    void (*extent)(attn_shape s, size_t extent[4]);
    // Fills input t (1 ..). NULL: numbers of the given kind in all inputs.
    void (*fill)(attn_shape s, const int extra[2], int t, lab_input_kind kind, uint64_t key, float *x);
    // The right output (mistake 0), or that of a known mistake. in[t] is input t. Returns 0 when memory is short.
    // NULL: whoever judges it brings an oracle (generate: grader/gpt2).
    int (*oracle)(attn_shape s, const int extra[2], const float *const in[LAB_MAX_TENSORS], int mistake, double *out);
    // Floating-point operations of a call; a multiply-add is two. NULL: attention's (sizes.h).
    double (*flops)(attn_shape s);
    // Elements of tensor t that a call has to read and to write, at least. NULL: each of its elements once.
    size_t (*moved)(attn_shape s, const int extra[2], int t);
    // Makes plain numbers of integers that the output holds. NULL: it holds none.
    void (*to_floats)(attn_shape s, float *out);
    // Changes a shape that was drawn at random into one that the operation takes. NULL: it takes any.
    void (*draw)(uint64_t key, attn_shape *s, int extra[2]);
    // Writes which mistake it was, in a sentence, and returns 1; 0 if it does not know. NULL: it never knows.
    int (*diagnose)(const struct lab_symptom *s, char *text, size_t size);
    // Changes inputs, by a secret key, so that working memory tells more; the lengths stay.
    void (*change)(attn_shape s, uint64_t key, float *const in[LAB_MAX_TENSORS]);
    // Looks at the working memory that a right output has left: 1, and what is wrong in a sentence. NULL: nobody looks.
    // changed: the key, after a call with changed inputs; 0: before it.
    int (*left)(attn_shape s, const int extra[2], const float *const in[LAB_MAX_TENSORS], const float *work,
                uint64_t changed, char *text, size_t size);
    int says_where;                            // 1: diagnose says the place, too
    const struct lab_op *uses[LAB_MOST_USED];  // functions with claims of their own that a solution is made of
} lab_op;

extern const lab_op lab_softmax_rows, lab_softmax_batched;                  // op_softmax.c
extern const lab_op lab_split_heads, lab_merge_heads;                       // op_heads.c
extern const lab_op lab_mha;                                                // op_mha.c
extern const lab_op lab_gemm_nt, lab_gemm_nn;                               // op_gemm.c
extern const lab_op lab_sdpa, lab_tiled, lab_naive, lab_flash;              // op_attention.c
extern const lab_op lab_gemm_nn_kernel, lab_naive_chain, lab_flash_launch;  // the same, while lines of ATTN_TODO stand
extern const lab_op lab_split_probe, lab_merge_probe, lab_mha_probe, lab_walk_probe;  // the same through a probe
extern const lab_op lab_cache_append, lab_decode, lab_decode_split;                   // op_cache.c
extern const lab_op lab_combine;                                                      // op_combine.c
extern const lab_op lab_tokens, lab_tokens_split;  // for the clock: append and decode, token by token
extern const lab_op lab_layer, lab_generate;       // op_layer.c

// As the row says, or as it leaves it out. extra may be NULL: two zeros.
void lab_op_extent(const lab_op *op, attn_shape s, size_t extent[4]);
size_t lab_op_row(const lab_op *op, attn_shape s);  // elements of a row of the output
double lab_op_flops(const lab_op *op, attn_shape s);
uint64_t lab_op_bytes(const lab_op *op, attn_shape s, const int extra[2], int t);  // 4 for each element that is moved
void lab_op_fill(const lab_op *op, attn_shape s, const int extra[2], int t, lab_input_kind kind, uint64_t key,
                 float *x);
void lab_op_to_floats(const lab_op *op, attn_shape s, float *out);

// For rows: n elements near N(0, scale^2), and element i of a tensor of int32.
void lab_fill_scaled(float *x, size_t n, float scale, uint64_t key);
int lab_int_at(const float *x, size_t i);

#ifdef __cplusplus
}
#endif
#endif
