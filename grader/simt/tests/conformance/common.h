// common.h: what the conformance programs share. They compile with nvcc and with simtcc and must print the same text.
#ifndef CONFORMANCE_COMMON_H
#define CONFORMANCE_COMMON_H

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cuda_runtime.h>

#define CHECK(call)                                                                                                    \
    do {                                                                                                               \
        cudaError_t status_ = (call);                                                                                  \
        if (status_ != cudaSuccess) {                                                                                  \
            printf("%s:%d: %s: %s\n", __FILE__, __LINE__, #call, cudaGetErrorString(status_));                         \
            exit(1);                                                                                                   \
        }                                                                                                              \
    } while (0)

// Device memory of n elements, filled with `bytes`.
template <class T> T *device_array(size_t n, int bytes = 0) {
    T *p;
    CHECK(cudaMalloc(&p, n * sizeof(T)));
    CHECK(cudaMemset(p, bytes, n * sizeof(T)));
    return p;
}

template <class T> T *upload(const T *host, size_t n) {
    T *p;
    CHECK(cudaMalloc(&p, n * sizeof(T)));
    CHECK(cudaMemcpy(p, host, n * sizeof(T), cudaMemcpyHostToDevice));
    return p;
}

// Waits for the kernel, copies n elements back.
template <class T> void download(T *host, const T *device, size_t n) {
    CHECK(cudaGetLastError());
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaMemcpy(host, device, n * sizeof(T), cudaMemcpyDeviceToHost));
}

// FNV-1a: one number for many results.
inline unsigned long long hash_of(const void *data, size_t n) {
    unsigned long long h = 14695981039346656037ull;
    for (size_t i = 0; i < n; i++) h = (h ^ ((const unsigned char *)data)[i]) * 1099511628211ull;
    return h;
}

#endif
