// A warp walks over its keys, a lane has four neighbouring dims; states are added with +=.
#include <cooperative_groups.h>
#include <math.h>
#include "task5.h"

namespace cg = cooperative_groups;
using Warp = cg::thread_block_tile<32>;

namespace {

constexpr int kWarpsPerBlock = 4;
constexpr int kDefaultSplits = 16;

struct Softmax {
    float top = -INFINITY, mass = 0;
    float4 value = {0, 0, 0, 0};

    __device__ static float shrink(float from, float to) { return from == -INFINITY ? 0.f : __expf(from - to); }
    __device__ Softmax &operator+=(const Softmax &that) {
        const float both = fmaxf(top, that.top);
        const float mine = shrink(top, both), theirs = shrink(that.top, both);
        value.x = mine * value.x + theirs * that.value.x;
        value.y = mine * value.y + theirs * that.value.y;
        value.z = mine * value.z + theirs * that.value.z;
        value.w = mine * value.w + theirs * that.value.w;
        mass = mine * mass + theirs * that.mass;
        top = both;
        return *this;
    }
};

struct Rows {  // walks over the rows of one head
    const float4 *at;
    int pitch;
    __device__ Rows(const float *base, size_t row, int D) : at((const float4 *)(base + row * D)), pitch(D / 4) {}
    __device__ void advance(int n) { at += n * pitch; }
};

__device__ float inner(Warp warp, float4 a, float4 b) {
    float x = a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w;
    for (int i = warp.size() / 2; i; i /= 2) x += warp.shfl_xor(x, i);
    return x;
}

__global__ void push(float *K, float *V, int *lengths, const float *k, const float *v, attn_cache c) {
    auto block = cg::this_thread_block();
    const int b = blockIdx.x, n = lengths[b];
    if (n >= c.max_seq) return;
    const int quads = c.head_dim / 4;
    auto copy = [&](float *to, const float *from) {
        const float4 *source = (const float4 *)from + (size_t)b * c.heads * quads;
        for (int i = block.thread_rank(); i < c.heads * quads; i += block.size()) {
            float4 *row = (float4 *)to + ((size_t)(b * c.heads + i / quads) * c.max_seq + n) * quads;
            row[i % quads] = source[i];
        }
    };
    copy(K, k);
    copy(V, v);
    block.sync();
    if (block.thread_rank() == 0) lengths[b] = n + 1;
}

__global__ void attend(float *O, float *L, const float *Q, const float *K, const float *V, const int *lengths,
                       attn_cache c) {
    __shared__ Softmax found[kWarpsPerBlock][32];
    const Warp warp = cg::tiled_partition<32>(cg::this_thread_block());
    const int lane = warp.thread_rank(), w = threadIdx.x / 32, D = c.head_dim;
    const int bh = blockIdx.y, part = blockIdx.x, parts = gridDim.x;
    const int n = lengths[bh / c.heads];
    const int first = (long long)n * part / parts, last = (long long)n * (part + 1) / parts;
    const bool mine = 4 * lane < D;
    const float4 none = {0, 0, 0, 0};
    float4 q = mine ? ((const float4 *)(Q + (size_t)bh * D))[lane] : none;
    const float scale = rsqrtf(D);
    q.x *= scale, q.y *= scale, q.z *= scale, q.w *= scale;

    Softmax sum;
    Rows k(K, (size_t)bh * c.max_seq + first + w, D), v(V, (size_t)bh * c.max_seq + first + w, D);
    for (int j = first + w; j < last; j += kWarpsPerBlock) {
        Softmax key;
        key.top = inner(warp, q, mine ? k.at[lane] : none);
        key.mass = 1;
        key.value = mine ? v.at[lane] : none;
        sum += key;
        k.advance(kWarpsPerBlock);
        v.advance(kWarpsPerBlock);
    }
    found[w][lane] = sum;
    __syncthreads();
    if (w != 0) return;
    for (int i = 1; i < kWarpsPerBlock; i++) sum += found[i][lane];
    const size_t to = (size_t)bh * parts + part;
    const float inverse = sum.mass > 0 ? 1 / sum.mass : 0;
    if (mine)
        ((float4 *)(O + to * D))[lane] = {sum.value.x * inverse, sum.value.y * inverse, sum.value.z * inverse,
                                          sum.value.w * inverse};
    if (L && lane == 0) L[to] = sum.mass > 0 ? sum.top + logf(sum.mass) : -INFINITY;
}

__global__ void join(float *O, const float *parts, const float *L, int n, int D) {
    Softmax sum;
    const size_t bh = blockIdx.x, lane = threadIdx.x;
    for (int s = 0; s < n; s++) {
        Softmax part;
        part.top = L[bh * n + s];
        part.mass = part.top > -INFINITY;
        part.value = ((const float4 *)(parts + (bh * n + s) * D))[lane];
        sum += part;
    }
    const float inverse = sum.mass > 0 ? 1 / sum.mass : 0;
    float *o = O + bh * D + 4 * lane;
    o[0] = sum.value.x * inverse;
    o[1] = sum.value.y * inverse;
    o[2] = sum.value.z * inverse;
    o[3] = sum.value.w * inverse;
}

bool good(attn_cache c) {
    return c.batch >= 1 && c.heads >= 1 && c.max_seq >= 1 && c.head_dim >= 8 && c.head_dim <= 128 && !(c.head_dim % 8);
}
attn_status status() { return cudaGetLastError() ? ATTN_CUDA_ERROR : ATTN_OK; }

attn_status run(float *O, float *L, const float *Q, const float *K, const float *V, const int *lengths, int parts,
                attn_cache c, cudaStream_t stream) {
    attend<<<dim3(parts, c.batch * c.heads), 32 * kWarpsPerBlock, 0, stream>>>(O, L, Q, K, V, lengths, c);
    return status();
}

}  // namespace

ATTN_API attn_status attn_cache_append(float *K_cache, float *V_cache, int *lengths, const float *k_new,
                                       const float *v_new, attn_cache cache, cudaStream_t stream) {
    if (!good(cache)) return ATTN_BAD_SHAPE;
    push<<<cache.batch, 64, 0, stream>>>(K_cache, V_cache, lengths, k_new, v_new, cache);
    return status();
}

ATTN_API attn_status attn_decode(float *O, const float *Q, const float *K_cache, const float *V_cache,
                                 const int *lengths, attn_cache cache, cudaStream_t stream) {
    if (!good(cache)) return ATTN_BAD_SHAPE;
    return run(O, nullptr, Q, K_cache, V_cache, lengths, 1, cache, stream);
}

ATTN_API attn_status attn_combine(float *O, const float *part_O, const float *L, int n_splits, attn_cache cache,
                                  cudaStream_t stream) {
    if (!good(cache) || n_splits < 1 || n_splits > ATTN_MAX_SPLITS) return ATTN_BAD_SHAPE;
    join<<<cache.batch * cache.heads, cache.head_dim / 4, 0, stream>>>(O, part_O, L, n_splits, cache.head_dim);
    return status();
}

ATTN_API attn_status attn_decode_split(float *O, const float *Q, const float *K_cache, const float *V_cache,
                                       const int *lengths, float *workspace, int n_splits, attn_cache cache,
                                       cudaStream_t stream) {
    if (!good(cache) || n_splits < 0 || n_splits > ATTN_MAX_SPLITS) return ATTN_BAD_SHAPE;
    const int parts = n_splits ? n_splits : kDefaultSplits;
    float *const L = workspace + (size_t)cache.batch * cache.heads * parts * cache.head_dim;
    const attn_status first = run(workspace, L, Q, K_cache, V_cache, lengths, parts, cache, stream);
    return first == ATTN_OK ? attn_combine(O, workspace, L, parts, cache, stream) : first;
}
