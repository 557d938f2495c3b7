// float4_copy.cu: 16 bytes a lane: 16 sectors a warp access.
#include "common.h"

__global__ void float4_copy(float4 *y, const float4 *x, int n) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) y[i] = x[i];
}

int main() {
    int n = 20000;  // float4s; no multiple of the grid's 4096 threads
    float4 *x, *y;
    cudaMalloc(&x, n * sizeof(float4));
    cudaMalloc(&y, n * sizeof(float4));
    fill((float *)x, 4 * n);
    float4_copy<<<32, 128>>>(y, x, n);
    return finish();
}
