// decode.cu: one query per sequence and head against a KV cache. Reading K and V once is nearly all the work.
//
// Eight lanes take one key: lane tx of the eight holds dims 4tx + 32t + 0..3, of the query, of a key, of a value and of
// the output, so the eight read 128 consecutive bytes at a time. A block of 4 warps works on 16 keys side by side:
//
//      warp 0: keys 0 1 2 3    warp 1: keys 4 5 6 7    warp 2: 8 9 10 11    warp 3: 12 13 14 15    then on by 16
//              |
//              8 lanes: k . q, the online softmax (m, l), and o, of keys 0, 16, 32, ...
//
// At the end the 16 partial results (m, l, o) become one, rescaled as in FlashAttention.
#include "task5.h"

#include <math.h>

#define UNROLL _Pragma("unroll")  // register arrays must be indexed by constants, or they move to memory

enum { THREADS = 128, GROUPS = THREADS / 8, APPEND_THREADS = 1024, SPLIT_KEYS = 64 };

static attn_status launched(void) { return cudaGetLastError() == cudaSuccess ? ATTN_OK : ATTN_CUDA_ERROR; }

static int cache_is_valid(attn_cache c) {
    return c.batch >= 1 && c.heads >= 1 && c.max_seq >= 1 &&  //
           c.head_dim >= 8 && c.head_dim <= 128 && c.head_dim % 8 == 0;
}

// ---- Append ---------------------------------------------------------------------------------------------------------
// One block per sequence, because the length changes once all heads have used it.
static __global__ void append(float *K_cache, float *V_cache, int *lengths, const float *k_new, const float *v_new,
                              attn_cache cache) {
    const int b = blockIdx.x, D = cache.head_dim, slot = lengths[b];
    if (slot >= cache.max_seq) return;  // full, for every thread of the block alike
    for (int i = threadIdx.x; i < cache.heads * D; i += blockDim.x) {
        size_t head = (size_t)b * cache.heads + i / D;
        size_t to = (head * cache.max_seq + slot) * D + i % D, from = (size_t)b * cache.heads * D + i;
        K_cache[to] = k_new[from];
        V_cache[to] = v_new[from];
    }
    __syncthreads();  // every thread has read the old length before thread 0 changes it
    if (threadIdx.x == 0) lengths[b] = slot + 1;
}

ATTN_API attn_status attn_cache_append(float *K_cache, float *V_cache, int *lengths, const float *k_new,
                                       const float *v_new, attn_cache cache, cudaStream_t stream) {
    if (!cache_is_valid(cache)) return ATTN_BAD_SHAPE;
    append<<<cache.batch, APPEND_THREADS, 0, stream>>>(K_cache, V_cache, lengths, k_new, v_new, cache);
    return launched();
}

// ---- Decode ---------------------------------------------------------------------------------------------------------
static __device__ __forceinline__ float dot4(float4 a, float4 b, float sum) {
    return fmaf(a.w, b.w, fmaf(a.z, b.z, fmaf(a.y, b.y, fmaf(a.x, b.x, sum))));
}

static __device__ __forceinline__ float4 fma4(float a, float4 x, float4 y) {  // a x + y
    return make_float4(fmaf(a, x.x, y.x), fmaf(a, x.y, y.y), fmaf(a, x.z, y.z), fmaf(a, x.w, y.w));
}

static __device__ __forceinline__ float4 mul4(float a, float4 x) {
    return make_float4(a * x.x, a * x.y, a * x.z, a * x.w);
}

// 2^(s - top), and 0 where there is no key and s is -INFINITY (top may be too).
static __device__ __forceinline__ float weight(float s, float top) { return s == -INFINITY ? 0 : exp2f(s - top); }

// x[a][t] = this lane's dims of rows first, first + GROUPS, ...; zeros from row `end` on, and from dim D on.
template <int NV, int AHEAD>
static __device__ __forceinline__ void load_rows(float4 (&x)[AHEAD][NV], const float *rows, int first, int end, int D) {
    UNROLL for (int a = 0; a < AHEAD; a++) UNROLL for (int t = 0; t < NV; t++) {
        int row = first + a * GROUPS, col = 4 * (threadIdx.x % 8) + 32 * t;
        bool inside = row < end && col < D;
        x[a][t] = inside ? *(const float4 *)(rows + (size_t)row * D + col) : make_float4(0, 0, 0, 0);
    }
}

// O[0..3] = the joint output of all groups for four dims; part_o: those dims of group 0, the next group's `stride` on.
// Returns log2 of the joint sum of 2^score. Without any key O is 0, and -INFINITY gives this split no weight.
static __device__ __forceinline__ float join_groups(float *O, const float4 *part_o, int stride, const float *part_m,
                                                    const float *part_l) {
    float top = -INFINITY, sum = 0;
    float4 out = make_float4(0, 0, 0, 0);
    UNROLL for (int g = 0; g < GROUPS; g++) top = fmaxf(top, part_m[g]);
    UNROLL for (int g = 0; g < GROUPS; g++) {
        float w = weight(part_m[g], top);
        sum += w * part_l[g];
        out = fma4(w, part_o[g * stride], out);
    }
    *(float4 *)O = mul4(sum > 0 ? 1 / sum : 0, out);
    return top + log2f(sum);
}

// Block (h, s): split s of n_splits of sequence-and-head h. O: [B H, n_splits, D], normalised; L: [B H, n_splits],
// log2 of the sum of 2^score. NV = D / 32, rounded up: float4s of a lane.
template <int NV>
static __global__ void __launch_bounds__(THREADS)
    decode(float *O, float *L, const float *Q, const float *K, const float *V, const int *lengths, attn_cache cache) {
    constexpr int AHEAD = NV <= 2 ? 4 : 2;  // keys of a lane under way at once: enough bytes to keep memory busy
    __shared__ float4 part_o[GROUPS][8 * NV];
    __shared__ float part_m[GROUPS], part_l[GROUPS];
    const int D = cache.head_dim, n_splits = gridDim.y, split = blockIdx.y;
    const int group = threadIdx.x / 8, tx = threadIdx.x % 8;
    const size_t head = blockIdx.x;
    K += head * cache.max_seq * D;
    V += head * cache.max_seq * D;

    const int length = lengths[head / cache.heads], share = (length + n_splits - 1) / n_splits;
    const int begin = min(length, split * share), end = min(length, begin + share);

    float m = -INFINITY, l = 0, scale = 1.44269504f / sqrtf((float)D);  // log2(e) / sqrt(D): exp of a score is 2^s
    float4 q[1][NV], o[NV] = {}, k[AHEAD][NV], v[AHEAD][NV];
    load_rows(q, Q + head * D, 0, 1, D);
    load_rows(k, K, begin + group, end, D);
    for (int first = begin; first < end; first += AHEAD * GROUPS) {  // as often for all lanes of a warp: they shuffle
        load_rows(v, V, first + group, end, D);
        float s[AHEAD] = {}, top = m;
        UNROLL for (int a = 0; a < AHEAD; a++) {
            UNROLL for (int t = 0; t < NV; t++) s[a] = dot4(q[0][t], k[a][t], s[a]);
            UNROLL for (int bit = 1; bit <= 4; bit *= 2) s[a] += __shfl_xor_sync(0xffffffff, s[a], bit);
            s[a] = first + a * GROUPS + group < end ? s[a] * scale : -INFINITY;
            top = fmaxf(top, s[a]);
        }
        load_rows(k, K, first + AHEAD * GROUPS + group, end, D);  // the next keys: on their way while these are summed

        float rescale = weight(m, top);
        m = top;
        l *= rescale;
        UNROLL for (int t = 0; t < NV; t++) o[t] = mul4(rescale, o[t]);
        UNROLL for (int a = 0; a < AHEAD; a++) {
            float p = weight(s[a], top);
            l += p;
            UNROLL for (int t = 0; t < NV; t++) o[t] = fma4(p, v[a][t], o[t]);
        }
    }

    if (tx == 0) part_m[group] = m, part_l[group] = l;
    UNROLL for (int t = 0; t < NV; t++) part_o[group][tx + 8 * t] = o[t];
    __syncthreads();  // the parts of all groups are written before any thread joins them

    if (threadIdx.x * 4 >= D) return;
    const size_t part = head * n_splits + split;
    float lse = join_groups(O + part * D + 4 * threadIdx.x, &part_o[0][threadIdx.x], 8 * NV, part_m, part_l);
    if (L && threadIdx.x == 0) L[part] = lse;
}

static attn_status launch_decode(float *O, float *L, const float *Q, const float *K, const float *V, const int *lengths,
                                 int n_splits, attn_cache cache, cudaStream_t stream) {
    dim3 grid(cache.batch * cache.heads, n_splits);
    if (cache.head_dim <= 32)
        decode<1><<<grid, THREADS, 0, stream>>>(O, L, Q, K, V, lengths, cache);
    else if (cache.head_dim <= 64)
        decode<2><<<grid, THREADS, 0, stream>>>(O, L, Q, K, V, lengths, cache);
    else if (cache.head_dim <= 96)
        decode<3><<<grid, THREADS, 0, stream>>>(O, L, Q, K, V, lengths, cache);
    else
        decode<4><<<grid, THREADS, 0, stream>>>(O, L, Q, K, V, lengths, cache);
    return launched();
}

ATTN_API attn_status attn_decode(float *O, const float *Q, const float *K_cache, const float *V_cache,
                                 const int *lengths, attn_cache cache, cudaStream_t stream) {
    if (!cache_is_valid(cache)) return ATTN_BAD_SHAPE;
    return launch_decode(O, NULL, Q, K_cache, V_cache, lengths, 1, cache, stream);
}

// ---- Split-KV -------------------------------------------------------------------------------------------------------
// One block per sequence and head, one thread per dim. part_O: [B H, n_splits, D], L: [B H, n_splits], in log2.
static __global__ void combine(float *O, const float *part_O, const float *L, int n_splits, int D) {
    const size_t head = blockIdx.x;
    const int d = threadIdx.x;
    float top = -INFINITY, sum = 0, out = 0;
    for (int s = 0; s < n_splits; s++) top = fmaxf(top, L[head * n_splits + s]);
    for (int s = 0; s < n_splits; s++) {
        float w = weight(L[head * n_splits + s], top);
        sum += w;
        out = fmaf(w, part_O[(head * n_splits + s) * D + d], out);
    }
    O[head * D + d] = sum > 0 ? out / sum : 0;
}

// Enough blocks to fill every multiprocessor, but at least SPLIT_KEYS keys each in a full cache.
static int choose_splits(attn_cache cache) {
    int device = 0, multiprocessors = 1, pairs = cache.batch * cache.heads;
    cudaGetDevice(&device);
    cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device);
    int n = 4 * multiprocessors / pairs, most = cache.max_seq / SPLIT_KEYS;
    if (n > most) n = most;
    return n < 1 ? 1 : n > ATTN_MAX_SPLITS ? ATTN_MAX_SPLITS : n;
}

ATTN_API attn_status attn_decode_split(float *O, const float *Q, const float *K_cache, const float *V_cache,
                                       const int *lengths, float *workspace, int n_splits, attn_cache cache,
                                       cudaStream_t stream) {
    if (!cache_is_valid(cache) || n_splits < 0 || n_splits > ATTN_MAX_SPLITS) return ATTN_BAD_SHAPE;
    if (n_splits == 0) n_splits = choose_splits(cache);
    if (n_splits == 1) return attn_decode(O, Q, K_cache, V_cache, lengths, cache, stream);

    const int pairs = cache.batch * cache.heads;
    float *part_O = workspace, *L = workspace + (size_t)pairs * n_splits * cache.head_dim;
    attn_status status = launch_decode(part_O, L, Q, K_cache, V_cache, lengths, n_splits, cache, stream);
    if (status != ATTN_OK) return status;
    combine<<<pairs, cache.head_dim, 0, stream>>>(O, part_O, L, n_splits, cache.head_dim);
    return launched();
}
