// memory_device.cu: a CUDA stage works on a copy of the arena in device memory: guard bands and poison travel along, so the
// checker sees a stray write on the GPU as it sees one on the CPU. For nvcc and for grader/simt.
#include <cuda_runtime.h>

#include "memory.h"

static char *host, *device;

extern "C" char *lab_memory_open(char *arena, size_t bytes) {
    host = arena;
    return cudaMalloc((void **)&device, bytes) == cudaSuccess ? device : NULL;
}

// Present when this is linked with simt's checked library (grader/simt/check/simt_check.h).
extern "C" void simt_check_reset() __attribute__((weak));
extern "C" int simt_check_error_count() __attribute__((weak));

extern "C" int lab_memory_load(size_t bytes) {
    if (simt_check_reset) simt_check_reset();
    return cudaMemcpy(device, host, bytes, cudaMemcpyHostToDevice);
}

// Work may be on any stream: wait for the whole device.
extern "C" int lab_memory_store(size_t bytes) {
    int error = cudaDeviceSynchronize();
    if (simt_check_error_count && simt_check_error_count() > 0) return LAB_CHECK_REPORT;
    if (error == cudaSuccess) error = cudaMemcpy(host, device, bytes, cudaMemcpyDeviceToHost);
    return error;
}
