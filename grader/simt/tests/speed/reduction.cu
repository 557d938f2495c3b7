// reduction.cu: sums by blocks of 256 threads, 16384 blocks: ten barriers a thread, and almost nothing between them.
#include "speed.h"

#include <vector>

__global__ void sum(float *total, const float *x) {
    __shared__ float part[256];
    int t = threadIdx.x;
    part[t] = x[(size_t)blockIdx.x * 256 + t];
    __syncthreads();
    for (int k = 128; k > 0; k >>= 1) {
        if (t < k) part[t] += part[t + k];
        __syncthreads();
    }
    if (t == 0) total[blockIdx.x] = part[0];
}

int main() {
    const int blocks = 16384;
    float *x, *total;
    cudaMalloc(&x, blocks * 256 * sizeof *x);
    cudaMalloc(&total, blocks * sizeof *total);
    std::vector<float> in(blocks * 256), out(blocks);
    for (size_t i = 0; i < in.size(); i++) in[i] = (float)(i / 256 % 7);
    cudaMemcpy(x, in.data(), blocks * 256 * sizeof *x, cudaMemcpyHostToDevice);
    double seconds = best_seconds([&] { sum<<<blocks, 256>>>(total, x); });
    cudaMemcpy(out.data(), total, blocks * sizeof *total, cudaMemcpyDeviceToHost);
    for (int i = 0; i < blocks; i++)
        if (out[i] != 256 * (i % 7)) return printf("WRONG in block %d\n", i), 1;
    printf("block reduction: %.3f s\n", seconds);
}
