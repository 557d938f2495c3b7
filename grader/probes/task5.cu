// task5.cu: the TODOs of task 5, one by one. grader/core/probes_task5.c says what goes in and what comes out.
#include "probe.h"
#include "task5.h"

#include <math.h>

#include LAB_STAGE_FILE

// clang-format off
EXPECT_DEVICE(void, store_token, (float *X_cache, const float *x_new, int b, int slot, attn_cache cache));
EXPECT_DEVICE(void, count_token, (int *lengths, int b, int slot));
EXPECT_DEVICE(float, multiply, (const float q[DIMS], const float *k, int lane, int D));
EXPECT_DEVICE(float, add_up, (float x));
EXPECT_DEVICE(void, add_key, (partial *p, float s, const float *v, int lane, int D));
EXPECT_DEVICE(void, leave_part, (warp_parts *parts, const partial *p, int warp, int lane, int D));
EXPECT_DEVICE(joined, join_warps, (const warp_parts *parts, int d));
EXPECT_DEVICE(int, first_key, (int length, int s, int n));
EXPECT_DEVICE(float, log_sum_exp, (float m, float l));
EXPECT_DEVICE(joined, join_splits, (const float *O, const float *L, int n_splits, int d, int D));
// clang-format on

// What is compared must be finite: LAB_NO_KEYS of grader/core/diagnose/cache/joined.h.
static __device__ float no_keys(float x) { return x == -INFINITY ? -100.0f : x; }

// ---- 5.1 ------------------------------------------------------------------------------------------------------------

static __global__ void run_store_token(float *X_cache, const float *x_new, int slot, attn_cache cache) {
    store_token(X_cache, x_new, blockIdx.x, slot, cache);
}

PROBE(store_token) {
    const attn_cache cache = {shape.batch, shape.heads, shape.seq_kv, shape.head_dim};
    run_store_token<<<shape.batch, THREADS, 0, stream>>>(tensors[0], tensors[2], extra[0], cache);
    return PROBED();
}

// ---- 5.2: out is [B] lengths, and [B, blockDim.x] lengths as the threads have read them -----------------------------

static __global__ void copy_lengths(int *lengths, const int *before) { lengths[threadIdx.x] = before[threadIdx.x]; }

static __global__ void run_count_token(float *out) {
    int *lengths = (int *)out;
    const int b = blockIdx.x, slot = lengths[b];
    count_token(lengths, b, slot);
    out[gridDim.x + b * blockDim.x + threadIdx.x] = slot;
}

PROBE(count_token) {
    copy_lengths<<<1, shape.batch, 0, stream>>>((int *)tensors[0], (const int *)tensors[1]);
    run_count_token<<<shape.batch, 64, 0, stream>>>(tensors[0]);
    return PROBED();
}

// ---- 5.3 and 5.4: one warp per row ----------------------------------------------------------------------------------

static __global__ void run_multiply(float *out, const float *q, const float *K, int D) {
    const int j = blockIdx.x, lane = threadIdx.x;
    float own[DIMS];
    for (int t = 0; t < DIMS; t++) own[t] = lane + t * WARP < D ? q[lane + t * WARP] : NAN;
    out[j * WARP + lane] = multiply(own, K + j * D, lane, D);
}

PROBE(multiply) {
    run_multiply<<<shape.seq_kv, WARP, 0, stream>>>(tensors[0], tensors[1], tensors[2], shape.head_dim);
    return PROBED();
}

static __global__ void run_add_up(float *out, const float *x) {
    const int i = blockIdx.x * WARP + threadIdx.x;
    out[i] = add_up(x[i]);
}

PROBE(add_up) {
    run_add_up<<<shape.seq_kv, WARP, 0, stream>>>(tensors[0], tensors[1]);
    return PROBED();
}

// ---- 5.5: keys are rows of [score, 1, value] ------------------------------------------------------------------------

static __global__ void run_add_key(float *out, const float *keys, int n, int D) {
    const int lane = threadIdx.x;
    partial p = {-INFINITY, 0.0f, {}};
    for (int j = 0; j < n; j++) add_key(&p, keys[j * (2 + D)], keys + j * (2 + D) + 2, lane, D);
    if (lane == 0) out[0] = no_keys(p.m);
    if (lane == WARP - 1) out[1] = p.l;  // the same in all lanes
    for (int t = 0; t < DIMS; t++)
        if (lane + t * WARP < D) out[2 + lane + t * WARP] = p.o[t];
}

PROBE(add_key) {
    run_add_key<<<1, WARP, 0, stream>>>(tensors[0], tensors[1], shape.seq_kv, shape.head_dim);
    return PROBED();
}

// ---- 5.6 and 5.7: parts are n rows of [m, l, o]; the other warps have no keys ---------------------------------------

static __global__ void run_leave_part(float *out, const float *in, int n, int D) {
    __shared__ warp_parts parts;
    const int warp = threadIdx.x / WARP, lane = threadIdx.x % WARP;
    const float *x = in + warp * (2 + D);
    partial p = {-INFINITY, 0.0f, {}};
    if (warp < n) {
        p.m = x[0], p.l = x[1];
        for (int t = 0; t < DIMS; t++) p.o[t] = lane + t * WARP < D ? x[2 + lane + t * WARP] : 0.0f;
    }
    for (int i = threadIdx.x; i < WARPS * MAX_D; i += THREADS) parts.o[i / MAX_D][i % MAX_D] = NAN;
    if (threadIdx.x < WARPS) parts.m[threadIdx.x] = parts.l[threadIdx.x] = NAN;
    __syncthreads();  // all is NaN before any part is left
    leave_part(&parts, &p, warp, lane, D);
    for (int i = n * (2 + D) - 1 - threadIdx.x; i >= 0; i -= THREADS) {  // the first warp reads what the last one wrote
        const int w = i / (2 + D), c = i % (2 + D);
        out[i] = no_keys(c == 0 ? parts.m[w] : c == 1 ? parts.l[w] : parts.o[w][c - 2]);
    }
}

PROBE(leave_part) {
    if (shape.seq_kv > WARPS) return ATTN_BAD_SHAPE;
    run_leave_part<<<1, THREADS, 0, stream>>>(tensors[0], tensors[1], shape.seq_kv, shape.head_dim);
    return PROBED();
}

static __device__ void write_joined(float *out, joined all, int d) {
    if (d == 0) out[0] = no_keys(all.m), out[1] = all.l;
    out[2 + d] = all.o;
}

static __global__ void run_join_warps(float *out, const float *in, int n, int D) {
    __shared__ warp_parts parts;
    const int d = threadIdx.x;
    for (int w = 0; w < WARPS; w++) {
        if (d == 0) parts.m[w] = -INFINITY, parts.l[w] = 0.0f;
        parts.o[w][d] = 0.0f;
    }
    for (int i = 0; i < n; i++) {
        const int w = i * (WARPS - 1) / (n - 1);  // from the first to the last
        const float *x = in + i * (2 + D);
        if (d == 0) parts.m[w] = x[0], parts.l[w] = x[1];
        parts.o[w][d] = x[2 + d];
    }
    __syncthreads();  // the parts are complete
    write_joined(out, join_warps(&parts, d), d);
}

PROBE(join_warps) {
    if (shape.seq_kv > WARPS) return ATTN_BAD_SHAPE;
    run_join_warps<<<1, shape.head_dim, 0, stream>>>(tensors[0], tensors[1], shape.seq_kv, shape.head_dim);
    return PROBED();
}

// ---- 5.8: n splits of `length` keys; out [length] and then one number for each of ATTN_MAX_SPLITS; where any of them says
// that something is wrong, what first_key(0 .. n) are, plus 1 ---------------------------------------------------------

static __global__ void run_first_key(float *out, int length, int n) {
    float *const beyond = out + length, *const first = beyond + ATTN_MAX_SPLITS;
    int wrong = 0;
    for (int i = 0; i < length + 2 * ATTN_MAX_SPLITS + 1; i++) out[i] = 0.0f;
    for (int s = 0; s < n; s++) {
        const int begin = first_key(length, s, n), end = first_key(length, s + 1, n), share = (length + n - 1) / n;
        for (int j = begin < 0 ? 0 : begin; j < end && j < length; j++) out[j] += 1.0f;
        beyond[s] = end > length ? -end : end - begin > share ? end - begin - share : 0;
    }
    for (int i = 0; i < length + n; i++) wrong |= out[i] != (i < length ? 1.0f : 0.0f);
    for (int s = 0; s <= n && wrong; s++) first[s] = first_key(length, s, n) + 1.0f;
}

PROBE(first_key) {
    run_first_key<<<1, 1, 0, stream>>>(tensors[0], shape.seq_kv, extra[0]);
    return PROBED();
}

// ---- 5.9 and 5.10 ---------------------------------------------------------------------------------------------------

static __global__ void run_log_sum_exp(float *out, const float *in) {
    out[threadIdx.x] = no_keys(log_sum_exp(in[2 * threadIdx.x], in[2 * threadIdx.x + 1]));
}

PROBE(log_sum_exp) {
    run_log_sum_exp<<<1, shape.seq_kv, 0, stream>>>(tensors[0], tensors[1]);
    return PROBED();
}

// Rows of [L, 1, O], as the keys above, taken apart into what combine finds in the workspace.
static __global__ void run_join_splits(float *out, const float *in, int n, int D) {
    __shared__ float O[ATTN_MAX_SPLITS * MAX_D / 4], L[ATTN_MAX_SPLITS];
    const int d = threadIdx.x;
    for (int s = 0; s < n; s++) {
        O[s * D + d] = in[s * (2 + D) + 2 + d];
        if (d == 0) L[s] = in[s * (2 + D)];
    }
    __syncthreads();  // O and L are complete
    write_joined(out, join_splits(O, L, n, d, D), d);
}

PROBE(join_splits) {
    run_join_splits<<<1, shape.head_dim, 0, stream>>>(tensors[0], tensors[1], shape.seq_kv, shape.head_dim);
    return PROBED();
}
