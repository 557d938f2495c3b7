// checkpoint.c: the names of GPT-2's tensors, and where each goes.
#include "checkpoint.h"

#include <stdio.h>
#include <stdlib.h>

#include "safetensors.h"

#define TENSOR(name, field, rows, cols)                                                                                \
    { name, offsetof(gpt2_layer, field), rows, cols }
const gpt2_tensor gpt2_layer_tensors[GPT2_LAYER_TENSORS] = {
    TENSOR("ln_1.weight", ln_1_g, 0, 1),       TENSOR("ln_1.bias", ln_1_b, 0, 1),
    TENSOR("attn.c_attn.weight", W_qkv, 1, 3), TENSOR("attn.c_attn.bias", b_qkv, 0, 3),
    TENSOR("attn.c_proj.weight", W_out, 1, 1), TENSOR("attn.c_proj.bias", b_out, 0, 1),
    TENSOR("ln_2.weight", ln_2_g, 0, 1),       TENSOR("ln_2.bias", ln_2_b, 0, 1),
    TENSOR("mlp.c_fc.weight", W_fc, 1, 4),     TENSOR("mlp.c_fc.bias", b_fc, 0, 4),
    TENSOR("mlp.c_proj.weight", W_proj, 4, 1), TENSOR("mlp.c_proj.bias", b_proj, 0, 1),
};

// GPT2LMHeadModel's names begin with this, GPT2Model's do not; lm_head.weight, outside the transformer, never does.
static const char PREFIX[] = "transformer.";

static bool load_layer(gpt2_checkpoint *c, int layer, const char *prefix, const gpt2_reading *at) {
    const int64_t E = c->config.n_embd;
    for (int i = 0; i < GPT2_LAYER_TENSORS; i++) {
        const gpt2_tensor *t = &gpt2_layer_tensors[i];
        char name[96];
        snprintf(name, sizeof name, "%sh.%d.%s", prefix, layer, t->name);
        const float *x = safetensors_f32(c->file, name, t->rows * E, t->cols * E, at);
        if (!x) return false;
        *gpt2_field(&c->weights.layers[layer], t) = x;
    }
    return true;
}

static bool load(gpt2_checkpoint *c, const gpt2_reading *at) {
    const gpt2_config *g = &c->config;
    gpt2_weights *w = &c->weights;
    const char *prefix = safetensors_has(c->file, "transformer.wte.weight") ? PREFIX : "";
    const struct {
        const float **field;
        const char *name;
        int rows;
    } outer[] = {{&w->wte, "wte.weight", g->vocab_size},
                 {&w->wpe, "wpe.weight", g->n_positions},
                 {&w->ln_f_g, "ln_f.weight", 0},
                 {&w->ln_f_b, "ln_f.bias", 0}};
    for (size_t i = 0; i < sizeof outer / sizeof *outer; i++) {
        char name[96];
        snprintf(name, sizeof name, "%s%s", prefix, outer[i].name);
        if (!(*outer[i].field = safetensors_f32(c->file, name, outer[i].rows, g->n_embd, at))) return false;
    }
    w->lm_head = g->tied ? w->wte : safetensors_f32(c->file, "lm_head.weight", g->vocab_size, g->n_embd, at);
    if (!w->lm_head) return false;
    for (int i = 0; i < g->n_layer; i++)
        if (!load_layer(c, i, prefix, at)) return false;
    return true;
}

gpt2_checkpoint *gpt2_open(const char *folder, char *why, size_t size) {
    char path[4096];
    const gpt2_reading at = {path, why, size};
    gpt2_checkpoint *c = calloc(1, sizeof *c);
    if (!c) return snprintf(why, size, "%s: out of memory", folder), NULL;

    snprintf(path, sizeof path, "%s/config.json", folder);
    bool good = gpt2_config_read(path, &c->config, why, size);
    snprintf(path, sizeof path, "%s/model.safetensors", folder);
    good = good && (c->file = safetensors_open(&at)) != NULL;
    if (good && !(c->weights.layers = calloc(c->config.n_layer, sizeof *c->weights.layers)))
        good = gpt2_problem(&at, "out of memory");
    if (good && load(c, &at)) return c;
    gpt2_close(c);
    return NULL;
}

void gpt2_close(gpt2_checkpoint *c) {
    if (!c) return;
    safetensors_close(c->file);
    free(c->weights.layers);
    free(c->memory);
    free(c);
}
