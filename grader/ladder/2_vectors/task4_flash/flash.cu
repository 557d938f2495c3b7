// flash.cu: rung 2, vectors: the answer to task 4, with four numbers in each access to memory.
//
// As in the answer a block owns BR queries of one head, and 8 threads work on 4 rows at a time. What changes is how
// they read: a float4 is 16 bytes, so one instruction brings 4 steps of d, or 4 keys, or 4 dims.
//
//      S: thread t has keys t, t + 8, ...            O: thread t has dims 4t .. 4t + 3, 4t + 32 .. 4t + 35, ...
//         8 threads read 8 rows of K at once            8 threads read 128 bytes of one row of V at once
//
// A float4 lies on 16 bytes, so rows are padded by 4 floats, not by 1. Rows of D + 4 floats (D a multiple of 32) then
// start 4 banks apart: 8 rows x 16 bytes fill the 32 banks, and nobody waits.
#include "task4.h"

#include <math.h>

#ifndef BR
#define BR 64  // queries per tile, a multiple of 16
#endif
#ifndef BC
#define BC 32  // keys per tile, a multiple of 8
#endif
#define UNROLL _Pragma("unroll")  // registers cannot be indexed at run time: every loop over them is unrolled

enum {
    LANES = 8,          // threads of a row
    ROWS = 4,           // rows of the tile that the same 8 threads work on
    KEYS = BC / LANES,  // keys of a thread
    THREADS = BR / ROWS * LANES,
    MAX_D = 128,
    FOURS = MAX_D / LANES / 4  // fours of dims that a thread keeps of each of its rows, at most
};
#define STRIDE(D) ((D) + 4)
enum { S_STRIDE = BC + 4 };

typedef struct {
    float m, l;         // row max, the same in all 8 threads; this thread's part of the row sum
    float o[FOURS][4];  // o[e][c]: dim 4t + 32e + c. Used: those below D
} row_state;

static __device__ __forceinline__ void load4(float (&x)[4], const float *p) {
    float4 v = *(const float4 *)p;
    x[0] = v.x, x[1] = v.y, x[2] = v.z, x[3] = v.w;
}

// The whole block copies src [rows][D] into tile [size][D + 4]; zeros where src has no row.
static __device__ void load_tile(float *tile, const float *src, int rows, int size, int D) {
    for (int n = threadIdx.x; n < size * D / 4; n += THREADS) {
        const int r = 4 * n / D, d = 4 * n % D;
        *(float4 *)(tile + r * STRIDE(D) + d) = r < rows ? *(const float4 *)(src + 4 * n) : make_float4(0, 0, 0, 0);
    }
}

// Row a of ROWS has its query at q + a STRIDE(D) and its scores at s + a S_STRIDE. Ks: the tile of keys.
static __device__ __forceinline__ void score_tile(float *s, const float *q, const float *Ks, int t, int D,
                                                  float scale) {
    float sum[ROWS][KEYS] = {};
    for (int d = 0; d < D; d += 4) {
        float k[KEYS][4];
        UNROLL for (int b = 0; b < KEYS; b++) load4(k[b], Ks + (t + LANES * b) * STRIDE(D) + d);
        UNROLL for (int a = 0; a < ROWS; a++) {
            float x[4];
            load4(x, q + a * STRIDE(D) + d);
            UNROLL for (int c = 0; c < 4; c++) UNROLL for (int b = 0; b < KEYS; b++) sum[a][b] += x[c] * k[b][c];
        }
    }
    UNROLL for (int a = 0; a < ROWS; a++) UNROLL for (int b = 0; b < KEYS; b++) s[a * S_STRIDE + t + LANES * b] =
        scale * sum[a][b];
}

static __device__ float row_max(float x) {
    for (int bit = LANES / 2; bit > 0; bit /= 2) x = fmaxf(x, __shfl_xor_sync(0xffffffff, x, bit));
    return x;
}
static __device__ float row_sum(float x) {
    for (int bit = LANES / 2; bit > 0; bit /= 2) x += __shfl_xor_sync(0xffffffff, x, bit);
    return x;
}

// The online softmax of one row and one tile, of which the row sees `seen` keys. s: the scores, then probabilities.
static __device__ __forceinline__ void add_probabilities(row_state *row, float *s, int t, int seen) {
    float m = row->m;
    UNROLL for (int b = 0; b < KEYS; b++) m = fmaxf(m, t + LANES * b < seen ? s[t + LANES * b] : -INFINITY);
    m = row_max(m);  // finite: every row sees key 0, and that is in the first tile
    const float alpha = expf(row->m - m);
    row->m = m, row->l *= alpha;
    UNROLL for (int e = 0; e < FOURS; e++) UNROLL for (int c = 0; c < 4; c++) row->o[e][c] *= alpha;
    UNROLL for (int b = 0; b < KEYS; b++) {
        const float p = t + LANES * b < seen ? expf(s[t + LANES * b] - m) : 0;
        s[t + LANES * b] = p, row->l += p;
    }
}

// o += P V for ROWS rows.
static __device__ __forceinline__ void value_tile(row_state (&row)[ROWS], const float *s, const float *Vs, int t,
                                                  int D) {
    for (int c = 0; c < BC; c += 4) {
        float p[ROWS][4];
        UNROLL for (int a = 0; a < ROWS; a++) load4(p[a], s + a * S_STRIDE + c);
        UNROLL for (int i = 0; i < 4; i++) UNROLL for (int e = 0; e < FOURS; e++) {
            const int d = 4 * t + 4 * LANES * e;
            if (d >= D) continue;
            float v[4];
            load4(v, Vs + (c + i) * STRIDE(D) + d);
            UNROLL for (int a = 0; a < ROWS; a++) UNROLL for (int h = 0; h < 4; h++) row[a].o[e][h] += p[a][i] * v[h];
        }
    }
}

static __global__ void __launch_bounds__(THREADS)
    flash_kernel(float *O, const float *Q, const float *K, const float *V, attn_shape shape) {
    extern __shared__ float4 shared[];  // float4 for its alignment
    const int D = shape.head_dim, Sq = shape.seq_q, Sk = shape.seq_kv;
    float *Qs = (float *)shared, *Ks = Qs + BR * STRIDE(D), *Vs = Ks + BC * STRIDE(D), *Ss = Vs + BC * STRIDE(D);
    const int r = threadIdx.x / LANES * ROWS, t = threadIdx.x % LANES, i0 = blockIdx.y * BR;
    const size_t head = blockIdx.x;
    Q += (head * Sq + i0) * D, O += (head * Sq + i0) * D;
    K += head * Sk * D, V += head * Sk * D;
    float *s = Ss + r * S_STRIDE;

    row_state row[ROWS];
    UNROLL for (int a = 0; a < ROWS; a++) row[a] = {-INFINITY, 0, {}};
    load_tile(Qs, Q, Sq - i0, BR, D);

    const int shift = shape.causal ? i0 + Sk - Sq : Sk;  // row r sees keys 0 .. r + shift, as far as there are
    const int end = min(Sk, shift + BR);                 // no row sees more: later tiles are skipped
    for (int k0 = 0; k0 < end; k0 += BC) {
        load_tile(Ks, K + (size_t)k0 * D, Sk - k0, BC, D);
        load_tile(Vs, V + (size_t)k0 * D, Sk - k0, BC, D);
        __syncthreads();  // nobody reads a tile before all have written it
        score_tile(s, Qs + r * STRIDE(D), Ks, t, D, 1 / sqrtf((float)D));
        UNROLL for (int a = 0; a < ROWS; a++)
            add_probabilities(&row[a], s + a * S_STRIDE, t, min(Sk - 1, shift + r + a) - k0 + 1);
        __syncwarp();  // a row's probabilities come from 8 lanes of this warp
        value_tile(row, s, Vs, t, D);
        __syncthreads();  // nobody overwrites a tile that others still read
    }

    UNROLL for (int a = 0; a < ROWS; a++) {
        const float norm = 1 / row_sum(row[a].l);
        UNROLL for (int e = 0; e < FOURS; e++) {
            const int d = 4 * t + 4 * LANES * e;
            const float(&o)[4] = row[a].o[e];
            if (i0 + r + a < Sq && d < D)
                *(float4 *)(O + (size_t)(r + a) * D + d) =
                    make_float4(o[0] * norm, o[1] * norm, o[2] * norm, o[3] * norm);
        }
    }
}

ATTN_API attn_status attn_flash(float *O, const float *Q, const float *K, const float *V, attn_shape s,
                                cudaStream_t stream) {
    if (s.batch < 1 || s.heads < 1 || s.seq_q < 1 || s.seq_kv < 1 || s.head_dim < 8 || s.head_dim > MAX_D ||
        s.head_dim % 8 != 0 || (s.causal && s.seq_q > s.seq_kv))
        return ATTN_BAD_SHAPE;
    // A kernel gets more than 48 KB of shared memory only if that is dynamic, and asked for before the launch.
    const size_t bytes = sizeof(float) * ((BR + 2 * BC) * STRIDE(s.head_dim) + BR * S_STRIDE);
    cudaFuncSetAttribute(flash_kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)bytes);
    const dim3 grid(s.batch * s.heads, (s.seq_q + BR - 1) / BR);
    flash_kernel<<<grid, THREADS, bytes, stream>>>(O, Q, K, V, s);
    return cudaGetLastError() == cudaSuccess ? ATTN_OK : ATTN_CUDA_ERROR;
}
