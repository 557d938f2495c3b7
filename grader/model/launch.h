// launch.h: how kernels of a chain are queued, so that they begin while their predecessor still runs.
//
// A decode step is a chain of a hundred short kernels. Between two of them a GPU normally drains, stops and starts. With
// "programmatic dependent launch" (CUDA Programming Guide; sm_90 on) the next kernel's blocks already start, may
// read data that no kernel writes (weights), and wait only before they touch their predecessor's data. Hence the rule:
//
//     every kernel launched with launch() calls wait_for_previous() before it reads or writes anything that a kernel has
//     written or still reads, and let_next_start() where its successor's blocks are welcome beside its own.
//
// wait_for_previous() waits until the predecessor is complete, not until it calls let_next_start(). So a kernel's own
// completion means that all before it are complete: a student's kernel, launched as usual, finds everything in place.
#ifndef LAB_LAUNCH_H
#define LAB_LAUNCH_H

#include <cuda_runtime.h>

#include "shape.h"

#ifndef LAB_OVERLAP
#define LAB_OVERLAP 1  // 0: launch as usual, to measure what it is worth
#endif

static inline attn_status launched(void) { return cudaGetLastError() == cudaSuccess ? ATTN_OK : ATTN_CUDA_ERROR; }

static __device__ __forceinline__ void let_next_start(void) {
#if defined(__CUDACC__) && __CUDA_ARCH__ >= 900 && LAB_OVERLAP
    cudaTriggerProgrammaticLaunchCompletion();
#endif
}

static __device__ __forceinline__ void wait_for_previous(void) {
#if defined(__CUDACC__) && __CUDA_ARCH__ >= 900 && LAB_OVERLAP
    cudaGridDependencySynchronize();
#endif
}

#ifdef __CUDACC__
static inline int device_can_overlap(void) {
    static int major = -1;
    if (major < 0) {
        int device = 0;
        cudaGetDevice(&device);
        cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device);
    }
    return LAB_OVERLAP && major == 9;  // newer ones could: where it has been measured
}
#endif

template <class... P, class... A>
static attn_status launch(void (*kernel)(P...), dim3 grid, int threads, cudaStream_t stream, A... arguments) {
#ifdef __CUDACC__
    cudaLaunchAttribute overlap = {};
    overlap.id = cudaLaunchAttributeProgrammaticStreamSerialization;
    overlap.val.programmaticStreamSerializationAllowed = 1;
    cudaLaunchConfig_t config = {};
    config.gridDim = grid, config.blockDim = dim3(threads), config.stream = stream;
    config.attrs = &overlap, config.numAttrs = device_can_overlap();
    cudaLaunchKernelEx(&config, kernel, arguments...);
#else
    kernel<<<grid, threads, 0, stream>>>(arguments...);
#endif
    return launched();
}

#endif
