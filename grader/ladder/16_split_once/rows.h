// rows.h: what is split, and by whom: weights once before all prompts, activations by the kernel that makes them.
#ifndef SPLIT_ONCE_ROWS_H
#define SPLIT_ONCE_ROWS_H

#include "product.h"

namespace split_once {

// ---- Weights ---------------------------------------------------------------------------------------------------------
// float16 has few digits for small numbers: lo of a weight of 0.02 would have five bits. So each column is multiplied by a
// power of two that makes its largest weight 2^13 to 2^14; its sums are multiplied by the inverse.
static __global__ void find_scales(float *scale, const float *W, int n_in, int n_out) {
    const int col = blockIdx.x * blockDim.x + threadIdx.x;
    if (col >= n_out) return;
    float top = 0;
    for (int k = 0; k < n_in; k++) top = fmaxf(top, fabsf(W[(size_t)k * n_out + col]));
    scale[col] = top > 1e-30f && top < 1e30f ? ldexpf(1, ilogbf(top) - 13) : 1;
}

// Eight numbers to a piece of 16 bytes each. piece: of the row's.
DEVICE void store_piece(char *split, int rows, int row, int piece, const float (&x)[8]) {
    uint4 hi, lo;
    ::split(x[0], x[1], hi.x, lo.x), ::split(x[2], x[3], hi.y, lo.y);
    ::split(x[4], x[5], hi.z, lo.z), ::split(x[6], x[7], hi.w, lo.w);
    char *to = split_at(split, rows, row, 8 * piece);
    *(uint4 *)to = hi, *(uint4 *)lo_of(to) = lo;
}

// W: [n_in][n_out] -> split [n_out][n_in].
static __global__ void pack_weights(char *to, const float *W, const float *scale, int n_in, int n_out) {
    const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    const int col = i % n_out, piece = i / n_out;
    if (piece >= n_in / 8) return;
    const float by = 1 / scale[col];
    float x[8];
    UNROLL for (int k = 0; k < 8; k++) x[k] = by * W[(size_t)(8 * piece + k) * n_out + col];
    store_piece(to, n_out, col, piece, x);
}

// ---- x += parts + b, and its layer norm, split: a block a row, four numbers a thread ---------------------------------
struct addends {
    const float *sums[4], *b;
    int n;
};

// part: in shared memory, [8], and not in use by another sum.
DEVICE float sum_over_block(float x, float *part) {
    UNROLL for (int bit = 16; bit > 0; bit /= 2) x += __shfl_xor_sync(0xffffffff, x, bit);
    if (threadIdx.x % 32 == 0) part[threadIdx.x / 32] = x;
    __syncthreads();  // every warp's sum is written before any thread adds them
    x = 0;
    for (int warp = 0; warp < (int)blockDim.x / 32; warp++) x += part[warp];
    return x;
}

static __global__ void __launch_bounds__(256) add_and_norm(float *x, char *normed, addends add, const float *gain,
                                                           const float *bias, float epsilon, int rows, int E) {
    __shared__ float part[2][8];
    const int row = blockIdx.x, e = 4 * threadIdx.x;
    const bool any = e < E;
    float4 v = make_float4(0, 0, 0, 0), y[5] = {}, g = {}, c = {};
    if (any && gain) g = load4(gain + e), c = load4(bias + e);
    if (any && add.n) y[4] = load4(add.b + e);
    wait_for_last_kernel();
    if (any) {
        v = *(const float4 *)(x + (size_t)row * E + e);
        UNROLL for (int p = 0; p < 4; p++) if (p < add.n) y[p] = *(const float4 *)(add.sums[p] + (size_t)row * E + e);
        UNROLL for (int p = 0; p < 4; p++) y[4] =
            make_float4(y[4].x + y[p].x, y[4].y + y[p].y, y[4].z + y[p].z, y[4].w + y[p].w);
        v = make_float4(v.x + y[4].x, v.y + y[4].y, v.z + y[4].z, v.w + y[4].w);
        if (add.n) *(float4 *)(x + (size_t)row * E + e) = v;
    }
    if (!gain) return;
    const float mean = sum_over_block(v.x + v.y + v.z + v.w, part[0]) / E;
    if (any) v = make_float4(v.x - mean, v.y - mean, v.z - mean, v.w - mean);
    const float by = rsqrtf(sum_over_block(v.x * v.x + v.y * v.y + v.z * v.z + v.w * v.w, part[1]) / E + epsilon);
    if (any)
        store_split4(
            normed, rows, row, e,
            make_float4(v.x * by * g.x + c.x, v.y * by * g.y + c.y, v.z * by * g.z + c.z, v.w * by * g.w + c.w));
}

template <class... P, class... A>
static attn_status launch_small(void (*kernel)(P...), size_t blocks, int threads, cudaStream_t stream, A... arguments) {
    cudaLaunchAttribute with = overlap();
    cudaLaunchConfig_t config = {};
    config.gridDim = dim3(blocks), config.blockDim = dim3(threads), config.stream = stream;
    config.attrs = &with, config.numAttrs = 1;
    cudaLaunchKernelEx(&config, kernel, arguments...);
    return cudaGetLastError() == cudaSuccess ? ATTN_OK : ATTN_CUDA_ERROR;
}

}  // namespace split_once
#endif
