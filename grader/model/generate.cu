// generate.cu: lab_generate: prompts in, tokens out, one step after the other.
#include <stdlib.h>
#include <string.h>

#include "network.h"
#include "sampling.h"

#ifndef LAB_AHEAD
#ifdef __CUDACC__
#define LAB_AHEAD 1  // 0: queues a step only after the tokens before it have come, to measure the difference
#else
#define LAB_AHEAD 0  // grader/simt computes a step while it is queued: the tokens before it would only come later
#endif
#endif

typedef struct {
    const lab_network *network;
    lab_session *session;
    const lab_stages *stages;
    attn_functions call;
    int batch, seq, n_new, max_seq, columns, longest;  // longest: tokens of a sequence so far, prompt and generated
    lab_sampling sampling;
    int past[LAB_MAX_STREAMS], count[LAB_MAX_STREAMS];  // tokens of each sequence: in the cache; in this call
    int tokens[LAB_MAX_STREAMS];                        // of the last step that has ended
    uint64_t random[LAB_MAX_STREAMS];
    int *ids;        // host, [batch, seq + n_new]: prompts, on the right their padding; LAB_RECOMPUTE goes on there
    float *out;      // device, [batch, n_new, columns]
    float *out_ids;  // host, [batch, n_new]
} generation;

// ---- A step's end: the tokens are on the host ------------------------------------------------------------------------
static attn_status sample(generation *g, int step) {
    lab_session *s = g->session;
    const int V = g->network->config.vocab_size, stop = g->sampling.stop;
    const size_t bytes = g->batch * sizeof(int);
    TRY_CUDA(cudaMemcpy(s->host_logits, s->logits, bytes * V, cudaMemcpyDeviceToHost));
    for (int b = 0; b < g->batch; b++) {
        const int before = step > 0 ? (int)g->out_ids[b * g->n_new + step - 1] : -1;
        const int drawn =
            lab_sample(s->host_logits + (size_t)b * V, V, g->sampling.temperature, g->sampling.top_k, &g->random[b]);
        g->tokens[b] = stop >= 0 && before == stop ? stop : drawn;
    }
    TRY_CUDA(cudaMemcpy(s->tokens, g->tokens, bytes, cudaMemcpyHostToDevice));
    return ATTN_OK;
}

static attn_status queue_end(generation *g, int step) {
    lab_session *s = g->session;
    if (g->columns > 1) {
        const size_t row = g->columns * sizeof(float), width = row - sizeof(float);
        TRY_CUDA(cudaMemcpy2DAsync(g->out + (size_t)step * g->columns + 1, g->n_new * row, s->logits, width, width,
                                   g->batch, cudaMemcpyDeviceToDevice, s->stream));
    }
    TRY_CUDA(cudaEventRecord(s->found[step % 2], s->stream));
    return ATTN_OK;
}

static attn_status end_step(generation *g, int step, lab_emit *emit, void *context) {
    const size_t bytes = g->batch * sizeof(int);
    TRY_CUDA(cudaEventSynchronize(g->session->found[step % 2]));
    memcpy(g->tokens, g->session->host_tokens + step % 2 * g->batch, bytes);
    if (g->sampling.temperature > 0) TRY(sample(g, step));
    for (int b = 0; b < g->batch; b++) g->out_ids[b * g->n_new + step] = (float)g->tokens[b];
    if (emit) emit(context, step, g->tokens, g->batch);
    return ATTN_OK;
}

// Once every sequence has stopped, every further token is `stop`, without computing.
static attn_status end_stopped_steps(generation *g, int *done, lab_emit *emit, void *context) {
    for (; *done < g->n_new; ++*done) {
        TRY(queue_end(g, *done));
        for (int b = 0; b < g->batch; b++) g->out_ids[b * g->n_new + *done] = (float)g->tokens[b];
        if (emit) emit(context, *done, g->tokens, g->batch);
    }
    TRY_CUDA(cudaStreamSynchronize(g->session->stream));
    return ATTN_OK;
}

// ---- The three kinds of step -----------------------------------------------------------------------------------------
// All tokens so far, from an empty cache: the prompts, or with LAB_RECOMPUTE what followed them as well.
static attn_status prefill(generation *g) {
    lab_session *s = g->session;
    const int B = g->batch, n = g->longest;
    const int nothing[LAB_MAX_STREAMS] = {0};
    const attn_tokens tokens = {n, nothing, g->count, s->count};
    const size_t row = n * sizeof(int), room = (g->seq + g->n_new) * sizeof(int);
    TRY_CUDA(cudaMemcpy2DAsync(s->ids, row, g->ids, room, row, B, cudaMemcpyHostToDevice, s->stream));
    TRY_CUDA(cudaMemcpyAsync(s->count, g->count, B * sizeof(int), cudaMemcpyHostToDevice, s->stream));
    TRY_CUDA(cudaMemsetAsync(s->lengths, 0, (size_t)s->layers * B * sizeof(int), s->stream));
    return lab_forward(g->network, s, s->ids, tokens, s->prefill, g->stages, &g->call, g->sampling.stop);
}

static attn_status recompute(generation *g) {
    g->longest = 0;
    for (int b = 0; b < g->batch; b++) {
        g->ids[b * (g->seq + g->n_new) + g->count[b]++] = g->tokens[b];
        if (g->count[b] > g->longest) g->longest = g->count[b];
    }
    return g->longest > g->max_seq ? ATTN_CACHE_FULL : prefill(g);
}

static attn_status decode(generation *g, int step) {
    if (step == 1) g->call = lab_functions(g->stages, g->session->split, g->sampling.mode == LAB_NO_ATTENTION);
    TRY(lab_decode_step(g->network, g->session, g->stages, &g->call, g->past, step, &g->sampling));
    for (int b = 0; b < g->batch; b++) g->past[b]++;
    return ATTN_OK;
}

static int all_stopped(const generation *g) {
    for (int b = 0; b < g->batch; b++)
        if (g->sampling.stop < 0 || g->tokens[b] != g->sampling.stop) return 0;
    return 1;
}

// A step finds the tokens before it on the device. So the host queues the next step before it waits for this one's tokens,
// and the device never waits for the host. Behind `stop` that is one step too many, which nobody sees. The host waits for
// the first token before it queues anything else: queueing would delay it.
static int queues_ahead(const generation *g, int step) {
    const int logits_behind_stop = g->columns > 1 && g->sampling.stop >= 0;
    return LAB_AHEAD && step > 0 && g->sampling.temperature <= 0 && g->sampling.mode != LAB_RECOMPUTE &&
           !logits_behind_stop;
}

static attn_status steps(generation *g, int *done, lab_emit *emit, void *context) {
    TRY(prefill(g));
    for (*done = 0;;) {
        const int next = *done + 1, ahead = next < g->n_new && queues_ahead(g, *done);
        attn_status status = queue_end(g, *done);
        if (status != ATTN_OK) return status;
        if (ahead) status = decode(g, next);
        TRY(end_step(g, *done, emit, context));
        if ((*done = next) == g->n_new) return ATTN_OK;
        if (all_stopped(g)) return end_stopped_steps(g, done, emit, context);
        if (!ahead) status = g->sampling.mode == LAB_RECOMPUTE ? recompute(g) : decode(g, next);
        if (status != ATTN_OK) return status;
    }
}

// ---- Beginning and end -----------------------------------------------------------------------------------------------
static int is_valid(const generation *g) {
    const gpt2_config *c = &g->network->config;
    return g->batch >= 1 && g->batch <= LAB_MAX_STREAMS && g->seq >= 1 && g->n_new >= 1 && g->max_seq >= 1 &&
           g->max_seq <= c->n_positions && (g->columns == 1 || g->columns == 1 + c->vocab_size) &&
           g->sampling.mode >= LAB_CACHED && g->sampling.mode <= LAB_NO_ATTENTION;
}

static attn_status begin(generation *g, float *const tensor[LAB_MAX_TENSORS]) {
    TRY_CUDA(cudaMemcpy(&g->sampling, tensor[3], sizeof g->sampling, cudaMemcpyDeviceToHost));
    if (!is_valid(g)) return ATTN_BAD_SHAPE;
    const int more = g->sampling.mode == LAB_RECOMPUTE ? g->n_new : 0;
    const size_t row = g->seq * sizeof(int), room = (g->seq + g->n_new) * sizeof(int);
    TRY(lab_session_get(g->session, g->network, g->batch, g->seq + more, g->max_seq));
    TRY_CUDA(cudaMemcpy2D(g->ids, room, tensor[1], row, row, g->batch, cudaMemcpyDeviceToHost));
    TRY_CUDA(cudaMemcpy(g->count, tensor[2], g->batch * sizeof(int), cudaMemcpyDeviceToHost));
    TRY_CUDA(cudaMemsetAsync(g->session->tokens, 0xff, g->batch * sizeof(int), g->session->stream));  // -1: no token
    TRY_CUDA(cudaMemsetAsync(g->session->calls, 0, g->batch * sizeof(int), g->session->stream));
    const uint64_t seed = (uint64_t)g->sampling.seed[1] << 32 | g->sampling.seed[0];
    for (int b = 0; b < g->batch; b++) {
        if (g->count[b] < 1 || g->count[b] > g->seq) return ATTN_BAD_SHAPE;
        g->past[b] = g->count[b];
        if (g->count[b] > g->longest) g->longest = g->count[b];
        g->random[b] = seed + (uint64_t)b * 0xd1342543de82ef95;
    }
    g->call = lab_functions(g->stages, g->session->split, 0);
    return ATTN_OK;
}

attn_status lab_generate(const lab_network *network, lab_session *session, const lab_stages *stages,
                         const lab_request *r, float *const tensor[LAB_MAX_TENSORS], lab_emit *emit, void *context) {
    const attn_shape shape = r->shape;
    generation g = {};
    g.network = network, g.session = session, g.stages = stages, g.out = tensor[0];
    g.batch = shape.batch, g.seq = shape.seq_q, g.n_new = shape.heads, g.max_seq = shape.seq_kv;
    g.columns = shape.head_dim;
    if (g.batch < 1 || g.seq < 1 || g.n_new < 1) return ATTN_BAD_SHAPE;
    g.ids = (int *)calloc((size_t)g.batch * (g.seq + g.n_new), sizeof(int));
    g.out_ids = (float *)calloc((size_t)g.batch * g.n_new, sizeof(float));
    int done = 0;
    attn_status status = g.ids && g.out_ids ? begin(&g, tensor) : ATTN_NO_MEMORY;
    if (status == ATTN_OK) status = steps(&g, &done, emit, context);
    for (int b = 0; b < g.batch && done > 0; b++)  // the ids of the steps that were made, whatever ended them
        cudaMemcpy2D(g.out + (size_t)b * g.n_new * g.columns, g.columns * sizeof(float), g.out_ids + b * g.n_new,
                     sizeof(float), sizeof(float), done, cudaMemcpyHostToDevice);
    free(g.ids);
    free(g.out_ids);
    return status;
}
