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
//
// A decode step is a chain of short kernels. "Programmatic dependent launch" (CUDA Programming Guide; sm_90 on) lets the
// blocks of the next kernel start while the one before it ends.
#include "task5.h"

#include <math.h>

#define UNROLL _Pragma("unroll")  // register arrays must be indexed by constants, or they move to memory

enum { THREADS = 128, GROUPS = THREADS / 8, APPEND_THREADS = 256, SPLIT_KEYS = 64 };

static int cache_is_valid(attn_cache c) {
    return c.batch >= 1 && c.heads >= 1 && c.max_seq >= 1 &&  //
           c.head_dim >= 8 && c.head_dim <= 128 && c.head_dim % 8 == 0;
}

// ---- Launches that overlap ------------------------------------------------------------------------------------------
// Every kernel calls wait_for_previous() before it reads or writes what another kernel writes or reads, and
// let_next_start() where its successor's blocks are welcome beside its own. wait_for_previous() waits until the previous
// kernel is complete, so a kernel that is launched in the usual way finds everything in place, too.
static __device__ __forceinline__ void let_next_start(void) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
    cudaTriggerProgrammaticLaunchCompletion();
#endif
}

static __device__ __forceinline__ void wait_for_previous(void) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
    cudaGridDependencySynchronize();
#endif
}

static inline attn_status launched(void) { return cudaGetLastError() == cudaSuccess ? ATTN_OK : ATTN_CUDA_ERROR; }

template <class... P, class... A>
static attn_status launch(void (*kernel)(P...), dim3 grid, int threads, cudaStream_t stream, A... arguments) {
#ifdef __CUDACC__
    static int major = -1;  // of the compute capability
    int device = 0;
    if (major < 0 && cudaGetDevice(&device) == cudaSuccess)
        cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device);
    cudaLaunchAttribute overlap = {};
    overlap.id = cudaLaunchAttributeProgrammaticStreamSerialization;
    overlap.val.programmaticStreamSerializationAllowed = 1;
    cudaLaunchConfig_t config = {};
    config.gridDim = grid, config.blockDim = dim3(threads), config.stream = stream;
    config.attrs = &overlap, config.numAttrs = major == 9;  // newer GPUs could: where it has been measured
    cudaLaunchKernelEx(&config, kernel, arguments...);
#else
    kernel<<<grid, threads, 0, stream>>>(arguments...);
#endif
    return launched();
}

// ---- Append ---------------------------------------------------------------------------------------------------------
// One block per sequence, because the length changes once all heads have used it.
static __global__ void append(float *K_cache, float *V_cache, int *lengths, const float *k_new, const float *v_new,
                              attn_cache cache) {
    wait_for_previous();  // k_new and v_new have been computed, and nobody reads the cache any more
    let_next_start();     // not before: decode's blocks are to find all multiprocessors equally free
    const int b = blockIdx.x, D = cache.head_dim, slot = lengths[b];
    const bool fits = slot < cache.max_seq;
    for (int i = 4 * threadIdx.x; i < cache.heads * D; i += 4 * blockDim.x) {
        size_t head = (size_t)b * cache.heads + i / D;
        size_t to = (head * cache.max_seq + slot) * D + i % D, from = (size_t)b * cache.heads * D + i;
        float4 k = *(const float4 *)(k_new + from), v = *(const float4 *)(v_new + from);  // on their way, as slot is
        if (fits) *(float4 *)(K_cache + to) = k, *(float4 *)(V_cache + to) = v;
    }
    __syncthreads();  // every thread has read the old length before thread 0 changes it
    if (fits && threadIdx.x == 0) lengths[b] = slot + 1;
}

ATTN_API attn_status attn_cache_append(float *K_cache, float *V_cache, int *lengths, const float *k_new,
                                       const float *v_new, attn_cache cache, cudaStream_t stream) {
    if (!cache_is_valid(cache)) return ATTN_BAD_SHAPE;
    return launch(append, cache.batch, APPEND_THREADS, stream, K_cache, V_cache, lengths, k_new, v_new, cache);
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

// Adds keys with scores s, in log2, and values v to a lane's running maximum m, sum l and output o.
template <int NV, int AHEAD>
static __device__ __forceinline__ void add_keys(float &m, float &l, float4 (&o)[NV], const float (&s)[AHEAD],
                                                const float4 (&v)[AHEAD][NV]) {
    float top = m;
    UNROLL for (int a = 0; a < AHEAD; a++) top = fmaxf(top, s[a]);
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

// O[0 .. D - 1] = the joint output of the block's groups. Returns log2 of the joint sum of 2^score, in thread 0. Without
// any key O is 0, and -INFINITY gives this split no weight.
template <int NV>
static __device__ __forceinline__ float join_groups(float *O, float m, float l, const float4 (&o)[NV], int D) {
    __shared__ float4 part_o[GROUPS][8 * NV];
    __shared__ float part_m[GROUPS], part_l[GROUPS];
    const int group = threadIdx.x / 8, tx = threadIdx.x % 8;
    if (tx == 0) part_m[group] = m, part_l[group] = l;
    UNROLL for (int t = 0; t < NV; t++) part_o[group][tx + 8 * t] = o[t];
    __syncthreads();  // the parts of all groups are written before any thread joins them

    if (threadIdx.x * 4 >= D) return -INFINITY;
    float top = -INFINITY, sum = 0;
    float4 out = make_float4(0, 0, 0, 0);
    UNROLL for (int g = 0; g < GROUPS; g++) top = fmaxf(top, part_m[g]);
    UNROLL for (int g = 0; g < GROUPS; g++) {
        float w = weight(part_m[g], top);
        sum += w * part_l[g];
        out = fma4(w, part_o[g][threadIdx.x], out);
    }
    *(float4 *)(O + 4 * threadIdx.x) = mul4(sum > 0 ? 1 / sum : 0, out);
    return top + log2f(sum);
}

// Block (h, s): split s of n_splits of sequence-and-head h. O: [B H, n_splits, D], normalised; L: [B H, n_splits],
// the log-sum-exp, or NULL. NV = D / 32, rounded up: float4s of a lane.
template <int NV>
static __global__ void __launch_bounds__(THREADS)
    decode(float *O, float *L, const float *Q, const float *K, const float *V, const int *lengths, attn_cache cache) {
    constexpr int AHEAD = NV <= 2 ? 4 : 2;  // keys of a lane under way at once: enough bytes to keep memory busy
    wait_for_previous();                    // the newest key and value are in the cache
    const int D = cache.head_dim, n_splits = gridDim.y, split = blockIdx.y, group = threadIdx.x / 8;
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
        float s[AHEAD] = {};
        UNROLL for (int a = 0; a < AHEAD; a++) {
            UNROLL for (int t = 0; t < NV; t++) s[a] = dot4(q[0][t], k[a][t], s[a]);
            UNROLL for (int bit = 1; bit <= 4; bit *= 2) s[a] += __shfl_xor_sync(0xffffffff, s[a], bit);
            s[a] = first + a * GROUPS + group < end ? s[a] * scale : -INFINITY;
        }
        load_rows(k, K, first + AHEAD * GROUPS + group, end, D);  // the next keys: on their way while these are summed
        add_keys(m, l, o, s, v);
    }
    let_next_start();  // what follows takes the places that are about to be free
    const size_t part = head * n_splits + split;
    const float lse = join_groups(O + part * D, m, l, o, D);
    if (L && threadIdx.x == 0) L[part] = lse * 0.693147181f;  // log(2): task5.h wants the natural logarithm
}

// Joins the splits of sequence-and-head blockIdx.x. This is attention once more: a split's log-sum-exp is its score, its
// output is its value. part_O: [B H, n_splits, D], L: [B H, n_splits].
template <int NV>
static __global__ void __launch_bounds__(THREADS)
    combine(float *O, const float *part_O, const float *L, int n_splits, int D) {
    constexpr int AHEAD = ATTN_MAX_SPLITS / GROUPS;
    wait_for_previous();  // the parts have been computed
    let_next_start();
    const int group = threadIdx.x / 8;
    const size_t head = blockIdx.x;
    float m = -INFINITY, l = 0, s[AHEAD];
    float4 o[NV] = {}, v[AHEAD][NV];
    load_rows(v, part_O + head * n_splits * D, group, n_splits, D);
    UNROLL for (int a = 0; a < AHEAD; a++) {
        int split = group + a * GROUPS;
        s[a] = split < n_splits ? L[head * n_splits + split] * 1.44269504f : -INFINITY;
    }
    add_keys(m, l, o, s, v);
    join_groups(O + head * D, m, l, o, D);
}

// ---- The functions of task5.h ---------------------------------------------------------------------------------------
// With one split decode writes O itself; parts: room for the results of more.
template <int NV>
static attn_status launch_decode(float *O, const float *Q, const float *K, const float *V, const int *lengths,
                                 float *parts, int n_splits, attn_cache cache, cudaStream_t stream) {
    const int pairs = cache.batch * cache.heads, D = cache.head_dim;
    const dim3 grid(pairs, n_splits);
    float *L = NULL;
    if (n_splits == 1) return launch(decode<NV>, grid, THREADS, stream, O, L, Q, K, V, lengths, cache);
    L = parts + (size_t)pairs * n_splits * D;
    const attn_status status = launch(decode<NV>, grid, THREADS, stream, parts, L, Q, K, V, lengths, cache);
    return status != ATTN_OK ? status : launch(combine<NV>, pairs, THREADS, stream, O, parts, L, n_splits, D);
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
    auto *launch_for = cache.head_dim <= 32   ? launch_decode<1>
                       : cache.head_dim <= 64 ? launch_decode<2>
                       : cache.head_dim <= 96 ? launch_decode<3>
                                              : launch_decode<4>;
    return launch_for(O, Q, K_cache, V_cache, lengths, workspace, n_splits, cache, stream);
}

ATTN_API attn_status attn_combine(float *O, const float *part_O, const float *L, int n_splits, attn_cache cache,
                                  cudaStream_t stream) {
    const int D = cache.head_dim;
    if (!cache_is_valid(cache) || n_splits < 1 || n_splits > ATTN_MAX_SPLITS) return ATTN_BAD_SHAPE;
    auto *kernel = D <= 32 ? combine<1> : D <= 64 ? combine<2> : D <= 96 ? combine<3> : combine<4>;
    return launch(kernel, cache.batch * cache.heads, THREADS, stream, O, part_O, L, n_splits, D);
}

ATTN_API attn_status attn_decode(float *O, const float *Q, const float *K_cache, const float *V_cache,
                                 const int *lengths, attn_cache cache, cudaStream_t stream) {
    return attn_decode_split(O, Q, K_cache, V_cache, lengths, NULL, 1, cache, stream);
}
