// layer_run.cu: lab_layer: the student's layer alone, with weights and tokens from the tests: one prefill, then decode steps.
// Every tensor of its workspace has memory of its own.
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "asked.h"
#include "matrices.h"
#include "network.h"
#include "recorded.h"
#include "watched.h"

static const float REFUSED = 4.0f;  // fills the rows of a refused call
static const float STRAYED = 8.0f;  // and of one that has called something on another stream
enum { MOST_CALLS = 16 };           // of functions, in one call of the layer

typedef struct {
    int batch, total, prompt;  // B, T, the longest prompt
    int padded;                // S of the prefill
    int besides;               // a lab_besides
    size_t E;
    float *Y, *X;  // device, [B, T, E]
    float *x, *y;  // device, [B, S, E]: the tokens of one call
    int past[LAB_MAX_STREAMS], count[LAB_MAX_STREAMS];
    int *count_device;
    float *split;
    attn_layer_weights weights;
    attn_layer_cache cache;
    attn_layer_workspace work;
    attn_functions call;
    cudaStream_t stream;
    lab_regions own;
    char *cache_before, *cache_after;  // host: the cache around a refused call
    int wrong_room;                    // a call was refused for which there is room, or taken without
} layer_test;

static float *room(layer_test *t, size_t floats) {
    void *p = NULL;
    if (cudaMalloc(&p, floats * sizeof(float)) != cudaSuccess) return NULL;
    cudaMemset(p, 0xff, floats * sizeof(float));  // NaN: shows a read before the first write
    t->own.at[t->own.n] = p, t->own.bytes[t->own.n++] = floats * sizeof(float);
    return (float *)p;
}

static attn_status allocate(layer_test *t) {
    const size_t n = (size_t)t->batch * t->padded * t->E;
    t->x = room(t, n), t->y = room(t, n), t->work.qkv = room(t, 3 * n);
    t->work.Q = room(t, n), t->work.K = room(t, n), t->work.V = room(t, n), t->work.O = room(t, n);
    t->work.merged = room(t, n), t->count_device = (int *)room(t, t->batch);
    t->split = room(t, ATTN_SPLIT_FLOATS(t->cache.size, ATTN_MAX_SPLITS));
    return t->own.n == 10 ? ATTN_OK : ATTN_NO_MEMORY;
}

static attn_status fill(float *to, float with, size_t n) {
    float *filled = (float *)malloc(n * sizeof(float));
    if (!filled) return ATTN_NO_MEMORY;
    for (size_t i = 0; i < n; i++) filled[i] = with;
    const cudaError_t error = cudaMemcpy(to, filled, n * sizeof(float), cudaMemcpyHostToDevice);
    free(filled);
    return error == cudaSuccess ? ATTN_OK : ATTN_CUDA_ERROR;
}

static attn_status fill_rows(layer_test *t) {
    const uint32_t bits = LAB_ROW_POISON;
    float poison;
    memcpy(&poison, &bits, sizeof poison);
    return fill(t->y, poison, (size_t)t->batch * t->padded * t->E);
}

static int has_room(const layer_test *t) {
    for (int b = 0; b < t->batch; b++)
        if (t->past[b] + t->count[b] > t->cache.size.max_seq) return 0;
    return 1;
}

static attn_status copy_cache(const layer_test *t, char **to) {
    const attn_cache c = t->cache.size;
    const size_t bytes = (2 * (size_t)c.batch * c.max_seq * t->E + c.batch) * sizeof(float);  // K, V and lengths in one
    if (!*to && !(*to = (char *)malloc(bytes))) return ATTN_NO_MEMORY;
    TRY_CUDA(cudaDeviceSynchronize());
    TRY_CUDA(cudaMemcpy(*to, t->cache.K, bytes, cudaMemcpyDeviceToHost));
    return ATTN_OK;
}

// A refused call queues nothing, and leaves cache and lengths as they are.
static attn_status judge_refusal(layer_test *t) {
    const size_t tokens = (char *)t->cache.lengths - (char *)t->cache.K, lengths = t->batch * sizeof(int);
    TRY(copy_cache(t, &t->cache_after));
    if (lab_watch_first() >= 0) return (attn_status)(LAB_REFUSED_LATE + lab_watch_first());
    if (memcmp(t->cache_before + tokens, t->cache_after + tokens, lengths)) return (attn_status)LAB_REFUSED_AND_COUNTED;
    return memcmp(t->cache_before, t->cache_after, tokens) ? (attn_status)LAB_REFUSED_AND_STORED : ATTN_OK;
}

// What the layer may be given to, and what it calls has to get.
static lab_watch expected(const layer_test *t, const lab_stages *stages, int seq) {
    const attn_cache c = t->cache.size;
    const size_t f = sizeof(float), E = t->E, n = (size_t)c.batch * seq * E * f,
                 kv = (size_t)c.batch * c.max_seq * E * f;
    const attn_layer_workspace *w = &t->work;
    return {{NULL, t->y, t->x, t->weights.W_qkv, t->weights.b_qkv, t->weights.W_out, t->weights.b_out, t->cache.K,
             t->cache.V, t->cache.lengths, w->qkv, w->Q, w->K, w->V, w->O, w->merged},
            {0, n, n, 3 * E * E * f, 3 * E * f, E * E * f, E * f, kv, kv, c.batch * sizeof(int), 3 * n, n, n, n, n, n},
            c.batch,
            seq,
            c.heads,
            c.head_dim,
            (int)E,
            t->past[0] > 0,
            t->past,
            t->count,
            (const void *)stages->layer,
            t->stream};
}

static attn_status call_layer(const layer_test *t, const lab_stages *stages, int seq) {
    const attn_tokens tokens = {seq, t->past, t->count, t->count_device};
    return stages->layer(t->y, t->x, t->weights, t->cache, tokens, t->work, &t->call, t->stream);
}

typedef struct {
    const layer_test *test;
    const lab_stages *stages;
    int seq;
} one_call;

static attn_status make_call(const void *context) {
    const one_call *c = (const one_call *)context;
    return call_layer(c->test, c->stages, c->seq);
}

// Recorded in a CUDA graph: what is not on the stream is refused, and so is what waits. The lab's products open a library
// at their first call; that allocates, so it comes before.
static attn_status record_layer(const layer_test *t, const lab_stages *stages, int seq) {
    const int rows = t->batch * seq, E = (int)t->E;
    TRY(lab_linear(t->work.qkv, t->x, t->weights.W_qkv, t->weights.b_qkv, rows, E, 3 * E, t->stream));
    TRY(lab_linear(t->y, t->x, t->weights.W_out, t->weights.b_out, rows, E, E, t->stream));
    TRY_CUDA(cudaMemsetAsync(t->work.qkv, 0xff, 3 * rows * t->E * sizeof(float), t->stream));
    TRY_CUDA(cudaMemsetAsync(t->y, 0xff, rows * t->E * sizeof(float), t->stream));
    lab_regions own = t->own;
    own.at[own.n] = t->cache.K;  // K, V and lengths in one
    own.bytes[own.n++] = (char *)(t->cache.lengths + t->batch) - (char *)t->cache.K;
    const one_call call = {t, stages, seq};
    return lab_recorded(make_call, &call, &own, t->stream);
}

// One call of the layer with the tokens first .. first + seq - 1 of X. Only rows of real tokens reach Y.
static attn_status run(layer_test *t, const lab_stages *stages, int first, int seq) {
    const size_t row = t->E * sizeof(float), all = t->total * row;
    TRY_CUDA(cudaMemcpy2D(t->x, seq * row, t->X + first * t->E, all, seq * row, t->batch, cudaMemcpyDeviceToDevice));
    TRY_CUDA(cudaMemcpy(t->count_device, t->count, t->batch * sizeof(int), cudaMemcpyHostToDevice));
    const lab_watch watch = expected(t, stages, seq);
    const int fits = has_room(t);
    if (!fits) TRY(copy_cache(t, &t->cache_before));
    const int recorded = t->besides == LAB_BESIDES_RECORDED;
    if (!recorded) lab_watch_call(&watch);
    const attn_status status = recorded ? record_layer(t, stages, seq) : call_layer(t, stages, seq);
    if (!recorded) lab_watch_call(NULL);
    if (status == ATTN_CACHE_FULL && !fits) TRY(judge_refusal(t));
    if (status == ATTN_BAD_SHAPE && fits && !recorded && lab_watch_refused()) return LAB_REFUSED_BY_FLASH;
    if (status == ATTN_BAD_SHAPE && fits) return LAB_REFUSED_CALL + t->past[0];
    if (status != ATTN_OK && status != ATTN_CACHE_FULL) return status;
    TRY_CUDA(cudaDeviceSynchronize());
    t->wrong_room |= (status == ATTN_OK) != fits;
    for (int b = 0; b < t->batch; b++) {
        float *to = t->Y + ((size_t)b * t->total + first) * t->E;
        if (status == ATTN_CACHE_FULL)
            TRY(fill(to, REFUSED, t->count[b] * t->E));
        else {
            const float *from = t->y + (size_t)b * seq * t->E;
            TRY_CUDA(cudaMemcpy(to, from, t->count[b] * row, cudaMemcpyDeviceToDevice));
            if (lab_watch_strayed()) TRY(fill(to, STRAYED, t->count[b] * t->E));
            t->past[b] += t->count[b];
        }
    }
    return ATTN_OK;
}

// Neither prefill nor decode: two tokens at once for caches that hold some, and an empty cache beside one that is not.
static attn_status ask_for_neither(layer_test *t, const lab_stages *stages) {
    const int past = t->past[0];
    const int several = call_layer(t, stages, 2) == ATTN_BAD_SHAPE;
    t->past[0] = 0;
    const int mixed = call_layer(t, stages, 1) == ATTN_BAD_SHAPE;
    t->past[0] = past;
    return several && mixed ? ATTN_OK : (attn_status)(LAB_NEITHER_REFUSED + (several != 0));
}

// One sequence is full, wherever it stands in the batch, and the others have room. The cache itself has room everywhere:
// a call that is not refused writes into its own slots.
static attn_status ask_for_room(layer_test *t, const lab_stages *stages) {
    for (int b = 0; b < t->batch; b++) {
        const int past = t->past[b];
        t->past[b] = t->cache.size.max_seq;
        const attn_status status = call_layer(t, stages, 1);
        t->past[b] = past;
        if (status == ATTN_OK) return (attn_status)(LAB_FULL_NOT_REFUSED + b);
        if (status != ATTN_CACHE_FULL) return status;
    }
    return ATTN_OK;
}

// Calls that fail leave x, past and Y as they are; the lengths of the cache are put back after each.
static attn_status fail_each(layer_test *t, const lab_stages *stages, int seq) {
    const attn_functions real = t->call;
    attn_status verdict = ATTN_OK;
    const size_t bytes = t->batch * sizeof(int);
    TRY_CUDA(cudaMemset(t->x, 0, (size_t)t->batch * seq * t->E * sizeof(float)));
    TRY_CUDA(cudaMemcpy(t->count_device, t->count, bytes, cudaMemcpyHostToDevice));
    for (int n = 1, called = 1; called && verdict == ATTN_OK && n <= MOST_CALLS; n++) {
        t->call = lab_failing(real, n);
        const attn_status s = call_layer(t, stages, seq);
        if (s < 0) return s;  // a TODO is open
        called = lab_failing_judge(s, &verdict);
        TRY_CUDA(cudaDeviceSynchronize());
        TRY_CUDA(cudaMemcpy(t->cache.lengths, t->past, bytes, cudaMemcpyHostToDevice));
    }
    t->call = real;
    return verdict;
}

static attn_status run_all(layer_test *t, const lab_stages *stages) {
    TRY(allocate(t));
    TRY_CUDA(cudaStreamCreate(&t->stream));
    TRY(fill_rows(t));
    t->call = lab_watched(lab_functions(stages, t->split, 0));
    const size_t cache_bytes = (size_t)t->batch * t->cache.size.max_seq * t->E * sizeof(float);
    TRY_CUDA(cudaMemset(t->cache.K, 0xff, cache_bytes));
    TRY_CUDA(cudaMemset(t->cache.V, 0xff, cache_bytes));
    TRY_CUDA(cudaMemset(t->cache.lengths, 0, t->batch * sizeof(int)));
    for (int b = 0; b < t->batch; b++)  // rows of padding are left 0
        TRY_CUDA(cudaMemset(t->Y + (size_t)b * t->total * t->E, 0, t->prompt * t->E * sizeof(float)));
    if (t->besides == LAB_BESIDES_FAILING) TRY(fail_each(t, stages, t->padded));
    TRY(run(t, stages, 0, t->padded));
    for (int b = 0; b < t->batch; b++) t->count[b] = 1;
    if (t->besides == LAB_BESIDES_NEITHER) TRY(ask_for_neither(t, stages));
    if (t->besides == LAB_BESIDES_FAILING) TRY(fail_each(t, stages, 1));
    if (t->besides == LAB_BESIDES_FULL) TRY(ask_for_room(t, stages));
    for (int i = t->prompt; i < t->total; i++) TRY(run(t, stages, i, 1));
    return ATTN_OK;
}

attn_status lab_layer_run(const lab_stages *stages, const lab_request *r, float *const tensor[LAB_MAX_TENSORS]) {
    const attn_shape s = r->shape;
    layer_test t = {};
    t.batch = s.batch, t.total = s.seq_q, t.prompt = r->extra[0], t.besides = r->extra[1],
    t.E = (size_t)s.heads * s.head_dim;
    if (t.batch < 1 || t.batch > LAB_MAX_STREAMS || t.prompt < 1 || t.prompt > t.total) return ATTN_BAD_SHAPE;
    t.padded = t.besides == LAB_BESIDES_PADDING ? t.total : t.prompt;
    const size_t n = (size_t)t.batch * s.seq_kv * t.E;
    t.Y = tensor[0], t.X = tensor[1];
    t.weights = (attn_layer_weights){tensor[2], tensor[3], tensor[4], tensor[5]};
    t.cache = (attn_layer_cache){
        tensor[7], tensor[7] + n, (int *)(tensor[7] + 2 * n), {s.batch, s.heads, s.seq_kv, s.head_dim}};
    TRY_CUDA(cudaMemcpy(t.count, tensor[6], t.batch * sizeof(int), cudaMemcpyDeviceToHost));
    for (int b = 0; b < t.batch; b++)
        if (t.count[b] < 1 || t.count[b] > t.prompt) return ATTN_BAD_SHAPE;
    attn_status status = run_all(&t, stages);
    if (t.stream) cudaStreamDestroy(t.stream);
    const int refused = status == LAB_REFUSED_CALL || status == LAB_REFUSED_CALL + t.past[0];
    if (refused || (status >= LAB_NEITHER_REFUSED && status < LAB_NEITHER_REFUSED + LAB_N_NEITHER))
        status = lab_ask_kinds(stages, status);
    const int full = status >= LAB_FULL_NOT_REFUSED && status < LAB_FULL_NOT_REFUSED + LAB_MAX_STREAMS;
    if (full || (status == ATTN_OK && t.wrong_room)) status = lab_ask_room(stages, status);
    TRY_CUDA(
        cudaMemcpy(t.cache.lengths + s.batch, lab_watch_log(), LAB_CALL_LOG * sizeof(int), cudaMemcpyHostToDevice));
    for (int i = 0; i < t.own.n; i++) cudaFree(t.own.at[i]);
    free(t.cache_before), free(t.cache_after);
    return status;
}
