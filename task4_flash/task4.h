// task4.h: attention in one fused CUDA kernel, the contract. FlashAttention-2, Algorithm 1 (Dao 2023), in float32.
//
//     O = softmax(Q K^T / sqrt(D) + mask) V, without ever storing Q K^T.
//
// A block owns a tile of Br queries and walks the keys in tiles of Bc. It loads tiles of K and V into dynamic shared
// memory, and keeps per query the row max m, the row sum l and an unnormalised output O. When a tile raises m, the
// block rescales l and O by exp(m_old - m_new).
#ifndef TASK4_H
#define TASK4_H

#include "shape.h"

#ifdef __cplusplus
#include <cuda_runtime.h>
#else
typedef struct CUstream_st *cudaStream_t;  // as cuda_runtime.h has it, for C files that do without CUDA
#endif

// Q, O: [batch, heads, seq_q, head_dim]. K, V: [batch, heads, seq_kv, head_dim]. Device memory, 16-byte aligned; layout
// and causal mask as in shape.h. Any seq from 1, any head_dim that is a multiple of 8 up to 128.
// Outputs never overlap inputs; every element of O is written; inputs stay as they are.
// The call queues one kernel on `stream`, and nothing else: no allocation (above all none of seq_q x seq_kv), no
// synchronisation. So a CUDA graph can capture it. The kernel does not read key tiles that a causal mask hides whole.
//
// Tile sizes are the compile-time constants BR (queries) and BC (keys). The file has a default for both, and says which
// sizes it takes as -DBR=... -DBC=...; with any of them the result is the same up to rounding. Neither has to divide a
// sequence length. Where a tile needs more shared memory than the device has, nothing runs: ATTN_CUDA_ERROR.
//
// FLOPs: 4 B H Sq Sk D (causal: only the pairs that are seen). Minimum bytes: 4 (2 B H Sq D + 2 B H Sk D).
// Returns ATTN_OK; ATTN_BAD_SHAPE where the shape contradicts shape.h (nothing is launched then); ATTN_CUDA_ERROR if
// cudaFuncSetAttribute fails or cudaGetLastError() reports an error after the launch.
ATTN_API attn_status attn_flash(float *O, const float *Q, const float *K, const float *V, attn_shape shape,
                                cudaStream_t stream);

#endif
