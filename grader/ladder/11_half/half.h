// half.h: attention with float16 or bfloat16 in and out, the contract. The lab's tasks are float32: this one is the
// ladder's alone, and `make ladder` tests it, against float64 on the same inputs.
//
//     O = softmax(Q K^T / sqrt(D) + mask) V, shapes, layout and mask as in task4.h, elements of 16 bits.
//
// Device memory, 16-byte aligned. Products are summed in float32; weights are rounded to 16 bits before they meet V.
// A call queues one kernel on `stream`; a CUDA graph can capture it. At most 64 calls may be under way at once.
// Returns ATTN_OK; ATTN_BAD_SHAPE; ATTN_CUDA_ERROR, also on devices that are not of compute capability 9.0.
#ifndef HALF_H
#define HALF_H

#include "task4.h"

ATTN_API attn_status attn_flash_f16(void *O, const void *Q, const void *K, const void *V, attn_shape shape,
                                    cudaStream_t stream);
ATTN_API attn_status attn_flash_bf16(void *O, const void *Q, const void *K, const void *V, attn_shape shape,
                                     cudaStream_t stream);

#endif
