// pipeline.cu: cp.async through the C primitives: single copies, zero fill, a three-stage pipeline.
#include "common.h"
#include <cuda_pipeline.h>

__global__ void single(const float *in, float *out) {
    __shared__ __align__(16) float s[256];
    int t = threadIdx.x;
    __pipeline_memcpy_async(&s[4 * t], &in[4 * t], 16);
    __pipeline_commit();
    __pipeline_wait_prior(0);
    __syncthreads();
    for (int i = 0; i < 4; i++) out[i * 64 + t] = s[255 - (i * 64 + t)];
}
__global__ void zero_fill(const float *in, float *out, int n) {
    __shared__ __align__(16) float s[128];
    int t = threadIdx.x, first = 4 * t, valid = n - first < 0 ? 0 : n - first > 4 ? 4 : n - first;
    __pipeline_memcpy_async(&s[first], valid ? &in[first] : in, 16, (4 - valid) * sizeof(float));
    __pipeline_commit();
    __pipeline_wait_prior(0);
    __syncthreads();
    for (int i = t; i < 128; i += 32) out[i] = s[i];
}
__global__ void stages(const float *in, float *out, int tiles) {
    __shared__ __align__(16) float s[3][128];
    int t = threadIdx.x;
    for (int k = 0; k < 2; k++) {
        if (k < tiles) __pipeline_memcpy_async(&s[k][t], &in[k * 128 + t], 4);
        __pipeline_commit();
    }
    float sum = 0;
    for (int k = 0; k < tiles; k++) {
        if (k + 2 < tiles) __pipeline_memcpy_async(&s[(k + 2) % 3][t], &in[(k + 2) * 128 + t], 4);
        __pipeline_commit();
        __pipeline_wait_prior(2);
        __syncthreads();
        sum += s[k % 3][127 - t] * (k + 1);
        __syncthreads();
    }
    out[t] = sum;
}

int main() {
    static float h[10 * 128], r[256];
    for (int i = 0; i < 1280; i++) h[i] = (float)(i % 97);
    float *in = upload(h, 1280), *out = device_array<float>(256);
    single<<<1, 64>>>(in, out);
    download(r, out, 256);
    int bad = 0;
    for (int i = 0; i < 256; i++) bad += r[i] != h[255 - i];
    printf("single: %d wrong\n", bad);
    zero_fill<<<1, 32>>>(in, out, 101);
    download(r, out, 128);
    bad = 0;
    for (int i = 0; i < 128; i++) bad += r[i] != (i < 101 ? h[i] : 0);
    printf("zero fill: %d wrong\n", bad);
    stages<<<1, 128>>>(in, out, 10);
    download(r, out, 128);
    bad = 0;
    for (int t = 0; t < 128; t++) {
        float sum = 0;
        for (int k = 0; k < 10; k++) sum += h[k * 128 + 127 - t] * (k + 1);
        bad += r[t] != sum;
    }
    printf("stages: %d wrong, %g\n", bad, r[3]);
    return 0;
}
