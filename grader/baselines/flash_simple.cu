// flash_simple.cu: a fused kernel as one writes it the first time, twice: with a block per query tile, and with ONE_BLOCK a
// block per head that walks over the query tiles too, as FlashAttention-1 did. The difference between the two is what
// parallelising over query tiles brings; task 4's solution against it is what tuning brings.
//
// Loaded by the runner like a stage; it defines task 4's function. 8 threads share a row, as in task 4's skeleton.
#include <math.h>

#include "task4.h"

enum { ROWS = 32, KEYS = 32, LANES = 8, THREADS = ROWS * LANES, MOST_D = 128, OWN = MOST_D / LANES };

static __device__ float over_row(float x, bool max) {
    for (int bit = LANES / 2; bit > 0; bit /= 2) {
        const float y = __shfl_xor_sync(0xffffffff, x, bit);
        x = max ? fmaxf(x, y) : x + y;
    }
    return x;
}

// tile[r][d] = src[r][d], rows that do not exist are 0. A row has D + 1 places: 8 rows side by side lie in 8 banks.
static __device__ void load_tile(float *tile, const float *src, int rows, int size, int D) {
    for (int n = threadIdx.x; n < size * D; n += THREADS) tile[n / D * (D + 1) + n % D] = n / D < rows ? src[n] : 0.0f;
}

static __device__ void query_tile(float *O, const float *Q, const float *K, const float *V, attn_shape s, int i0,
                                  float *shared) {
    const int D = s.head_dim, r = threadIdx.x / LANES, t = threadIdx.x % LANES, i = i0 + r;
    const int end = s.causal ? min(s.seq_kv, i0 + ROWS + s.seq_kv - s.seq_q) : s.seq_kv;
    const float scale = 1 / sqrtf((float)D);
    float *Qs = shared, *Ks = Qs + ROWS * (D + 1), *Vs = Ks + KEYS * (D + 1), *P = Vs + KEYS * (D + 1) + r * (KEYS + 1);
    float m = -INFINITY, l = 0, o[OWN] = {0};

    __syncthreads();  // the tile before is done with Qs
    load_tile(Qs, Q + (size_t)i0 * D, s.seq_q - i0, ROWS, D);
    for (int k0 = 0; k0 < end; k0 += KEYS) {
        __syncthreads();  // every row is done with the key tile before
        load_tile(Ks, K + (size_t)k0 * D, s.seq_kv - k0, KEYS, D);
        load_tile(Vs, V + (size_t)k0 * D, s.seq_kv - k0, KEYS, D);
        __syncthreads();  // the tiles are there
        float top = m;
        for (int c = t; c < KEYS; c += LANES) {
            float dot = 0;
            for (int d = 0; d < D; d++) dot += Qs[r * (D + 1) + d] * Ks[c * (D + 1) + d];
            const int j = k0 + c, seen = j < s.seq_kv && (!s.causal || j <= i + s.seq_kv - s.seq_q);
            P[c] = seen ? dot * scale : -INFINITY;
            top = fmaxf(top, P[c]);
        }
        top = over_row(top, true);
        const float alpha = expf(m - top);
        m = top, l *= alpha;
        for (int c = t; c < KEYS; c += LANES) l += P[c] = expf(P[c] - m);
        __syncwarp();  // the row's probabilities are read by all 8 threads
#pragma unroll
        for (int e = 0; e < OWN; e++) o[e] *= alpha;
        for (int c = 0; c < KEYS; c++) {
            const float p = P[c];
#pragma unroll
            for (int e = 0; e < OWN; e++)
                if (t + LANES * e < D) o[e] += p * Vs[c * (D + 1) + t + LANES * e];
        }
        __syncwarp();  // P is free for the next tile
    }
    l = over_row(l, false);
#pragma unroll
    for (int e = 0; e < OWN; e++)
        if (i < s.seq_q && t + LANES * e < D) O[(size_t)i * D + t + LANES * e] = o[e] / l;
}

static __global__ void __launch_bounds__(THREADS)
    flash(float *O, const float *Q, const float *K, const float *V, attn_shape s) {
    extern __shared__ float shared[];
    const size_t head = blockIdx.x, q = head * s.seq_q * s.head_dim, kv = head * s.seq_kv * s.head_dim;
    for (int i0 = blockIdx.y * ROWS; i0 < s.seq_q; i0 += gridDim.y * ROWS)
        query_tile(O + q, Q + q, K + kv, V + kv, s, i0, shared);
}

ATTN_API attn_status attn_flash(float *O, const float *Q, const float *K, const float *V, attn_shape s,
                                cudaStream_t stream) {
#ifdef ONE_BLOCK
    const int tiles = 1;
#else
    const int tiles = (s.seq_q + ROWS - 1) / ROWS;
#endif
    const int bytes = ((ROWS + 2 * KEYS) * (s.head_dim + 1) + ROWS * (KEYS + 1)) * sizeof(float);
    if (cudaFuncSetAttribute(flash, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes) != cudaSuccess)
        return ATTN_CUDA_ERROR;
    flash<<<dim3(s.batch * s.heads, tiles), THREADS, bytes, stream>>>(O, Q, K, V, s);
    return cudaGetLastError() == cudaSuccess ? ATTN_OK : ATTN_CUDA_ERROR;
}
