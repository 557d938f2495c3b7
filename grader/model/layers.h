// layers.h: what a GPT-2 consists of besides matrices and attention. Row-major float32 in device memory; each function
// queues one kernel on `stream` and returns ATTN_OK, ATTN_BAD_SHAPE or ATTN_CUDA_ERROR.
#ifndef LAB_LAYERS_H
#define LAB_LAYERS_H

#include <cuda_runtime.h>

#include "shape.h"

typedef struct {  // layer norm: y = (x - mean) / sqrt(variance + epsilon) * gain + bias, per row of E (<= 4096, of 4)
    const float *gain, *bias;
    float epsilon;
} lab_norm;

// x[b][i] = wte[ids[b][i]] + wpe[lengths[b] + i], y = norm(x): [batch, seq, E]. lengths: tokens of each sequence in the
// cache. An id outside of the vocabulary (padding may hold anything) counts as 0.
attn_status lab_embed(float *y, float *x, const int *ids, const int *lengths, const float *wte, const float *wpe,
                      lab_norm norm, int batch, int seq, int E, int vocabulary, int positions, cudaStream_t stream);

// x += add, y = norm(x), for every row. add may be NULL.
attn_status lab_layer_norm(float *y, float *x, const float *add, lab_norm norm, int rows, int E, cudaStream_t stream);

// y[b] = norm(x[b][count[b] - 1]), y: [batch, E], x: [batch, seq, E]: each sequence's last real token.
attn_status lab_layer_norm_last(float *y, float *x, const int *count, lab_norm norm, int batch, int seq, int E,
                                cudaStream_t stream);

// task6.h's split_qkv and merge_heads. Where S = 1, [batch, heads, S, D] and [batch, S, E] are the same bytes in the same
// order: a call whose output already is its input does nothing. (merge: Y == O; split: batch 1, Q, K, V lie in qkv.)
attn_status lab_split_qkv(float *Q, float *K, float *V, const float *qkv, attn_shape shape, cudaStream_t stream);
attn_status lab_merge_heads(float *Y, const float *O, attn_shape shape, cudaStream_t stream);

typedef struct {  // for the largest of many numbers; a NaN never is one
    float value;
    int index;
} lab_candidate;

// tokens[b] = the index of the best of best[b][0 .. n - 1], the lowest of equal ones; but where tokens[b] is `stop`
// already, it stays so. stop -1: none. The token goes to the host, too: host is [2, batch], and call number i (which
// calls[b], in device memory, counts) fills host[i % 2].
attn_status lab_argmax(int *tokens, int *host, int *calls, const lab_candidate *best, int batch, int n, int stop,
                       cudaStream_t stream);

#endif
