// pack.h: the layers' weights, once, in the order in which the blocks will read them: units of 8 columns and E rows, each
// 32 E bytes in a row. A strip of a row-major matrix is rows of 32 bytes, of which memory gives 3.2 TB/s; of lines 4.4.
//
// The layer norms before W_qkv and W_fc become part of them. With m the mean of x, s its deviation, c any number,
//
//      ((x - m) / s * gain + bias) W + b  =  ((x - c) W' - (m - c) sums) / s + rest
//      W'[r][k] = gain[r] W[r][k]      sums[k] = sum of W'[r][k]      rest[k] = b[k] + sum of bias[r] W[r][k]
//
// so that the product need not wait for m and s: they come with its own sums. c is the last norm's mean, so that m - c is
// small, and nothing cancels.
#ifndef ONE_KERNEL_PACK_H
#define ONE_KERNEL_PACK_H

#include "../../run/fused.h"
#include "../hopper.h"

struct packed_layer {  // units of 8 E floats: 3E / 8, E / 8, E / 2, and 4 for each of the E / 8 units of W_proj
    const float *qkv, *out, *fc, *proj, *qkv_sums, *qkv_rest, *fc_sums, *fc_rest;
};
template <int E_> static inline __device__ __host__ packed_layer packed_at(const attn_step &s, int layer) {
    constexpr size_t E = E_;
    const float *p = s.packed + layer * (12 * E + 14) * E, *v = p + 12 * E * E;
    return {p, p + 3 * E * E, p + 4 * E * E, p + 8 * E * E, v, v + 3 * E, v + 6 * E, v + 10 * E};
}

// W: [parts E, n_out]. gain: NULL, or of its rows.
static __global__ void pack(float *to, const float *W, const float *gain, int E, int parts, int n_out) {
    const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= (size_t)parts * E * n_out) return;
    const int unit = i / (8 * E * parts), row = i / 8 % (E * parts), col = 8 * unit + i % 8;
    const float x = W[(size_t)row * n_out + col];
    to[i] = gain ? gain[row] * x : x;
}

static __global__ void fold_norm(float *sums, float *rest, const float *W, const float *b, const float *gain,
                                 const float *bias, int E, int n_out) {
    const int k = blockIdx.x * blockDim.x + threadIdx.x;
    if (k >= n_out) return;
    double sum = 0, more = b[k];
    for (int r = 0; r < E; r++) {
        const float x = W[(size_t)r * n_out + k];
        sum += gain[r] * x, more += (double)bias[r] * x;  // gain x: as pack rounds it
    }
    sums[k] = (float)sum, rest[k] = (float)more;
}

static void launch_pack(const float *to, const float *W, const float *gain, int E, int parts, int n_out,
                        cudaStream_t stream) {
    pack<<<(unsigned)(((size_t)parts * E * n_out + 255) / 256), 256, 0, stream>>>((float *)to, W, gain, E, parts,
                                                                                  n_out);
}

template <int E> static void pack_layer(const attn_step &s, int layer, cudaStream_t stream) {
    const packed_layer to = packed_at<E>(s, layer);
    const gpt2_layer &l = s.weights.layers[layer];
    launch_pack(to.qkv, l.W_qkv, l.ln_1_g, E, 1, 3 * E, stream), launch_pack(to.out, l.W_out, NULL, E, 1, E, stream);
    launch_pack(to.fc, l.W_fc, l.ln_2_g, E, 1, 4 * E, stream), launch_pack(to.proj, l.W_proj, NULL, E, 4, E, stream);
    fold_norm<<<(3 * E + 63) / 64, 64, 0, stream>>>((float *)to.qkv_sums, (float *)to.qkv_rest, l.W_qkv, l.b_qkv,
                                                    l.ln_1_g, l.ln_1_b, E, 3 * E);
    fold_norm<<<(4 * E + 63) / 64, 64, 0, stream>>>((float *)to.fc_sums, (float *)to.fc_rest, l.W_fc, l.b_fc, l.ln_2_g,
                                                    l.ln_2_b, E, 4 * E);
}

#endif
