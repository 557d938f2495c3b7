// device_fill.cu: counter-based inputs need no transfer: gigabytes of them are made in milliseconds, and the checker
// makes again only the rows that it compares.
#include <cuda_runtime.h>

#include "device_fill.h"

enum { MOST_BLOCKS = 4096, THREADS = 256 };

// lab_bits and the normal numbers of inputs.c: integer arithmetic, so host and device agree in every bit.
static __device__ uint64_t bits(uint64_t key, uint64_t index) {
    uint64_t z = key + (index + 1) * 0x9e3779b97f4a7c15;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
    z = (z ^ z >> 27) * 0x94d049bb133111eb;
    return z ^ z >> 31;
}

static __global__ void normal(float *x, size_t n, uint64_t key, uint64_t first) {
    for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < n; i += (size_t)gridDim.x * blockDim.x) {
        int sum = 0;
        for (int word = 0; word < 3; word++) {
            const uint64_t b = bits(key, 3 * (first + i) + word);
            for (int k = 0; k < 4; k++) sum += (int)(b >> 16 * k & 0xffff);
        }
        x[i] = (float)(sum - 12 * 65535 / 2) / 65536.0f;
    }
}

static __global__ void constant(int *x, size_t n, int value) {
    for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < n; i += (size_t)gridDim.x * blockDim.x)
        x[i] = value;
}

extern "C" int lab_fill_normal(float *x, size_t n, uint64_t key, uint64_t first) {
    const size_t blocks = (n + THREADS - 1) / THREADS;
    normal<<<(unsigned)(blocks < MOST_BLOCKS ? blocks : MOST_BLOCKS), THREADS>>>(x, n, key, first);
    return cudaGetLastError();
}

extern "C" int lab_fill_lengths(int *x, size_t n, int value) {
    constant<<<1, THREADS>>>(x, n, value);
    return cudaGetLastError();
}

extern "C" int lab_flush_caches() {
    static char *filler;
    int l2 = 0, device = 0;
    cudaGetDevice(&device);
    cudaDeviceGetAttribute(&l2, cudaDevAttrL2CacheSize, device);
    const size_t bytes = 2 * (size_t)l2 + (1 << 20);
    cudaDeviceSetLimit(cudaLimitPersistingL2CacheSize, 0);
    cudaCtxResetPersistingL2Cache();
    cudaGetLastError();  // neither is known to every device
    if (!filler && cudaMalloc((void **)&filler, bytes) != cudaSuccess) return cudaErrorMemoryAllocation;
    cudaMemset(filler, 1, bytes);
    return cudaDeviceSynchronize();
}
