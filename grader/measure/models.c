// models.c: the table of models and runs, and their arithmetic.
#include "models.h"

#include <stdio.h>

#include "checkpoint.h"

const lab_model lab_models[] = {
    {"dummy",
     24,
     1024,
     16,
     8192,
     2048,
     {{"model", 1024, 100},
      {"tbt", 116, 24},
      {"tbt", 244, 24},
      {"tbt", 500, 24},
      {"tbt", 1012, 24},
      {"tbt", 2012, 24}}},
    {"GPT-2 124M", 12, 768, 12, 50257, 1024, {{"model", 900, 100}, {"model", 1024, 1}}},
};
const int lab_n_models = sizeof lab_models / sizeof *lab_models;

int lab_model_read(lab_model *m, const char *text, char *why, size_t size) {
    gpt2_config c;
    unsigned long long seed;
    if (!gpt2_random_read(text, &c, &seed, why, size)) return 0;
    m->layers = c.n_layer, m->hidden = c.n_embd, m->heads = c.n_head, m->vocab = c.vocab_size;
    m->positions = c.n_positions;
    return 1;
}

void lab_model_text(const lab_model *m, uint64_t seed, char *text, size_t size) {
    snprintf(text, size, "random:layers=%d,hidden=%d,heads=%d,vocab=%d,positions=%d,seed=%llu", m->layers, m->hidden,
             m->heads, m->vocab, m->positions, (unsigned long long)seed);
}

int lab_model_kv(const lab_model_run *run, int tokens) { return run->prompt + tokens / 2; }

attn_shape lab_prefill_shape(const lab_model *m, const lab_model_run *run) {
    return (attn_shape){1, m->heads, run->prompt, run->prompt, m->hidden / m->heads, 1};
}

attn_shape lab_step_shape(const lab_model *m, int kv) {
    return (attn_shape){1, m->heads, 1, kv, m->hidden / m->heads, 0};
}

// Elements of a layer's four matrices (3 E^2, E^2, 4 E^2, 4 E^2), and of the logits' one.
static double layer_matrices(const lab_model *m) { return 12.0 * m->hidden * m->hidden; }
static double logits_matrix(const lab_model *m) { return (double)m->vocab * m->hidden; }

static double weights(const lab_model *m) {  // with biases and layer norms; of wpe and wte's other use, a row: nothing
    return m->layers * (layer_matrices(m) + 13.0 * m->hidden) + logits_matrix(m) + 2.0 * m->hidden;
}

// K and V of all layers.
static double cache(const lab_model *m, double tokens) { return 2.0 * m->layers * m->hidden * tokens; }

double lab_prefill_flops(const lab_model *m, int prompt) {
    const double pairs = 0.5 * prompt * (prompt + 1.0);
    return m->layers * (2 * prompt * layer_matrices(m) + 4 * pairs * m->hidden) + 2 * logits_matrix(m);
}

double lab_step_flops(const lab_model *m, int kv) {
    return m->layers * (2 * layer_matrices(m) + 4.0 * kv * m->hidden) + 2 * logits_matrix(m);
}

double lab_prefill_bytes(const lab_model *m, int prompt) { return sizeof(float) * (weights(m) + cache(m, prompt)); }

// The token's own K and V are written, the others' are read.
double lab_step_bytes(const lab_model *m, int kv) { return sizeof(float) * (weights(m) + cache(m, kv)); }
