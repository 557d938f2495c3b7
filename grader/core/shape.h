// shape.h: the vocabulary every task shares. What a tensor looks like and what a stage returns.
//
// Tensors are row-major float32, [batch, heads, seq, head_dim]. Element (b, h, s, d) of such a tensor has index
//     ((b * heads + h) * seq + s) * head_dim + d
// Q and O have seq = seq_q; K and V have seq = seq_kv.
#ifndef LAB_SHAPE_H
#define LAB_SHAPE_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
#define ATTN_API extern "C"
#else
#define ATTN_API extern
#endif

typedef struct {
    int batch;     // B, at least 1
    int heads;     // H, at least 1
    int seq_q;     // Sq, queries, at least 1
    int seq_kv;    // Sk, keys and values, at least 1; causal needs seq_q <= seq_kv
    int head_dim;  // D, a multiple of 8, 8 to 128
    int causal;    // 0: every query sees every key. 1: query i sees keys 0 .. i + (seq_kv - seq_q) ("bottom-right")
} attn_shape;

// A stage returns one of these; it never prints and never exits.
typedef int attn_status;
enum {
    ATTN_OK = 0,
    ATTN_BAD_SHAPE = 1,   // the arguments contradict the contract
    ATTN_NO_MEMORY = 2,   // malloc or cudaMalloc failed
    ATTN_CUDA_ERROR = 3,  // a CUDA call or a kernel launch failed
    ATTN_CACHE_FULL = 4,  // task 6: a sequence has no room left for its next token
};

// What a skeleton returns where code is still to be written: ATTN_TODO(1, 2) is TODO 1.2.
#define ATTN_TODO(task, step) (-(100 * (task) + (step)))

#endif
