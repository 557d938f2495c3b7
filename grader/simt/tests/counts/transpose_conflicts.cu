// transpose_conflicts.cu: a tile in shared memory makes both sides coalesced. Columns of tile[32][32]:
// all 32 lanes read one bank: 32 wavefronts where 1 would do.
#include "common.h"

__global__ void transpose_conflicts(float *y, const float *x, int n) {
    __shared__ float tile[32][32];
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
    transpose_conflicts<<<dim3(n / 32, n / 32), dim3(32, 32)>>>(y, x, n);
    return finish();
}
