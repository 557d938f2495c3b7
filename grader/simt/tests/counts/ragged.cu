// ragged.cu: loops of different lengths and branches in one warp: lanes that left a loop wait behind it, so each turn
// of the longest lane is one request.
#include "common.h"
#ifndef KERNEL  // the _rolled variant forbids nvcc to unroll loops
#define KERNEL ragged
#define ROLLED
#endif

__device__ float twice(const float *x, int i) { return 2 * x[i]; }

__global__ void KERNEL(float *y, const float *x, int rounds) {
    int lane = threadIdx.x % 32, warp = blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32;
    float sum = 0;
    for (int r = 0; r < rounds; r++) {
        const float *row = x + (warp * rounds + r) * 32;
        ROLLED
        for (int i = 0; i <= lane; i++) sum += row[i];  // a triangle: 32 turns, lane 31 alone in the last
        if (lane % 4 == 0)
            sum += twice(row, lane);  // 8 lanes
        else if (lane % 2 == 0)
            sum -= row[lane];                              // 8 lanes
        ROLLED
        for (int i = lane; i < 20; i += 3) sum -= row[i];  // 7 turns, fewer and fewer lanes
        y[(warp * rounds + r) * 32 + lane] = sum;          // all together again
    }
}

int main() {
    int warps = 8, rounds = 5, n = warps * rounds * 32;
    float *x, *y;
    cudaMalloc(&x, n * sizeof(float));
    cudaMalloc(&y, n * sizeof(float));
    fill(x, n);
    KERNEL<<<warps / 4, 128>>>(y, x, rounds);
    return finish();
}
