/* A decode step is two kernels of my own: one appends and attends, straight from qkv; one projects, a warp per four
   columns. A prompt uses the given functions and one flat kernel that fills the cache. */
#include "task6.h"
#include <math.h>

#define OK_OR_RETURN(expr)                                                                                             \
    {                                                                                                                  \
        const attn_status st = (expr);                                                                                 \
        if (st != ATTN_OK) return st;                                                                                  \
    }

static const int kThreads = 128;

static attn_status launched() { return cudaGetLastError() == cudaSuccess ? ATTN_OK : ATTN_CUDA_ERROR; }

static __device__ float warp_sum(float x) {
    for (int i = 16; i >= 1; i /= 2) x += __shfl_xor_sync(0xffffffff, x, i);
    return x;
}

// thread i: number i of [B, H, S, D]
static __global__ void fill_cache(attn_layer_cache c, const float *K, const float *V, const int *count, int S) {
    const int H = c.size.heads, D = c.size.head_dim;
    const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    const size_t all = (size_t)c.size.batch * H * S * D;
    if (i >= all) return;
    const size_t row = i / D, bh = row / S;
    const int d = i % D, s = row % S, b = bh / H;
    if (s < count[b]) {
        const size_t to = (bh * c.size.max_seq + s) * D + d;
        c.K[to] = K[i];
        c.V[to] = V[i];
    }
    if (bh % H == 0 && s == 0 && d == 0) c.lengths[b] = count[b];
}

// block (h, b): the new token's k and v go to slot `len`, then four warps attend to len + 1 slots
static __global__ void step(float *merged, const float *qkv, attn_layer_cache c) {
    __shared__ float part[4][128], m_of[4], l_of[4];
    const int h = blockIdx.x, b = blockIdx.y, warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    const int H = c.size.heads, D = c.size.head_dim, E = H * D;
    const int len = c.lengths[b];
    const float *q = qkv + (size_t)b * 3 * E + h * D, *k = q + E, *v = k + E;
    float *Kh = c.K + (size_t)(b * H + h) * c.size.max_seq * D;
    float *Vh = c.V + (size_t)(b * H + h) * c.size.max_seq * D;
    for (int d = threadIdx.x; d < D; d += kThreads) {
        Kh[(size_t)len * D + d] = k[d];
        Vh[(size_t)len * D + d] = v[d];
    }
    __syncthreads();

    float m = -INFINITY, l = 0.0f, o[4] = {};
    for (int j = warp; j <= len; j += 4) {
        float s = 0.0f;
        for (int d = lane; d < D; d += 32) s += q[d] * Kh[(size_t)j * D + d];
        s = warp_sum(s) * rsqrtf((float)D);
        const float top = fmaxf(m, s), a = expf(m - top), p = expf(s - top);
        l = l * a + p;
        for (int t = 0, d = lane; d < D; t++, d += 32) o[t] = o[t] * a + p * Vh[(size_t)j * D + d];
        m = top;
    }
    for (int t = 0, d = lane; d < D; t++, d += 32) part[warp][d] = o[t];
    if (lane == 0) {
        m_of[warp] = m;
        l_of[warp] = l;
    }
    __syncthreads();
    const float top = fmaxf(fmaxf(m_of[0], m_of[1]), fmaxf(m_of[2], m_of[3]));
    for (int d = threadIdx.x; d < D; d += kThreads) {
        float sum = 0.0f, mass = 0.0f;
        for (int w = 0; w < 4; w++) {
            const float f = expf(m_of[w] - top);
            sum += f * part[w][d];
            mass += f * l_of[w];
        }
        merged[(size_t)b * E + h * D + d] = sum / mass;
    }
}

static __global__ void one_more(int *lengths, int B) {
    const int b = blockIdx.x * blockDim.x + threadIdx.x;
    if (b < B) lengths[b]++;
}

// block (x, b), a warp has four columns: y[b][e..e+3] = bias + sum_i x[b][i] W[i][e..e+3]
static __global__ void project(float *y, const float *x, const float *W, const float *bias, int E) {
    const int lane = threadIdx.x % 32, e = (blockIdx.x * (kThreads / 32) + threadIdx.x / 32) * 4;
    if (e >= E) return;
    x += (size_t)blockIdx.y * E;
    float4 sum = {0.0f, 0.0f, 0.0f, 0.0f};
    for (int i = lane; i < E; i += 32) {
        const float4 w = *(const float4 *)(W + (size_t)i * E + e);
        sum.x += x[i] * w.x;
        sum.y += x[i] * w.y;
        sum.z += x[i] * w.z;
        sum.w += x[i] * w.w;
    }
    sum.x = warp_sum(sum.x);
    sum.y = warp_sum(sum.y);
    sum.z = warp_sum(sum.z);
    sum.w = warp_sum(sum.w);
    if (lane < 4) {
        const float mine = lane == 0 ? sum.x : lane == 1 ? sum.y : lane == 2 ? sum.z : sum.w;
        y[(size_t)blockIdx.y * E + e + lane] = mine + bias[e + lane];
    }
}

ATTN_API attn_status attn_layer_forward(float *Y, const float *X, attn_layer_weights weights, attn_layer_cache cache,
                                        attn_tokens tokens, attn_layer_workspace work, const attn_functions *call,
                                        cudaStream_t stream) {
    const attn_cache &size = cache.size;
    const int B = size.batch, S = tokens.seq, E = size.heads * size.head_dim;
    int fresh = 0;
    bool full = false;
    for (int b = 0; b < B; b++) {
        fresh += tokens.past[b] == 0;
        full = full || tokens.past[b] + tokens.count[b] > size.max_seq;
    }
    const bool prompt = fresh == B, token = fresh == 0 && S == 1;
    if (!prompt && !token) return ATTN_BAD_SHAPE;
    if (full) return ATTN_CACHE_FULL;

    OK_OR_RETURN(call->linear(work.qkv, X, weights.W_qkv, weights.b_qkv, B * S, E, 3 * E, stream));
    if (token) {
        step<<<dim3(size.heads, B), kThreads, 0, stream>>>(work.merged, work.qkv, cache);
        one_more<<<(B + 63) / 64, 64, 0, stream>>>(cache.lengths, B);
        project<<<dim3((E / 4 + 3) / 4, B), kThreads, 0, stream>>>(Y, work.merged, weights.W_out, weights.b_out, E);
        return launched();
    }

    attn_shape shape = {B, size.heads, S, S, size.head_dim, 0};
    OK_OR_RETURN(call->split_qkv(work.Q, work.K, work.V, work.qkv, shape, stream));
    const size_t numbers = (size_t)B * S * E;
    fill_cache<<<(numbers + 255) / 256, 256, 0, stream>>>(cache, work.K, work.V, tokens.count_device, S);
    OK_OR_RETURN(launched());
    shape.causal = 1;
    OK_OR_RETURN(call->flash(work.O, work.Q, work.K, work.V, shape, stream));
    shape.causal = 0;
    OK_OR_RETURN(call->merge_heads(work.merged, work.O, shape, stream));
    return call->linear(Y, work.merged, weights.W_out, weights.b_out, B * S, E, E, stream);
}
