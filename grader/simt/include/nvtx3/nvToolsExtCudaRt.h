// nvToolsExtCudaRt.h: NVTX's names for what the runtime has, which a profiler would show.
#ifndef SIMT_NVTOOLSEXTCUDART_H
#define SIMT_NVTOOLSEXTCUDART_H

#include "../cuda_runtime_api.h"
#include "../nvToolsExt.h"

static inline void nvtxNameCudaDeviceA(int, const char *) {}
static inline void nvtxNameCudaStreamA(cudaStream_t, const char *) {}
static inline void nvtxNameCudaEventA(cudaEvent_t, const char *) {}
#define nvtxNameCudaDevice nvtxNameCudaDeviceA
#define nvtxNameCudaStream nvtxNameCudaStreamA
#define nvtxNameCudaEvent nvtxNameCudaEventA

#endif
