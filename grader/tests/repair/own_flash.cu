// A thread owns a query; the block shares tiles of keys and values. Flat loops, pointers that walk, macros.
#include "task4.h"

#include <math.h>

#ifndef BR
#define BR 64
#endif
#ifndef BC
#define BC 16
#endif
#define HEAD_MAX 128
#define FOR_EACH(v, n) for (int v = 0; v < (n); v++)

struct Problem {
    int n_queries, n_keys, dim, causal;
};

__device__ int last_key(const Problem &p, int row) { return p.causal ? row + p.n_keys - p.n_queries : p.n_keys - 1; }

__device__ void fetch(float *tile, const float *from, int count, int dim) {
    int i = threadIdx.x;
    while (i < BC * dim) {
        tile[i] = i < count * dim ? from[i] : 0.0f;
        i += blockDim.x;
    }
}

__global__ void flash_thread_per_query(float *O, const float *Q, const float *K, const float *V, Problem p) {
    extern __shared__ float buffer[];
    float *k_tile = buffer, *v_tile = buffer + BC * p.dim, *q_tile = v_tile + BC * p.dim;
    float *o_tile = q_tile + BR * (p.dim + 1);
    const int n_tiles_q = (p.n_queries + BR - 1) / BR;
    const int head = blockIdx.x / n_tiles_q, q_block = blockIdx.x % n_tiles_q;
    const int row = q_block * BR + threadIdx.x;
    const bool alive = row < p.n_queries;
    const float scale = 1.0f / sqrtf(p.dim);
    float *my_q = q_tile + threadIdx.x * (p.dim + 1), *my_o = o_tile + threadIdx.x * (p.dim + 1);

    const float *src = Q + ((size_t)head * p.n_queries + row) * p.dim;
    FOR_EACH(d, p.dim) {
        my_q[d] = alive ? src[d] * scale : 0.0f;
        my_o[d] = 0.0f;
    }
    float m = -INFINITY, l = 0.0f;
    const float *k_ptr = K + (size_t)head * p.n_keys * p.dim;
    const float *v_ptr = V + (size_t)head * p.n_keys * p.dim;
    const int block_last = last_key(p, min(q_block * BR + BR, p.n_queries) - 1);
    int start = 0;
    while (start <= block_last) {
        const int here = min(BC, p.n_keys - start);
        fetch(k_tile, k_ptr, here, p.dim);
        fetch(v_tile, v_ptr, here, p.dim);
        __syncthreads();
        if (alive) {
            float s[BC];
            float tile_max = -INFINITY;
            FOR_EACH(j, here) {
                float acc = 0.0f;
                FOR_EACH(d, p.dim) acc += my_q[d] * k_tile[j * p.dim + d];
                s[j] = start + j <= last_key(p, row) ? acc : -INFINITY;
                tile_max = s[j] > tile_max ? s[j] : tile_max;
            }
            const float m_next = tile_max > m ? tile_max : m;
            if (m_next > m) {
                const float shrink = expf(m - m_next);
                l *= shrink;
                FOR_EACH(d, p.dim) my_o[d] *= shrink;
                m = m_next;
            }
            FOR_EACH(j, here) {
                const float prob = expf(s[j] - m);
                l += prob;
                FOR_EACH(d, p.dim) my_o[d] += prob * v_tile[j * p.dim + d];
            }
        }
        __syncthreads();
        start += BC;
        k_ptr += BC * p.dim;
        v_ptr += BC * p.dim;
    }
    if (!alive) return;
    float *dst = O + ((size_t)head * p.n_queries + row) * p.dim;
    FOR_EACH(d, p.dim) *dst++ = my_o[d] / l;
}

ATTN_API attn_status attn_flash(float *O, const float *Q, const float *K, const float *V, attn_shape s,
                                cudaStream_t stream) {
    if (s.batch <= 0 || s.heads <= 0 || s.seq_q <= 0 || s.seq_kv <= 0) return ATTN_BAD_SHAPE;
    if (s.head_dim < 8 || s.head_dim > HEAD_MAX || s.head_dim % 8 != 0) return ATTN_BAD_SHAPE;
    if (s.causal && s.seq_q > s.seq_kv) return ATTN_BAD_SHAPE;
    const Problem p = {s.seq_q, s.seq_kv, s.head_dim, s.causal};
    const int blocks = s.batch * s.heads * ((s.seq_q + BR - 1) / BR);
    const size_t shared = sizeof(float) * (2 * BC * s.head_dim + 2 * BR * (s.head_dim + 1));
    cudaFuncSetAttribute(flash_thread_per_query, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)shared);
    flash_thread_per_query<<<blocks, BR, shared, stream>>>(O, Q, K, V, p);
    if (cudaGetLastError() != cudaSuccess) return ATTN_CUDA_ERROR;
    return ATTN_OK;
}
