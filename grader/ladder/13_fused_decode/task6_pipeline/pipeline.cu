// pipeline.cu: the layer of task 6 with one kernel for what a decode step does to the cache: append, attend, join. Prefill
// is the answer's.
//
//     a cluster of 8 blocks per sequence and head, each with an eighth of its keys:
//
//     keys      0 ................................. n - 1 | n       n: the new token, read from work.K and work.V
//     blocks    |  0  |  1  |  2  |  3  |  4  |  5  |  6  |  7  |   block 7 also writes it to the cache
//                  |     |                             |     |
//                  m, l, o of each ---- shared memory of block 0 ---> joined: O
//
// Before the query has been computed, a block asks for its keys and values: into L2 only, because what it reads there
// does not change any result. So the memory is busy while the product before it ends.
#include "task6.h"

#include <cooperative_groups.h>
#include <math.h>

#include "../ladder/13_fused_decode/part.h"

namespace cg = cooperative_groups;

enum { BLOCKS = 8, MAX_BATCH = 256 };  // blocks of a cluster

#define TRY(call)                                                                                                      \
    do {                                                                                                               \
        const attn_status status_ = (call);                                                                            \
        if (status_ != ATTN_OK) return status_;                                                                        \
    } while (0)

static attn_status launched(void) { return cudaGetLastError() == cudaSuccess ? ATTN_OK : ATTN_CUDA_ERROR; }

// ---- Prefill: as in the answer --------------------------------------------------------------------------------------
static __global__ void store(float *K_cache, float *V_cache, int *lengths, const float *K, const float *V,
                             const int *count, int S, attn_cache size) {
    const size_t bh = blockIdx.x;
    const int b = blockIdx.x / size.heads, D = size.head_dim, i = blockIdx.y * THREADS + threadIdx.x;
    if (i < count[b] * D) {
        K_cache[bh * size.max_seq * D + i] = K[bh * S * D + i];
        V_cache[bh * size.max_seq * D + i] = V[bh * S * D + i];
    }
    if (blockIdx.x % size.heads == 0 && i == 0) lengths[b] = count[b];
}

static attn_status prefill(attn_layer_workspace work, attn_layer_cache cache, attn_tokens tokens, attn_shape shape,
                           const attn_functions *call, cudaStream_t stream) {
    const attn_cache size = cache.size;
    const dim3 grid(size.batch * size.heads, (tokens.seq * size.head_dim + THREADS - 1) / THREADS);
    store<<<grid, THREADS, 0, stream>>>(cache.K, cache.V, cache.lengths, work.K, work.V, tokens.count_device,
                                        tokens.seq, size);
    TRY(launched());
    shape.causal = 1;
    return call->flash(work.O, work.Q, work.K, work.V, shape, stream);
}

// ---- Decode ---------------------------------------------------------------------------------------------------------
// Keys begin .. end - 1 by this thread's group.
template <int NV>
static __device__ __forceinline__ part<NV> attend(const float *q_row, keys k, keys v, int begin, int end) {
    constexpr int AHEAD = NV <= 2 ? 4 : 2;  // keys of a lane under way at once
    const int group = threadIdx.x / 8;
    const float scale = 1.44269504f / sqrtf((float)k.D);  // log2(e) / sqrt(D): exp of a score is 2^s
    part<NV> mine;
    float4 q[1][NV], ks[AHEAD][NV], vs[AHEAD][NV];
    load_rows(q, {q_row, q_row, 0, k.D}, 0, 1);
    load_rows(ks, k, begin + group, end);
    for (int first = begin; first < end; first += AHEAD * GROUPS) {  // as often for all lanes of a warp: they shuffle
        load_rows(vs, v, first + group, end);
        float s[AHEAD] = {};
        UNROLL for (int a = 0; a < AHEAD; a++) {
            UNROLL for (int t = 0; t < NV; t++) s[a] = dot4(q[0][t], ks[a][t], s[a]);
            UNROLL for (int bit = 1; bit <= 4; bit *= 2) s[a] += __shfl_xor_sync(0xffffffff, s[a], bit);
            s[a] = first + a * GROUPS + group < end ? s[a] * scale : -INFINITY;
        }
        load_rows(ks, k, first + AHEAD * GROUPS + group, end);
        mine.add(s, vs);
    }
    return mine;
}

// Asks for rows begin .. end - 1 of K and V. L2 alone: the rows may still change.
static __device__ __forceinline__ void ask(const float *K, const float *V, int begin, int end, int D) {
#if defined(__CUDACC__) && defined(__CUDA_ARCH__)
    for (int i = begin * D + 32 * threadIdx.x; i < end * D; i += 32 * THREADS) {
        asm volatile("prefetch.global.L2 [%0];" ::"l"(K + i));
        asm volatile("prefetch.global.L2 [%0];" ::"l"(V + i));
    }
#endif
}

static __device__ unsigned heads_done[MAX_BATCH];  // of each sequence; 0 between kernels

// Cluster (b, h). What a kernel before this one has written is read after cudaGridDependencySynchronize()
// only; see above for ask().
template <int NV>
static __global__ void __launch_bounds__(THREADS)
    append_attend(float *O, const float *Q, const float *k_new, const float *v_new, float *K, float *V, int *lengths,
                  attn_cache size) {
    __shared__ parts<NV, WARPS> warps;
    __shared__ parts<NV, BLOCKS> blocks;  // block 0's is used
    cg::cluster_group cluster = cg::this_cluster();
    const int rank = cluster.block_rank(), D = size.head_dim, warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    const size_t pair = blockIdx.x / BLOCKS;
    const int b = pair / size.heads;
    K += pair * size.max_seq * D, V += pair * size.max_seq * D;
    Q += pair * D, O += pair * D, k_new += pair * D, v_new += pair * D;
    const int known = min(max(*(volatile int *)(lengths + b), 0), size.max_seq);
    ask(K, V, known * rank / BLOCKS, known * (rank + 1) / BLOCKS, D);
#if defined(__CUDACC__) && defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
    cudaTriggerProgrammaticLaunchCompletion();  // what follows asks for its weights beside this kernel
    cluster.sync();                             // block 0 runs, so that its shared memory can be written
    cudaGridDependencySynchronize();
#else
    cluster.sync();
#endif
    // The length is as it was: so keys are asked for before it has been read once more. Else once again.
    const int now = *(volatile int *)(lengths + b);
    int n = known, begin, end;
    part<NV> mine;
    while (true) {
        const int share = (n + BLOCKS) / BLOCKS;  // of n + 1 keys
        begin = min(n + 1, rank * share), end = min(n + 1, begin + share);
        mine = attend<NV>(Q, {K, k_new, n, D}, {V, v_new, n, D}, begin, end);
        if (n == now) break;
        n = now;
    }
    if (begin <= n && n < end && n < size.max_seq && threadIdx.x * 4 < D) {
        ((float4 *)(K + (size_t)n * D))[threadIdx.x] = ((const float4 *)k_new)[threadIdx.x];
        ((float4 *)(V + (size_t)n * D))[threadIdx.x] = ((const float4 *)v_new)[threadIdx.x];
    }
    mine.join_warp();
    if (lane == 0) warps.m[warp] = mine.m, warps.l[warp] = mine.l;
    if (lane < 8) UNROLL for (int t = 0; t < NV; t++) warps.o[warp][lane + 8 * t] = mine.o[t];
    __syncthreads();  // the parts of all warps are written before any thread joins them
    parts<NV, BLOCKS> *first = cluster.map_shared_rank(&blocks, 0);
    float top, sum;
    if (threadIdx.x < 8 * NV) {
        const float4 o = warps.join(threadIdx.x, &top, &sum);
        first->o[rank][threadIdx.x] = o;
        if (threadIdx.x == 0) first->m[rank] = top, first->l[rank] = sum;
    }
    cluster.sync();  // all parts are in block 0, and every block has read the length
    if (rank != 0) return;
    if (threadIdx.x * 4 < D) {
        const float4 o = blocks.join(threadIdx.x, &top, &sum);
        ((float4 *)O)[threadIdx.x] = mul4(1 / sum, o);
    }
    // The length changes when the last head of the sequence has been here. (atomicInc sets the count back to 0.)
    if (threadIdx.x == 0 && n < size.max_seq && atomicInc(heads_done + b, size.heads - 1) == size.heads - 1)
        lengths[b] = n + 1;
}

template <int NV> static attn_status launch(attn_layer_workspace work, attn_layer_cache cache, cudaStream_t stream) {
    cudaLaunchAttribute with[2] = {};
    with[0].id = cudaLaunchAttributeClusterDimension;
    with[0].val.clusterDim.x = BLOCKS, with[0].val.clusterDim.y = with[0].val.clusterDim.z = 1;
    cudaLaunchConfig_t config = {};
#ifdef __CUDACC__
    with[1].id = cudaLaunchAttributeProgrammaticStreamSerialization;
    with[1].val.programmaticStreamSerializationAllowed = 1;
    config.numAttrs = 2;
#else
    config.numAttrs = 1;
#endif
    config.gridDim = dim3(cache.size.batch * cache.size.heads * BLOCKS), config.blockDim = dim3(THREADS);
    config.stream = stream, config.attrs = with;
    cudaLaunchKernelEx(&config, append_attend<NV>, work.O, (const float *)work.Q, (const float *)work.K,
                       (const float *)work.V, cache.K, cache.V, cache.lengths, cache.size);
    return launched();
}

static attn_status decode(attn_layer_workspace work, attn_layer_cache cache, const attn_functions *call,
                          cudaStream_t stream) {
    const int D = cache.size.head_dim;
    if (cache.size.batch <= MAX_BATCH && D % 4 == 0 && D <= 128)
        return (D <= 32 ? launch<1> : D <= 64 ? launch<2> : D <= 96 ? launch<3> : launch<4>)(work, cache, stream);
    TRY(call->append(cache.K, cache.V, cache.lengths, work.K, work.V, cache.size, stream));
    return call->decode(work.O, work.Q, cache.K, cache.V, cache.lengths, cache.size, stream);
}

// ---- The layer ------------------------------------------------------------------------------------------------------
ATTN_API attn_status attn_layer_forward(float *Y, const float *X, attn_layer_weights weights, attn_layer_cache cache,
                                        attn_tokens tokens, attn_layer_workspace work, const attn_functions *call,
                                        cudaStream_t stream) {
    const int B = cache.size.batch, H = cache.size.heads, S = tokens.seq, D = cache.size.head_dim, E = H * D;
    const attn_shape shape = {B, H, S, S, D, 0};
    int fresh = 0;  // sequences without a past
    for (int b = 0; b < B; b++) fresh += tokens.past[b] == 0;
    if (fresh != B && (fresh > 0 || S != 1)) return ATTN_BAD_SHAPE;
    for (int b = 0; b < B; b++)
        if (tokens.past[b] + tokens.count[b] > cache.size.max_seq) return ATTN_CACHE_FULL;

    TRY(call->linear(work.qkv, X, weights.W_qkv, weights.b_qkv, B * S, E, 3 * E, stream));
    TRY(call->split_qkv(work.Q, work.K, work.V, work.qkv, shape, stream));
    TRY(fresh == B ? prefill(work, cache, tokens, shape, call, stream) : decode(work, cache, call, stream));
    TRY(call->merge_heads(work.merged, work.O, shape, stream));
    return call->linear(Y, work.merged, weights.W_out, weights.b_out, B * S, E, E, stream);
}
