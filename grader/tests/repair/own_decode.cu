// Warps walk the keys; a lane owns four neighbouring dims as a float4; lambdas; joined through shared memory.
#include "task5.h"

#include <math.h>

namespace {

constexpr int WarpSize = 32, NumWarps = 4, Block = WarpSize * NumWarps;

struct State {
    float m = -INFINITY, l = 0.0f;
    float4 o = {0.0f, 0.0f, 0.0f, 0.0f};
};

__device__ float4 operator*(float a, float4 v) { return make_float4(a * v.x, a * v.y, a * v.z, a * v.w); }
__device__ float4 operator+(float4 a, float4 b) { return make_float4(a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w); }
__device__ float dot4(float4 a, float4 b) { return a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w; }

// The union of two sets of keys.
__device__ State merged(const State &a, const State &b) {
    if (a.m == -INFINITY) return b;
    if (b.m == -INFINITY) return a;
    State r;
    r.m = fmaxf(a.m, b.m);
    const float fa = expf(a.m - r.m), fb = expf(b.m - r.m);
    r.l = fa * a.l + fb * b.l;
    r.o = fa * a.o + fb * b.o;
    return r;
}

bool fits(attn_cache c) {
    const bool sizes = c.batch > 0 && c.heads > 0 && c.max_seq > 0;
    return sizes && c.head_dim >= 8 && c.head_dim <= 128 && c.head_dim % 8 == 0;
}

attn_status done() { return cudaGetLastError() == cudaSuccess ? ATTN_OK : ATTN_CUDA_ERROR; }

__global__ void append_kernel(float4 *kc, float4 *vc, int *lengths, const float4 *kn, const float4 *vn, attn_cache c) {
    const int b = blockIdx.x, slot = lengths[b], quads = c.head_dim / 4;
    __syncthreads();
    if (slot < c.max_seq) {
        for (int i = threadIdx.x; i < c.heads * quads; i += Block) {
            const int h = i / quads, x = i % quads;
            const size_t bh = (size_t)b * c.heads + h, to = (bh * c.max_seq + slot) * quads + x, from = bh * quads + x;
            kc[to] = kn[from];
            vc[to] = vn[from];
        }
        if (threadIdx.x == 0) lengths[b] = slot + 1;
    }
}

__global__ void decode_kernel(float *O, float *L, const float *Q, const float *K, const float *V, const int *lengths,
                              attn_cache c) {
    __shared__ State parts[NumWarps][WarpSize];
    const int warp = threadIdx.x / WarpSize, lane = threadIdx.x % WarpSize;
    const int quads = c.head_dim / 4, n = gridDim.y;
    const size_t bh = blockIdx.x;
    const int len = lengths[bh / c.heads];
    const int per = len / n, extra = len % n, split = blockIdx.y;
    const int begin = split * per + min(split, extra), end = begin + per + (split < extra ? 1 : 0);
    const auto row = [&](const float *base, int j) { return (const float4 *)base + (bh * c.max_seq + j) * quads; };
    const bool active = lane < quads;
    const float4 zero = {0.0f, 0.0f, 0.0f, 0.0f};
    const float4 q = active ? ((const float4 *)Q)[bh * quads + lane] : zero;
    const float scale = rsqrtf((float)c.head_dim);

    State st;
    int j = begin + warp;
    while (j < end) {
        float s = active ? dot4(q, row(K, j)[lane]) : 0.0f;
        for (int mask = 16; mask > 0; mask /= 2) s += __shfl_xor_sync(~0u, s, mask);
        State one;
        one.m = s * scale;
        one.l = 1.0f;
        one.o = active ? row(V, j)[lane] : zero;
        st = merged(st, one);
        j += NumWarps;
    }
    parts[warp][lane] = st;
    __syncthreads();
    if (warp != 0) return;
    for (int w = 1; w < NumWarps; w++) st = merged(st, parts[w][lane]);
    const size_t at = bh * n + split;
    if (active) ((float4 *)O)[at * quads + lane] = st.l > 0.0f ? (1.0f / st.l) * st.o : zero;
    if (L && lane == 0) L[at] = st.m + logf(st.l);
}

__global__ void combine_kernel(float *O, const float *P, const float *L, int n, int D) {
    const size_t bh = blockIdx.x;
    const float *l = L + bh * n;
    float m = -INFINITY, sum = 0.0f, acc = 0.0f;
    for (int s = 0; s < n; s++) {
        if (l[s] == -INFINITY) continue;
        const float up = fmaxf(m, l[s]), keep = expf(m - up), w = expf(l[s] - up);
        sum = sum * keep + w;
        acc = acc * keep + w * P[(bh * n + s) * D + threadIdx.x];
        m = up;
    }
    O[bh * D + threadIdx.x] = sum > 0.0f ? acc / sum : 0.0f;
}

}  // namespace

ATTN_API attn_status attn_cache_append(float *K_cache, float *V_cache, int *lengths, const float *k_new,
                                       const float *v_new, attn_cache cache, cudaStream_t stream) {
    if (!fits(cache)) return ATTN_BAD_SHAPE;
    append_kernel<<<cache.batch, Block, 0, stream>>>((float4 *)K_cache, (float4 *)V_cache, lengths,
                                                     (const float4 *)k_new, (const float4 *)v_new, cache);
    return done();
}

ATTN_API attn_status attn_decode(float *O, const float *Q, const float *K_cache, const float *V_cache,
                                 const int *lengths, attn_cache cache, cudaStream_t stream) {
    if (!fits(cache)) return ATTN_BAD_SHAPE;
    decode_kernel<<<cache.batch * cache.heads, Block, 0, stream>>>(O, NULL, Q, K_cache, V_cache, lengths, cache);
    return done();
}

ATTN_API attn_status attn_combine(float *O, const float *part_O, const float *L, int n_splits, attn_cache cache,
                                  cudaStream_t stream) {
    if (!fits(cache) || n_splits < 1 || n_splits > ATTN_MAX_SPLITS) return ATTN_BAD_SHAPE;
    const int D = cache.head_dim;
    combine_kernel<<<cache.batch * cache.heads, D, 0, stream>>>(O, part_O, L, n_splits, D);
    return done();
}

ATTN_API attn_status attn_decode_split(float *O, const float *Q, const float *K_cache, const float *V_cache,
                                       const int *lengths, float *workspace, int n_splits, attn_cache cache,
                                       cudaStream_t stream) {
    if (!fits(cache) || n_splits < 0 || n_splits > ATTN_MAX_SPLITS) return ATTN_BAD_SHAPE;
    const int n = n_splits == 0 ? 6 : n_splits, pairs = cache.batch * cache.heads;
    float *L = workspace + (size_t)pairs * n * cache.head_dim;
    decode_kernel<<<dim3(pairs, n), Block, 0, stream>>>(workspace, L, Q, K_cache, V_cache, lengths, cache);
    if (done() != ATTN_OK) return ATTN_CUDA_ERROR;
    return attn_combine(O, workspace, L, n, cache, stream);
}
