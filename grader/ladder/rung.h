// rung.h: what the rungs with tensor cores share: the split of a float32, and a plain kernel where there are none.
#ifndef RUNG_H
#define RUNG_H

#include <math.h>

#include "../../task4_flash/task4.h"

static inline int is_bad_shape(attn_shape s) {
    return s.batch < 1 || s.heads < 1 || s.seq_q < 1 || s.seq_kv < 1 || s.head_dim < 8 || s.head_dim > 128 ||
           s.head_dim % 8 != 0 || (s.causal && s.seq_q > s.seq_kv);
}

// A thread a query. It is right and slow: for devices without what a rung needs.
static __global__ void plain_kernel(float *O, const float *Q, const float *K, const float *V, attn_shape s) {
    const int D = s.head_dim, blocks = (s.seq_q + 63) / 64, row = blockIdx.x % blocks * 64 + threadIdx.x;
    if (row >= s.seq_q) return;
    const size_t head = blockIdx.x / blocks;
    Q += (head * s.seq_q + row) * D, O += (head * s.seq_q + row) * D;
    K += head * s.seq_kv * D, V += head * s.seq_kv * D;
    float o[128] = {}, m = -INFINITY, l = 0;
    const int keys = s.causal ? row + 1 + s.seq_kv - s.seq_q : s.seq_kv;
    for (int k = 0; k < keys; k++, K += D, V += D) {
        float score = 0;
        for (int d = 0; d < D; d++) score += Q[d] * K[d];
        score *= 1.44269504f / sqrtf((float)D);
        const float top = fmaxf(m, score), rescale = exp2f(m - top), p = exp2f(score - top);
        m = top, l = l * rescale + p;
        for (int d = 0; d < D; d++) o[d] = o[d] * rescale + p * V[d];
    }
    for (int d = 0; d < D; d++) O[d] = o[d] / l;
}

static inline void launch_plain(float *O, const float *Q, const float *K, const float *V, attn_shape s,
                                cudaStream_t stream) {
    plain_kernel<<<s.batch * s.heads *((s.seq_q + 63) / 64), 64, 0, stream>>>(O, Q, K, V, s);
}

#include <cuda_fp16.h>

#define UNROLL _Pragma("unroll")  // registers cannot be indexed at run time: every loop over them is unrolled
#define DEVICE static __device__ __forceinline__

// The compute capability's first number, of the device in use: 9 is Hopper.
static inline int device_generation(void) {
    int device = 0, major = 0;
    cudaGetDevice(&device);
    cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device);
    return major;
}

static inline int multiprocessors(void) {
    int device = 0, n = 0;
    cudaGetDevice(&device);
    cudaDeviceGetAttribute(&n, cudaDevAttrMultiProcessorCount, device);
    return n;
}

// Two float32 as hi + lo, each two float16. 11 bits and 11 bits (and a sign) are left of 24; |x| up to 65504.
DEVICE void split(float x, float y, uint32_t &hi, uint32_t &lo) {
    const __half2 h = __floats2half2_rn(x, y);
    const float2 back = __half22float2(h);
    const __half2 rest = __floats2half2_rn(x - back.x, y - back.y);
    hi = *(const uint32_t *)&h, lo = *(const uint32_t *)&rest;
}
DEVICE float exp2_approx(float x) {
    asm("ex2.approx.ftz.f32 %0, %0;" : "+f"(x));
    return x;
}
DEVICE float reciprocal(float x) {  // to one unit in the last place
    asm("rcp.approx.ftz.f32 %0, %0;" : "+f"(x));
    return x;
}

#endif
