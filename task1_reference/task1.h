// task1.h: reference attention, the contract. Plain C, one thread, clarity before speed.
//
//     O = softmax(Q K^T / sqrt(D) + mask) V          (Vaswani et al. 2017, "Attention Is All You Need", section 3.2.1)
//
// Every later task must compute this same function. Layouts and attn_shape are in shape.h.
// Outputs come first, never overlap an input, and every element of them must be written; inputs stay as they are.
// Return ATTN_OK, or ATTN_NO_MEMORY if malloc fails. Memory that you allocate, you free.
#ifndef TASK1_H
#define TASK1_H

#include "shape.h"

// P[r][c] = exp(S[r][c]) / sum_j exp(S[r][j]), computed so that large S cannot overflow.
// P, S: [rows, cols]. S may hold -INFINITY (a masked score, whose probability is 0); each row has a finite element.
// FLOPs: about 4 rows cols. Least bytes: 8 rows cols.
ATTN_API attn_status attn_softmax_rows(float *P, const float *S, int rows, int cols);

// Y[b][h][s][d] = X[b][s][h * head_dim + d]
// X: [batch, seq_q, heads * head_dim], what a projection produces. Y: [batch, heads, seq_q, head_dim]. Moves data only.
ATTN_API attn_status attn_split_heads(float *Y, const float *X, attn_shape shape);

// X[b][s][h * head_dim + d] = Y[b][h][s][d], the inverse of attn_split_heads.
ATTN_API attn_status attn_merge_heads(float *X, const float *Y, attn_shape shape);

// O = softmax(Q K^T / sqrt(head_dim) + mask) V for every batch and head.
// Q, O: [batch, heads, seq_q, head_dim]. K, V: [batch, heads, seq_kv, head_dim].
// causal: query i sees key j where j <= i + (seq_kv - seq_q).
// FLOPs: 4 B H Sq Sk D (causal: only the pairs that are seen). Least bytes: 4 (2 B H Sq D + 2 B H Sk D).
ATTN_API attn_status attn_sdpa(float *O, const float *Q, const float *K, const float *V, attn_shape shape);

// Multi-head self-attention with its four projections (no biases), E = heads * head_dim:
//     q = X Wq^T, k = X Wk^T, v = X Wv^T;   Y = merge(attention(split(q), split(k), split(v))) Wo^T
// X, Y: [batch, seq_q, E]. Wq, Wk, Wv, Wo: [E, E], row e holds the weights of output feature e. seq_kv equals seq_q.
ATTN_API attn_status attn_mha(float *Y, const float *X, const float *Wq, const float *Wk, const float *Wv,
                              const float *Wo, attn_shape shape);

#endif
