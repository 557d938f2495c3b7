// driver.cu: model.h's two functions: opens a model once, then answers requests with the stages that it is given.
#include <stdio.h>
#include <string.h>

#include "network.h"

static lab_network network;
static lab_session session;

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
    else if (gpt2_random_read(model + 7, &config, &seed, why, size) && head_dim_is_valid(&config, why, size)) {
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
