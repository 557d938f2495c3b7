// task6.cu: the TODOs of task 6, one by one. grader/core/probes_task6.c says what goes in and what comes out.
#include "probe.h"
#include "task6.h"

#include <stdint.h>

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

enum { ROWS = 17, MOST = 8 };

static attn_status each_row(float *out, const float *in, attn_shape shape, float (*answer)(attn_tokens, attn_shape)) {
    int row[ROWS][1 + 2 * MOST] = {};
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

// What is handed over in a call, as the checker reads it (HANDED of probes_task6.c): where that is neither right nor a mistake
// that numbers show, nothing is launched, and the output says which argument it is and what stands there.
enum { OF_QKV, OF_Q, OF_K, OF_V, OF_O, OF_MERGED, IN_K, IN_V, OF_LENGTHS, ELSEWHERE, WITHIN_QKV };
enum { HANDED = 10000000, OF_SEQ_Q = 52, FOR_EACH_TOKEN = 97 };
static struct {
    const void *buffer[ELSEWHERE];
    attn_shape shape;  // what flash must be given
    attn_cache size;
    bool prompt;  // which function of the student's is called
    int code, is, must;
    int wrong;    // bit 5 f + i: argument i of function f is not what it takes
    int of_qkv;   // the same: it is of work.qkv
    int called;   // bit f: function f was called
    int flashes;  // how many calls of flash there were
} handed;

// code: 100 * function + argument, from 0, or 50 + the field of a size.
static void note(int code, int is, int must) {
    if (!handed.code) handed.code = HANDED + code, handed.is = is, handed.must = must;
}

static int buffer_of(const void *x) {
    int i = 0;
    while (i < ELSEWHERE && handed.buffer[i] != x) i++;
    const attn_shape s = handed.shape;
    const uintptr_t behind = (uintptr_t)x - (uintptr_t)handed.buffer[OF_QKV];  // seq_q of a new token is 1
    const size_t all = (size_t)3 * s.batch * s.heads * s.seq_q * s.head_dim * sizeof(float);
    return i == ELSEWHERE && behind < all ? WITHIN_QKV : i;
}

static void compare(int function, const int *is, const int *must, int n) {
    for (int i = 0; i < n; i++) {
        const int bit = 1 << (5 * function + i);
        if (is[i] != must[i]) handed.wrong |= bit;
        if (is[i] != must[i] && (is[i] == OF_QKV || is[i] == WITHIN_QKV)) handed.of_qkv |= bit;
    }
}

// flash is for prompts, append and decode are not.
static bool belongs_here(int function) {
    handed.called |= 1 << function;
    if (handed.prompt != (function == 0)) note(100 * function + 99, 0, 0);
    return handed.code == 0;
}

// Returns whether the call may be made. other: three numbers of buffers for each mistake that numbers show.
static bool may_call(int function, const int *is, const int *must, int n, int first, const int (*other)[3]) {
    bool right = true, known = other != NULL;
    for (int i = 0; i < n; i++) right &= is[i] == must[i];
    if (right) return handed.code == 0;
    for (int i = 0; i < n; i++) known &= (i >= first && i < first + 3) || is[i] == must[i];
    for (; known && (*other)[0]; other++) {
        bool same = true;
        for (int i = 0; i < 3; i++) same &= is[first + i] == (*other)[i];
        if (same) return handed.code == 0;
    }
    for (int i = 0; i < n; i++)
        if (is[i] != must[i]) note(100 * function + i, is[i], must[i]);
    return false;
}

static bool sizes_are_right(int function, const int *is, const int *must, int n) {
    for (int i = 0; i < n; i++)
        if (is[i] != must[i]) note(100 * function + 50 + i, is[i], must[i]);
    return handed.code == 0;
}

static __global__ void tell(float *out, int n, int code, int is, int must, int wrong, int of_qkv) {
    const int i = blockIdx.x * THREADS + threadIdx.x;
    const int told[5] = {code, is, must, wrong, of_qkv};
    if (i < n) out[i] = told[i % 5];
}

static attn_status told(attn_status status, float *out, int n, cudaStream_t stream) {
    const int attends = handed.prompt ? 0 : 2;  // flash, decode
    if (status == ATTN_OK && !(handed.called & 1 << attends)) note(100 * attends + 98, 0, 0);
    if (!handed.code) return status;
    // A call for each token: its first wrong argument follows from that.
    if (handed.code == HANDED + OF_SEQ_Q && handed.is == 1 && handed.flashes >= handed.must)
        handed.code = HANDED + FOR_EACH_TOKEN, handed.is = handed.flashes;
    tell<<<(n + THREADS - 1) / THREADS, THREADS, 0, stream>>>(out, n, handed.code, handed.is, handed.must, handed.wrong,
                                                              handed.of_qkv);
    return PROBED();
}

static attn_status show_flash(float *to, const float *q, const float *k, const float *v, attn_shape s,
                              cudaStream_t stream) {
    static const int must[4] = {OF_O, OF_Q, OF_K, OF_V};
    static const int known[4][3] = {{OF_Q, OF_V, OF_K}, {OF_Q, OF_Q, OF_V}, {OF_K, OF_Q, OF_V}, {0}};
    const int is[4] = {buffer_of(to), buffer_of(q), buffer_of(k), buffer_of(v)};
    const attn_shape due = handed.shape;
    const int size_is[5] = {s.batch, s.heads, s.seq_q, s.seq_kv, s.head_dim};
    const int size_must[5] = {due.batch, due.heads, due.seq_q, due.seq_kv, due.head_dim};
    const int n = s.batch * s.heads * s.seq_q * s.head_dim;
    handed.flashes++, compare(0, is, must, 4);
    if (!belongs_here(0) || !sizes_are_right(0, size_is, size_must, 5) || !may_call(0, is, must, 4, 1, known))
        return ATTN_OK;
    show_prompt<<<(n + THREADS - 1) / THREADS, THREADS, 0, stream>>>(to, q, k, v, n, s.causal ? 1 : -1);
    return PROBED();
}

static bool cache_is_right(int function, attn_cache c) {
    const int is[4] = {c.batch, c.heads, c.max_seq, c.head_dim};
    const int must[4] = {handed.size.batch, handed.size.heads, handed.size.max_seq, handed.size.head_dim};
    return sizes_are_right(function, is, must, 4);
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

static attn_status plain_append(float *to_K, float *to_V, int *lengths, const float *k, const float *v, attn_cache c,
                                cudaStream_t stream) {
    static const int must[5] = {IN_K, IN_V, OF_LENGTHS, OF_K, OF_V};
    static const int known[3][3] = {{OF_LENGTHS, OF_V, OF_K}, {OF_LENGTHS, OF_Q, OF_V}, {0}};
    const int is[5] = {buffer_of(to_K), buffer_of(to_V), buffer_of(lengths), buffer_of(k), buffer_of(v)};
    compare(1, is, must, 5);
    if (!belongs_here(1) || !cache_is_right(1, c) || !may_call(1, is, must, 5, 2, known)) return ATTN_OK;
    append_row<<<c.batch * c.heads, c.head_dim, 0, stream>>>(to_K, to_V, lengths, k, v, c);
    count_up<<<1, c.batch, 0, stream>>>(lengths, c.max_seq);
    return PROBED();
}

static attn_status show_decode(float *to, const float *q, const float *from_K, const float *from_V, const int *lengths,
                               attn_cache c, cudaStream_t stream) {
    static const int must[5] = {OF_O, OF_Q, IN_K, IN_V, OF_LENGTHS}, known[2][3] = {{OF_Q, IN_V, IN_K}, {0}};
    const int is[5] = {buffer_of(to), buffer_of(q), buffer_of(from_K), buffer_of(from_V), buffer_of(lengths)};
    compare(2, is, must, 5);
    if (!belongs_here(2) || !cache_is_right(2, c) || !may_call(2, is, must, 5, 1, known)) return ATTN_OK;
    show_cache<<<c.batch * c.heads, c.head_dim, 0, stream>>>(to, q, from_K, from_V, lengths, c);
    return PROBED();
}

static const attn_functions shown = {show_flash, plain_append, show_decode, NULL, NULL, NULL};

// Room that no kernel of the lab touches.
static float no_qkv, no_merged;

PROBE(attend_to_prompt) {
    const attn_layer_workspace work = {&no_qkv, tensors[1], tensors[2], tensors[3], tensors[0], &no_merged};
    handed = {{work.qkv, work.Q, work.K, work.V, work.O, work.merged}, shape, {}, true};
    return told(attend_to_prompt(work, shape, &shown, stream), work.O,
                shape.batch * shape.heads * shape.seq_q * shape.head_dim, stream);
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
    const attn_layer_workspace work = {&no_qkv, tensors[2], tensors[3], tensors[4], tensors[0], &no_merged};
    handed = {
        {work.qkv, work.Q, work.K, work.V, work.O, work.merged, cache.K, cache.V, cache.lengths}, shape, size, false};
    return told(attend_to_cache(work, cache, &shown, stream), work.O, size.batch * size.heads * size.head_dim, stream);
}
