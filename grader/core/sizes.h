// sizes.h: sizes that follow from a shape. Elements are floats, bytes are bytes, FLOPs count a multiply-add as two.
#ifndef LAB_SIZES_H
#define LAB_SIZES_H

#include "shape.h"

enum { LAB_MAX_TENSORS = 8 };  // of a call
// extra[1] of a claim: before its call come some that are refused (grader/run/refused.c). No size, and no tile of task 3.
enum { LAB_REFUSES = -1 };
// extra[1] of a claim about the layer of task 6: what it has besides.
enum {
    LAB_BESIDES_NEITHER = 1,  // two calls that are neither prefill nor decode
    LAB_BESIDES_FAILING,      // functions that fail
    LAB_BESIDES_FULL,         // one sequence after the other is full
    LAB_BESIDES_PADDING,      // prompts that are padded to T rows, by the rows of X that come later one by one
    LAB_BESIDES_RECORDED      // every call is recorded in a CUDA graph, and the graph is run
};

int lab_shape_valid(attn_shape s);     // 1 if the shape keeps to the contract in shape.h
size_t lab_elements_q(attn_shape s);   // of Q and of O: B H Sq D
size_t lab_elements_kv(attn_shape s);  // of K and of V: B H Sk D
double lab_pairs(attn_shape s);        // (query, key) pairs that the mask lets through, over all batches and heads
double lab_flops(attn_shape s);        // 4 D per pair: Q K^T and P V
double lab_chain_bytes(attn_shape s);  // of three kernels that pass whole score matrices through memory
double lab_least_bytes(attn_shape s);  // Q, K, V read once, O written once

#endif
