// zoo.h: a file of the zoo keeps its kernels in a table; the program runs the one that is named, or lists them.
#ifndef ZOO_H
#define ZOO_H

#include <cstdio>
#include <cstring>
#include <cuda_runtime.h>

struct Case {
    const char *name;
    size_t n_out, n_x;  // floats of device memory, cleared
    void (*run)(float *out, float *x);
};

inline void run(const Case &c) {
    float *out, *x;
    cudaMalloc(&out, c.n_out * sizeof(float));
    cudaMalloc(&x, c.n_x * sizeof(float));
    cudaMemset(out, 0, c.n_out * sizeof(float));
    cudaMemset(x, 0, c.n_x * sizeof(float));
    c.run(out, x);
    cudaError_t error = cudaDeviceSynchronize();
    if (error != cudaSuccess) printf("CUDA says: %s\n", cudaGetErrorString(error));
}

template <int N> int zoo(const Case (&cases)[N], int argc, char **argv) {
    for (const Case &c : cases) {
        if (argc < 2)
            puts(c.name);
        else if (!strcmp(c.name, argv[1]))
            run(c);
    }
    return 0;
}

#endif
