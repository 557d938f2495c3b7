// gemm.cu: C = A B, one 16 x 16 tile of C a block. A warp is two rows of the tile: As is a broadcast to half warps.
#include "common.h"

constexpr int T = 16;

__global__ void gemm(float *C, const float *A, const float *B, int S) {
    __shared__ float As[T][T], Bs[T][T];
    int x = threadIdx.x, y = threadIdx.y, row = blockIdx.y * T + y, col = blockIdx.x * T + x;
    float sum = 0;
    for (int k0 = 0; k0 < S; k0 += T) {
        As[y][x] = A[row * S + k0 + x];
        Bs[y][x] = B[(k0 + y) * S + col];
        __syncthreads();  // the tiles are complete
#pragma unroll 1          // unrolled, nvcc would read As by float4
        for (int k = 0; k < T; k++) sum += As[y][k] * Bs[k][x];
        __syncthreads();  // nobody reads them any more
    }
    C[row * S + col] = sum;
}

int main(int argc, char **argv) {
    int S = argc > 1 ? atoi(argv[1]) : 128;
    float *A, *B, *C;
    cudaMalloc(&A, S * S * sizeof(float));
    cudaMalloc(&B, S * S * sizeof(float));
    cudaMalloc(&C, S * S * sizeof(float));
    fill(A, S * S);
    fill(B, S * S);
    gemm<<<dim3(S / T, S / T), dim3(T, T)>>>(C, A, B, S);
    return finish();
}
