// sticky_trap.cu: __trap() in a kernel breaks the context: each later call gives the same error.
#include "common.h"
#include <cassert>

__global__ void bad(int *out) {
    if (threadIdx.x == 3) __trap();
}

int main() {
    int *p = device_array<int>(64), *q = nullptr, h[4];
    bad<<<1, 8>>>(p);
    printf("synchronize: %s\n", cudaGetErrorName(cudaDeviceSynchronize()));
    printf("last: %s\n", cudaGetErrorName(cudaGetLastError()));
    printf("last again: %s\n", cudaGetErrorName(cudaPeekAtLastError()));
    printf("malloc: %s\n", cudaGetErrorName(cudaMalloc(&q, 4)));
    printf("copy: %s\n", cudaGetErrorName(cudaMemcpy(h, p, 4, cudaMemcpyDeviceToHost)));
    bad<<<1, 1>>>(p);
    printf("launch: %s\n", cudaGetErrorName(cudaGetLastError()));
    printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
    return 0;
}
