// layer.h: task 6 as the lab sees it: the lengths of prompts, the oracle of the attention layer, its known mistakes.
//
// X: [B, T, E], T = shape.seq_q. Sequence b has a prompt of lengths[b] rows, padded to S, the longest (with
// LAB_BESIDES_PADDING to T, by the rows that follow); then T - S rows that come one by one. in[] has the tensors of
// lab_layer (grader/model/model.h): 1 X, 2 W_qkv, 3 b_qkv, 4 W_out, 5 b_out, 6 lengths (int32 in the elements of a
// float tensor).
#ifndef LAB_LAYER_H
#define LAB_LAYER_H

#include "ops.h"

// What the driver leaves in the rows of Y that belong to a refused step.
#define LAB_REFUSED 4.0

// The mistakes that students make around prefill and decode. Rows of the prompt are attended to in prefill, and read
// from the cache in decode.
typedef enum {
    LAB_LAYER_RIGHT,
    LAB_PADS_ARE_TOKENS,      // every length is S: decode sees padding
    LAB_LENGTH_OF_SEQUENCE0,  // every length is sequence 0's
    LAB_PREFILL_SEES_ALL,     // no causal mask
    LAB_PREFILL_SWAPS,        // K and V
    LAB_PREFILL_Q_AS_K,
    LAB_PREFILL_Q_K,  // swapped
    LAB_STORE_Q_AS_K,
    LAB_APPEND_Q_AS_K,   // and k as v
    LAB_DECODE_OF_WORK,  // over this call's K and V, whose heads are taken for max_seq rows apart
    LAB_DECODE_K_AS_V,
    LAB_DECODE_Q_OF_QKV,  // [B, 3 E] read as [B, H, D]
    LAB_STORE_MISSING,    // decode sees no token of the prompt
    LAB_STORE_SWAPS,      // K and V
    LAB_STORE_K_AS_V,     // the keys stored as values, too
    LAB_STORE_SEQUENCE0,  // every sequence gets the first one's prompt
    LAB_STORE_HEAD0,      // every head gets the first one's prompt
    LAB_STORE_ONE_SHORT,  // lengths = count - 1: the first new token replaces the prompt's last
    LAB_APPEND_MISSING,   // decode sees the prompt only
    LAB_APPEND_LATE,      // decode first, append then: a token does not see itself
    LAB_APPEND_SWAPS,     // k and v
    LAB_APPEND_REPLACES,  // lengths do not grow: each new token replaces the one before it
    LAB_DECODE_FORGETS,   // decode sees nothing but its own token: the cache is not read
    LAB_DECODE_SWAPS,     // K and V
    LAB_NO_BIAS_IN,       // b_qkv
    LAB_NO_BIAS_OUT,      // b_out
    LAB_BIAS_IN_AS_OUT,   // b_qkv where b_out belongs
    LAB_OUT_OF_Q,         // the projection of Q, or of the heads before they are merged
    LAB_OUT_UNMERGED,
    LAB_OUT_BY_W_QKV,  // the numbers of W_qkv where W_out belongs
    LAB_N_LAYER_MISTAKES
} lab_layer_mistake;

// Draws lengths from 1 to S; the last sequence has S.
void lab_layer_prompts(attn_shape shape, int S, uint64_t key, float *lengths);
int lab_layer_longest(const float *lengths, int batch);  // S

// The cache has room for the rows in [*first, *end). The layer refuses the others: the whole prompt if it is longer
// than max_seq = shape.seq_kv, and every row after the longest sequence is full.
void lab_layer_room(attn_shape shape, const float *lengths, int *first, int *end);

// The first row that comes in decode. Behind a prompt that is refused the next row is a prompt of one token.
int lab_layer_decodes_from(attn_shape shape, const float *lengths);

// Y: [B, T, E]. Padding is 0, refused steps LAB_REFUSED. Returns 0 when memory is short.
int lab_oracle_layer(attn_shape shape, const int extra[2], const float *const in[LAB_MAX_TENSORS], int mistake,
                     double *y);

// `left` of lab_layer (ops.h): the cache after all calls.
int lab_layer_left(attn_shape shape, const int extra[2], const float *const in[LAB_MAX_TENSORS], const float *work,
                   uint64_t changed, char *text, size_t size);

#endif
