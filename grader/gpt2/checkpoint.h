// checkpoint.h: a GPT-2 in memory: from a folder in Hugging Face's format, or with random weights from a seed.
//
//     config.json         sizes; a key that is missing has GPT-2 124M's value
//     model.safetensors   float32 tensors, named h.0.attn.c_attn.weight or transformer.h.0.attn.c_attn.weight
//
// Layers L, hidden size E, heads H, positions P, vocabulary V. Matrices are row-major [in, out]: y = x W + b.
#ifndef GPT2_CHECKPOINT_H
#define GPT2_CHECKPOINT_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
    int n_layer, n_embd, n_head, n_positions, vocab_size;  // L, E, H, P, V; head_dim = E / H
    float layer_norm_epsilon;
    int tied;  // the logits' matrix is wte
} gpt2_config;

typedef struct {
    const float *ln_1_g, *ln_1_b;  // [E]
    const float *W_qkv, *b_qkv;    // [E, 3E], [3E]: the columns of Q, then of K, then of V; each has H heads of E / H
    const float *W_out, *b_out;    // [E, E], [E]
    const float *ln_2_g, *ln_2_b;  // [E]
    const float *W_fc, *b_fc;      // [E, 4E], [4E]
    const float *W_proj, *b_proj;  // [4E, E], [E]
} gpt2_layer;

typedef struct {
    const float *wte, *wpe;        // [V, E], [P, E]
    const float *ln_f_g, *ln_f_b;  // [E]
    const float *lm_head;          // [V, E]: logits = h lm_head^T; equals wte when tied
    gpt2_layer *layers;            // L of them
} gpt2_weights;

typedef struct {
    gpt2_config config;
    gpt2_weights weights;
    void *memory;  // what the weights lie in; gpt2_close frees it
    struct safetensors *file;
} gpt2_checkpoint;

// GPT-2 124M.
gpt2_config gpt2_config_default(void);

// Reads a config.json. Returns 0, with one line in why[size], when it cannot be read or is not a GPT-2 that the lab
// knows.
int gpt2_config_read(const char *path, gpt2_config *config, char *why, size_t size);

// NULL, with one line in why[size] (file, what, where), when the checkpoint is not whole. The weights point into the
// file, mapped read-only, where its alignment allows; it must not change until gpt2_close.
gpt2_checkpoint *gpt2_open(const char *folder, char *why, size_t size);

// A model with random weights (random.c has the formula): the same bits on every machine. NULL when memory is short.
gpt2_checkpoint *gpt2_random(gpt2_config config, uint64_t seed);

// "layers=24,hidden=1024,heads=16,vocab=8192,positions=2048,seed=1": what gpt2_random takes. Missing sizes are GPT-2 124M's.
// Returns 0, with one line in why[size], when it cannot be read.
int gpt2_random_read(const char *text, gpt2_config *config, unsigned long long *seed, char *why, size_t size);

void gpt2_close(gpt2_checkpoint *c);

// ---- the tensors of a layer, in the order of gpt2_layer; sizes in units of E; rows 0: a vector of cols * E numbers
typedef struct {
    const char *name;
    size_t field;
    int rows, cols;
} gpt2_tensor;

enum { GPT2_LAYER_TENSORS = 12 };
extern const gpt2_tensor gpt2_layer_tensors[GPT2_LAYER_TENSORS];

// The field of `layer` that tensor t fills.
static inline const float **gpt2_field(gpt2_layer *layer, const gpt2_tensor *t) {
    return (const float **)((char *)layer + t->field);
}

#ifdef __cplusplus
}
#endif

#endif
