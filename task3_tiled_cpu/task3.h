// task3.h: attention in tiles on the CPU, the contract. FlashAttention-2, Algorithm 1 (Dao 2023), in C.
//
//     O = softmax(Q K^T / sqrt(D) + mask) V, without ever storing a row of Q K^T longer than a tile.
//
// For a tile of Br queries, walk the keys in tiles of Bc and keep per query the row max m, the row sum l and an
// unnormalised output O. When a tile raises m, what was summed so far is rescaled by exp(m_old - m_new).
// Working memory: O(Br Bc + (Br + Bc) D) per thread, whatever the sequence length.
#ifndef TASK3_H
#define TASK3_H

#include "shape.h"

typedef struct {
    int Br;  // queries per tile; 0: your best choice
    int Bc;  // keys per tile;    0: your best choice
} attn_tiles;

// Q, O: [batch, heads, seq_q, head_dim]. K, V: [batch, heads, seq_kv, head_dim]. Layout and causal mask as in shape.h.
// Any Br, Bc >= 0 gives the same result up to rounding; neither has to divide the sequence length.
// Threads: as many as OpenMP offers (OMP_NUM_THREADS). The result may not depend on their number or order.
// Outputs never overlap inputs; every element of O is written; inputs stay as they are.
// FLOPs: 4 B H Sq Sk D (causal: only the pairs that are seen). Least bytes: 4 (2 B H Sq D + 2 B H Sk D).
// Returns ATTN_OK, or ATTN_NO_MEMORY if malloc fails.
ATTN_API attn_status attn_tiled(float *O, const float *Q, const float *K, const float *V, attn_shape shape,
                                attn_tiles tiles);

#endif
