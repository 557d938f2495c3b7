// known_lengths.cu: each thread copies 6 floats, by std::copy and by memcpy: the compiler knows the length and needs no call for it.
#include <string.h>

#include <algorithm>

#include "common.h"

__global__ void known_lengths(float *y, const float *x, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float a[6], b[6];
    std::copy(x + 6 * i, x + 6 * i + 6, a);
    memcpy(b, x + 6 * i, sizeof b);
    y[i] = a[0] + a[5] + b[1] + b[4];
}

int main() {
    const int n = 1024;
    float *x, *y;
    cudaMalloc(&x, 6 * n * sizeof(float));
    cudaMalloc(&y, n * sizeof(float));
    fill(x, 6 * n);
    known_lengths<<<n / 128, 128>>>(y, x, n);
    return finish();
}
