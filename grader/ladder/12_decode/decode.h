// decode.h: one query a sequence and head against a KV cache, float32 or float16. The contract of task 5's attn_decode
// (task5.h), but for the element type and the workspace:
//
//     O[b][h][:] = softmax(Q[b][h] K^T / sqrt(D)) V over slots 0 .. lengths[b] - 1;  0 where lengths[b] is 0.
//
// workspace: DECODE_WORKSPACE(cache) bytes of device memory, zero before the first call. A call leaves it ready for the
// next call with the same cache; two calls at the same time need two.
// Returns ATTN_OK; ATTN_BAD_SHAPE; ATTN_CUDA_ERROR, also on devices before compute capability 9.0.
#ifndef DECODE_H
#define DECODE_H

#include "task5.h"

enum { DECODE_MAX_BLOCKS = 1024 };
#define DECODE_WORKSPACE(c) (4 * (size_t)(c).batch * (c).heads + 8 * DECODE_MAX_BLOCKS * ((size_t)(c).head_dim + 2))

ATTN_API attn_status attn_decode_f32(void *O, const void *Q, const void *K_cache, const void *V_cache,
                                     const int *lengths, void *workspace, attn_cache cache, cudaStream_t stream);
ATTN_API attn_status attn_decode_f16(void *O, const void *Q, const void *K_cache, const void *V_cache,
                                     const int *lengths, void *workspace, attn_cache cache, cudaStream_t stream);

#endif
