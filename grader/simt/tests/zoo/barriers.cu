// barriers.cu: barriers that not all threads reach together.
#include "zoo.h"

__global__ void divergent_barrier(float *out) {
    __shared__ float s[64];
    int t = threadIdx.x;
    s[t] = t;
    if (t < 32) {
        __syncthreads();
        out[t] = s[t + 32];
    } else {
        s[t] += 1;
        __syncthreads();  // another one than that of the first warp
        out[t] = s[t - 32];
    }
}

__global__ void early_exit(float *out, int n) {
    __shared__ float s[64];
    int t = threadIdx.x;
    if (t >= n) return;  // threads past the end do not come back
    s[t] = t;
    __syncthreads();
    out[t] = s[n - 1 - t];
}

__global__ void barrier_in_loop(float *out, int n) {
    int t = threadIdx.x;
    for (int i = t; i < n; i += 64) {  // the first threads go round more often
        out[i] = i;
        __syncthreads();
    }
    __syncthreads();
}

__global__ void shuffle_in_branch(float *out) {
    int t = threadIdx.x;
    float v = t;
    if (t % 32 < 16) v += __shfl_xor_sync(0xffffffffu, v, 1);  // half of the lanes that the mask names
    __syncthreads();
    out[t] = v;
}

__global__ void barrier_in_branch(float *out) {
    int t = threadIdx.x;
    out[t] = t;
    if (t < 32) {
        __syncthreads();  // the second warp runs past it, to the end of the kernel
        out[t] += 1;
    }
}

static const Case cases[] = {
    {"divergent_barrier", 64, 0, [](float *out, float *) { divergent_barrier<<<1, 64>>>(out); }},
    {"early_exit", 64, 0, [](float *out, float *) { early_exit<<<1, 64>>>(out, 60); }},
    {"barrier_in_loop", 80, 0, [](float *out, float *) { barrier_in_loop<<<1, 64>>>(out, 80); }},
    {"shuffle_in_branch", 64, 0, [](float *out, float *) { shuffle_in_branch<<<1, 64>>>(out); }},
    {"barrier_in_branch", 64, 0, [](float *out, float *) { barrier_in_branch<<<1, 64>>>(out); }},
};

int main(int argc, char **argv) { return zoo(cases, argc, argv); }
