// ops.c: one row per function that students implement.
#include "ops.h"

#include <math.h>

#include "cache.h"
#include "layer.h"
#include "sizes.h"

#define TOKENS                                                                                                         \
    { "O", "Q", "k_new", "v_new", "K_cache", "V_cache", "lengths", "workspace" }
static const lab_op_info ops[LAB_N_OPS] = {
    [LAB_SOFTMAX_ROWS] = {"attn_softmax_rows", 2, {"P", "S"}, 0, 0},
    [LAB_SPLIT_HEADS] = {"attn_split_heads", 2, {"Y", "X"}, 0, 0},
    [LAB_MERGE_HEADS] = {"attn_merge_heads", 2, {"X", "Y"}, 0, 0},
    [LAB_SDPA] = {"attn_sdpa", 4, {"O", "Q", "K", "V"}, 0, 0},
    [LAB_MHA] = {"attn_mha", 6, {"Y", "X", "Wq", "Wk", "Wv", "Wo"}, 0, 0},
    [LAB_TILED] = {"attn_tiled", 4, {"O", "Q", "K", "V"}, 0, 0},
    [LAB_SOFTMAX_BATCHED] = {"attn_softmax_batched", 2, {"P", "S"}, 0, 0},
    [LAB_GEMM_NT] = {"attn_gemm_nt", 3, {"C", "A", "B"}, 0, 0},
    [LAB_GEMM_NN] = {"attn_gemm_nn", 3, {"C", "A", "B"}, 0, 0},
    [LAB_NAIVE] = {"attn_naive", 5, {"O", "Q", "K", "V", "scores"}, 4, 0},
    [LAB_FLASH] = {"attn_flash", 4, {"O", "Q", "K", "V"}, 0, 0},
    [LAB_CACHE_APPEND] = {"attn_cache_append", 4, {"the cache", "the cache before", "k_new", "v_new"}, 0, 1},
    [LAB_DECODE] = {"attn_decode", 5, {"O", "Q", "K_cache", "V_cache", "lengths"}, 0, 0, 4, NULL},
    [LAB_DECODE_SPLIT] =
        {"attn_decode_split", 6, {"O", "Q", "K_cache", "V_cache", "lengths", "workspace"}, 5, 0, 4, NULL},
    [LAB_TOKENS] = {"attn_decode", 8, TOKENS, 7, 0, 6, "attn_cache_append"},
    [LAB_TOKENS_SPLIT] = {"attn_decode_split", 8, TOKENS, 7, 0, 6, "attn_cache_append"},
    [LAB_LAYER] = {"attn_layer_forward",
                   8,
                   {"Y", "X", "W_qkv", "b_qkv", "W_out", "b_out", "prompt lengths", "the cache"},
                   7,
                   0,
                   0,
                   NULL},
    [LAB_GENERATE] = {"attn_layer_forward", 4, {"out", "prompts", "prompt lengths", "sampling"}, 0, 0, 0, NULL},
    [LAB_PROBE_LOAD_TILE] = {"lab_probe_load_tile", 2, {"tile", "src"}, .probe = 1},
    [LAB_PROBE_COMPUTE_SCORES] = {"lab_probe_compute_scores", 3, {"s", "Q", "K"}, .probe = 1},
};

const lab_op_info *lab_op_get(lab_op op) { return &ops[op]; }

int lab_op_is_attention(lab_op op) { return op == LAB_SDPA || op == LAB_TILED || op == LAB_NAIVE || op == LAB_FLASH; }

int lab_op_is_softmax(lab_op op) { return op == LAB_SOFTMAX_ROWS || op == LAB_SOFTMAX_BATCHED; }

static int is_gemm(lab_op op) { return op == LAB_GEMM_NT || op == LAB_GEMM_NN; }

// W_qkv, b_qkv, W_out, b_out, the prompts' lengths, the cache.
static size_t layer_elements(attn_shape s, int t) {
    const size_t e_dim = (size_t)s.heads * s.head_dim;
    const size_t n[LAB_MAX_TENSORS] = {[2] = 3 * e_dim * e_dim, 3 * e_dim, e_dim * e_dim, e_dim, s.batch,
                                       lab_cache_state(s)};
    return t < 2 ? lab_elements_q(s) : n[t];
}

static size_t generate_elements(attn_shape s, int t) {
    const size_t n[4] = {(size_t)s.batch * s.heads * s.head_dim, (size_t)s.batch * s.seq_q, s.batch, LAB_SAMPLING};
    return n[t];
}

static size_t gemm_elements(attn_shape s, int t) {
    const size_t m = s.seq_q, n = s.seq_kv, k = s.head_dim;
    return s.batch * (t == 0 ? m * n : t == 1 ? m * k : n * k);
}

size_t lab_op_elements(lab_op op, attn_shape shape, int t) {
    const size_t e_dim = (size_t)shape.heads * shape.head_dim, heads = (size_t)shape.batch * shape.heads;
    if (lab_op_get(op)->probe) return lab_probe_elements(op, shape, t);
    if (lab_op_is_softmax(op)) return (size_t)shape.seq_q * shape.seq_kv;
    if (is_gemm(op)) return gemm_elements(shape, t);
    if (lab_op_is_attention(op) && t == 4) return heads * shape.seq_q * shape.seq_kv;
    if (lab_op_is_attention(op)) return t < 2 ? lab_elements_q(shape) : lab_elements_kv(shape);
    switch (op) {
    case LAB_MHA: return t < 2 ? shape.batch * shape.seq_q * e_dim : e_dim * e_dim;
    case LAB_CACHE_APPEND: return t < 2 ? lab_cache_state(shape) : heads * shape.head_dim;
    case LAB_DECODE:
    case LAB_DECODE_SPLIT:
        if (t == 4) return shape.batch;
        if (t == 5) return heads * 64 * (shape.head_dim + 2);  // ATTN_SPLIT_FLOATS of ATTN_MAX_SPLITS
        return t < 2 ? heads * shape.head_dim : lab_elements_kv(shape);
    case LAB_TOKENS:
    case LAB_TOKENS_SPLIT:
        if (t == 6) return shape.batch;
        if (t == 7) return heads * 64 * (shape.head_dim + 2);
        return t < 4 ? lab_elements_q(shape) : lab_elements_kv(shape);
    case LAB_LAYER: return layer_elements(shape, t);
    case LAB_GENERATE: return generate_elements(shape, t);
    default: return lab_elements_q(shape);
    }
}

size_t lab_op_row(lab_op op, attn_shape shape, int t) {
    if (lab_op_is_softmax(op) || (is_gemm(op) && t == 0) || (op == LAB_PROBE_COMPUTE_SCORES && t == 0))
        return shape.seq_kv;
    switch (op) {
    case LAB_MERGE_HEADS:
    case LAB_LAYER:
    case LAB_MHA: return (size_t)shape.heads * shape.head_dim;
    default: return shape.head_dim;
    }
}

void lab_op_fill(lab_op op, attn_shape shape, int t, lab_input_kind kind, uint64_t key, float *x) {
    const size_t n = lab_op_elements(op, shape, t);
    if (lab_cache_fill(op, shape, t, kind, key, x) || lab_layer_fill(op, shape, t, key, x)) return;
    const int decode = op == LAB_DECODE || op == LAB_DECODE_SPLIT;
    // Large and offset inputs are about Q and K, whose product the softmax sees; V and weights stay near N(0, 1).
    const int about_scores = lab_op_is_softmax(op) || ((lab_op_is_attention(op) || decode) && t < 3);
    lab_fill(x, n, lab_op_row(op, shape, t), about_scores ? kind : LAB_NORMAL, key);
    if (op == LAB_MHA && t > 1) {
        const float scale = 1.0f / sqrtf((float)(shape.heads * shape.head_dim));
        for (size_t i = 0; i < n; i++) x[i] *= scale;
    }
    if (is_gemm(op) && t == 1) {  // products near N(0, 1), so that one tolerance fits every k
        const float scale = 1.0f / sqrtf((float)shape.head_dim);
        for (size_t i = 0; i < n; i++) x[i] *= scale;
    }
}

void lab_op_plain(lab_op op, attn_shape shape, float *out) {
    if (op == LAB_CACHE_APPEND) lab_cache_plain(shape, out);
}

static void gemm_oracle(double *c, const float *a, const float *b, attn_shape s, int transposed) {
    const size_t m = s.seq_q, n = s.seq_kv, k = s.head_dim;
    for (size_t g = 0; g < (size_t)s.batch; g++, a += m * k, b += n * k)
        for (size_t i = 0; i < m; i++)
            for (size_t j = 0; j < n; j++) {
                double sum = 0;
                for (size_t l = 0; l < k; l++) sum += (double)a[i * k + l] * (transposed ? b[j * k + l] : b[l * n + j]);
                *c++ = sum;
            }
}

int lab_op_oracle(lab_op op, attn_shape shape, const float *const in[LAB_MAX_TENSORS], lab_mistake mistake,
                  double *out) {
    if (lab_op_get(op)->probe) return lab_probe_oracle(op, shape, in, out);
    if (lab_op_is_attention(op)) return lab_oracle_attention(out, in[1], in[2], in[3], shape, mistake);
    switch (op) {
    case LAB_SOFTMAX_ROWS:
    case LAB_SOFTMAX_BATCHED:
        for (int r = 0; r < shape.seq_q; r++)
            lab_oracle_softmax(out + (size_t)r * shape.seq_kv, in[1] + (size_t)r * shape.seq_kv, shape.seq_kv, mistake);
        return 1;
    case LAB_SPLIT_HEADS: lab_oracle_split(out, in[1], shape); return 1;
    case LAB_MERGE_HEADS: lab_oracle_merge(out, in[1], shape); return 1;
    case LAB_MHA: return lab_oracle_mha(out, in[1], in[2], in[3], in[4], in[5], shape, mistake, 0);
    case LAB_GEMM_NT:
    case LAB_GEMM_NN: gemm_oracle(out, in[1], in[2], shape, op == LAB_GEMM_NT); return 1;
    case LAB_CACHE_APPEND: lab_oracle_append(out, in[1], in[2], in[3], shape); return 1;
    case LAB_LAYER: return lab_oracle_layer(out, in, shape, LAB_LAYER_RIGHT);
    case LAB_DECODE:
    case LAB_DECODE_SPLIT: return lab_oracle_decode(out, in[1], in[2], in[3], in[4], shape);
    default: return 0;
    }
}
