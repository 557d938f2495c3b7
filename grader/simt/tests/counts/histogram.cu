// histogram.cu: atomics on shared memory, then on global memory. The values of a warp are 32 different ones.
#include "common.h"

constexpr int BINS = 256;

__global__ void histogram(unsigned *bins, const unsigned *x, int n) {
    __shared__ unsigned mine[BINS];
    mine[threadIdx.x] = 0;
    __syncthreads();  // all bins are zero
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) atomicAdd(&mine[x[i]], 1u);
    __syncthreads();  // all are counted
    atomicAdd(&bins[threadIdx.x], mine[threadIdx.x]);
}

int main() {
    int n = 65536;
    std::vector<unsigned> host(n);
    for (int i = 0; i < n; i++) host[i] = (unsigned)i * 5 % BINS;
    unsigned *x, *bins;
    cudaMalloc(&x, n * sizeof(unsigned));
    cudaMalloc(&bins, BINS * sizeof(unsigned));
    cudaMemcpy(x, host.data(), n * sizeof(unsigned), cudaMemcpyHostToDevice);
    cudaMemset(bins, 0, BINS * sizeof(unsigned));
    histogram<<<16, BINS>>>(bins, x, n);
    return finish();
}
