// block.h: results that a block of threads finds together: a sum, the layer norm of a row, the largest of many.
#ifndef LAB_BLOCK_H
#define LAB_BLOCK_H

#include <math.h>

#include "layers.h"

#define UNROLL _Pragma("unroll")  // register arrays must be indexed by constants, or they move to memory

enum { LAB_MOST_WARPS = 8 };  // of a block that calls these functions

// ---- A row of E floats in registers: thread i has elements 4 (i + j blockDim) + 0..3, j < KEEP, zeros behind the end -------
template <int KEEP> static __device__ __forceinline__ void load_row(float4 (&v)[KEEP], const float *row, int E) {
    UNROLL for (int j = 0; j < KEEP; j++) {
        const int i = 4 * (threadIdx.x + j * blockDim.x);
        v[j] = i < E ? *(const float4 *)(row + i) : make_float4(0, 0, 0, 0);
    }
}

template <int KEEP> static __device__ __forceinline__ void store_row(float *row, const float4 (&v)[KEEP], int E) {
    UNROLL for (int j = 0; j < KEEP; j++) {
        const int i = 4 * (threadIdx.x + j * blockDim.x);
        if (i < E) *(float4 *)(row + i) = v[j];
    }
}

template <int KEEP> static __device__ __forceinline__ void add_row(float4 (&v)[KEEP], const float4 (&w)[KEEP]) {
    UNROLL for (int j = 0; j < KEEP; j++) v[j] =
        make_float4(v[j].x + w[j].x, v[j].y + w[j].y, v[j].z + w[j].z, v[j].w + w[j].w);
}

// part: in shared memory, [LAB_MOST_WARPS], and not in use by another sum.
static __device__ __forceinline__ float sum_over_block(float x, float *part) {
    UNROLL for (int distance = 16; distance > 0; distance /= 2) x += __shfl_xor_sync(0xffffffff, x, distance);
    if (threadIdx.x % 32 == 0) part[threadIdx.x / 32] = x;
    __syncthreads();  // every warp's sum is written before any thread adds them
    x = 0;
    UNROLL for (int warp = 0; warp < LAB_MOST_WARPS; warp++) x += warp * 32 < (int)blockDim.x ? part[warp] : 0;
    return x;
}

// v = (v - mean) / sqrt(variance + epsilon) * gain + bias
template <int KEEP>
static __device__ __forceinline__ void normalise(float4 (&v)[KEEP], const float4 (&gain)[KEEP],
                                                 const float4 (&bias)[KEEP], float epsilon, int E) {
    __shared__ float part[2][LAB_MOST_WARPS];
    float sum = 0, squares = 0;
    UNROLL for (int j = 0; j < KEEP; j++) sum += v[j].x + v[j].y + v[j].z + v[j].w;
    const float mean = sum_over_block(sum, part[0]) / E;
    UNROLL for (int j = 0; j < KEEP; j++) {
        if (4 * (int)(threadIdx.x + j * blockDim.x) >= E) continue;
        v[j] = make_float4(v[j].x - mean, v[j].y - mean, v[j].z - mean, v[j].w - mean);
        squares += v[j].x * v[j].x + v[j].y * v[j].y + v[j].z * v[j].z + v[j].w * v[j].w;
    }
    const float scale = rsqrtf(sum_over_block(squares, part[1]) / E + epsilon);
    UNROLL for (int j = 0; j < KEEP; j++) v[j] =
        make_float4(v[j].x * scale * gain[j].x + bias[j].x, v[j].y * scale * gain[j].y + bias[j].y,
                    v[j].z * scale * gain[j].z + bias[j].z, v[j].w * scale * gain[j].w + bias[j].w);
}

// ---- The largest, the first of equal ones -----------------------------------------------------------------------------
static __device__ __forceinline__ lab_candidate better(lab_candidate a, lab_candidate b) {
    return b.value > a.value || (b.value == a.value && b.index < a.index) ? b : a;
}

#endif
