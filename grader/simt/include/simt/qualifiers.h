// qualifiers.h: CUDA's words that are attributes here, or nothing.
//
// In .cu files __host__ __global__ __device__ __constant__ __managed__ __shared__ and __launch_bounds__(n) stay words for
// the rewriter (simtcc defines __SIMT_REWRITE__ there); in .c and .cpp files, where nobody rewrites, they vanish.
// __CUDACC__ stays undefined: it is the students' way to say "only with nvcc". __SIMT__ is the opposite.
#ifndef SIMT_QUALIFIERS_H
#define SIMT_QUALIFIERS_H

#define __SIMT__ 1

#define __forceinline__ inline __attribute__((always_inline))
#define __align__(n) __attribute__((aligned(n)))
#define __builtin_align__(n) __attribute__((aligned(n)))
#define __maxnreg__(...)
#define __grid_constant__
#define __inline_hint__
#define __nv_pure__ __attribute__((pure))
#define __CUDA_ALIGN__(n) __attribute__((aligned(n)))

// Of bits that are nobody's memory, for simt's own headers: it becomes a move. The compiler folds the check away.
#define SIMT_MOVE_BITS(to, from, n) __builtin___memcpy_chk(to, from, n, ~(__SIZE_TYPE__)0)

#ifndef __SIMT_REWRITE__
#define __host__
#define __global__
#define __device__
#define __constant__
#define __managed__
#define __shared__
#define __launch_bounds__(...)
#endif

#endif
