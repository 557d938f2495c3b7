// Task 4 in a style of its own: right. repair.sh changes one line at a time.
#include "task4.h"

#include <math.h>

// TODO 4.11: the switch.
#ifndef REGISTER_TILES
#define REGISTER_TILES 0
#endif

#ifndef BR
#define BR (REGISTER_TILES ? 64 : 32)
#endif
#ifndef BC
#define BC 32
#endif

enum {
    LANES = 8,
    TILE_ROWS = 4,
    ROWS = REGISTER_TILES ? TILE_ROWS : 1,
    THREADS = BR / ROWS * LANES,
    MAX_D = 128,
    OWN = MAX_D / LANES,
};
static_assert(BR >= 1 && BR % (4 * ROWS) == 0, "a warp is 4 groups of 8 threads, each with ROWS rows of the tile");
static_assert(THREADS <= 1024, "a block has at most 1024 threads: take a smaller BR");
static_assert(BC >= 1 && BC % LANES == 0, "each of a row's 8 threads has as many keys of the tile as the others");

#define STRIDE(D) ((D) + 1)

typedef struct {
    float m;
    float l;
    float o[OWN];
} row_state;

static __device__ void load_tile(float *tile, const float *src, int rows, int size, int D) {
    // TODO 4.1: load a tile.
    const int lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
    for (int row = warp; row < size; row += THREADS / 32) {
        for (int d = lane; d < D; d += 32) {
            float x = 0.f;
            if (row < rows) x = src[(size_t)row * D + d];
            tile[row * STRIDE(D) + d] = x;
        }
    }
}

static __device__ void compute_scores(float *s, const float *q, const float *Ks, int t, int D, float scale) {
    // TODO 4.2: the scores.
    int key = t;
    while (key < BC) {
        const float *k = Ks + key * STRIDE(D);
        float dot = 0;
        for (int i = 0; i < D; ++i) dot = fmaf(q[i], k[i], dot);
        s[key] = dot * scale;
        key += LANES;
    }
}

static __device__ void mask_scores(float *s, int i, int k0, int t, attn_shape shape) {
    // TODO 4.3: what is not seen.
    int visible = shape.seq_kv - k0;
    if (shape.causal) visible = min(visible, i + 1 + shape.seq_kv - shape.seq_q - k0);
    for (int key = t; key < BC; key += LANES)
        if (key >= visible) s[key] = -INFINITY;
}

static __device__ float row_max(float x) {
    for (int bit = LANES / 2; bit > 0; bit /= 2) x = fmaxf(x, __shfl_xor_sync(0xffffffff, x, bit));
    return x;
}
static __device__ float row_sum(float x) {
    for (int bit = LANES / 2; bit > 0; bit /= 2) x += __shfl_xor_sync(0xffffffff, x, bit);
    return x;
}

static __device__ float new_max(float m, const float *s, int t) {
    // TODO 4.4: the new row max.
    float best = m;
    for (int key = t; key < BC; key += LANES)
        if (s[key] > best) best = s[key];
    m = row_max(best);

    return m;
}

static __device__ __forceinline__ void rescale(row_state *row, float m_new) {
    // TODO 4.5: rescale l and o when the row max grows.
    const float shrink = expf(row->m - m_new);
    row->l = row->l * shrink;
    for (int e = 0; e < OWN; e++) row->o[e] = shrink * row->o[e];

    row->m = m_new;
}

static __device__ __forceinline__ void add_probabilities(row_state *row, float *s, int t) {
    // TODO 4.6: the probabilities.
    float part = 0;
    for (int key = t; key < BC; key += LANES) {
        float p = expf(s[key] - row->m);
        part += p;
        s[key] = p;
    }
    row->l += part;
}

static __device__ __forceinline__ void add_values(row_state *row, const float *s, const float *Vs, int t, int D) {
    // TODO 4.7: accumulate.
    for (int e = 0; e < OWN; e++) {
        int d = e * LANES + t;
        if (d >= D) continue;
        float acc = row->o[e];
        for (int key = 0; key < BC; key++) acc += s[key] * Vs[key * STRIDE(D) + d];
        row->o[e] = acc;
    }
}

static __device__ __forceinline__ void store_row(float *O, const row_state *row, int r, int rows, int t, int D) {
    // TODO 4.8: divide and store, line 12.
    const float inv = 1.0f / row_sum(row->l);
    float *out = O + (size_t)r * D;
    if (r < rows)
        for (int d = t, e = 0; d < D; d += LANES, e++) out[d] = row->o[e] * inv;
}

static __device__ int keys_to_visit(int last, attn_shape shape) {
    int keys = shape.seq_kv;

    // TODO 4.9: how far to walk.
    if (shape.causal) keys = min(keys, last + shape.seq_kv - shape.seq_q + 1);

    return keys;
}

static __device__ void score_tile(float *s, const float *q, const float *Ks, int t, int D, float scale);
static __device__ __forceinline__ void value_tile(row_state *row, const float *s, const float *Vs, int t, int D);

static __global__ void __launch_bounds__(THREADS)
    flash_kernel(float *O, const float *Q, const float *K, const float *V, attn_shape shape) {
    extern __shared__ float shared[];
    const int D = shape.head_dim, Sq = shape.seq_q, Sk = shape.seq_kv;
    float *Qs = shared, *Ks = Qs + BR * STRIDE(D), *Vs = Ks + BC * STRIDE(D), *Ss = Vs + BC * STRIDE(D);

    const int r = threadIdx.x / LANES * ROWS, t = threadIdx.x % LANES;
    const int i0 = blockIdx.y * BR;
    const size_t head = blockIdx.x;
    Q += (head * Sq + i0) * D, O += (head * Sq + i0) * D;
    K += head * Sk * D, V += head * Sk * D;
    const float *q = Qs + r * STRIDE(D), scale = 1.0f / sqrtf((float)D);
    float *s = Ss + r * (BC + 1);

    row_state row[ROWS];
#pragma unroll
    for (int a = 0; a < ROWS; a++) row[a] = {-INFINITY, 0.0f, {0.0f}};
    load_tile(Qs, Q, Sq - i0, BR, D);

    const int end = keys_to_visit(i0 + BR - 1, shape);
    for (int k0 = 0; k0 < end; k0 += BC) {
        load_tile(Ks, K + (size_t)k0 * D, Sk - k0, BC, D);
        load_tile(Vs, V + (size_t)k0 * D, Sk - k0, BC, D);

        // TODO 4.10: two barriers, __syncthreads().
        __syncthreads();

        if (REGISTER_TILES)
            score_tile(s, q, Ks, t, D, scale);
        else
            compute_scores(s, q, Ks, t, D, scale);
#pragma unroll
        for (int a = 0; a < ROWS; a++) {
            mask_scores(s + a * (BC + 1), i0 + r + a, k0, t, shape);
            rescale(&row[a], new_max(row[a].m, s + a * (BC + 1), t));
            add_probabilities(&row[a], s + a * (BC + 1), t);
        }
        __syncwarp();
        if (REGISTER_TILES)
            value_tile(row, s, Vs, t, D);
        else
            add_values(row, s, Vs, t, D);

        __syncthreads();
    }
#pragma unroll
    for (int a = 0; a < ROWS; a++) store_row(O, &row[a], r + a, Sq - i0, t, D);
}

static attn_status launch(float *O, const float *Q, const float *K, const float *V, attn_shape shape,
                          cudaStream_t stream) {
    const size_t bytes = sizeof(float) * ((BR + 2 * BC) * STRIDE(shape.head_dim) + BR * (BC + 1));
    cudaFuncSetAttribute(flash_kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)bytes);
    const dim3 grid(shape.batch * shape.heads, (shape.seq_q + BR - 1) / BR);
    flash_kernel<<<grid, THREADS, bytes, stream>>>(O, Q, K, V, shape);
    return cudaGetLastError() == cudaSuccess ? ATTN_OK : ATTN_CUDA_ERROR;
}

ATTN_API attn_status attn_flash(float *O, const float *Q, const float *K, const float *V, attn_shape shape,
                                cudaStream_t stream) {
    const int B = shape.batch, H = shape.heads, Sq = shape.seq_q, Sk = shape.seq_kv, D = shape.head_dim;
    if (B < 1 || H < 1 || Sq < 1 || Sk < 1 || D < 8 || D > MAX_D || D % 8 != 0 || (shape.causal && Sq > Sk))
        return ATTN_BAD_SHAPE;
    return launch(O, Q, K, V, shape, stream);
}

enum { TILE_KEYS = BC / LANES };

static __device__ void score_tile(float *s, const float *q, const float *Ks, int t, int D, float scale) {
    // TODO 4.11: tiles in registers, here and below.
    float sum[TILE_ROWS][TILE_KEYS] = {};
    for (int d = 0; d < D; d++) {
        float k[TILE_KEYS];
#pragma unroll
        for (int b = 0; b < TILE_KEYS; b++) k[b] = Ks[(t + LANES * b) * STRIDE(D) + d];
#pragma unroll
        for (int a = 0; a < TILE_ROWS; a++) {
            const float x = q[a * STRIDE(D) + d];
#pragma unroll
            for (int b = 0; b < TILE_KEYS; b++) sum[a][b] += x * k[b];
        }
    }
#pragma unroll
    for (int a = 0; a < TILE_ROWS; a++)
#pragma unroll
        for (int b = 0; b < TILE_KEYS; b++) s[a * (BC + 1) + t + LANES * b] = scale * sum[a][b];
}

static __device__ __forceinline__ void value_tile(row_state *row, const float *s, const float *Vs, int t, int D) {
    for (int c = 0; c < BC; c++) {
        float p[TILE_ROWS];
#pragma unroll
        for (int a = 0; a < TILE_ROWS; a++) p[a] = s[a * (BC + 1) + c];
#pragma unroll
        for (int e = 0; e < OWN; e++) {
            const int d = t + LANES * e;
            const float v = d < D ? Vs[c * STRIDE(D) + d] : 0.0f;
#pragma unroll
            for (int a = 0; a < TILE_ROWS; a++) row[a].o[e] += p[a] * v;
        }
    }
}
