// cuda_pipeline.h: cp.async through its C primitives. What is copied arrives at the wait, not before (runtime/async.cpp).
#ifndef SIMT_CUDA_PIPELINE_H
#define SIMT_CUDA_PIPELINE_H

#include "cuda_runtime.h"

// Copies n = 4, 8 or 16 bytes from global to shared memory; the last zero_fill of them become 0.
static SIMT_INLINE void __pipeline_memcpy_async(void *dst_shared, const void *src_global, size_t n,
                                                size_t zero_fill = 0) {
    simt_async_copy(dst_shared, src_global, n, zero_fill);
}
static SIMT_INLINE void __pipeline_commit() { simt_async_commit(); }
// Waits until at most `groups` of the newest committed groups are still on their way.
static SIMT_INLINE void __pipeline_wait_prior(size_t groups) { simt_async_wait((unsigned)groups); }

#endif
