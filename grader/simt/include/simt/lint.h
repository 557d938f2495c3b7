// lint.h: what simtcc --lint puts before a .cu file that clang's CUDA front end reads, and never runs: CUDA's words as clang's
// attributes, the host's library for the host, the device's functions for both.
#ifndef SIMT_LINT_H
#define SIMT_LINT_H
#define __SIMT_REWRITE__
#include "qualifiers.h"

#define __host__ __attribute__((host))
#define __device__ __attribute__((device))
#define __global__ __attribute__((global))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
#define __managed__ __attribute__((device))

#include <assert.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <algorithm>
#include <cmath>
#include <iostream>
#include <limits>
#include <new>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include <__clang_cuda_math_forward_declares.h>  // clang's own: the same functions for the device

extern "C" {
__device__ int printf(const char *format, ...);
__device__ void *malloc(size_t n) noexcept;
__device__ void free(void *p) noexcept;
__device__ clock_t clock() noexcept;
__device__ void *memcpy(void *to, const void *from, size_t n) noexcept;
__device__ void *memset(void *p, int value, size_t n) noexcept;
__device__ void __assert_fail(const char *expression, const char *file, unsigned line, const char *function) noexcept;
}

// The C library's functions of float, which it declares for the host alone (clang's header has those of C++).
#define ONE(name) __device__ float name##f(float) noexcept;
#define TWO(name) __device__ float name##f(float, float) noexcept;
// clang-format off
extern "C" {
ONE(acos) ONE(acosh) ONE(asin) ONE(asinh) ONE(atan) ONE(atanh) ONE(cbrt) ONE(ceil) ONE(cos) ONE(cosh) ONE(erf)
ONE(erfc) ONE(exp) ONE(exp2) ONE(exp10) ONE(expm1) ONE(fabs) ONE(floor) ONE(lgamma) ONE(log) ONE(log10) ONE(log1p) ONE(log2)
ONE(logb) ONE(nearbyint) ONE(rint) ONE(round) ONE(sin) ONE(sinh) ONE(sqrt) ONE(tan) ONE(tanh) ONE(tgamma) ONE(trunc)
TWO(atan2) TWO(copysign) TWO(fdim) TWO(fmax) TWO(fmin) TWO(fmod) TWO(hypot) TWO(nextafter) TWO(pow) TWO(remainder)
__device__ float fmaf(float, float, float) noexcept;
__device__ float frexpf(float, int *) noexcept;
__device__ float ldexpf(float, int) noexcept;
__device__ float scalbnf(float, int) noexcept;
__device__ float scalblnf(float, long) noexcept;
__device__ float modff(float, float *) noexcept;
__device__ float remquof(float, float, int *) noexcept;
__device__ int ilogbf(float) noexcept;
__device__ long lrintf(float) noexcept;
__device__ long lroundf(float) noexcept;
__device__ long long llrintf(float) noexcept;
__device__ long long llroundf(float) noexcept;
}
// clang-format on
#undef ONE
#undef TWO

#pragma clang force_cuda_host_device begin
#include "../../runtime/abi.h"
#include "../../runtime/intrinsics.h"
#include "vector_types.h"
#pragma clang force_cuda_host_device end

#include "../cuda_runtime_api.h"

// The C library has functions of these names for itself.
#define __expf simt_expf
#define __exp10f simt_exp10f
#define __logf simt_logf
#define __log2f simt_log2f
#define __log10f simt_log10f
#define __powf simt_powf
#define __sinf simt_sinf
#define __cosf simt_cosf
#define __tanf simt_tanf
#define __tanhf simt_tanhf
#define __sincosf simt_sincosf

#define SIMT_OUTPUT_H  // printf and its like stand below
#pragma clang force_cuda_host_device begin
#define __syncthreads simt_known_to_clang
#include "sync.h"
#undef __syncthreads
#include "../cooperative_groups.h"
#include "../cooperative_groups/memcpy_async.h"
#include "../cooperative_groups/reduce.h"
#include "../cooperative_groups/scan.h"
#include "../cuda_bf16.h"
#include "../cuda_fp16.h"
#include "../cuda_fp8.h"
#include "../cuda_pipeline.h"
#include "../cuda_runtime.h"
#include "../curand_kernel.h"
#include "../mma.h"
#include "../cuda/barrier"
#include "../cuda/pipeline"
#pragma clang force_cuda_host_device end

// __shared__ alignas(16) float x[4]; __global__ void __cluster_dims__(2, 1, 1) f(); void __launch_bounds__(256) g(): nvcc
// takes these places, clang does not.
template <class T> constexpr size_t simt_alignment() { return alignof(T); }
template <size_t n> constexpr size_t simt_alignment() { return n; }
#define alignas(n) __attribute__((aligned(simt_alignment<n>())))
#ifndef __cluster_dims__
#define __cluster_dims__(...)
#endif
#undef __launch_bounds__
#define __launch_bounds__(...)

extern const __device__ uint3 threadIdx, blockIdx;
extern const __device__ dim3 blockDim, gridDim;
extern "C" {
unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared_bytes = 0, void *stream = nullptr);
int cudaConfigureCall(dim3 grid, dim3 block, size_t shared_bytes = 0, cudaStream_t stream = nullptr);
}

#endif
