// histogram_skewed.cu: as histogram.cu, but four lanes of a warp add to the same bin: they take turns.
#include "common.h"

constexpr int BINS = 256;

__global__ void histogram_skewed(unsigned *bins, const unsigned *x, int n) {
    __shared__ unsigned mine[BINS];
    mine[threadIdx.x] = 0;
    __syncthreads();  // all bins are zero
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        atomicAdd(&mine[x[i]], (unsigned)i);
    __syncthreads();  // all are counted
    atomicAdd(&bins[threadIdx.x], mine[threadIdx.x]);
}

int main() {
    int n = 65536;
    std::vector<unsigned> host(n);
    for (int i = 0; i < n; i++) host[i] = (unsigned)i / 4 * 5 % BINS;
    unsigned *x, *bins;
    cudaMalloc(&x, n * sizeof(unsigned));
    cudaMalloc(&bins, BINS * sizeof(unsigned));
    cudaMemcpy(x, host.data(), n * sizeof(unsigned), cudaMemcpyHostToDevice);
    cudaMemset(bins, 0, BINS * sizeof(unsigned));
    histogram_skewed<<<16, BINS>>>(bins, x, n);
    return finish();
}
