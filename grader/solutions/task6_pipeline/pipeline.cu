// pipeline.cu: an attention layer with a KV cache. Prefill stores a whole prompt and attends with task 4's kernel, decode
// appends one token and attends with task 5's; the projections around them are the same.
#include "task6.h"

enum { THREADS = 256 };

#define TRY(call)                                                                                                      \
    do {                                                                                                               \
        const attn_status status_ = (call);                                                                            \
        if (status_ != ATTN_OK) return status_;                                                                        \
    } while (0)

// The tokens of a head stand one behind the other in K and V, [B, H, S, D], as in the cache, [B, H, max_seq, D]: the
// first count[b] of them are one run of numbers in both. Block (bh, y): the y-th THREADS numbers of head bh's run.
static __global__ void store(float *K_cache, float *V_cache, int *lengths, const float *K, const float *V,
                             const int *count, int S, attn_cache size) {
    const int b = blockIdx.x / size.heads, D = size.head_dim;
    const int i = blockIdx.y * THREADS + threadIdx.x;
    const size_t from = (size_t)blockIdx.x * S * D, to = (size_t)blockIdx.x * size.max_seq * D;
    if (i < count[b] * D) {
        K_cache[to + i] = K[from + i];
        V_cache[to + i] = V[from + i];
    }
    if (i == 0 && blockIdx.x % size.heads == 0) lengths[b] = count[b];
}

static attn_status store_prompts(attn_layer_cache cache, attn_tokens tokens, const float *K, const float *V,
                                 cudaStream_t stream) {
    const attn_cache size = cache.size;
    const dim3 grid(size.batch * size.heads, (tokens.seq * size.head_dim + THREADS - 1) / THREADS);
    store<<<grid, THREADS, 0, stream>>>(cache.K, cache.V, cache.lengths, K, V, tokens.count_device, tokens.seq, size);
    return cudaGetLastError() == cudaSuccess ? ATTN_OK : ATTN_CUDA_ERROR;
}

ATTN_API attn_status attn_layer_forward(float *Y, const float *X, attn_layer_weights weights, attn_layer_cache cache,
                                        attn_tokens tokens, attn_layer_workspace work, const attn_functions *call,
                                        cudaStream_t stream) {
    const int B = cache.size.batch, H = cache.size.heads, S = tokens.seq, D = cache.size.head_dim, E = H * D;
    const attn_shape shape = {B, H, S, S, D, 1};

    int fresh = 0, full = 0;  // sequences without a past, and those that do not fit
    for (int b = 0; b < B; b++) {
        fresh += tokens.past[b] == 0;
        full += tokens.past[b] + tokens.count[b] > cache.size.max_seq;
    }
    const bool prefill = fresh == B, decode = fresh == 0 && S == 1;
    if (!prefill && !decode) return ATTN_BAD_SHAPE;
    if (full) return ATTN_CACHE_FULL;

    TRY(call->linear(work.qkv, X, weights.W_qkv, weights.b_qkv, B * S, E, 3 * E, stream));
    TRY(call->split_qkv(work.Q, work.K, work.V, work.qkv, shape, stream));
    if (prefill) {
        // Padding stands behind the real tokens, so the causal mask already hides it from them.
        TRY(store_prompts(cache, tokens, work.K, work.V, stream));
        TRY(call->flash(work.O, work.Q, work.K, work.V, shape, stream));
    } else {
        // With S = 1 a tensor [B, H, S, D] is [B, H, D]. Append first: the new token attends to itself, too.
        TRY(call->append(cache.K, cache.V, cache.lengths, work.K, work.V, cache.size, stream));
        TRY(call->decode(work.O, work.Q, cache.K, cache.V, cache.lengths, cache.size, stream));
    }
    TRY(call->merge_heads(work.merged, work.O, shape, stream));
    return call->linear(Y, work.merged, weights.W_out, weights.b_out, B * S, E, E, stream);
}
