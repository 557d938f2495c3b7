// The split of qkv and the storing are one kernel of my own: q, k, v of a token leave the row of qkv, k and v also for
// the cache. The heads are merged by a kernel of my own, too.
#include "task6.h"

// grid: (S, B), a block is one token
__global__ void split_and_store(float *Q, float *K, float *V, float *Kc, float *Vc, const float *qkv, const int *count,
                                int S, attn_cache c, int store) {
    int b = blockIdx.y, s = blockIdx.x;
    int E = c.heads * c.head_dim;
    const float *row = qkv + ((size_t)b * S + s) * 3 * E;
    for (int e = threadIdx.x; e < E; e += blockDim.x) {
        int h = e / c.head_dim, d = e % c.head_dim;
        size_t to = (((size_t)b * c.heads + h) * S + s) * c.head_dim + d;
        float k = row[E + e], v = row[2 * E + e];
        Q[to] = row[e];
        K[to] = k;
        V[to] = v;
        if (store && s < count[b]) {
            size_t slot = (((size_t)b * c.heads + h) * c.max_seq + s) * c.head_dim + d;
            Kc[slot] = k;
            Vc[slot] = v;
        }
    }
}

__global__ void set_lengths(int *lengths, const int *count) { lengths[threadIdx.x] = count[threadIdx.x]; }

// grid: (S, B)
__global__ void merge(float *merged, const float *O, int S, int H, int D) {
    int b = blockIdx.y, s = blockIdx.x;
    float *out = merged + ((size_t)b * S + s) * H * D;
    for (int h = 0; h < H; h++)
        for (int d = threadIdx.x; d < D; d += blockDim.x) out[h * D + d] = O[(((size_t)b * H + h) * S + s) * D + d];
}

static int sum_is(const int *past, int B, int *zero) {
    int sum = 0;
    *zero = 0;
    for (int b = 0; b < B; b++) {
        sum += past[b];
        if (past[b] == 0) *zero += 1;
    }
    return sum;
}

ATTN_API attn_status attn_layer_forward(float *Y, const float *X, attn_layer_weights weights, attn_layer_cache cache,
                                        attn_tokens tokens, attn_layer_workspace work, const attn_functions *call,
                                        cudaStream_t stream) {
    attn_cache c = cache.size;
    int B = c.batch, S = tokens.seq, E = c.heads * c.head_dim;
    int zero;
    int old = sum_is(tokens.past, B, &zero);
    int prefill = old == 0;
    if (!prefill && (zero > 0 || S != 1)) return ATTN_BAD_SHAPE;
    for (int b = 0; b < B; b++)
        if (tokens.past[b] > c.max_seq - tokens.count[b]) return ATTN_CACHE_FULL;

    attn_status status = call->linear(work.qkv, X, weights.W_qkv, weights.b_qkv, B * S, E, E * 3, stream);
    if (status) return status;

    dim3 grid(S, B);
    split_and_store<<<grid, 128, 0, stream>>>(work.Q, work.K, work.V, cache.K, cache.V, work.qkv, tokens.count_device,
                                              S, c, prefill);
    if (cudaGetLastError()) return ATTN_CUDA_ERROR;

    if (prefill) {
        set_lengths<<<1, B, 0, stream>>>(cache.lengths, tokens.count_device);
        if (cudaGetLastError()) return ATTN_CUDA_ERROR;
        attn_shape shape;
        shape.batch = B;
        shape.heads = c.heads;
        shape.seq_q = shape.seq_kv = S;
        shape.head_dim = c.head_dim;
        shape.causal = 1;
        status = call->flash(work.O, work.Q, work.K, work.V, shape, stream);
    } else {
        status = call->append(cache.K, cache.V, cache.lengths, work.K, work.V, c, stream);
        if (status) return status;
        status = call->decode(work.O, work.Q, cache.K, cache.V, cache.lengths, c, stream);
    }
    if (status) return status;

    merge<<<grid, 64, 0, stream>>>(work.merged, work.O, S, c.heads, c.head_dim);
    if (cudaGetLastError()) return ATTN_CUDA_ERROR;
    return call->linear(Y, work.merged, weights.W_out, weights.b_out, B * S, E, E, stream);
}
