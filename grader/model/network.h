// network.h: a GPT-2 in device memory, and the room that a run of it takes.
#ifndef LAB_NETWORK_H
#define LAB_NETWORK_H

#include <cuda_runtime.h>

#include "checkpoint.h"
#include "layers.h"
#include "matrices.h"
#include "model.h"

#define TRY(call)                                                                                                      \
    do {                                                                                                               \
        const attn_status status_ = (call);                                                                            \
        if (status_ != ATTN_OK) return status_;                                                                        \
    } while (0)
#define TRY_CUDA(call)                                                                                                 \
    do {                                                                                                               \
        if ((call) != cudaSuccess) return ATTN_CUDA_ERROR;                                                             \
    } while (0)

// ---- upload.cu
typedef struct {
    gpt2_config config;
    gpt2_weights weights;  // device pointers; a layer's tensors follow one another
    size_t layer_floats;   // from a tensor of a layer to the same one of the next
    float *memory;         // the memory that they point into
} lab_network;

int lab_upload(lab_network *network, const gpt2_checkpoint *model, char *why, size_t size);
void lab_unload(lab_network *network);

// ---- session.cu: buffers for `batch` sequences, prompts of up to `seq` tokens and a cache of max_seq, kept between calls
enum { LAB_MAX_BUFFERS = 24 };

#ifdef __CUDACC__
typedef cudaGraphExec_t lab_graph;
#else
typedef void *lab_graph;  // grader/simt has no graphs
#endif

typedef struct {
    int batch, seq, max_seq, layers;
    cudaStream_t stream;
    float *x, *normed, *attended, *hidden;     // [batch, seq, E]; hidden: [batch, seq, 4E]
    float *last, *logits;                      // [batch, E], [batch, V]
    attn_layer_workspace prefill, decode;      // decode's tensors share memory where layouts allow (layers.h)
    float *K, *V;                              // [layers, batch, heads, max_seq, head_dim]
    int *lengths;                              // [layers, batch]
    float *split;                              // workspace of attn_decode_split
    int *ids, *tokens, *count, *one;           // [batch, seq], then [batch] each: device memory
    lab_candidate *best;                       // [batch, lab_candidates(V)]
    uint64_t *fused;                           // room of attn_decode_step
    float *packed;                             // and the weights as it wants them, or NULL,
    __typeof__(attn_prepare_steps) *prepared;  // which this function has left there
    float *packed_prompts;                     // the same for prompts (fused.h); NULL: it has refused, if it was asked
    __typeof__(attn_prepare_prompts) *prompts_prepared;
    int *calls, *host_tokens;  // lab_argmax's: [batch]; [2, batch], on the host
    cudaEvent_t found[2];      // the tokens of an even and of an odd step are on the host
    float *host_logits;        // [batch, V], on the host
    void *buffers[LAB_MAX_BUFFERS];
    int n_buffers, out_of_memory;
    lab_graph graph;          // a decode step, recorded with ...
    lab_stages graph_stages;  // ... these stages
    int graph_stop, graph_mode;
} lab_session;

// The session of the last call if it fits, or a new one.
attn_status lab_session_get(lab_session *s, const lab_network *network, int batch, int seq, int max_seq);
void lab_session_free(lab_session *s);

// ---- attention.cu: the functions a layer is made of; decode splits the keys where the stage can
attn_functions lab_functions(const lab_stages *stages, float *split_workspace, int without_attention);

// ---- failing.cu: the same functions, of which the n-th call fails, from 1, and all after it
attn_functions lab_failing(attn_functions real, int n);
// After a call of the layer with them: 0 if it made fewer than n calls. 1: verdict is ATTN_OK if the layer returned the
// first status that was not, otherwise LAB_NOT_PASSED_ON and which function it was (protocol.h).
int lab_failing_judge(attn_status returned, attn_status *verdict);

// ---- forward.cu: ids -> embedding, layers, logits of each sequence's last token, and its argmax in s->tokens. Queued only.
attn_status lab_forward(const lab_network *network, lab_session *s, const int *ids, attn_tokens tokens,
                        attn_layer_workspace work, const lab_stages *stages, const attn_functions *call, int stop);

// ---- step.cu: decode step number `step`, from 1: s->tokens are appended, and the tokens after them found. On a GPU it is
// a recorded graph that is replayed, unless the mode is LAB_EAGER.
attn_status lab_decode_step(const lab_network *network, lab_session *s, const lab_stages *stages,
                            const attn_functions *call, const int *past, int step, const lab_sampling *how);

// ---- generate.cu, layer_run.cu: model.h's lab_generate and lab_layer
attn_status lab_generate(const lab_network *network, lab_session *s, const lab_stages *stages, const lab_request *r,
                         float *const tensor[LAB_MAX_TENSORS], lab_emit *emit, void *context);
attn_status lab_layer_run(const lab_stages *stages, const lab_request *r, float *const tensor[LAB_MAX_TENSORS]);

#endif
