// task5.h: decoding with a KV cache in CUDA, the contract. One new token per sequence and call.
//
// The cache keeps the keys and values of earlier tokens, so that a new token costs one query against the keys so far:
//     append its k and v to the cache, then   o = softmax(q K^T / sqrt(D)) V   over the first lengths[b] slots.
//
//              slot 0                lengths[b] - 1              max_seq - 1
//     K_cache [ k | k | k | ...         | k   | not yet written ... |  ]      for each b and h, D floats a slot
//
// Every pointer is device memory, 16-byte aligned, float32 (lengths: int). Slots from lengths[b] on may hold anything,
// NaN too, and may not influence a result. Outputs come first and never overlap inputs; inputs stay as they are.
// A function queues work on `stream` and does nothing else: no allocation, no synchronisation. The kernels read
// lengths, the host does not, so that one captured CUDA graph serves every step.
// All return ATTN_OK; ATTN_BAD_SHAPE where the cache's sizes or n_splits are out of range (nothing is launched then);
// ATTN_CUDA_ERROR if cudaGetLastError() reports an error after a launch.
#ifndef TASK5_H
#define TASK5_H

#include "shape.h"

#ifdef __cplusplus
#include <cuda_runtime.h>
#else
typedef struct CUstream_st *cudaStream_t;  // as cuda_runtime.h has it, for C files that do without CUDA
#endif

typedef struct {   // K_cache and V_cache: [batch, heads, max_seq, head_dim] each
    int batch;     // B, sequences, at least 1
    int heads;     // H, at least 1
    int max_seq;   // slots per sequence and head, at least 1
    int head_dim;  // D, a multiple of 8, 8 to 128
} attn_cache;

// Stores one token per sequence in its next free slot, then counts it:
//     K_cache[b][h][lengths[b]][:] = k_new[b][h][:], V_cache likewise, then lengths[b] += 1.
// k_new, v_new: [batch, heads, head_dim]. lengths: [batch], read and written. Every other slot stays as it is.
// Where a sequence is full (lengths[b] >= max_seq) neither cache nor length changes.
// Minimum traffic: 16 B H D bytes.
ATTN_API attn_status attn_cache_append(float *K_cache, float *V_cache, int *lengths, const float *k_new,
                                       const float *v_new, attn_cache cache, cudaStream_t stream);

// O[b][h][:] = softmax(Q[b][h] K^T / sqrt(D)) V over slots 0 .. lengths[b] - 1.
// O, Q: [batch, heads, head_dim]. lengths: [batch], each 0 to max_seq; where it is 0, O[b] is 0.
// FLOPs: 4 H D sum(lengths). Minimum traffic: 8 H D (sum(lengths) + B) bytes: it reads every key and value once.
ATTN_API attn_status attn_decode(float *O, const float *Q, const float *K_cache, const float *V_cache,
                                 const int *lengths, attn_cache cache, cudaStream_t stream);

// Bonus. The same function, with each sequence's keys shared out among n_splits blocks ("flash-decoding", Dao et al.
// 2023): batch * heads blocks cannot fill a GPU when the batch is small. Split s attends to its part of the
// keys alone and leaves a partial output O_s and the log-sum-exp of its scores, L_s; then attn_combine joins them.
// n_splits: 1 to ATTN_MAX_SPLITS; 0: your best choice. A split may get no keys at all, but none gets more than its
// share: length / n_splits, rounded up (to whole tiles if you like). L_s is -INFINITY for a split without keys.
// workspace: ATTN_SPLIT_FLOATS(cache, n) floats, where n is n_splits, or ATTN_MAX_SPLITS if that is 0. Where n_splits
// is 2 or more it holds O_s, [batch, heads, n_splits, head_dim], then L_s, [batch, heads, n_splits]; what is behind
// them is yours. Where n_splits is 0 or 1 all of it is.
enum { ATTN_MAX_SPLITS = 64 };
#define ATTN_SPLIT_FLOATS(cache, n) ((size_t)(cache).batch * (cache).heads * (n) * ((cache).head_dim + 2))
ATTN_API attn_status attn_decode_split(float *O, const float *Q, const float *K_cache, const float *V_cache,
                                       const int *lengths, float *workspace, int n_splits, attn_cache cache,
                                       cudaStream_t stream);

// Bonus. What attn_decode_split does last, by itself: joins the parts of n_splits splits, 1 to ATTN_MAX_SPLITS.
//     L = log sum_s exp(L_s),   O = sum_s exp(L_s - L) O_s
// O: [batch, heads, head_dim]. part_O: O_s, L: L_s, as above. Where L_s is -INFINITY, O_s is 0; where all are, O is 0.
// cache has to be valid as above, max_seq at least 1; how large max_seq is plays no part.
ATTN_API attn_status attn_combine(float *O, const float *part_O, const float *L, int n_splits, attn_cache cache,
                                  cudaStream_t stream);

#endif
