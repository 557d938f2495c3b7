// layer_calls.h: task 6: the first thing that a call of attn_functions shows to be other than task6.h says: an argument,
// or what the tensors hold. The driver (grader/model/watched.cu) finds it, diagnose/layer_calls.c says it.
//
// It stands behind the lengths of the cache, in LAB_CALL_LOG ints.
#ifndef LAB_LAYER_CALLS_H
#define LAB_LAYER_CALLS_H

// LAB_CALL_IS_ODD; lab_called; lab_odd, or the argument's number; got; due; more; where in the stage the call was made,
// 0: not known
enum { LAB_CALL_LOG = 7, LAB_CALL_IS_ODD = 0x0dd };

// The argument of flash that is its number of rows. more, of it: where a sequence behind begins that is no multiple of what
// one takes, 0: none does.
enum { LAB_FLASH_ROWS = 4 };

// What rows of Y hold before the layer writes them: another NaN than the workspace does, so that a NaN that came through a
// product is not taken for a row that nobody wrote.
#define LAB_ROW_POISON 0x7fc01a7eu

// What is odd, in place of an argument's number. `of` is the argument's.
typedef enum {
    LAB_CALL_IN_DECODE = 8,  // flash, in a decode step that never calls decode
    LAB_CALL_ROWS,           // of all calls of linear: got, due; more: 0 of the first product, 1 of the last
    LAB_CALL_LEFT_OUT,  // of all calls of linear: got: the first row that none takes; due: S; more: as LAB_CALL_ROWS
    LAB_CALL_OFFSET,    // got: where the argument begins, not a multiple of due, what one sequence takes; more: of
    LAB_CALL_OF_PROMPT,  // append or decode, in a prefill of several tokens, with a part of work.K, or Q; more: which call it is
    LAB_CALL_LENGTH,    // lengths[more] = got, must be due
    LAB_CALL_APPENDED,  // got: the slot, -1: none, of the new token of sequence `more`; due
    LAB_CALL_STORED,    // got: the number of work.qkv from which on slot `more`, of K, then of V, was filled
    LAB_CALL_SCALED,    // got: the buffer; due: the factor's bits; more: of
    LAB_CALL_ADDED,     // X was added to it: got: the buffer
    LAB_CALL_ORDER,     // got: the buffer; due: a lab_order; more: of
    LAB_CALL_CHANGED,   // got: the buffer; due: a lab_change; more: of
    LAB_CALL_MADE,      // by a kernel of the layer's own: got: the buffer; due: the mistakes in it; more: of
    LAB_CALL_STREAM,    // not the layer's: got: 0: the default stream
    LAB_CALL_END_ODD
} lab_odd;

// Orders in which a layer's own kernel leaves what split_qkv or merge_heads would.
typedef enum {
    LAB_ORDER_DIMS_FIRST,   // column d * heads + h, not h * D + d
    LAB_ORDER_HEADS_APART,  // rows of [B, H, S, D] where [B, S, E] is due, or the other way round
    LAB_ORDER_BY_HEAD,      // q, k and v of a head side by side in qkv: [B, S, H, 3, D]
    LAB_ORDER_PARTS,        // qkv as [3, B, S, E]
    LAB_N_ORDERS
} lab_order;

typedef enum { LAB_CHANGE_NAN, LAB_CHANGE_OTHER } lab_change;  // nothing was written there; other numbers

// What a kernel of the layer's own makes of the tensors before it, by LAB_MADE_AXES choices, each a digit of a number; 0
// is the right one.
typedef enum { LAB_MADE_NOTHING, LAB_MADE_PRODUCT, LAB_MADE_ATTENTION } lab_made_kind;
enum { LAB_MADE_AXES = 4, LAB_MADE_CHOICES = 4, LAB_MADE_CODES = 4 * 4 * 4 * 4 };
enum { LAB_MADE_RIGHT = 0, LAB_MADE_OTHER = -1, LAB_MADE_UNKNOWN = -2 };
enum { LAB_MADE_NO_BIAS = 1, LAB_MADE_BIAS_OF_ROW, LAB_MADE_BIAS_0 };      // 0: of a product
enum { LAB_MADE_W_TURNED = 1, LAB_MADE_W_PITCH };                          // 1
enum { LAB_MADE_LAST_OUT = 1, LAB_MADE_REST_OF_32, LAB_MADE_REST_OF_16 };  // 2
enum { LAB_MADE_SEES_ALL = 1, LAB_MADE_NOT_ITSELF };                       // 0: of attention
enum { LAB_MADE_NO_SCALE = 1, LAB_MADE_SCALE_D };                          // 1
enum { LAB_MADE_V_STAYS = 1, LAB_MADE_K_AS_V };                            // 2
enum { LAB_MADE_UNDIVIDED = 1, LAB_MADE_O_KEPT, LAB_MADE_L_KEPT };         // 3

// In the order of attn_functions (task6.h), and the end of the layer.
typedef enum {
    LAB_FLASH,
    LAB_APPEND,
    LAB_DECODE,
    LAB_LINEAR,
    LAB_SPLIT,
    LAB_MERGE,
    LAB_N_CALLED,
    LAB_THE_END = LAB_N_CALLED
} lab_called;

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
