// driver.h: what the runner calls for task 6: a model (grader/model) in a shared object beside the stages.
#ifndef LAB_DRIVER_H
#define LAB_DRIVER_H

#include "fused.h"
#include "protocol.h"
#include "task6.h"

typedef struct {  // what students (or the lab in their place) implement
    attn_status (*layer)(float *Y, const float *X, attn_layer_weights weights, attn_layer_cache cache,
                         attn_tokens tokens, attn_layer_workspace work, const attn_functions *call,
                         cudaStream_t stream);                                                               // task 6
    attn_status (*flash)(float *, const float *, const float *, const float *, attn_shape, cudaStream_t);    // task 4
    attn_status (*append)(float *, float *, int *, const float *, const float *, attn_cache, cudaStream_t);  // task 5
    attn_status (*decode)(float *, const float *, const float *, const float *, const int *, attn_cache, cudaStream_t);
    attn_status (*decode_split)(float *, const float *, const float *, const float *, const int *, float *, int,
                                attn_cache, cudaStream_t);  // NULL: not solved; decode is used
    __typeof__(attn_prepare_steps) *prepare;                // fused.h; NULL for all but rungs of the ladder
    __typeof__(attn_decode_step) *step;                     // the same
    __typeof__(attn_linear) *linear;                        // the same
    __typeof__(attn_prepare_prompts) *prepare_prompts;      // the same
    __typeof__(attn_prompt_layers) *prompt;                 // the same
} lab_stages;

// Called for every generated step: one token id per sequence, on the host.
typedef void lab_emit(void *context, int step, const int *tokens, int n);

// model: "" (none: lab_layer needs none), a folder in Hugging Face's format, or
// "random:layers=24,hidden=1024,heads=16,vocab=8192,positions=2048,seed=1". 0, or a line in why.
ATTN_API int lab_driver_open(const char *model, char *why, size_t size);

// lab_layer. Tensors (device memory): 0 Y [B, T, E], 1 X [B, T, E], 2 W_qkv, 3 b_qkv, 4 W_out, 5 b_out,
//     6 prompt lengths (int [B], each 1 to S), 7 the cache: K, V [B, H, max_seq, D] and lengths in one, and LAB_CALL_LOG
//     ints (layer_calls.h; scratch).
//     T = shape.seq_q, S = r->extra[0] prompt tokens, then T - S decode steps, one call of the layer each: step t takes
//     X[b][S + t]. Rows of padding stay 0. A step that the layer refuses with ATTN_CACHE_FULL leaves 4.0 in its rows
//     and the next goes on, unless it has called something or changed the cache first (LAB_REFUSED_LATE ...); any
//     other status ends the run. A call that puts what it calls on another stream leaves 8.0 in its rows.
//     r->extra[1] (sizes.h): LAB_BESIDES_NEITHER: after the prefill come two calls that are neither prefill nor decode
//     (S = 2, and a sequence whose cache is empty beside one whose is not); LAB_NEITHER_REFUSED + which if the layer
//     does not refuse them with ATTN_BAD_SHAPE. LAB_BESIDES_FAILING: before the prefill, and before the first decode
//     step, the layer is called with functions that fail, each once; LAB_NOT_PASSED_ON + which if it does not return
//     the first status that is not ATTN_OK. LAB_BESIDES_FULL: after the prefill come calls in which one sequence after
//     the other is full; LAB_FULL_NOT_REFUSED + which if the layer does not return ATTN_CACHE_FULL.
//     LAB_BESIDES_PADDING: S of the prefill is T, more than the longest prompt. LAB_BESIDES_RECORDED: each call is
//     recorded in a CUDA graph, which is run; LAB_DEVICE + cudaErrorStreamCapture... if that fails, or if the call has
//     changed the cache or the workspace while it was recorded.
// lab_generate. 0 out [B, n_new, columns], 1 prompts (int [B, S]), 2 prompt lengths (int [B]), 3 lab_sampling
// (grader/model/model.h).
ATTN_API attn_status lab_driver_call(const lab_stages *stages, const lab_request *r,
                                     float *const tensor[LAB_MAX_TENSORS], lab_emit *emit, void *context);

#endif
