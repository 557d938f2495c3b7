// strided.cu: each lane reads 8 floats beyond its neighbour: a sector of its own, of which it uses an eighth.
#include "common.h"

__global__ void strided(float *y, const float *x, int stride) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    y[i] = x[i * stride];
}

int main() {
    int n = 16384, stride = 8;
    float *x, *y;
    cudaMalloc(&x, n * stride * sizeof(float));
    cudaMalloc(&y, n * sizeof(float));
    fill(x, n * stride);
    strided<<<n / 128, 128>>>(y, x, stride);
    return finish();
}
