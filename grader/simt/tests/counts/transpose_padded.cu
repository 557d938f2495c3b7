// transpose_padded.cu: a tile in shared memory makes both sides coalesced. Columns of tile[32][33]:
// the padding column moves each row by one bank: no conflicts.
#include "common.h"

__global__ void transpose_padded(float *y, const float *x, int n) {
    __shared__ float tile[32][33];
    int col = blockIdx.x * 32 + threadIdx.x, row = blockIdx.y * 32 + threadIdx.y;
    tile[threadIdx.y][threadIdx.x] = x[row * n + col];
    __syncthreads();  // a column of the tile is read by a warp that wrote a row
    y[(blockIdx.x * 32 + threadIdx.y) * n + blockIdx.y * 32 + threadIdx.x] = tile[threadIdx.x][threadIdx.y];
}

int main() {
    int n = 256;
    float *x, *y;
    cudaMalloc(&x, n * n * sizeof(float));
    cudaMalloc(&y, n * n * sizeof(float));
    fill(x, n * n);
    transpose_padded<<<dim3(n / 32, n / 32), dim3(32, 32)>>>(y, x, n);
    return finish();
}
