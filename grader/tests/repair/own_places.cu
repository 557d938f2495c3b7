/* Own kernels for everything that touches the cache and for attention to a prompt: a warp a query, online. */
#include "task6.h"
#include <math.h>

#define TRY(x)                                                                                                         \
    do {                                                                                                               \
        attn_status r_ = (x);                                                                                          \
        if (r_ != ATTN_OK) return r_;                                                                                  \
    } while (0)
#define LAUNCHED() (cudaGetLastError() == cudaSuccess ? ATTN_OK : ATTN_CUDA_ERROR)

// one float4 a thread, from [B, H, S, D] to [B, H, N, D], behind what the cache holds already
static __global__ void remember(float *to, const float *from, const int *lengths, const int *count, int H, int S, int N,
                                int D4) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    const int v = i % D4;
    i /= D4;
    const int s = i % S;
    i /= S;
    const int b = blockIdx.y, h = i;
    if (h >= H || s >= count[b]) return;
    const float4 *source = (const float4 *)from;
    float4 *cache = (float4 *)to;
    cache[((size_t)(b * H + h) * N + lengths[b] + s) * D4 + v] = source[((size_t)(b * H + h) * S + s) * D4 + v];
}

static __global__ void clear(int *lengths, int B) {
    if (threadIdx.x < B) lengths[threadIdx.x] = 0;
}

static __global__ void add(int *lengths, const int *count, int B) {
    if (threadIdx.x < B) lengths[threadIdx.x] += count[threadIdx.x];
}

// warp = one query of one head
static __global__ void attend(float *O, const float *Q, const float *K, const float *V, int S, int D) {
    const int lane = threadIdx.x, i = blockIdx.x * blockDim.y + threadIdx.y;
    if (i >= S) return;
    const float *q = Q + ((size_t)blockIdx.y * S + i) * D;
    K += (size_t)blockIdx.y * S * D;
    V += (size_t)blockIdx.y * S * D;
    float o[4] = {0, 0, 0, 0}, m = -1e30f, l = 0;
    for (int j = 0; j <= i; j++, K += D, V += D) {
        float s = 0;
        for (int d = lane; d < D; d += 32) s += q[d] * K[d];
        for (int w = 16; w > 0; w /= 2) s += __shfl_xor_sync(0xffffffff, s, w);
        s /= sqrtf((float)D);
        const float old = m;
        m = fmaxf(m, s);
        const float r = expf(old - m), p = expf(s - m);
        l = l * r + p;
        for (int t = 0; lane + 32 * t < D; t++) o[t] = o[t] * r + p * V[lane + 32 * t];
    }
    for (int t = 0; lane + 32 * t < D; t++) O[((size_t)blockIdx.y * S + i) * D + lane + 32 * t] = o[t] / l;
}

static attn_status store(attn_layer_cache c, attn_layer_workspace w, attn_tokens t, cudaStream_t stream) {
    const int B = c.size.batch, H = c.size.heads, N = c.size.max_seq, D4 = c.size.head_dim / 4;
    const dim3 grid((H * t.seq * D4 + 127) / 128, B);
    if (t.past[0] == 0) clear<<<1, (B + 31) / 32 * 32, 0, stream>>>(c.lengths, B);
    remember<<<grid, 128, 0, stream>>>(c.K, w.K, c.lengths, t.count_device, H, t.seq, N, D4);
    remember<<<grid, 128, 0, stream>>>(c.V, w.V, c.lengths, t.count_device, H, t.seq, N, D4);
    add<<<1, (B + 31) / 32 * 32, 0, stream>>>(c.lengths, t.count_device, B);
    return LAUNCHED();
}

ATTN_API attn_status attn_layer_forward(float *Y, const float *X, attn_layer_weights weights, attn_layer_cache cache,
                                        attn_tokens tokens, attn_layer_workspace work, const attn_functions *call,
                                        cudaStream_t stream) {
    const int B = cache.size.batch, H = cache.size.heads, D = cache.size.head_dim, S = tokens.seq;
    const bool prompt = tokens.past[0] == 0;
    for (int b = 0; b < B; b++)
        if (prompt ? tokens.past[b] != 0 : tokens.past[b] == 0 || S != 1) return ATTN_BAD_SHAPE;
    for (int b = 0; b < B; b++)
        if (cache.size.max_seq - tokens.past[b] < tokens.count[b]) return ATTN_CACHE_FULL;

    attn_shape shape;
    shape.batch = B, shape.heads = H, shape.seq_q = S, shape.seq_kv = S, shape.head_dim = D, shape.causal = 0;
    TRY(call->linear(work.qkv, X, weights.W_qkv, weights.b_qkv, B * S, H * D, 3 * H * D, stream));
    TRY(call->split_qkv(work.Q, work.K, work.V, work.qkv, shape, stream));
    TRY(store(cache, work, tokens, stream));
    if (prompt) {
        attend<<<dim3((S + 3) / 4, B * H), dim3(32, 4), 0, stream>>>(work.O, work.Q, work.K, work.V, S, D);
        TRY(LAUNCHED());
    } else {
        TRY(call->decode(work.O, work.Q, cache.K, cache.V, cache.lengths, cache.size, stream));
    }
    TRY(call->merge_heads(work.merged, work.O, shape, stream));
    TRY(call->linear(Y, work.merged, weights.W_out, weights.b_out, B * S, H * D, H * D, stream));
    return ATTN_OK;
}
