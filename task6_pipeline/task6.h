// task6.h: the attention layer of a model that generates tokens, the contract.
//
//     X ---- W_qkv, b_qkv ----> qkv --- split ---> Q K V --+-- prefill: store K, V; attend with task 4's kernel --+
//     [B, S, E]                 [B, S, 3E]                  |                                                      |
//                                                           +-- decode: append k, v; attend with task 5's kernel --+
//     Y <--- W_out, b_out --------------------------------- merge <------------------------------- O [B, H, S, D]
//
// A model calls the layer once with the prompts (prefill: S tokens per sequence, the cache is empty), then once per
// generated token (decode: S = 1, the cache holds what came before). Prompts of different lengths come padded on the
// right to S tokens; sequence b has count[b] real ones. S may be more than the longest prompt, and more than max_seq:
// padding takes no slots.
//
// Every pointer is device memory unless it says host; float32, 16-byte aligned. E = heads * head_dim.
#ifndef TASK6_H
#define TASK6_H

#include "task5.h"

typedef struct {         // weights: y = x W + b
    const float *W_qkv;  // [E, 3E]: columns of q, then of k, then of v; head h has columns h D .. h D + D-1 of each
    const float *b_qkv;  // [3E]
    const float *W_out;  // [E, E]
    const float *b_out;  // [E]
} attn_layer_weights;

typedef struct {      // the layer's cache, as task 5 has it
    float *K, *V;     // [batch, heads, max_seq, head_dim]
    int *lengths;     // [batch]: tokens in the cache; 0 before a prefill
    attn_cache size;  // batch, heads, max_seq, head_dim
} attn_layer_cache;

typedef struct {              // the tokens of this call
    int seq;                  // S: tokens per sequence in X, padding included
    const int *past;          // host, [batch]: tokens of each sequence in the cache before this call
    const int *count;         // host, [batch]: real tokens of each sequence in X, 1 to S
    const int *count_device;  // the same numbers in device memory
} attn_tokens;

// Room to work in; it may hold anything before and after. When S = 1 some of these buffers may alias, where both
// layouts have the same order of numbers: merged and O, and for one sequence Q, K, V and the parts of qkv.
typedef struct {
    float *qkv;            // [batch, S, 3E]
    float *Q, *K, *V, *O;  // [batch, heads, S, head_dim]
    float *merged;         // [batch, S, E]
} attn_layer_workspace;

// The functions that the layer calls. flash, append and decode are those of tasks 4 and 5: yours, or the lab's where
// yours are not solved yet. The others are given.
typedef struct {
    attn_status (*flash)(float *O, const float *Q, const float *K, const float *V, attn_shape shape,
                         cudaStream_t stream);
    attn_status (*append)(float *K_cache, float *V_cache, int *lengths, const float *k_new, const float *v_new,
                          attn_cache cache, cudaStream_t stream);
    attn_status (*decode)(float *O, const float *Q, const float *K_cache, const float *V_cache, const int *lengths,
                          attn_cache cache, cudaStream_t stream);
    // Y = X W + b. X: [rows, n_in], W: [n_in, n_out], b: [n_out], Y: [rows, n_out]. n_in, n_out: multiples of 4.
    attn_status (*linear)(float *Y, const float *X, const float *W, const float *b, int rows, int n_in, int n_out,
                          cudaStream_t stream);
    // qkv: [batch, seq, 3E] -> Q, K, V: [batch, heads, seq, head_dim], and O: [batch, heads, seq, head_dim] -> Y:
    // [batch, seq, E]. shape.seq_q = shape.seq_kv = S.
    attn_status (*split_qkv)(float *Q, float *K, float *V, const float *qkv, attn_shape shape, cudaStream_t stream);
    attn_status (*merge_heads)(float *Y, const float *O, attn_shape shape, cudaStream_t stream);
} attn_functions;

// Y, X: [batch, S, E]. On return the cache holds past[b] + count[b] tokens of every sequence b, lengths says so, and
// row i < count[b] of Y[b] is the attention of token past[b] + i to tokens 0 .. past[b] + i of its own sequence. Rows
// of padding may hold anything.
//
// Prefill is a call where every past[b] is 0; decode is one where S = 1 and every past[b] is at least 1. Anything else
// is ATTN_BAD_SHAPE. Where past[b] + count[b] > max_seq for any b, the layer refuses the whole call with
// ATTN_CACHE_FULL: it queues nothing, and cache and lengths stay as they are. Otherwise it returns the first status
// that is not ATTN_OK of what it called, ATTN_CUDA_ERROR if cudaGetLastError() reports an error after a launch, or
// ATTN_OK.
//
// It queues work on `stream` and does nothing else: no allocation, no synchronisation. The model records a decode step
// once in a CUDA graph and replays it for every token: `past` is for the checks on the host; kernels read lengths.
ATTN_API attn_status attn_layer_forward(float *Y, const float *X, attn_layer_weights weights, attn_layer_cache cache,
                                        attn_tokens tokens, attn_layer_workspace work, const attn_functions *call,
                                        cudaStream_t stream);

#endif
