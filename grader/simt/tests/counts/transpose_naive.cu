// transpose_naive.cu: reads along rows, writes along columns: every lane writes to a sector of its own.
#include "common.h"

__global__ void transpose_naive(float *y, const float *x, int n) {
    int col = blockIdx.x * 32 + threadIdx.x, row = blockIdx.y * 32 + threadIdx.y;
    y[col * n + row] = x[row * n + col];
}

int main() {
    int n = 256;
    float *x, *y;
    cudaMalloc(&x, n * n * sizeof(float));
    cudaMalloc(&y, n * n * sizeof(float));
    fill(x, n * n);
    transpose_naive<<<dim3(n / 32, n / 32), dim3(32, 32)>>>(y, x, n);
    return finish();
}
