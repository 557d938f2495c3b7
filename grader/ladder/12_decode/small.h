// small.h: decoding where K and V of all heads fit into the device's registers at once. Nothing is there to stream, so
// what counts is how many trips to memory stand in a row. Here there are two: K, V, the query and the lengths, all asked
// for in one go, and the output.
//
// So all blocks have places at the same time, up to five on a multiprocessor: 25 MB of K and V are under way at once.
//
// A cluster of blocks has a head. Where its keys lie follows from max_seq, not from lengths: no load waits for another,
// and what lies beyond a length is read in vain.
//
//      keys     0 .. 63     64 .. 127    128 .. 191  ...
//               block 0      block 1      block 2    ...   of the cluster: m, l, o of its keys
//                  ^------------+------------+             st.async: into the shared memory of block 0, which joins them
#ifndef SMALL_H
#define SMALL_H

#include "part.h"

enum { GPC = 16 };  // multiprocessors among which a cluster may lie: of an H200 16 or 18

template <class P_, int PER_> struct small_plan {
    typedef P_ P;
    static constexpr int PER = PER_, KEYS = WARPS * P::GROUPS * PER;  // of a lane; of a block
    static constexpr int MOST = 16, ROW = P::DP + 4;                  // blocks of a cluster; of a part: m, l, -, -, o
    static constexpr int PLACES = PER == 4 ? 5 : 3;                   // blocks of a multiprocessor, by their registers
};

DEVICE void cluster_arrive() { asm volatile("barrier.cluster.arrive.relaxed;" ::: "memory"); }
DEVICE void cluster_wait() { asm volatile("barrier.cluster.wait;" ::: "memory"); }
DEVICE uint32_t in_block_0(const void *p) {  // the same place there
    uint32_t at;
    asm volatile("mapa.shared::cluster.u32 %0, %1, 0;" : "=r"(at) : "r"(shared_address(p)));
    return at;
}
DEVICE void send(uint32_t to, float4 x, uint32_t barrier) {
    asm volatile("st.async.shared::cluster.mbarrier::complete_tx::bytes.v4.f32 [%0], {%1, %2, %3, %4}, [%5];" ::"r"(to),
                 "f"(x.x), "f"(x.y), "f"(x.z), "f"(x.w), "r"(barrier)
                 : "memory");
}

// n parts in shared memory become one: four dims of it, from d on.
template <class S> DEVICE float4 join_all(const float (*parts)[S::ROW], int n, int d, float &top, float &l) {
    float4 o = make_float4(0, 0, 0, 0);
    top = -1e30f, l = 0;
#pragma unroll 8
    for (int i = 0; i < n; i++) top = fmaxf(top, parts[i][0]);
#pragma unroll 8
    for (int i = 0; i < n; i++) {
        const float a = exp2_approx(parts[i][0] - top);
        const float4 x = *(const float4 *)(parts[i] + 4 + d);
        l += a * parts[i][1], o.x += a * x.x, o.y += a * x.y, o.z += a * x.z, o.w += a * x.w;
    }
    return o;
}
DEVICE void store4(float *p, float4 x) { *(float4 *)p = x; }
DEVICE void store4(__half *p, float4 x) {
    *(__half2 *)p = __floats2half2_rn(x.x, x.y), *(__half2 *)(p + 2) = __floats2half2_rn(x.z, x.w);
}

// What a warp's lanes have of the keys becomes its part. live: this lane's keys are below that, those beyond may be NaN.
template <class S>
DEVICE void attend(float *part, const uint4 (&k)[S::PER], const uint4 (&v)[S::PER], const uint4 &query, int live,
                   float scale) {
    typedef typename S::P P;
    const int lane = threadIdx.x % 32;
    float q[P::E], x[P::E], s[S::PER] = {}, top = -1e30f, l = 0, o[P::E] = {};
    unpack(q, (const char *)&query);
    UNROLL for (int i = 0; i < S::PER; i++) {
        unpack(x, (const char *)&k[i]);
        UNROLL for (int e = 0; e < P::E; e++) s[i] += q[e] * x[e];
    }
    UNROLL for (int bit = 1; bit < P::LANES; bit *= 2) UNROLL for (int i = 0; i < S::PER; i++) s[i] +=
        __shfl_xor_sync(0xffffffff, s[i], bit);
    UNROLL for (int i = 0; i < S::PER; i++) {
        s[i] = i * WARPS * P::GROUPS < live ? s[i] * scale : -INFINITY;
        top = fmaxf(top, s[i]);
    }
    UNROLL for (int bit = P::LANES; bit < 32; bit *= 2) top = fmaxf(top, __shfl_xor_sync(0xffffffff, top, bit));
    UNROLL for (int i = 0; i < S::PER; i++) if (i * WARPS * P::GROUPS < live) {  // no 0 * NaN
        const float p = exp2_approx(s[i] - top);
        unpack(x, (const char *)&v[i]);
        l += p;
        UNROLL for (int e = 0; e < P::E; e++) o[e] += p * x[e];
    }
    UNROLL for (int bit = P::LANES; bit < 32; bit *= 2) {
        l += __shfl_xor_sync(0xffffffff, l, bit);
        UNROLL for (int e = 0; e < P::E; e++) o[e] += __shfl_xor_sync(0xffffffff, o[e], bit);
    }
    if (lane == 0) part[0] = top, part[1] = l;
    if (lane < P::LANES)
        UNROLL for (int e = 0; e < P::E; e += 4)
            store4(part + 4 + lane * P::E + e, make_float4(o[e], o[e + 1], o[e + 2], o[e + 3]));
}

template <class S>
static __global__ void __launch_bounds__(32 * WARPS, S::PLACES)
    decode_small(typename S::P::T *O, const typename S::P::T *Q, const typename S::P::T *K, const typename S::P::T *V,
                 const int *lengths, attn_cache c, int blocks, float scale) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
    typedef typename S::P P;
    __shared__ __align__(16) float parts[WARPS][S::ROW], mail[S::MOST][S::ROW];  // of warps; of blocks
    __shared__ uint64_t mailed;
    const int w = threadIdx.x / 32, lane = threadIdx.x % 32, D = c.head_dim, rank = blockIdx.x % blocks;
    const size_t pair = blockIdx.x / blocks;
    if (threadIdx.x == 0) {
        init(&mailed, 1);
        asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
        if (rank == 0) expect_bytes(&mailed, blocks * (D + 4) * 4);
    }
    cluster_arrive();  // block 0 waits for mail
    cudaTriggerProgrammaticLaunchCompletion();
    const int first = rank * S::KEYS, rows = min(S::KEYS, c.max_seq - first);
    const size_t at = (pair * c.max_seq + first) * D;
    if (threadIdx.x < 2 && rows > 0)  // into L2, while the kernel before is still at work
        asm volatile("cp.async.bulk.prefetch.L2.global [%0], %1;" ::"l"((threadIdx.x ? V : K) + at),
                     "r"(rows * D * (int)sizeof *K)
                     : "memory");
    cudaGridDependencySynchronize();  // what earlier kernels write is there

    const int col = lane % P::LANES * P::E, row = w * P::GROUPS + lane / P::LANES;
    uint4 k[S::PER] = {}, v[S::PER] = {}, query = {};
    if (col < D) query = __ldcg((const uint4 *)(Q + pair * D + col));
    UNROLL for (int i = 0; i < S::PER; i++) if (row + i * WARPS * P::GROUPS < rows && col < D) {
        const size_t from = at + (size_t)(row + i * WARPS * P::GROUPS) * D + col;
        k[i] = __ldcg((const uint4 *)(K + from)), v[i] = __ldcg((const uint4 *)(V + from));
    }
    attend<S>(parts[w], k, v, query, __ldcg(lengths + pair / c.heads) - first - row, scale);
    __syncthreads();  // all warps' parts stand
    cluster_wait();   // all blocks have arrived above
    const int d = lane * 4;
    if (w > 0 || d >= D) return;
    float top, l;
    const float4 mine = join_all<S>(parts, WARPS, d, top, l);
    const uint32_t to = in_block_0(mail[rank]), barrier = in_block_0(&mailed);
    send(to + 16 + d * 4, mine, barrier);
    if (lane == 0) send(to, make_float4(top, l, 0, 0), barrier);
    if (rank > 0) return;
    wait(&mailed, 0);  // for the mail of all
    float4 out = join_all<S>(mail, blocks, d, top, l);
    const float norm = l > 0 ? 1 / l : 0;
    out.x *= norm, out.y *= norm, out.z *= norm, out.w *= norm;
    store4(O + pair * D + d, out);
#endif
}

// Launches it, if the cache is small enough. PER: rows of K and of V in a lane's registers.
template <class P, int PER>
static bool launch_small(typename P::T *O, const typename P::T *Q, const typename P::T *K, const typename P::T *V,
                         const int *lengths, attn_cache c, cudaStream_t stream) {
    typedef small_plan<P, PER> S;
    const int fewest = max(2, (c.max_seq + S::KEYS - 1) / S::KEYS);  // blocks of a head. Mail wants two at least
    const size_t heads = (size_t)c.batch * c.heads, gpcs = multiprocessors() / GPC;
    auto fit = [&](int n) { return n <= S::MOST && heads <= gpcs * (GPC * S::PLACES / n); };  // all at one time
    int blocks = 2;
    while (blocks < fewest) blocks *= 2;  // more blocks have more bytes on their way
    if (!fit(blocks)) blocks = fewest;
    if (!fit(blocks)) return false;
    cudaFuncSetAttribute(decode_small<S>, cudaFuncAttributeNonPortableClusterSizeAllowed, 1);  // 16 blocks
    cudaLaunchAttribute with[2] = {overlap()};
    with[1].id = cudaLaunchAttributeClusterDimension, with[1].val.clusterDim = {(unsigned)blocks, 1, 1};
    cudaLaunchConfig_t config = {};
    config.gridDim = dim3(heads * blocks), config.blockDim = dim3(32 * WARPS);
    config.stream = stream, config.attrs = with, config.numAttrs = 2;
    cudaLaunchKernelEx(&config, decode_small<S>, O, Q, K, V, lengths, c, blocks,
                       1.44269504f / sqrtf((float)c.head_dim));
    return true;
}

#endif
