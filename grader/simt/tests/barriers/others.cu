// others.cu: histograms, sorting, halves, warp-level tiles and matrices.
#include "barriers.h"
#include <cooperative_groups.h>
#include <cuda_fp16.h>
#include <mma.h>

namespace cg = cooperative_groups;

__global__ void histogram(unsigned *bins, const float *x, int n) {
    __shared__ unsigned mine[64];
    int t = threadIdx.x;
    if (t < 64) mine[t] = 0;
    SYNCTHREADS(1);  // all bins are zero
    for (int i = blockIdx.x * 128 + t; i < n; i += gridDim.x * 128) atomicAdd(&mine[(int)(x[i] * 64)], 1u);
    SYNCTHREADS(2);  // all are counted
    if (t < 64) atomicAdd(&bins[t], mine[t]);
}

__global__ void bitonic_sort(float *out, const float *x) {
    __shared__ float s[128];
    int t = threadIdx.x;
    s[t] = x[t];
    SYNCTHREADS(1);  // the elements are there
    for (int size = 2; size <= 128; size *= 2)
        for (int d = size / 2; d > 0; d /= 2) {
            int other = t ^ d;
            if (other > t && (s[t] > s[other]) == ((t & size) == 0)) {
                float v = s[t];
                s[t] = s[other], s[other] = v;
            }
            SYNCTHREADS(2);  // the step is done
        }
    out[t] = s[t];
}

// Two-byte elements: neighbours share a word, which is no race.
__global__ void half_reverse(float *out, const float *x) {
    __shared__ __half s[128];
    int t = threadIdx.x;
    s[t] = __float2half(x[t]);
    SYNCTHREADS(1);  // the elements are there
    out[t] = __half2float(s[127 - t]);
}

// Tiles of 8 lanes: each sorts out its own row of the shared array and needs nobody else.
__global__ void group_rows(float *out, const float *x) {
    __shared__ float s[64];
    int t = threadIdx.x;
    auto tile = cg::tiled_partition<8>(cg::this_thread_block());
    s[t] = x[t];
    if (removed != 1) tile.sync();  // the tile's elements are there
    float v = s[t / 8 * 8 + 7 - t % 8];
    if (removed != 2) tile.sync();  // they have been read
    s[t] = 2 * v;
    if (removed != 3) tile.sync();  // the new ones are there
    out[t] = s[t / 8 * 8 + (t + 1) % 8];
}

// One 16 x 16 product by a warp: the operands come through shared memory, and so does the result.
__global__ void wmma_tile(float *out, const float *x, const float *y) {
    using namespace nvcuda;
    __shared__ __half a[256], b[256];
    __shared__ float c[256];
    int t = threadIdx.x;
    for (int i = t; i < 256; i += 32) a[i] = __float2half(x[i]), b[i] = __float2half(y[i]);
    SYNCWARP(1);  // the operands are there
    wmma::fragment<wmma::matrix_a, 16, 16, 16, __half, wmma::row_major> fa;
    wmma::fragment<wmma::matrix_b, 16, 16, 16, __half, wmma::row_major> fb;
    wmma::fragment<wmma::accumulator, 16, 16, 16, float> fc;
    wmma::load_matrix_sync(fa, a, 16);
    wmma::load_matrix_sync(fb, b, 16);
    wmma::fill_fragment(fc, 0.0f);
    wmma::mma_sync(fc, fa, fb, fc);
    wmma::store_matrix_sync(c, fc, 16, wmma::mem_row_major);
    SYNCWARP(2);  // the result is there
    for (int i = t; i < 256; i += 32) out[i] = c[255 - i];
}

// Warp 0 produces, warp 1 consumes: a flag in global memory, fence and atomics, no __syncthreads.
__global__ void flag(float *out, float *data, unsigned *ready) {
    int lane = threadIdx.x % 32;
    if (threadIdx.x < 32) {
        data[lane] = (float)lane;
        THREADFENCE(1);  // this lane's element is visible
        SYNCWARP(2);     // all lanes' are
        if (lane == 0) atomicExch(ready, 1u);
    } else {
        while (atomicAdd(ready, 0u) == 0) {}
        out[lane] = data[31 - lane];
    }
}

static const Kernel kernels[] = {
    {"histogram", 2, [](const Buffers &b) { histogram<<<4, 128>>>(b.counters, b.x, N); }},
    {"bitonic_sort", 2, [](const Buffers &b) { bitonic_sort<<<1, 128>>>(b.out, b.x); }},
    {"half_reverse", 1, [](const Buffers &b) { half_reverse<<<1, 128>>>(b.out, b.x); }},
    {"group_rows", 3, [](const Buffers &b) { group_rows<<<1, 64>>>(b.out, b.x); }},
    {"wmma_tile", 2, [](const Buffers &b) { wmma_tile<<<1, 32>>>(b.out, b.x, b.y); }},
    {"flag", 2, [](const Buffers &b) { flag<<<1, 64>>>(b.out, b.z, b.counters); }},
    {nullptr, 0, nullptr},
};
const KernelList others = {kernels, remove_barrier};
