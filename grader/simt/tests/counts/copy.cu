// copy.cu: neighbouring threads, neighbouring floats: 4 sectors a warp access, all of them used.
#include "common.h"

__global__ void copy(float *y, const float *x, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = x[i];
}

int main() {
    int n = 100000;  // the last block is partly idle
    float *x, *y;
    cudaMalloc(&x, n * sizeof(float));
    cudaMalloc(&y, n * sizeof(float));
    fill(x, n);
    copy<<<(n + 255) / 256, 256>>>(y, x, n);
    return finish();
}
