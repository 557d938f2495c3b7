// upload.cu: a checkpoint's weights, from the host into one block of device memory. A layer's tensors follow
// one another.
#include <stdio.h>
#include <stdlib.h>

#include "network.h"

enum { ALIGN = 64 };  // floats

static size_t padded(size_t n) { return (n + ALIGN - 1) / ALIGN * ALIGN; }

static size_t tensor_size(const gpt2_tensor *t, size_t E) { return (t->rows ? t->rows * E : 1) * t->cols * E; }

static size_t total_size(const gpt2_config *c) {
    const size_t E = c->n_embd;
    size_t n = padded(c->vocab_size * E) * (c->tied ? 1 : 2) + padded(c->n_positions * E) + 2 * padded(E);
    for (int t = 0; t < GPT2_LAYER_TENSORS; t++) n += c->n_layer * padded(tensor_size(&gpt2_layer_tensors[t], E));
    return n;
}

// Copies n floats to *at, which moves on. Returns where they are; errors stay in cudaGetLastError().
static const float *copy(float **at, const float *from, size_t n) {
    float *to = *at;
    cudaMemcpy(to, from, n * sizeof(float), cudaMemcpyHostToDevice);
    *at += padded(n);
    return to;
}

int lab_upload(lab_network *network, const gpt2_checkpoint *model, char *why, size_t size) {
    const gpt2_config *c = &model->config;
    const gpt2_weights *from = &model->weights;
    gpt2_weights *to = &network->weights;
    const size_t E = c->n_embd, bytes = total_size(c) * sizeof(float);
    *network = (lab_network){*c, {}, 0, NULL};
    to->layers = (gpt2_layer *)calloc(c->n_layer, sizeof(gpt2_layer));
    const cudaError_t allocated = cudaMalloc((void **)&network->memory, bytes);
    if (!to->layers || allocated != cudaSuccess) {
        cudaGetLastError();
        snprintf(why, size, "no device memory for the model's weights, %zu MB: %s", bytes >> 20,
                 allocated == cudaSuccess ? "no host memory" : cudaGetErrorString(allocated));
        if (allocated != cudaSuccess) network->memory = NULL;
        lab_unload(network);
        return 1;
    }
    float *at = network->memory;
    for (int t = 0; t < GPT2_LAYER_TENSORS; t++)
        network->layer_floats += padded(tensor_size(&gpt2_layer_tensors[t], E));
    to->wte = copy(&at, from->wte, c->vocab_size * E);
    to->wpe = copy(&at, from->wpe, c->n_positions * E);
    for (int l = 0; l < c->n_layer; l++)
        for (int t = 0; t < GPT2_LAYER_TENSORS; t++) {
            const gpt2_tensor *tensor = &gpt2_layer_tensors[t];
            *gpt2_field(&to->layers[l], tensor) =
                copy(&at, *gpt2_field(&from->layers[l], tensor), tensor_size(tensor, E));
        }
    to->ln_f_g = copy(&at, from->ln_f_g, E);
    to->ln_f_b = copy(&at, from->ln_f_b, E);
    to->lm_head = c->tied ? to->wte : copy(&at, from->lm_head, c->vocab_size * E);
    const cudaError_t error = cudaGetLastError();
    if (error == cudaSuccess) return 0;
    snprintf(why, size, "the model's weights could not be copied to the device: %s", cudaGetErrorString(error));
    lab_unload(network);
    return 1;
}

void lab_unload(lab_network *network) {
    cudaFree(network->memory);
    free(network->weights.layers);
    *network = (lab_network){};
}
