// fused.h: what a stage of task 6 may offer beside attn_layer_forward, for the ladder: more of the model in one kernel
// than a layer's contract allows. All of it is optional (steps: both functions or none), and is found by name. Where a
// function returns ATTN_BAD_SHAPE, it has done nothing, and the lab goes on with its own kernels.
#ifndef LAB_FUSED_H
#define LAB_FUSED_H

#include "../gpt2/checkpoint.h"
#include "task6.h"

typedef struct {           // device memory, unless it says host; float32, 16-byte aligned
    gpt2_config config;    // the model's sizes
    gpt2_weights weights;  // .layers: host memory, with pointers to device memory
    size_t layer_floats;   // from a tensor of a layer to the same one of the next
    int max_seq;
    float *K, *V;             // [layers, heads, max_seq, head_dim]
    int *lengths;             // [layers]: tokens in each layer's cache
    int *token;               // [1]: in: the newest token; out: the one after it
    float *logits;            // [vocabulary]: of the token after it
    int *calls, *host_token;  // calls[0]++; host_token[calls[0] % 2] = the token, on the host (pinned)
    int stop;                 // where the newest token is `stop`, so is the one after it; -1: none
    uint64_t *room;           // FUSED_ROOM words, zeros before the first call, then left as they are between calls
    float *packed;            // FUSED_PACKED floats: what attn_prepare_steps has left there
} attn_step;

enum { FUSED_BLOCKS = 256 };  // at most
#define FUSED_ROOM(c) (64 + 2 * FUSED_BLOCKS + (size_t)(c).n_layer * 7 * (c).n_embd)
#define FUSED_PACKED(c) ((size_t)(c).n_layer * (12 * (size_t)(c).n_embd + 14) * (c).n_embd)

// Called once before the steps: leaves the layers' weights in `packed`, in whatever order and form the steps read them.
ATTN_API attn_status attn_prepare_steps(const attn_step *step, cudaStream_t stream);

// A decode step of one sequence, whole: appends the newest token to every layer's cache, counts it in lengths, computes
// the logits and chooses the largest, the first of equal ones. The host has checked that the cache has room. Queues
// work on `stream` and does nothing else: a CUDA graph records it.
ATTN_API attn_status attn_decode_step(const attn_step *step, cudaStream_t stream);

// Y = X W + b, then by `finish`: 0 nothing more, 1 Y = gelu_new(Y), 2 Y += what stood there before. As lab_linear
// (matrices.h), for as many rows as a prompt has.
ATTN_API attn_status attn_linear(float *Y, const float *X, const float *W, const float *b, int rows, int n_in,
                                 int n_out, int finish, cudaStream_t stream);

typedef struct {  // a prompt of one sequence; otherwise as above
    gpt2_config config;
    gpt2_weights weights;
    int seq, max_seq;           // tokens, max_seq at most
    float *x;                   // [seq, E]: in: the embedded tokens; out: what the last layer leaves
    float *normed, *attended;   // [seq, E], room to work in, as are the next two
    float *hidden;              // [seq, 4E]
    attn_layer_workspace work;  // of one sequence
    float *K, *V;               // [layers, heads, max_seq, head_dim]
    int *lengths;               // [layers]
    float *packed;              // FUSED_PACKED floats: what attn_prepare_prompts has left there
} attn_prompt;

// Called once before the prompts of a session, with the first of them: leaves the layers' weights in `packed`.
ATTN_API attn_status attn_prepare_prompts(const attn_prompt *prompt, cudaStream_t stream);

// All layers of a prompt: leaves x, every layer's cache and its lengths.
ATTN_API attn_status attn_prompt_layers(const attn_prompt *prompt, cudaStream_t stream);

#endif
