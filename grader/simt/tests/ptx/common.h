// common.h: what the programs of this folder share. They compile with nvcc (sm_90a) and simtcc, check themselves, and print OK.
#ifndef PTX_COMMON_H
#define PTX_COMMON_H

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_runtime.h>

#define CHECK(call)                                                                                                    \
    do {                                                                                                               \
        cudaError_t status_ = (call);                                                                                  \
        if (status_ != cudaSuccess) {                                                                                  \
            printf("%s:%d: %s: %s\n", __FILE__, __LINE__, #call, cudaGetErrorString(status_));                         \
            exit(1);                                                                                                   \
        }                                                                                                              \
    } while (0)

static int failures;

// Counts what differs, and shows the first.
static inline void expect(const char *what, double found, double wanted, double tolerance = 0) {
    if (std::fabs(found - wanted) <= tolerance) return;
    if (failures++ < 10) printf("%s: %.9g, expected %.9g\n", what, found, wanted);
}

static inline int finish() {
    puts(failures ? "FAILED" : "OK");
    return failures != 0;
}

template <class T> T *device_array(size_t n, const T *from = nullptr) {
    T *p;
    CHECK(cudaMalloc(&p, n * sizeof(T)));
    if (from) CHECK(cudaMemcpy(p, from, n * sizeof(T), cudaMemcpyHostToDevice));
    return p;
}

// Waits for the kernel, copies n elements back.
template <class T> void download(T *host, const T *device, size_t n) {
    CHECK(cudaGetLastError());
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaMemcpy(host, device, n * sizeof(T), cudaMemcpyDeviceToHost));
}

// Small numbers that float16 and bfloat16 hold exactly, and that sum exactly in float.
static inline float small_number(unsigned i) { return (float)((int)(i * 2654435761u >> 16 & 15) - 8) * 0.25f; }

__device__ __forceinline__ uint32_t shared_address(const void *p) { return (uint32_t)__cvta_generic_to_shared(p); }

#endif
