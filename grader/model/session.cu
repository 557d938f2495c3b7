// session.cu: the buffers of a run, allocated once for calls of the same sizes, so that no call pays for memory but the
// first. They start as zeros, the cache as NaN: a read before the first write cannot look right.
#include <stdlib.h>
#include <string.h>

#include "network.h"

static float *room(lab_session *s, size_t floats, int byte) {
    void *p = NULL;
    if (cudaMalloc(&p, floats * sizeof(float)) != cudaSuccess) {
        s->out_of_memory = 1;
        return NULL;
    }
    cudaMemset(p, byte, floats * sizeof(float));
    s->buffers[s->n_buffers++] = p;
    return (float *)p;
}

// The tensors of attn_layer_workspace for B sequences of S tokens.
static attn_layer_workspace layer_room(lab_session *s, size_t tokens, size_t E) {
    attn_layer_workspace w;
    w.qkv = room(s, tokens * 3 * E, 0);
    w.Q = room(s, tokens * E, 0), w.K = room(s, tokens * E, 0), w.V = room(s, tokens * E, 0);
    w.O = room(s, tokens * E, 0), w.merged = room(s, tokens * E, 0);
    return w;
}

// With one token per sequence [B, H, 1, D] and [B, 1, E] are the same bytes: merge_heads has nothing to do. With one
// sequence too, q, k and v stand in qkv as split_qkv would leave them.
static attn_layer_workspace decode_room(const attn_layer_workspace *w, int batch, size_t E) {
    attn_layer_workspace d = *w;
    d.merged = d.O;
    if (batch == 1) d.Q = d.qkv, d.K = d.qkv + E, d.V = d.qkv + 2 * E;
    return d;
}

static int allocate(lab_session *s, const gpt2_config *c) {
    const size_t B = s->batch, T = B * s->seq, E = c->n_embd, V = c->vocab_size, L = c->n_layer;
    const attn_cache size = {s->batch, c->n_head, s->max_seq, c->n_embd / c->n_head};
    s->x = room(s, T * E, 0), s->normed = room(s, T * E, 0), s->attended = room(s, T * E, 0);
    s->hidden = room(s, T * 4 * E, 0);
    s->last = room(s, B * E, 0), s->logits = room(s, B * V, 0);
    s->prefill = layer_room(s, T, E);
    s->decode = decode_room(&s->prefill, s->batch, E);
    s->K = room(s, L * B * s->max_seq * E, 0xff), s->V = room(s, L * B * s->max_seq * E, 0xff);
    s->split = room(s, ATTN_SPLIT_FLOATS(size, ATTN_MAX_SPLITS), 0);
    s->lengths = (int *)room(s, L * B, 0);
    s->ids = (int *)room(s, T, 0), s->tokens = (int *)room(s, B, 0);
    s->count = (int *)room(s, B, 0), s->one = (int *)room(s, B, 0);
    s->calls = (int *)room(s, B, 0), s->best = (lab_candidate *)room(s, B * 2 * lab_candidates(c->vocab_size), 0);
    s->fused = (uint64_t *)room(s, 2 * FUSED_ROOM(*c), 0);
    if (s->out_of_memory) return 0;
    const int ones[LAB_MAX_STREAMS] = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1};
    return cudaMemcpy(s->one, ones, B * sizeof(int), cudaMemcpyHostToDevice) == cudaSuccess &&
           cudaMallocHost((void **)&s->host_tokens, 2 * B * sizeof(int)) == cudaSuccess &&
           cudaMallocHost((void **)&s->host_logits, B * V * sizeof(float)) == cudaSuccess &&
           cudaEventCreateWithFlags(&s->found[0], cudaEventDisableTiming) == cudaSuccess &&
           cudaEventCreateWithFlags(&s->found[1], cudaEventDisableTiming) == cudaSuccess &&
           cudaStreamCreate(&s->stream) == cudaSuccess && cudaDeviceSynchronize() == cudaSuccess;
}

attn_status lab_session_get(lab_session *s, const lab_network *network, int batch, int seq, int max_seq) {
    if (s->stream && s->batch == batch && s->seq == seq && s->max_seq == max_seq) return ATTN_OK;
    lab_session_free(s);
    s->batch = batch, s->seq = seq, s->max_seq = max_seq, s->layers = network->config.n_layer;
    if (allocate(s, &network->config)) return ATTN_OK;
    cudaGetLastError();
    lab_session_free(s);
    return ATTN_NO_MEMORY;
}

void lab_session_free(lab_session *s) {
#ifdef __CUDACC__
    if (s->graph) cudaGraphExecDestroy(s->graph);
#endif
    if (s->stream) cudaStreamDestroy(s->stream);
    for (int i = 0; i < 2; i++)
        if (s->found[i]) cudaEventDestroy(s->found[i]);
    if (s->host_tokens) cudaFreeHost(s->host_tokens);
    if (s->host_logits) cudaFreeHost(s->host_logits);
    cudaFree(s->packed);
    cudaFree(s->packed_prompts);
    for (int i = 0; i < s->n_buffers; i++) cudaFree(s->buffers[i]);
    memset(s, 0, sizeof *s);
}
