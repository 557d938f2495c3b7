// cache.h: the KV cache of task 5, as the lab sees it.
//
// shape.batch, shape.heads, shape.seq_kv (max_seq) and shape.head_dim are the cache's sizes. lengths are int32, kept in the
// elements of a float tensor. A cache's state is one tensor: K_cache, V_cache, lengths, one behind the other.
#ifndef LAB_CACHE_H
#define LAB_CACHE_H

#include "ops.h"

size_t lab_cache_state(attn_shape shape);  // elements of a state

// What free slots hold: a NaN, and not LAB_POISON, because arithmetic carries a NaN's bits into the output, where
// LAB_POISON would mean that nothing was written.
#define LAB_FREE_SLOT 0x7fc0f4eeu

// Fills the inputs of task 5's operations that are not plain numbers: lengths (empty, full, one short of it, and
// between), and slots beyond a length. Returns 0 when tensor t is a plain one.
int lab_cache_fill(lab_op op, attn_shape shape, int t, lab_input_kind kind, uint64_t key, float *x);

// The lengths in a state become floats of the same value; unwritten slots' NaN become 0, in both sides of a comparison.
void lab_cache_plain(attn_shape shape, float *state);

// The state after appending one token per sequence; a full sequence stays as it is. As lab_cache_plain leaves it.
void lab_oracle_append(double *state, const float *before, const float *k_new, const float *v_new, attn_shape shape);

// One query per sequence and head over lengths[b] slots; 0 where there are none. Returns 0 when memory is short.
int lab_oracle_decode(double *o, const float *q, const float *k, const float *v, const float *lengths,
                      attn_shape shape);

#endif
