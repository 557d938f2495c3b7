// step.cu: one decode step. On a GPU its hundred launches would take the host longer than the kernels take, so they are
// recorded once in a CUDA graph, and a step is one launch. A recorded step has no host code in it: whatever changes from
// step to step (tokens, lengths) is read by kernels from device memory, and the host checks the capacity beforehand.
#include <stdio.h>
#include <string.h>

#include "network.h"

// A whole step in one call, where the stage has one (fused.h).
static attn_step fused_step(const lab_network *network, const lab_session *s, int stop) {
    return {
        network->config, network->weights, network->layer_floats, s->max_seq, s->K,     s->V,     s->lengths, s->tokens,
        s->logits,       s->calls,         s->host_tokens,        stop,       s->fused, s->packed};
}

static attn_status prepare(const lab_network *network, lab_session *s, const lab_stages *stages) {
    if (!stages->prepare || !stages->step || s->batch != 1 || s->prepared == stages->prepare) return ATTN_OK;
    if (!s->packed) TRY_CUDA(cudaMalloc((void **)&s->packed, FUSED_PACKED(network->config) * sizeof(float)));
    const attn_step step = fused_step(network, s, -1);
    const attn_status status = stages->prepare(&step, s->stream);
    s->prepared = status == ATTN_OK ? stages->prepare : NULL;
    return status == ATTN_BAD_SHAPE ? ATTN_OK : status;
}

static attn_status queue(const lab_network *network, lab_session *s, const lab_stages *stages,
                         const attn_functions *call, const int *past, int stop, int mode) {
    const int count[LAB_MAX_STREAMS] = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1};
    const attn_tokens tokens = {1, past, count, s->one};
    if (s->prepared && s->prepared == stages->prepare && mode != LAB_NO_ATTENTION) {
        const attn_step step = fused_step(network, s, stop);
        return stages->step(&step, s->stream);
    }
    return lab_forward(network, s, s->tokens, tokens, s->decode, stages, call, stop);
}

#ifdef __CUDACC__
static attn_status record(const lab_network *network, lab_session *s, const lab_stages *stages,
                          const attn_functions *call, const int *past, const lab_sampling *how) {
    cudaGraph_t graph = NULL;
    if (s->graph) cudaGraphExecDestroy(s->graph);
    s->graph = NULL;
    TRY_CUDA(cudaStreamBeginCapture(s->stream, cudaStreamCaptureModeThreadLocal));
    const attn_status status = queue(network, s, stages, call, past, how->stop, how->mode);
    cudaError_t error = cudaStreamEndCapture(s->stream, &graph);
    if (status == ATTN_OK && error == cudaSuccess) error = cudaGraphInstantiate(&s->graph, graph, 0);
    if (graph) cudaGraphDestroy(graph);
    if (status != ATTN_OK) return status;
    if (error != cudaSuccess) {
        fprintf(stderr,
                "a decode step cannot be recorded in a CUDA graph (%s): does the layer allocate, synchronise, or "
                "launch on another stream than its own?\n",
                cudaGetErrorString(error));
        cudaGetLastError();
        s->graph = NULL;
        return ATTN_CUDA_ERROR;
    }
    s->graph_stages = *stages, s->graph_stop = how->stop, s->graph_mode = how->mode;
    return ATTN_OK;
}

static int is_recorded(const lab_session *s, const lab_stages *stages, const lab_sampling *how) {
    return s->graph && s->graph_stop == how->stop && s->graph_mode == how->mode &&
           memcmp(&s->graph_stages, stages, sizeof *stages) == 0;
}
#endif

attn_status lab_decode_step(const lab_network *network, lab_session *s, const lab_stages *stages,
                            const attn_functions *call, const int *past, int step, const lab_sampling *how) {
    for (int b = 0; b < s->batch; b++)
        if (past[b] + 1 > s->max_seq) return ATTN_CACHE_FULL;
    if (step == 1) TRY(prepare(network, s, stages));
#ifdef __CUDACC__
    const int recorded = is_recorded(s, stages, how);
    // The first step is not recorded: CUDA loads code at a kernel's first launch, which would disturb a recording.
    if (how->mode != LAB_EAGER && (recorded || step > 1)) {
        if (!recorded) TRY(record(network, s, stages, call, past, how));
        TRY_CUDA(cudaGraphLaunch(s->graph, s->stream));
        return ATTN_OK;
    }
#endif
    (void)step;
    return queue(network, s, stages, call, past, how->stop, how->mode);
}
