// builtins.h: threadIdx, blockIdx, blockDim, gridDim, warpSize, and clocks. The rewriter turns the first four, where device
// code names them, into simt::thread_idx() and so on; host code may use the names for variables.
#ifndef SIMT_BUILTINS_H
#define SIMT_BUILTINS_H

#include "../../runtime/abi.h"
#include "../../runtime/intrinsics.h"
#include "vector_types.h"

namespace simt {
static SIMT_INLINE uint3 to_uint3(uint64_t v) { return uint3{(unsigned)v, (uint16_t)(v >> 32), (uint16_t)(v >> 48)}; }
static SIMT_INLINE uint3 thread_idx() { return to_uint3(simt_thread_idx()); }
static SIMT_INLINE uint3 block_idx() { return to_uint3(simt_block_idx()); }
static SIMT_INLINE dim3 block_dim() { return dim3(to_uint3(simt_block_dim())); }
// Which body of a __host__ __device__ function is to run, where __CUDA_ARCH__ gives it two (rewrite/sides.c)?
static constexpr SIMT_INLINE bool on_device() { return !__builtin_is_constant_evaluated() && simt_on_device(); }
static SIMT_INLINE dim3 grid_dim() { return dim3(to_uint3(simt_grid_dim())); }
}  // namespace simt

constexpr int warpSize = 32;

static SIMT_INLINE long long clock64() { return simt_clock(); }
static SIMT_INLINE unsigned long long __globaltimer() { return simt_globaltimer(); }
static SIMT_INLINE void __nanosleep(unsigned ns) { simt_nanosleep(ns); }
static SIMT_INLINE void __trap() { simt_trap(); }
static SIMT_INLINE void __brkpt() {}
static SIMT_INLINE void __prof_trigger(int) {}

static SIMT_INLINE unsigned __isGlobal(const void *p) { return simt_address_space(p) == 1; }
static SIMT_INLINE unsigned __isShared(const void *p) { return simt_address_space(p) == 2; }
static SIMT_INLINE unsigned __isLocal(const void *p) { return simt_address_space(p) == 3; }
static SIMT_INLINE unsigned __isConstant(const void *p) { return simt_address_space(p) == 4; }
static SIMT_INLINE size_t __cvta_generic_to_global(const void *p) { return (size_t)p; }
static SIMT_INLINE void *__cvta_global_to_generic(size_t address) { return (void *)address; }
// A pointer into shared memory as the 32 bits that instructions take, and back.
static SIMT_INLINE size_t __cvta_generic_to_shared(const void *p) { return simt_shared_address(p); }
static SIMT_INLINE void *__cvta_shared_to_generic(size_t address) { return simt_shared_pointer((uint32_t)address); }

#ifndef __clang__
#define __builtin_assume(condition) ((void)0)
#endif
#define __assume(condition) ((void)0)

#endif
