// async.cu: cp.async: the bytes are there only after the wait, and for other threads only after a barrier as well.
#include "zoo.h"
#include <cuda_pipeline.h>

__global__ void missing_wait(float *out, const float *x) {
    __shared__ __align__(16) float tile[128];
    int t = threadIdx.x;
    __pipeline_memcpy_async(&tile[4 * t], &x[4 * t], 16);
    __pipeline_commit();
    out[t] = tile[4 * t];  // its own, but not yet there
}

__global__ void wait_for_the_wrong_group(float *out, const float *x) {
    __shared__ __align__(16) float tile[2][128];
    int t = threadIdx.x;
    for (int i = 0; i < 2; i++) {
        __pipeline_memcpy_async(&tile[i][4 * t], &x[128 * i + 4 * t], 16);
        __pipeline_commit();
    }
    __pipeline_wait_prior(1);  // the first group only
    __syncthreads();
    out[t] = tile[0][127 - t] + tile[1][127 - t];
}

__global__ void missing_barrier_after_wait(float *out, const float *x) {
    __shared__ __align__(16) float tile[128];
    int t = threadIdx.x;
    __pipeline_memcpy_async(&tile[4 * t], &x[4 * t], 16);
    __pipeline_commit();
    __pipeline_wait_prior(0);
    out[t] = tile[127 - t];  // another thread's copy
}

__global__ void source_overwritten(float *out, float *x) {
    __shared__ __align__(16) float tile[128];
    int t = threadIdx.x;
    __pipeline_memcpy_async(&tile[4 * t], &x[4 * t], 16);
    __pipeline_commit();
    x[4 * t] = 1;  // before the copy has been waited for
    __pipeline_wait_prior(0);
    out[t] = tile[4 * t];
}

__global__ void two_copy_one_element(float *out, const float *x) {
    __shared__ __align__(16) float tile[64];
    int t = threadIdx.x;
    __pipeline_memcpy_async(&tile[4 * (t / 2)], &x[4 * t], 16);  // not t % 16
    __pipeline_commit();
    __pipeline_wait_prior(0);
    __syncthreads();
    out[t] = tile[t];
}

static const Case cases[] = {
    {"missing_wait", 32, 128, [](float *out, float *x) { missing_wait<<<1, 32>>>(out, x); }},
    {"wait_for_the_wrong_group", 32, 256, [](float *out, float *x) { wait_for_the_wrong_group<<<1, 32>>>(out, x); }},
    {"missing_barrier_after_wait", 32, 128,
     [](float *out, float *x) { missing_barrier_after_wait<<<1, 32>>>(out, x); }},
    {"source_overwritten", 32, 128, [](float *out, float *x) { source_overwritten<<<1, 32>>>(out, x); }},
    {"two_copy_one_element", 32, 128, [](float *out, float *x) { two_copy_one_element<<<1, 32>>>(out, x); }},
};

int main(int argc, char **argv) { return zoo(cases, argc, argv); }
