// errors.cu: what CUDA refuses, and that the next right call works again; every error's name and text.
#include "common.h"

__global__ void nothing() {}
__global__ void touch(int *p) { p[threadIdx.x] = 1; }
__global__ void dynamic(int *p) {
    extern __shared__ int s[];
    s[threadIdx.x] = 1;
    p[threadIdx.x] = s[threadIdx.x];
}

// The error of a call or launch; then it must be gone.
void show(const char *what, cudaError_t returned = cudaSuccess) {
    cudaError_t peeked = cudaPeekAtLastError(), last = cudaGetLastError(), again = cudaGetLastError(),
                later = cudaDeviceSynchronize();
    printf("%s: %s %s %s, then %s %s\n", what, cudaGetErrorName(returned), cudaGetErrorName(peeked),
           cudaGetErrorName(last), cudaGetErrorName(again), cudaGetErrorName(later));
}

int main() {
    int *p = device_array<int>(1024), h[16];
    nothing<<<1, 1025>>>(), show("1025 threads");
    nothing<<<1, dim3(32, 33)>>>(), show("32 x 33 threads");
    nothing<<<1, dim3(1, 1, 65)>>>(), show("z of 65");
    nothing<<<1, 0>>>(), show("no threads");
    nothing<<<0, 1>>>(), show("no blocks");
    nothing<<<dim3(1, 65536), 1>>>(), show("y of 65536 blocks");
    nothing<<<dim3(1, 65535), 1>>>(), show("y of 65535 blocks");
    nothing<<<1, dim3(1, 1, 64)>>>(), show("z of 64");
    dynamic<<<1, 32, 48 * 1024>>>(p), show("48 KB of shared memory");
    dynamic<<<1, 32, 48 * 1024 + 16>>>(p), show("more without opt-in");
    show("opt-in of 228 KB", cudaFuncSetAttribute(dynamic, cudaFuncAttributeMaxDynamicSharedMemorySize, 228 * 1024));
    show("opt-in of 227 KB", cudaFuncSetAttribute(dynamic, cudaFuncAttributeMaxDynamicSharedMemorySize, 227 * 1024));
    dynamic<<<1, 32, 227 * 1024>>>(p), show("227 KB of shared memory");
    dynamic<<<1, 32, 227 * 1024 + 16>>>(p), show("more than that");

    show("copy 0 bytes", cudaMemcpy(p, h, 0, cudaMemcpyHostToDevice));
    show("direction 7", cudaMemcpy(p, h, 4, (cudaMemcpyKind)7));
    show("null destination", cudaMemcpy(nullptr, h, 4, cudaMemcpyHostToDevice));
    show("memset on null", cudaMemset(nullptr, 0, 4));
    show("malloc of 0", cudaMalloc(&p, 0));
    void *huge;
    show("malloc of 2^60", cudaMalloc(&huge, (size_t)1 << 60));
    show("free of null", cudaFree(nullptr));
    int *q;
    show("malloc", cudaMalloc(&q, 4096));
    show("free", cudaFree(q));
    show("free again", cudaFree(q));
    show("free of a host pointer", cudaFree(h));
    show("device 99", cudaSetDevice(99));
    cudaDeviceProp properties;
    show("properties of device 99", cudaGetDeviceProperties(&properties, 99));
    show("null event", cudaEventRecord(nullptr, 0));
    show("null occupancy", cudaOccupancyMaxActiveBlocksPerMultiprocessor(nullptr, nothing, 32, 0));
    cudaGetLastError();
    show("null kernel", cudaFuncSetAttribute((const void *)nullptr, cudaFuncAttributeMaxDynamicSharedMemorySize, 1024));
    q = device_array<int>(32);
    touch<<<1, 32>>>(q), show("a right launch");
    for (int e = 0; e < 1000; e++)
        if (strcmp(cudaGetErrorName((cudaError_t)e), "unrecognized error code"))
            printf("%d %s: %s\n", e, cudaGetErrorName((cudaError_t)e), cudaGetErrorString((cudaError_t)e));
    printf("%s, %s\n", cudaGetErrorName((cudaError_t)12345), cudaGetErrorString((cudaError_t)12345));
    return 0;
}
