// softmax.cu: one warp a row of 100 columns, so the last step has 4 of 32 lanes; reductions by shuffles.
#include "common.h"
#ifndef KERNEL  // the _rolled variant forbids nvcc to unroll loops
#define KERNEL softmax
#define ROLLED
#endif
#include <cmath>

__global__ void KERNEL(float *y, const float *x, int rows, int cols) {
    int row = blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32, lane = threadIdx.x % 32;
    if (row >= rows) return;
    const float *in = x + row * cols;
    float m = -INFINITY, sum = 0;
    ROLLED
    for (int c = lane; c < cols; c += 32) m = fmaxf(m, in[c]);
    for (int o = 16; o > 0; o /= 2) m = fmaxf(m, __shfl_xor_sync(0xffffffffu, m, o));
    ROLLED
    for (int c = lane; c < cols; c += 32) sum += __expf(in[c] - m);
    for (int o = 16; o > 0; o /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, o);
    ROLLED
    for (int c = lane; c < cols; c += 32) y[row * cols + c] = __expf(in[c] - m) / sum;
}

int main() {
    int rows = 500, cols = 100;  // rows begin in the middle of a sector
    float *x, *y;
    cudaMalloc(&x, rows * cols * sizeof(float));
    cudaMalloc(&y, rows * cols * sizeof(float));
    fill(x, rows * cols);
    KERNEL<<<(rows + 3) / 4, 128>>>(y, x, rows, cols);
    return finish();
}
