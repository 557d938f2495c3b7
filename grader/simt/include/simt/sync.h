// sync.h: barriers of a block and of a warp, and memory fences.
#ifndef SIMT_SYNC_H
#define SIMT_SYNC_H

#include "../../runtime/intrinsics.h"
#include "vector_types.h"

static SIMT_INLINE void __syncthreads() { simt_syncthreads(); }
static SIMT_INLINE int __syncthreads_count(int predicate) { return simt_syncthreads_op(SIMT_SYNC_COUNT, predicate); }
static SIMT_INLINE int __syncthreads_and(int predicate) { return simt_syncthreads_op(SIMT_SYNC_AND, predicate); }
static SIMT_INLINE int __syncthreads_or(int predicate) { return simt_syncthreads_op(SIMT_SYNC_OR, predicate); }
static SIMT_INLINE void __syncwarp(unsigned mask = 0xffffffffu) { simt_warp(SIMT_SYNCWARP, mask, 0, 0, 32); }

static SIMT_INLINE void __threadfence_block() { simt_fence(0); }
static SIMT_INLINE void __threadfence() { simt_fence(1); }
// Programmatic dependent launch (compute capability 9.0): here a kernel begins when the one before it has ended.
static SIMT_INLINE void cudaGridDependencySynchronize() {}
static SIMT_INLINE void cudaTriggerProgrammaticLaunchCompletion() {}
static SIMT_INLINE void __threadfence_system() { simt_fence(2); }

#endif
