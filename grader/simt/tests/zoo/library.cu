// library.cu: checked kernels in a shared object, for host.c.
#include <cuda_runtime.h>

__global__ void scale(float *y, const float *x, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = 2 * x[i];
}

// 0, or a CUDA error. Runs past the end of y when told to.
extern "C" int run_scale(int n, int past_the_end) {
    float *x, *y;
    cudaMalloc(&x, 1024 * sizeof(float));
    cudaMalloc(&y, n * sizeof(float));
    cudaMemset(x, 0, 1024 * sizeof(float));
    scale<<<(n + 63) / 64, 64>>>(y, x, n + past_the_end);
    int error = cudaDeviceSynchronize();
    cudaFree(x);
    cudaFree(y);
    return error;
}

// One cudaMalloc for several arrays, n floats in all.
extern "C" float *take(int n) {
    float *memory;
    cudaMalloc(&memory, n * sizeof(float));
    return memory;
}

extern "C" int clear(float *memory, int n) { return cudaMemset(memory, 0, n * sizeof(float)); }

extern "C" int scale_arrays(float *y, const float *x, int n) {
    scale<<<(n + 63) / 64, 64>>>(y, x, n);
    return cudaDeviceSynchronize();
}

extern "C" int give_back(float *memory) { return cudaFree(memory); }
