// A layer object with steps; the first status that is not ATTN_OK stops the chain.
#include "task6.h"

struct Layer {
    attn_layer_cache cache;
    attn_tokens tokens;
    attn_layer_workspace work;
    const attn_functions *call;
    cudaStream_t stream;
    attn_status status = ATTN_OK;

    int rows() const { return cache.size.batch * tokens.seq; }
    int width() const { return cache.size.heads * cache.size.head_dim; }
    attn_shape shape(bool causal) const {
        attn_shape s{};
        s.batch = cache.size.batch;
        s.heads = cache.size.heads;
        s.seq_q = s.seq_kv = tokens.seq;
        s.head_dim = cache.size.head_dim;
        s.causal = causal;
        return s;
    }
    template <typename F> Layer &then(F step) {
        if (status == ATTN_OK) status = step();
        return *this;
    }
    bool every(bool fresh) const {
        for (int b = 0; b < cache.size.batch; b++)
            if ((tokens.past[b] == 0) != fresh) return false;
        return true;
    }
    bool full() const {
        for (int b = 0; b < cache.size.batch; b++)
            if (tokens.count[b] > cache.size.max_seq - tokens.past[b]) return true;
        return false;
    }
    attn_status store();
};

__global__ void copyHead(float *Kc, const float *K, float *Vc, const float *V, int *lengths, const int *count,
                         int heads, int from_pitch, int to_pitch, int dim) {
    const int b = blockIdx.x / heads, numbers = count[b] * dim;
    K += (size_t)blockIdx.x * from_pitch;
    V += (size_t)blockIdx.x * from_pitch;
    Kc += (size_t)blockIdx.x * to_pitch;
    Vc += (size_t)blockIdx.x * to_pitch;
    for (int i = threadIdx.x; i < numbers; i += blockDim.x) {
        Kc[i] = K[i];
        Vc[i] = V[i];
    }
    if (blockIdx.x % heads == 0 && threadIdx.x == 0) lengths[b] = count[b];
}

attn_status Layer::store() {
    const attn_cache &c = cache.size;
    copyHead<<<c.batch * c.heads, 96, 0, stream>>>(cache.K, work.K, cache.V, work.V, cache.lengths, tokens.count_device,
                                                   c.heads, tokens.seq * c.head_dim, c.max_seq * c.head_dim,
                                                   c.head_dim);
    return cudaGetLastError() == cudaSuccess ? ATTN_OK : ATTN_CUDA_ERROR;
}

ATTN_API attn_status attn_layer_forward(float *Y, const float *X, attn_layer_weights weights, attn_layer_cache cache,
                                        attn_tokens tokens, attn_layer_workspace work, const attn_functions *call,
                                        cudaStream_t stream) {
    Layer layer{cache, tokens, work, call, stream};
    const bool prompt = layer.every(true);
    if (!prompt && (tokens.seq != 1 || !layer.every(false))) return ATTN_BAD_SHAPE;
    if (layer.full()) return ATTN_CACHE_FULL;
    const int E = layer.width();

    layer.then([&] { return call->linear(work.qkv, X, weights.W_qkv, weights.b_qkv, layer.rows(), E, 3 * E, stream); });
    layer.then([&] { return call->split_qkv(work.Q, work.K, work.V, work.qkv, layer.shape(false), stream); });
    if (prompt)
        layer.then([&] { return layer.store(); }).then([&] {
            return call->flash(work.O, work.Q, work.K, work.V, layer.shape(true), stream);
        });
    else
        layer.then([&] { return call->append(cache.K, cache.V, cache.lengths, work.K, work.V, cache.size, stream); })
            .then([&] { return call->decode(work.O, work.Q, cache.K, cache.V, cache.lengths, cache.size, stream); });
    layer.then([&] { return call->merge_heads(work.merged, work.O, layer.shape(false), stream); });
    layer.then([&] { return call->linear(Y, work.merged, weights.W_out, weights.b_out, layer.rows(), E, E, stream); });
    return layer.status;
}
