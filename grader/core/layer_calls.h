// layer_calls.h: task 6: the layer's first call of one of attn_functions with another argument than task6.h says.
// The driver (grader/model/watched.cu) finds it, diagnose/layer_calls.c says it.
//
// It stands behind the lengths of the cache, in LAB_CALL_LOG ints.
#ifndef LAB_LAYER_CALLS_H
#define LAB_LAYER_CALLS_H

enum { LAB_CALL_LOG = 5, LAB_CALL_IS_ODD = 0x0dd };  // LAB_CALL_IS_ODD; lab_called; the argument's number; got; due
enum { LAB_CALL_IN_DECODE = 8 };  // in place of an argument's number: flash, in a decode step that never calls decode

// In the order of attn_functions (task6.h).
typedef enum { LAB_FLASH, LAB_APPEND, LAB_DECODE, LAB_LINEAR, LAB_SPLIT, LAB_MERGE, LAB_N_CALLED } lab_called;

// What a pointer can point into. An argument that is no pointer is a number.
typedef enum {
    LAB_IN_NOTHING,
    LAB_IN_Y,
    LAB_IN_X,
    LAB_IN_W_QKV,
    LAB_IN_B_QKV,
    LAB_IN_W_OUT,
    LAB_IN_B_OUT,
    LAB_IN_K_CACHE,
    LAB_IN_V_CACHE,
    LAB_IN_LENGTHS,
    LAB_IN_QKV,
    LAB_IN_Q,
    LAB_IN_K,
    LAB_IN_V,
    LAB_IN_O,
    LAB_IN_MERGED,
    LAB_N_BUFFERS
} lab_layer_buffer;

#endif
