// dynamic.cu: dynamic shared memory, whose name stands in the kernel: a function above it has another kernel's, or none.
#include "zoo.h"

__device__ void fill(float *p, float x) { p[threadIdx.x] = x; }
__device__ float take(const float *p) { return p[63 - threadIdx.x]; }

__global__ void race_in_functions_above(float *out) {
    extern __shared__ float tile[];
    fill(tile, 1.0f);
    out[threadIdx.x] = take(tile);  // no __syncthreads
}

__device__ void put(float *p, float x) { p[threadIdx.x] = x; }

__global__ void race_under_another_name(float *out) {
    extern __shared__ float row[];
    if (threadIdx.x == 0) row[40] = 2.0f;
    put(row, 1.0f);
    out[threadIdx.x] = 0.0f;
}

static const Case cases[] = {
    {"race_in_functions_above", 64, 0, [](float *out, float *) { race_in_functions_above<<<1, 64, 256>>>(out); }},
    {"race_under_another_name", 64, 0, [](float *out, float *) { race_under_another_name<<<1, 64, 256>>>(out); }},
};

int main(int argc, char **argv) { return zoo(cases, argc, argv); }
