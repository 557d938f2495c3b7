// One warp for one query. Each lane has its own keys for the scores, and its own dims for the values.
#include "task5.h"
#include <float.h>
#include <math.h>

#define NWARPS 4
#define FULL 0xffffffffu

static bool okCache(const attn_cache &c) {
    return c.batch > 0 && c.heads > 0 && c.max_seq > 0 && c.head_dim >= 8 && c.head_dim <= 128 && c.head_dim % 8 == 0;
}

static attn_status lastError() { return cudaGetLastError() == cudaSuccess ? ATTN_OK : ATTN_CUDA_ERROR; }

// one block of D threads for one head of one sequence
__global__ void appendKernel(float *Kc, float *Vc, const int *len, const float *kNew, const float *vNew, attn_cache c) {
    int h = blockIdx.x, b = blockIdx.y, d = threadIdx.x;
    int pos = len[b];
    if (pos >= c.max_seq) return;
    size_t src = ((size_t)b * c.heads + h) * c.head_dim + d;
    size_t dst = (((size_t)b * c.heads + h) * c.max_seq + pos) * c.head_dim + d;
    Kc[dst] = kNew[src];
    Vc[dst] = vNew[src];
}

__global__ void bumpKernel(int *len, int batch, int maxSeq) {
    int b = blockIdx.x * blockDim.x + threadIdx.x;
    if (b >= batch) return;
    if (len[b] < maxSeq) len[b] += 1;
}

ATTN_API attn_status attn_cache_append(float *K_cache, float *V_cache, int *lengths, const float *k_new,
                                       const float *v_new, attn_cache cache, cudaStream_t stream) {
    if (!okCache(cache)) return ATTN_BAD_SHAPE;
    dim3 grid(cache.heads, cache.batch);
    appendKernel<<<grid, cache.head_dim, 0, stream>>>(K_cache, V_cache, lengths, k_new, v_new, cache);
    bumpKernel<<<(cache.batch + 63) / 64, 64, 0, stream>>>(lengths, cache.batch, cache.max_seq);
    return lastError();
}

__device__ float warpMax(float x) {
    for (int off = 16; off > 0; off /= 2) x = fmaxf(x, __shfl_xor_sync(FULL, x, off));
    return x;
}

__device__ float warpSum(float x) {
    for (int off = 16; off > 0; off /= 2) x += __shfl_xor_sync(FULL, x, off);
    return x;
}

// task = (b * H + h) * nSplits + split
__global__ void attendKernel(float *O, float *lse, const float *Q, const float *Kc, const float *Vc, const int *len,
                             attn_cache c, int nSplits) {
    int lane = threadIdx.x % 32, w = threadIdx.x / 32;
    long task = (long)blockIdx.x * NWARPS + w;
    if (task >= (long)c.batch * c.heads * nSplits) return;
    long head = task / nSplits;
    int split = task % nSplits, D = c.head_dim;
    int n = len[head / c.heads];
    int chunk = (n + nSplits - 1) / nSplits;
    int from = split * chunk, to = min(n, from + chunk);
    const float *q = Q + head * D;
    const float *Kh = Kc + (size_t)head * c.max_seq * D;
    const float *Vh = Vc + (size_t)head * c.max_seq * D;
    float best = -INFINITY, total = 0.f, acc[4] = {0.f, 0.f, 0.f, 0.f};
    for (int j0 = from; j0 < to; j0 += 32) {
        int j = j0 + lane;
        float s = -INFINITY;
        if (j < to) {
            s = 0.f;
            for (int d = 0; d < D; d++) s += q[d] * Kh[(size_t)j * D + d];
            s *= rsqrtf((float)D);
        }
        float newBest = fmaxf(best, warpMax(s));
        float corr = expf(best - newBest);
        float p = expf(s - newBest);
        total = total * corr + warpSum(p);
        for (int i = 0; i < 4; i++) acc[i] *= corr;
        int keys = min(32, to - j0);
        for (int k = 0; k < keys; k++) {
            float pk = __shfl_sync(FULL, p, k);
            const float *v = Vh + (size_t)(j0 + k) * D;
            for (int i = 0; i < 4; i++)
                if (lane + 32 * i < D) acc[i] += pk * v[lane + 32 * i];
        }
        best = newBest;
    }
    for (int i = 0; i < 4; i++) {
        int d = lane + 32 * i;
        if (d < D) O[task * D + d] = total > 0.f ? acc[i] / total : 0.f;
    }
    if (lse != NULL && lane == 0) lse[task] = total > 0.f ? best + logf(total) : -INFINITY;
}

ATTN_API attn_status attn_decode(float *O, const float *Q, const float *K_cache, const float *V_cache,
                                 const int *lengths, attn_cache cache, cudaStream_t stream) {
    if (!okCache(cache)) return ATTN_BAD_SHAPE;
    int tasks = cache.batch * cache.heads;
    attendKernel<<<(tasks + NWARPS - 1) / NWARPS, NWARPS * 32, 0, stream>>>(O, NULL, Q, K_cache, V_cache, lengths,
                                                                            cache, 1);
    return lastError();
}

// one thread per number of O
__global__ void joinKernel(float *O, const float *parts, const float *lse, int nSplits, long count, int D) {
    long i = (long)blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= count) return;
    long head = i / D;
    int d = i % D;
    const float *L = lse + head * nSplits;
    float best = -INFINITY;
    for (int s = 0; s < nSplits; s++) best = fmaxf(best, L[s]);
    float sum = 0.f, acc = 0.f;
    for (int s = 0; s < nSplits; s++) {
        if (L[s] == -INFINITY) continue;
        float w = expf(L[s] - best);
        sum += w;
        acc += w * parts[(head * nSplits + s) * D + d];
    }
    O[i] = sum > 0.f ? acc / sum : 0.f;
}

ATTN_API attn_status attn_combine(float *O, const float *part_O, const float *L, int n_splits, attn_cache cache,
                                  cudaStream_t stream) {
    if (!okCache(cache) || n_splits < 1 || n_splits > ATTN_MAX_SPLITS) return ATTN_BAD_SHAPE;
    long count = (long)cache.batch * cache.heads * cache.head_dim;
    joinKernel<<<(count + 127) / 128, 128, 0, stream>>>(O, part_O, L, n_splits, count, cache.head_dim);
    return lastError();
}

ATTN_API attn_status attn_decode_split(float *O, const float *Q, const float *K_cache, const float *V_cache,
                                       const int *lengths, float *workspace, int n_splits, attn_cache cache,
                                       cudaStream_t stream) {
    if (!okCache(cache) || n_splits < 0 || n_splits > ATTN_MAX_SPLITS) return ATTN_BAD_SHAPE;
    if (n_splits == 0) n_splits = 4;
    long tasks = (long)cache.batch * cache.heads * n_splits;
    float *partO = workspace, *partL = workspace + tasks * cache.head_dim;
    attendKernel<<<(tasks + NWARPS - 1) / NWARPS, NWARPS * 32, 0, stream>>>(partO, partL, Q, K_cache, V_cache, lengths,
                                                                            cache, n_splits);
    return attn_combine(O, partO, partL, n_splits, cache, stream);
}
