// op_layer.c: task 6: one attention layer, a prompt and further tokens; and a whole model that generates.
#include <math.h>
#include <string.h>

#include "heuristics.h"
#include "layer.h"
#include "layer_calls.h"

// ---- One layer

static size_t elements(attn_shape s, int t) {
    const size_t e_dim = (size_t)s.heads * s.head_dim;
    const size_t n[LAB_MAX_TENSORS] = {[2] = 3 * e_dim * e_dim,
                                       3 * e_dim,
                                       e_dim * e_dim,
                                       e_dim,
                                       s.batch,
                                       2 * lab_elements_kv(s) + s.batch + LAB_CALL_LOG};
    return t < 2 ? lab_elements_q(s) : n[t];
}

static void extent(attn_shape s, size_t extent[4]) { extent[1] = 1, extent[3] = (size_t)s.heads * s.head_dim; }

// Weights are scaled by 1/sqrt(E), biases are small. extra[0]: the longest prompt; 0: all of seq_q.
static void fill(attn_shape s, const int extra[2], int t, lab_input_kind kind, uint64_t key, float *x) {
    const float small = 1 / sqrtf((float)(s.heads * s.head_dim));
    if (t == 6)
        lab_layer_prompts(s, extra[0] ? extra[0] : s.seq_q, key, x);
    else
        lab_fill_scaled(x, elements(s, t), t == 2 || t == 4 ? small : t == 3 || t == 5 ? 0.25f : 1, key);
}

// A prompt of up to 40 tokens, up to 24 more, and some room.
static void draw(uint64_t key, attn_shape *s, int extra[2]) {
    extra[0] = 1 + (int)(lab_bits(key, 2) % 40);
    s->seq_q = extra[0] + 1 + (int)(lab_bits(key, 5) % 24);
    s->seq_kv = s->seq_q + (int)(lab_bits(key, 6) % 41);
    s->head_dim = 8 * (1 + (int)(lab_bits(key, 3) % 10));
}

// ---- A whole model

enum { SAMPLING = 8 };  // elements of a lab_sampling (grader/model/model.h)

static size_t generate_elements(attn_shape s, int t) {
    const size_t n[4] = {(size_t)s.batch * s.heads * s.head_dim, (size_t)s.batch * s.seq_q, s.batch, SAMPLING};
    return n[t];
}

static void generate_extent(attn_shape s, size_t extent[4]) { extent[1] = 1, extent[2] = s.heads; }

// Prompts are token ids below the vocabulary, head_dim - 1. Sampling is greedy: temperature 0; no token ends the text.
static void generate_fill(attn_shape s, const int extra[2], int t, lab_input_kind kind, uint64_t key, float *x) {
    const int32_t greedy[SAMPLING] = {[5] = -1};
    if (t == 2) lab_layer_prompts(s, s.seq_q, key, x);
    if (t == 3) memcpy(x, greedy, sizeof greedy);
    for (size_t i = 0; t == 1 && i < generate_elements(s, t); i++) {
        const int32_t id = (int32_t)(lab_bits(key, i) % (uint64_t)(s.head_dim - 1));
        memcpy(x + i, &id, sizeof id);
    }
}

// ---- The rows

// clang-format off
const lab_op lab_layer = {
    .name = "layer", .symbol = "attn_layer_forward", .n_tensors = 8,
    .tensors = {"Y", "X", "W_qkv", "b_qkv", "W_out", "b_out", "prompt lengths", "the cache"}, .scratch = 7,
    .pipeline = 1, .elements = elements, .extent = extent, .fill = fill, .oracle = lab_oracle_layer, .draw = draw,
    .diagnose = lab_diagnose_layer, .left = lab_layer_left};
const lab_op lab_generate = {
    .name = "generate", .symbol = "attn_layer_forward", .n_tensors = 4,
    .tensors = {"out", "prompts", "prompt lengths", "sampling"}, .pipeline = 1, .elements = generate_elements,
    .extent = generate_extent, .fill = generate_fill, .diagnose = lab_diagnose_generated,
    .uses = {&lab_layer}};
