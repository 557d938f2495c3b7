// common.h: what the programs of this folder share: each launches one kernel once, so that a profiler sees just that.
#ifndef COUNTS_COMMON_H
#define COUNTS_COMMON_H

#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#include <vector>

// Fills n floats of device memory with numbers in [0, 1).
inline void fill(float *device, size_t n) {
    std::vector<float> host(n);
    unsigned state = 1;
    for (float &x : host) x = (float)((state = state * 1664525u + 1013904223u) >> 8) / (1 << 24);
    cudaMemcpy(device, host.data(), n * sizeof(float), cudaMemcpyHostToDevice);
}

// Ends main: 0 when the kernel ran.
inline int finish() {
    cudaError_t error = cudaDeviceSynchronize();
    if (error == cudaSuccess) return 0;
    fprintf(stderr, "%s\n", cudaGetErrorString(error));
    return 1;
}

#endif
