// driver.cu: model.h's two functions: opens a model once, then answers requests with the stages that it is given.
#include <stdio.h>
#include <string.h>

#include "network.h"

static lab_network network;
static lab_session session;

// "random:layers=24,hidden=1024,...": missing sizes are GPT-2 124M's. 1, or a line in why.
static int parse_random(const char *text, gpt2_config *config, unsigned long long *seed, char *why, size_t size) {
    *config = gpt2_config_default();
    config->tied = 1;
    *seed = 1;
    for (const char *p = text; *p;) {
        char name[16];
        unsigned long long value;
        int length = 0;
        if (sscanf(p, "%15[a-z]=%llu%n", name, &value, &length) != 2 || (p[length] && p[length] != ',')) {
            snprintf(why, size, "random model: \"%s\": write NAME=NUMBER,NAME=NUMBER", p);
            return 0;
        }
        const struct {
            const char *name;
            int *field;
        } fields[] = {{"layers", &config->n_layer},
                      {"hidden", &config->n_embd},
                      {"heads", &config->n_head},
                      {"vocab", &config->vocab_size},
                      {"positions", &config->n_positions}};
        int known = !strcmp(name, "seed");
        if (known) *seed = value;
        for (const auto &field : fields)
            if (!strcmp(name, field.name) && value >= 1 && value <= 1 << 20) *field.field = (int)value, known = 1;
        if (!known) {
            snprintf(why, size,
                     "random model: %s=%llu: names are layers, hidden, heads, vocab, positions (1 to %d), seed", name,
                     value, 1 << 20);
            return 0;
        }
        p += length + (p[length] == ',');
    }
    return 1;
}

static int head_dim_is_valid(const gpt2_config *c, char *why, size_t size) {
    const int D = c->n_head > 0 && c->n_embd % c->n_head == 0 ? c->n_embd / c->n_head : 0;
    if (D >= 8 && D <= 128 && D % 8 == 0 && c->n_embd <= 4096) return 1;
    snprintf(why, size,
             "hidden size %d with %d heads: the lab needs at most 4096, and a multiple of 8 up to 128 for a head",
             c->n_embd, c->n_head);
    return 0;
}

ATTN_API int lab_driver_open(const char *model, char *why, size_t size) {
    gpt2_config config;
    unsigned long long seed;
    gpt2_checkpoint *c = NULL;
    lab_session_free(&session);
    lab_unload(&network);
    if (!*model) return 0;
    if (strncmp(model, "random:", 7) != 0)
        c = gpt2_open(model, why, size);
    else if (parse_random(model + 7, &config, &seed, why, size) && head_dim_is_valid(&config, why, size)) {
        c = gpt2_random(config, seed);
        if (!c) snprintf(why, size, "no memory for the random model");
    }
    if (!c) return 1;
    const int failed = !head_dim_is_valid(&c->config, why, size) || lab_upload(&network, c, why, size);
    gpt2_close(c);
    return failed;
}

ATTN_API attn_status lab_driver_call(const lab_stages *stages, const lab_request *r,
                                     float *const tensor[LAB_MAX_TENSORS], lab_emit *emit, void *context) {
    if (strcmp(r->op, "layer") == 0) return lab_layer_run(stages, r, tensor);
    if (strcmp(r->op, "generate") || !network.memory) return ATTN_BAD_SHAPE;
    return lab_generate(&network, &session, stages, r, tensor, emit, context);
}
