// bounds.cu: accesses outside of every array.
#include "zoo.h"

__global__ void past_the_end(float *x, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    x[i] = 1;  // no if (i < n)
}

__global__ void before_the_start(float *y, const float *x) { y[threadIdx.x] = x[(int)threadIdx.x - 1]; }

__global__ void far_away(float *y, const float *x) { y[threadIdx.x] = x[threadIdx.x * 1000000000LL]; }

__global__ void half_outside(float4 *y, const float *x) { y[threadIdx.x] = ((const float4 *)x)[threadIdx.x]; }

__global__ void shared_pointer_past_end(float *out, int n) {
    __shared__ float a[16], b[16];
    float *p = a;  // the compiler no longer sees the array's size
    b[threadIdx.x] = 0;
    a[threadIdx.x] = 1;
    __syncthreads();
    out[threadIdx.x] = p[threadIdx.x + n] + b[threadIdx.x];
}

__global__ void shared_index(float *out, int n) {
    __shared__ float rows[4][8];
    rows[threadIdx.x / 8][threadIdx.x % 8] = 1;
    __syncthreads();
    out[threadIdx.x] = rows[threadIdx.x / 8][threadIdx.x % 8 + n];  // runs into the next row
}

__global__ void dynamic_shared_too_small(float *out) {
    extern __shared__ float buffer[];
    buffer[threadIdx.x] = 1;
    __syncthreads();
    out[threadIdx.x] = buffer[threadIdx.x];
}

__global__ void local_array(float *out, int n) {
    float acc[4] = {};
    for (int i = 0; i <= n; i++) acc[i] += threadIdx.x;  // <= for <
    out[threadIdx.x] = acc[threadIdx.x % 4];
}

__device__ float sum_of(const float *row, int n) {
    float sum = 0;
    for (int i = 0; i < n; i++) sum += row[i];
    return sum;
}
__global__ void local_pointer(float *out, int n) {
    float acc[4] = {1, 2, 3, 4};
    acc[threadIdx.x % 4] += 1;
    out[threadIdx.x] = sum_of(acc, n);  // one more than there are
}

__constant__ float table[8];

__global__ void constant_index(float *out) { out[threadIdx.x] = table[threadIdx.x]; }

__global__ void constant_pointer(float *out) {
    const float *p = table;  // the compiler no longer sees the array's size
    out[threadIdx.x] = p[threadIdx.x];
}

__global__ void misaligned(float *out, const float *row) {
    float4 v = *(const float4 *)(row + 1);
    out[threadIdx.x] = v.x;
}

__global__ void misaligned_float2(float *out, const float *x) {
    float2 v = ((const float2 *)(x + 5 * threadIdx.x))[0];  // odd rows begin at an odd float
    out[threadIdx.x] = v.x + v.y;
}

__global__ void misaligned_by_half(float *out, const float *x) {
    float4 v = *(const float4 *)x;
    *(float4 *)(out + 2) = v;
}

static const Case cases[] = {
    {"past_the_end", 30, 0, [](float *out, float *) { past_the_end<<<1, 32>>>(out, 30); }},
    {"before_the_start", 32, 32, [](float *out, float *x) { before_the_start<<<1, 32>>>(out, x); }},
    {"far_away", 32, 32, [](float *out, float *x) { far_away<<<1, 32>>>(out, x); }},
    {"half_outside", 8, 6, [](float *out, float *x) { half_outside<<<1, 2>>>((float4 *)out, x); }},
    {"shared_pointer_past_end", 16, 0, [](float *out, float *) { shared_pointer_past_end<<<1, 16>>>(out, 2); }},
    {"shared_index", 32, 0, [](float *out, float *) { shared_index<<<1, 32>>>(out, 1); }},
    {"dynamic_shared_too_small", 64, 0, [](float *out, float *) { dynamic_shared_too_small<<<1, 64, 240>>>(out); }},
    {"local_array", 32, 0, [](float *out, float *) { local_array<<<1, 32>>>(out, 4); }},
    {"local_pointer", 32, 0, [](float *out, float *) { local_pointer<<<1, 32>>>(out, 5); }},
    {"constant_index", 9, 0, [](float *out, float *) { constant_index<<<1, 9>>>(out); }},
    {"constant_pointer", 9, 0, [](float *out, float *) { constant_pointer<<<1, 9>>>(out); }},
    {"misaligned", 1, 8, [](float *out, float *x) { misaligned<<<1, 1>>>(out, x); }},
    {"misaligned_float2", 4, 32, [](float *out, float *x) { misaligned_float2<<<1, 4>>>(out, x); }},
    {"misaligned_by_half", 8, 8, [](float *out, float *x) { misaligned_by_half<<<1, 1>>>(out, x); }},
};

int main(int argc, char **argv) { return zoo(cases, argc, argv); }
