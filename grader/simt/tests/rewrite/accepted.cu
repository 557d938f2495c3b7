// accepted.cu: what nvcc takes in places where one does not look for it.
#include "tap.h"

#include <builtin_types.h>  // headers of CUDA's that programs name although they have to do with none of them
#include <cublas_api.h>
#include <driver_functions.h>
#include <nvtx3/nvToolsExtCudaRt.h>
#include <sm_20_intrinsics.h>
#include <sm_30_intrinsics.h>
#include <sm_35_intrinsics.h>
#include <sm_61_intrinsics.h>

__shared__ float tile[64], total;  // at file scope: each block has its own, and all functions mean the same
__shared__ int flags[2][3];

template <class T> __constant__ T weights[4];
template <class T, int N = 2> __device__ T counter = N;

__device__ int later(int i = threadIdx.x);  // default values, also without a body
__device__ int later(int i) { return i; }
using index_type = decltype(threadIdx.x);

struct Indices {
    int a, b;
    unsigned c = threadIdx.x, d{threadIdx.x};
    __device__ Indices() : a(threadIdx.x), b{(int)blockDim.x} {}
};

static int rest = 3;  // the host's: split has its own
__device__ int split(int i) {
    const int whole = i / 4, rest = i % 4;
    return whole + rest;
}

__device__ void put(int i) { tile[i] = i + blockIdx.x, flags[1][2] = 5; }

__global__ void shared_at_file_scope(float *out) {
    put(threadIdx.x);
    __syncthreads();
    if (threadIdx.x == 0) total = tile[63];
    __syncthreads();
    out[64 * blockIdx.x + threadIdx.x] = tile[63 - threadIdx.x] + total + flags[1][2];
}

__global__ void __launch_bounds__(64) bounded(int *out) { out[threadIdx.x] = 0; }

template <class T> __global__ void variable_templates(T *out) {
    out[threadIdx.x] = weights<T>[threadIdx.x] + counter<T>;
    counter<T, 7> = 5;
}

__global__ void builtins_anywhere(int *out) {
    Indices s;
    decltype(threadIdx) t = threadIdx;
    index_type i = t.x;
    out[i] = later() + s.a + s.b + s.c + s.d - i;
}

__global__ void directed(double *out) {
    out[0] = __dadd_rd(1, 1e-30), out[1] = __dadd_ru(1, 1e-30), out[2] = __dsub_rz(1, 1e-30);
    out[3] = __ddiv_ru(1, 3) - __ddiv_rd(1, 3), out[4] = __dsqrt_ru(4), out[5] = __fma_ru(1, 1, 1e-30);
}

__device__ int __shfl(int x, int lane) { return __shfl_sync(0xffffffff, x, lane); }  // CUDA's own are gone

__global__ void names_that_are_free(int *out) { out[threadIdx.x] = __shfl(threadIdx.x, 3); }

int main() {
    dim3 blockDim(64);  // host code may use the name
    nvtxNameCudaStreamA(0, "main stream");
    float *d, h[128];
    cudaMalloc(&d, sizeof h);
    shared_at_file_scope<<<2, blockDim>>>(d);
    cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
    ok(h[0] == 63 + 63 + 5 && h[63] == 0 + 63 + 5 && h[127] == 1 + 64 + 5, "shared variables at file scope");
    float values[] = {1, 2, 3, 4};
    ok(cudaMemcpyToSymbol(weights<float>, values, sizeof values) == cudaSuccess, "a template's instance is a symbol");
    variable_templates<<<1, 4>>>(d);
    cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
    ok(h[0] == 3 && h[3] == 6, "templates of __constant__ and __device__ variables");
    float seven = 0;
    cudaMemcpyFromSymbol(&seven, counter<float, 7>, sizeof seven);
    ok(seven == 5 && sizeof weights<double> == 32, "each instance has its own value");
    int n[4];
    builtins_anywhere<<<1, 4>>>((int *)d);
    cudaMemcpy(n, d, sizeof n, cudaMemcpyDeviceToHost);
    ok(n[0] == 4 && n[3] == 13, "threadIdx in default values, member lists and types");
    double r[6];
    directed<<<1, 1>>>((double *)d);
    cudaMemcpy(r, d, sizeof r, cudaMemcpyDeviceToHost);
    ok(r[0] == 1 && r[1] == 1 + 0x1p-52 && r[2] == 1 - 0x1p-53 && r[3] == 0x1p-54 && r[4] == 2 && r[5] == r[1],
       "doubles rounded to one side");
    int *lanes;
    cudaMalloc(&lanes, sizeof h);
    names_that_are_free<<<1, 32>>>(lanes);
    cudaMemcpy(n, lanes, sizeof n, cudaMemcpyDeviceToHost);
    ok(n[0] == 3 && n[2] == 3, "a function of the program's with the name of one that CUDA removed");
    printf("1..%d\n", tap_tests);
    return tap_failures != 0;
}
