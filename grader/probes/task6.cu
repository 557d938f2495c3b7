// task6.cu: the TODOs of task 6, one by one. grader/core/probes_task6.c says what goes in and what comes out.
#include "probe.h"
#include "task6.h"

#include LAB_STAGE_FILE

EXPECT(call_kind, which_call, (attn_tokens tokens, int B));
EXPECT(bool, fits, (attn_tokens tokens, attn_cache size));
// clang-format off
EXPECT_DEVICE(void, store_number, (float *X_cache, const float *X, size_t bh, int i, int count, int S, attn_cache size));
EXPECT_DEVICE(void, count_tokens, (int *lengths, const int *count, int b, int h, int i));
EXPECT(attn_status, attend_to_prompt, (attn_layer_workspace work, attn_shape shape, const attn_functions *call, cudaStream_t stream));
EXPECT(attn_status, attend_to_cache, (attn_layer_workspace work, attn_layer_cache cache, const attn_functions *call, cudaStream_t stream));
// clang-format on

// ---- 6.1 and 6.2 run on the host: rows of [S, past[B], count[B]], one number out for each ---------------------------

enum { ROWS = 8, MOST = 8 };

static attn_status each_row(float *out, const float *in, attn_shape shape, float (*answer)(attn_tokens, attn_shape)) {
    int row[ROWS][1 + 2 * MOST];
    float answers[ROWS];
    const int width = 1 + 2 * shape.batch;
    if (shape.batch > MOST) return ATTN_BAD_SHAPE;
    for (int i = 0; i < ROWS; i++) {
        const cudaError_t e = cudaMemcpy(row[i], in + i * width, width * sizeof(int), cudaMemcpyDeviceToHost);
        if (e != cudaSuccess) return ATTN_CUDA_ERROR;
        const int *past = row[i] + 1;
        const attn_tokens tokens = {row[i][0], past, past + shape.batch, NULL};
        answers[i] = answer(tokens, shape);
    }
    const cudaError_t e = cudaMemcpy(out, answers, sizeof answers, cudaMemcpyHostToDevice);
    return e == cudaSuccess ? ATTN_OK : ATTN_CUDA_ERROR;
}

static float kind_of(attn_tokens tokens, attn_shape shape) {
    const call_kind kind = which_call(tokens, shape.batch);
    return kind == PREFILL ? 1 : kind == DECODE ? 2 : 0;
}

static float does_fit(attn_tokens tokens, attn_shape shape) {
    return fits(tokens, (attn_cache){shape.batch, shape.heads, shape.seq_kv, shape.head_dim});
}

PROBE(which_call) { return each_row(tensors[0], tensors[1], shape, kind_of); }

PROBE(fits) { return each_row(tensors[0], tensors[1], shape, does_fit); }

// ---- 6.3 and 6.4: all heads and numbers of a batch of prompts -------------------------------------------------------

static dim3 all_numbers(attn_shape s) {
    return dim3(s.batch * s.heads, (s.seq_q * s.head_dim + THREADS - 1) / THREADS);
}

static __global__ void run_store_number(float *X_cache, const float *X, const int *count, int S, attn_cache size) {
    const int i = blockIdx.y * THREADS + threadIdx.x;
    store_number(X_cache, X, blockIdx.x, i, count[blockIdx.x / size.heads], S, size);
}

PROBE(store_number) {
    const attn_cache size = {shape.batch, shape.heads, shape.seq_kv, shape.head_dim};
    run_store_number<<<all_numbers(shape), THREADS, 0, stream>>>(tensors[0], tensors[2], (const int *)tensors[3],
                                                                 shape.seq_q, size);
    return PROBED();
}

// The first threads get the last numbers: what the last of several writers leaves is not what it is in the layer.
static __global__ void run_count_tokens(int *lengths, const int *count, int H) {
    const int i = (gridDim.y - 1 - blockIdx.y) * THREADS + THREADS - 1 - threadIdx.x;
    count_tokens(lengths, count, blockIdx.x / H, blockIdx.x % H, i);
}

PROBE(count_tokens) {
    run_count_tokens<<<all_numbers(shape), THREADS, 0, stream>>>((int *)tensors[0], (const int *)tensors[1],
                                                                 shape.heads);
    return PROBED();
}

// ---- 6.5 and 6.6: attention that shows what it was given ------------------------------------------------------------
//
// In place of attention: q + 2 k + 3 v, of the same token in a prompt (and times -1 without a mask), of all tokens in the
// cache for decode, where slot j counts j + 1 times.

static __global__ void show_prompt(float *O, const float *Q, const float *K, const float *V, int n, float sign) {
    const int i = blockIdx.x * THREADS + threadIdx.x;
    if (i < n) O[i] = sign * (Q[i] + 2 * K[i] + 3 * V[i]);
}

static attn_status show_flash(float *O, const float *Q, const float *K, const float *V, attn_shape s,
                              cudaStream_t stream) {
    const int n = s.batch * s.heads * s.seq_q * s.head_dim;
    if (s.seq_q != s.seq_kv) return ATTN_BAD_SHAPE;
    show_prompt<<<(n + THREADS - 1) / THREADS, THREADS, 0, stream>>>(O, Q, K, V, n, s.causal ? 1 : -1);
    return PROBED();
}

// Block bh, thread d.
static __global__ void append_row(float *K, float *V, const int *lengths, const float *k, const float *v,
                                  attn_cache c) {
    const int bh = blockIdx.x, d = threadIdx.x, D = c.head_dim, slot = lengths[bh / c.heads];
    if (slot >= c.max_seq) return;
    K[(bh * c.max_seq + slot) * D + d] = k[bh * D + d];
    V[(bh * c.max_seq + slot) * D + d] = v[bh * D + d];
}

static __global__ void count_up(int *lengths, int max_seq) {
    if (lengths[threadIdx.x] < max_seq) lengths[threadIdx.x]++;
}

static __global__ void show_cache(float *O, const float *Q, const float *K, const float *V, const int *lengths,
                                  attn_cache c) {
    const int bh = blockIdx.x, d = threadIdx.x, D = c.head_dim;
    float sum = Q[bh * D + d];
    for (int j = 0; j < lengths[bh / c.heads] && j < c.max_seq; j++) {
        const int at = (bh * c.max_seq + j) * D + d;
        sum += (j + 1) * (2 * K[at] + 3 * V[at]);
    }
    O[bh * D + d] = sum;
}

static attn_status plain_append(float *K, float *V, int *lengths, const float *k, const float *v, attn_cache c,
                                cudaStream_t stream) {
    append_row<<<c.batch * c.heads, c.head_dim, 0, stream>>>(K, V, lengths, k, v, c);
    count_up<<<1, c.batch, 0, stream>>>(lengths, c.max_seq);
    return PROBED();
}

static attn_status show_decode(float *O, const float *Q, const float *K, const float *V, const int *lengths,
                               attn_cache c, cudaStream_t stream) {
    show_cache<<<c.batch * c.heads, c.head_dim, 0, stream>>>(O, Q, K, V, lengths, c);
    return PROBED();
}

static const attn_functions shown = {show_flash, plain_append, show_decode, NULL, NULL, NULL};

PROBE(attend_to_prompt) {
    const attn_layer_workspace work = {NULL, tensors[1], tensors[2], tensors[3], tensors[0], NULL};
    return attend_to_prompt(work, shape, &shown, stream);
}

static __global__ void copy(float *to, const float *from, int n) {
    const int i = blockIdx.x * THREADS + threadIdx.x;
    if (i < n) to[i] = from[i];
}

PROBE(attend_to_cache) {
    const attn_cache size = {shape.batch, shape.heads, shape.seq_kv, shape.head_dim};
    const int kv = size.batch * size.heads * size.max_seq * size.head_dim, n = 2 * kv + size.batch;
    float *const state = tensors[5];  // K, V, lengths, as in tensor 1
    copy<<<(n + THREADS - 1) / THREADS, THREADS, 0, stream>>>(state, tensors[1], n);
    const attn_layer_cache cache = {state, state + kv, (int *)(state + 2 * kv), size};
    const attn_layer_workspace work = {NULL, tensors[2], tensors[3], tensors[4], tensors[0], NULL};
    return attend_to_cache(work, cache, &shown, stream);
}
