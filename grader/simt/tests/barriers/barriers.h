// barriers.h: kernels that are right, each of whose barriers is needed. Taking away any one must be reported.
#ifndef BARRIERS_H
#define BARRIERS_H

#include <cmath>
#include <cstdio>
#include <cuda_runtime.h>

// The barrier that is taken away; 0: none. All barriers of a kernel are numbered from 1.
static __device__ int removed;
static inline void remove_barrier(int n) { cudaMemcpyToSymbol(removed, &n, sizeof n); }
#define SYNCTHREADS(n)                                                                                                 \
    do {                                                                                                               \
        if (removed != (n)) __syncthreads();                                                                           \
    } while (0)
#define SYNCWARP(n)                                                                                                    \
    do {                                                                                                               \
        if (removed != (n)) __syncwarp();                                                                              \
    } while (0)
#define THREADFENCE(n)                                                                                                 \
    do {                                                                                                               \
        if (removed != (n)) __threadfence();                                                                           \
    } while (0)

struct Buffers {  // device memory for every kernel: N floats each, inputs in [0, 1)
    float *x, *y, *z, *out;
    unsigned *counters;  // zero
};
constexpr int N = 4096;

struct Kernel {
    const char *name;
    int barriers;
    void (*launch)(const Buffers &);
};
struct KernelList {
    const Kernel *kernels;        // ends with a null name
    void (*remove_barrier)(int);  // each file has its own `removed`
};
extern const KernelList reductions, tiles, others;

#endif
