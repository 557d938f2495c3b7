// pipeline.cu: rung 16: the layers of a prompt by kernels of its own, between which numbers are split already.
//
//     x | norm | W_qkv | attention | W_out | x +=, norm | W_fc, gelu | W_proj | x +=, norm of the next layer | ...
//
// Decode steps, several sequences and other sizes are rung 15's.
#include "../ladder/15_prompt/task6_pipeline/pipeline.cu"  // the compiler searches grader/core

#include "../ladder/16_split_once/attention.h"
#include "../ladder/16_split_once/rows.h"

namespace split_once {

struct packed {  // of a layer: its matrices, split, and what their columns' sums are multiplied with
    char *qkv, *out, *fc, *proj;
    float *qkv_scale, *out_scale, *fc_scale, *proj_scale;
};
static packed packed_of(const attn_prompt &p, int layer) {
    const size_t E = p.config.n_embd;
    float *at = p.packed + layer * 12 * E * E, *scale = p.packed + p.config.n_layer * 12 * E * E + layer * 9 * E;
    return {(char *)at,
            (char *)(at + 3 * E * E),
            (char *)(at + 4 * E * E),
            (char *)(at + 8 * E * E),
            scale,
            scale + 3 * E,
            scale + 4 * E,
            scale + 8 * E};
}

static void pack(char *to, float *scale, const float *W, int n_in, int n_out, cudaStream_t stream) {
    find_scales<<<(n_out + 63) / 64, 64, 0, stream>>>(scale, W, n_in, n_out);
    pack_weights<<<(unsigned)(((size_t)n_in / 8 * n_out + 255) / 256), 256, 0, stream>>>(to, W, scale, n_in, n_out);
}

static bool fits(const attn_prompt &p) {
    const int E = p.config.n_embd, D = E / p.config.n_head;
    return device_generation() == 9 && E <= 1024 && E % p.config.n_head == 0 && (D == 32 || D == 64);
}

// A layer, from `normed` to the sums of W_proj's parts.
struct layer_of {
    const attn_prompt &p;
    int rows, E;
    addends open;  // what has not been added to x

    product begin(const char *X, const char *W, const float *scale, const float *b, int n_in, int n_out) const {
        product to = {};
        to.X = X, to.W = W, to.scale = scale, to.b = b, to.rows = rows, to.n_in = n_in, to.n_out = n_out, to.parts = 1;
        return to;
    }
    // As many blocks share the depth as leave all of them a place at once.
    attn_status sums(product to, cudaStream_t stream) {
        to.parts = min(4, to.n_in / 32);
        while (to.parts > 1 && clusters_of<tile<192>>(to) * to.parts > multiprocessors() / 2) to.parts--;
        open = {{}, to.b, to.parts};
        for (int i = 0; i < 4; i++)  // nobody uses these now
            open.sums[i] = to.sums[i] = i < 3 ? p.work.qkv + (size_t)i * rows * E : p.attended;
        return launch_product<PARTS>(to, stream);
    }
    attn_status norm(const float *gain, const float *bias, cudaStream_t stream) {
        const addends add = open;
        open = {};
        return launch_small(add_and_norm, rows, (E / 4 + 31) / 32 * 32, stream, p.x, (char *)p.normed, add, gain, bias,
                            p.config.layer_norm_epsilon, rows, E);
    }
    attn_status attention(const gpt2_layer &w, const packed &l, int layer, cudaStream_t stream) {
        const int H = p.config.n_head, D = E / H;
        const size_t cache = (size_t)layer * p.max_seq * E;
        product heads = begin((char *)p.normed, l.qkv, l.qkv_scale, w.b_qkv, E, 3 * E);
        heads.Q = p.work.Q, heads.K = p.K + cache, heads.V = p.V + cache, heads.max_seq = p.max_seq;
        heads.lengths = p.lengths + layer, heads.D = D, heads.by_D = ((1 << 20) + D - 1) / D;
        TRY(launch_product<HEADS>(heads, stream));
        TRY(attend((char *)p.work.merged, heads.Q, heads.K, heads.V, H, rows, p.max_seq, D, stream));
        return sums(begin((char *)p.work.merged, l.out, l.out_scale, w.b_out, E, E), stream);
    }
    attn_status feed_forward(const gpt2_layer &w, const packed &l, cudaStream_t stream) {
        product fc = begin((char *)p.normed, l.fc, l.fc_scale, w.b_fc, E, 4 * E);
        fc.split = (char *)p.hidden;
        TRY(launch_product<GELU>(fc, stream));
        return sums(begin((char *)p.hidden, l.proj, l.proj_scale, w.b_proj, 4 * E, E), stream);
    }
};

}  // namespace split_once

ATTN_API attn_status attn_prepare_prompts(const attn_prompt *p, cudaStream_t stream) {
    using namespace split_once;
    if (!fits(*p)) return ATTN_BAD_SHAPE;
    const int E = p->config.n_embd;
    for (int i = 0; i < p->config.n_layer; i++) {
        const gpt2_layer &w = p->weights.layers[i];
        const packed to = packed_of(*p, i);
        pack(to.qkv, to.qkv_scale, w.W_qkv, E, 3 * E, stream), pack(to.out, to.out_scale, w.W_out, E, E, stream);
        pack(to.fc, to.fc_scale, w.W_fc, E, 4 * E, stream), pack(to.proj, to.proj_scale, w.W_proj, 4 * E, E, stream);
    }
    return launched();
}

ATTN_API attn_status attn_prompt_layers(const attn_prompt *p, cudaStream_t stream) {
    using namespace split_once;
    if (!fits(*p)) return ATTN_BAD_SHAPE;
    layer_of at = {*p, p->seq, p->config.n_embd, {}};
    for (int i = 0; i < p->config.n_layer; i++) {
        const gpt2_layer &w = p->weights.layers[i];
        const packed l = packed_of(*p, i);
        TRY(at.norm(w.ln_1_g, w.ln_1_b, stream));
        TRY(at.attention(w, l, i, stream));
        TRY(at.norm(w.ln_2_g, w.ln_2_b, stream));
        TRY(at.feed_forward(w, l, stream));
    }
    return at.norm(NULL, NULL, stream);
}
