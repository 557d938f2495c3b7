// sides.cuh: what __CUDA_ARCH__ decides in a header: a macro, a pair of functions, a method.
#pragma once
#ifdef __CUDA_ARCH__
#define WIDTH 32
__device__ inline int twin(int x) { return x + 1000 + threadIdx.x; }
__device__ inline int device_alone() { return WIDTH; }
#else
#define WIDTH 1
#include <vector>
inline int twin(int x) { return x + 1; }
inline int host_alone() { return (int)std::vector<int>(WIDTH).size(); }
#endif

struct Pair {
    int a = 7;
    __host__ __device__ int width() const {
#if __CUDA_ARCH__ >= 700
        return blockDim.x * WIDTH;
#else
        return WIDTH;
#endif
    }
    int line() const { return __LINE__; }
};
