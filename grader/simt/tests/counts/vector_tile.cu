// vector_tile.cu: shared memory by float4: 4 wavefronts for 32 different float4s, and how few when lanes share them.
#include "common.h"

__global__ void vector_tile(float4 *y, const float4 *x, int n) {
    __shared__ float4 tile[256];
    int i = blockIdx.x * 256 + threadIdx.x;
    tile[threadIdx.x] = x[i];
    __syncthreads();  // others' elements are read
    float4 a = tile[255 - threadIdx.x], b = tile[threadIdx.x / 8], c = tile[threadIdx.x * 2 % 256];
    y[i] = make_float4(a.x + b.x + c.x, a.y + b.y + c.y, a.z + b.z + c.z, a.w + b.w + c.w);
}

int main() {
    int n = 8192;
    float4 *x, *y;
    cudaMalloc(&x, n * sizeof(float4));
    cudaMalloc(&y, n * sizeof(float4));
    fill((float *)x, 4 * n);
    vector_tile<<<n / 256, 256>>>(y, x, n);
    return finish();
}
