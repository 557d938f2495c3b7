/* Base-2 softmax. A block of 128 threads takes 128 keys at a time: a thread has a key, then a dim. */
#include "task5.h"
#include <math.h>

#define NT 128
#define ROW(b, h, s, c) ((((size_t)(b) * (c).heads + (h)) * (c).max_seq + (s)) * (c).head_dim)
#define VEC(b, h, c) (((size_t)(b) * (c).heads + (h)) * (c).head_dim)
#define BAD(c)                                                                                                         \
    ((c).batch < 1 || (c).heads < 1 || (c).max_seq < 1 || (c).head_dim < 8 || (c).head_dim > 128 || (c).head_dim & 7)
#define DONE() return cudaGetLastError() == cudaSuccess ? ATTN_OK : ATTN_CUDA_ERROR
#define LOG2E 1.4426950408889634f

__global__ void k_append(float *Kc, float *Vc, const int *len, const float *kn, const float *vn, attn_cache c) {
    const int h = blockIdx.x, b = blockIdx.y;
    const int slot = len[b];
    if (slot < c.max_seq) {
        const size_t dst = ROW(b, h, slot, c), src = VEC(b, h, c);
        for (int d = threadIdx.x; d < 2 * c.head_dim; d += blockDim.x)
            if (d < c.head_dim)
                Kc[dst + d] = kn[src + d];
            else
                Vc[dst + d - c.head_dim] = vn[src + d - c.head_dim];
    }
}

__global__ void k_count(int *len, attn_cache c) {
    const int b = blockIdx.x * blockDim.x + threadIdx.x;
    if (b < c.batch) len[b] = min(len[b] + 1, c.max_seq);
}

__device__ float all_max(float x, float *tmp) {
    for (int i = 16; i; i >>= 1) x = fmaxf(x, __shfl_down_sync(~0u, x, i));
    if ((threadIdx.x & 31) == 0) tmp[threadIdx.x >> 5] = x;
    __syncthreads();
    x = fmaxf(fmaxf(tmp[0], tmp[1]), fmaxf(tmp[2], tmp[3]));
    __syncthreads();
    return x;
}

__global__ void k_decode(float *O, float *L, const float *Q, const float *Kc, const float *Vc, const int *len, int ns,
                         attn_cache c) {
    __shared__ float q[128], p[NT], tmp[4];
    const int tid = threadIdx.x, s = blockIdx.z, h = blockIdx.y, b = blockIdx.x, D = c.head_dim;
    const int per = (len[b] + ns - 1) / ns;
    const int j0 = min(s * per, len[b]);
    const int j1 = min(j0 + per, len[b]);
    if (tid < D) q[tid] = Q[VEC(b, h, c) + tid] * (LOG2E / sqrtf(D));
    __syncthreads();
    float m = -INFINITY, l = 0, o = 0;
    for (int t = j0; t < j1; t += NT) {
        const int n = min(NT, j1 - t);
        float x = -INFINITY;
        if (tid < n) {
            const float *k = &Kc[ROW(b, h, t + tid, c)];
            x = 0;
            for (int d = 0; d < D; d += 4)
                x += q[d] * k[d] + q[d + 1] * k[d + 1] + q[d + 2] * k[d + 2] + q[d + 3] * k[d + 3];
        }
        const float mt = fmaxf(m, all_max(x, tmp));
        const float a = exp2f(m - mt);
        p[tid] = exp2f(x - mt);
        __syncthreads();
        l *= a, o *= a;
        for (int j = 0; j < n; j++) {
            l += p[j];
            if (tid < D) o += p[j] * Vc[ROW(b, h, t + j, c) + tid];
        }
        m = mt;
        __syncthreads();
    }
    const size_t row = ((size_t)b * c.heads + h) * ns + s;
    if (tid < D) O[row * D + tid] = l > 0 ? o / l : 0;
    if (L && tid == 0) L[row] = l > 0 ? (m + log2f(l)) / LOG2E : -INFINITY;
}

/* one warp a query: lanes first share the splits, then the dims */
__global__ void k_combine(float *O, const float *P, const float *L, int ns, int D) {
    __shared__ float w[ATTN_MAX_SPLITS];
    const int lane = threadIdx.x;
    const size_t row = blockIdx.x;
    float m = -INFINITY, sum = 0;
    for (int s = lane; s < ns; s += 32) m = fmaxf(m, L[row * ns + s]);
    for (int i = 16; i; i >>= 1) m = fmaxf(m, __shfl_xor_sync(~0u, m, i));
    for (int s = lane; s < ns; s += 32) {
        const float x = L[row * ns + s];
        w[s] = x == -INFINITY ? 0 : exp2f((x - m) * LOG2E);
        sum += w[s];
    }
    for (int i = 16; i; i >>= 1) sum += __shfl_xor_sync(~0u, sum, i);
    __syncwarp();
    for (int d = lane; d < D; d += 32) {
        float o = 0;
        for (int s = 0; s < ns; s++) o += w[s] * P[(row * ns + s) * D + d];
        O[row * D + d] = sum > 0 ? o / sum : 0;
    }
}

ATTN_API attn_status attn_cache_append(float *K_cache, float *V_cache, int *lengths, const float *k_new,
                                       const float *v_new, attn_cache cache, cudaStream_t stream) {
    if (BAD(cache)) return ATTN_BAD_SHAPE;
    k_append<<<dim3(cache.heads, cache.batch), 64, 0, stream>>>(K_cache, V_cache, lengths, k_new, v_new, cache);
    k_count<<<(cache.batch + 31) / 32, 32, 0, stream>>>(lengths, cache);
    DONE();
}

static void decode_parts(float *O, float *L, const float *Q, const float *K, const float *V, const int *len, int ns,
                         attn_cache c, cudaStream_t st) {
    k_decode<<<dim3(c.batch, c.heads, ns), NT, 0, st>>>(O, L, Q, K, V, len, ns, c);
}

ATTN_API attn_status attn_decode(float *O, const float *Q, const float *K_cache, const float *V_cache,
                                 const int *lengths, attn_cache cache, cudaStream_t stream) {
    if (BAD(cache)) return ATTN_BAD_SHAPE;
    decode_parts(O, 0, Q, K_cache, V_cache, lengths, 1, cache, stream);
    DONE();
}

ATTN_API attn_status attn_combine(float *O, const float *part_O, const float *L, int n_splits, attn_cache cache,
                                  cudaStream_t stream) {
    if (BAD(cache) || n_splits < 1 || n_splits > ATTN_MAX_SPLITS) return ATTN_BAD_SHAPE;
    k_combine<<<cache.batch * cache.heads, 32, 0, stream>>>(O, part_O, L, n_splits, cache.head_dim);
    DONE();
}

ATTN_API attn_status attn_decode_split(float *O, const float *Q, const float *K_cache, const float *V_cache,
                                       const int *lengths, float *workspace, int n_splits, attn_cache cache,
                                       cudaStream_t stream) {
    if (BAD(cache) || n_splits < 0 || n_splits > ATTN_MAX_SPLITS) return ATTN_BAD_SHAPE;
    const int ns = n_splits > 0 ? n_splits : 6;
    float *P = workspace, *L = P + (size_t)ns * cache.batch * cache.heads * cache.head_dim;
    decode_parts(P, L, Q, K_cache, V_cache, lengths, ns, cache, stream);
    return attn_combine(O, P, L, ns, cache, stream);
}
