// part.h: partial results of one head, m, l and o, and how they become one: of lanes, of warps, of blocks.
//
// A lane reads 16 bytes of a row. LANES lanes make a row; GROUPS rows of a warp stand side by side.
#ifndef PART_H
#define PART_H

#include <math.h>

#include "hopper.h"

enum { WARPS = 8, BLOCKS = 2, CHUNK = 4096 };  // BLOCKS a multiprocessor

template <class T_, int DP_> struct plan {  // DP: D, padded
    typedef T_ T;
    static constexpr int DP = DP_, LANES = DP * sizeof(T) / 16, GROUPS = 32 / LANES, E = 16 / sizeof(T);
    static constexpr int KEYS = CHUNK / (DP * sizeof(T)), PER = KEYS / GROUPS;  // of a chunk; of a lane in a chunk
    static constexpr int LEAST = 4, EXTRA = 4;  // chunks of a block; so many more where heads then end where blocks do
    static constexpr int BYTES = 1024 + WARPS * (2 * CHUNK + (DP + 4) * 8);
};

DEVICE void unpack(float (&x)[4], const char *p) {
    const float4 v = *(const float4 *)p;
    x[0] = v.x, x[1] = v.y, x[2] = v.z, x[3] = v.w;
}
DEVICE void unpack(float (&x)[8], const char *p) {
    const uint4 v = *(const uint4 *)p;
    const uint32_t u[4] = {v.x, v.y, v.z, v.w};
    UNROLL for (int i = 0; i < 4; i++) {
        const float2 f = __half22float2(*(const __half2 *)&u[i]);
        x[2 * i] = f.x, x[2 * i + 1] = f.y;
    }
}
DEVICE void store(float *p, float x) { *p = x; }
DEVICE void store(__half *p, float x) { *p = __float2half(x); }

template <class P> struct part {  // of one head: its query; running maximum, sum and output; E dims a lane
    float q[P::E] = {}, m = -1e30f, l = 0, o[P::E] = {};
    __device__ __forceinline__ part(const typename P::T *Q, int D) {  // the query, scaled for exp2
        const int first = threadIdx.x % P::LANES * P::E;
        if (first < D) unpack(q, (const char *)(Q + first));
        UNROLL for (int i = 0; i < P::E; i++) q[i] *= 1.44269504f / sqrtf((float)D);
    }
    __device__ __forceinline__ void join(float m2, float l2, const float (&o2)[P::E]) {
        const float top = fmaxf(m, m2), a = exp2_approx(m - top), b = exp2_approx(m2 - top);
        m = top, l = a * l + b * l2;
        UNROLL for (int i = 0; i < P::E; i++) o[i] = a * o[i] + b * o2[i];
    }
    __device__ __forceinline__ void add(const char *K, const char *V, int keys, int row) {  // a chunk
        const int lane = threadIdx.x % 32, first = lane / P::LANES, at = first * row + lane % P::LANES * 16;
        const bool inside = lane % P::LANES * 16 < row;
        float s[P::PER], top = m;
        UNROLL for (int k = 0; k < P::PER; k++) {
            float x[P::E] = {};
            if (inside) unpack(x, K + at + k * P::GROUPS * row);
            s[k] = 0;
            UNROLL for (int i = 0; i < P::E; i++) s[k] += q[i] * x[i];
        }
        UNROLL for (int bit = 1; bit < P::LANES; bit *= 2) UNROLL for (int k = 0; k < P::PER; k++) s[k] +=
            __shfl_xor_sync(0xffffffff, s[k], bit);
        UNROLL for (int k = 0; k < P::PER; k++) {
            if (first + k * P::GROUPS >= keys) s[k] = -INFINITY;
            top = fmaxf(top, s[k]);
        }
        const float rescale = exp2_approx(m - top);
        m = top, l *= rescale;
        UNROLL for (int i = 0; i < P::E; i++) o[i] *= rescale;
        UNROLL for (int k = 0; k < P::PER; k++) {
            const float p = exp2_approx(s[k] - m);
            float x[P::E] = {};
            if (inside && first + k * P::GROUPS < keys) unpack(x, V + at + k * P::GROUPS * row);  // no 0 * NaN
            l += p;
            UNROLL for (int i = 0; i < P::E; i++) o[i] += p * x[i];
        }
    }
    // The warp's part to shared memory, [DP + 4]: m, l, -, -, o.
    __device__ __forceinline__ void put(float *to) {
        const int lane = threadIdx.x % 32;
        UNROLL for (int bit = P::LANES; bit < 32; bit *= 2) {
            float other[P::E];
            UNROLL for (int i = 0; i < P::E; i++) other[i] = __shfl_xor_sync(0xffffffff, o[i], bit);
            join(__shfl_xor_sync(0xffffffff, m, bit), __shfl_xor_sync(0xffffffff, l, bit), other);
        }
        if (lane == 0) to[0] = m, to[1] = l;
        if (lane < P::LANES) UNROLL for (int i = 0; i < P::E; i++) to[4 + lane * P::E + i] = o[i];
    }
};

// What the warps left in shared memory, [WARPS][DP + 4]: m, l, -, -, o. Dim d of them all, rescaled to one maximum.
template <class P> DEVICE void join_warps(const float *parts, int d, float &top, float &l, float &o) {
    top = -1e30f, l = 0, o = 0;
    UNROLL for (int i = 0; i < WARPS; i++) top = fmaxf(top, parts[i * (P::DP + 4)]);
    UNROLL for (int i = 0; i < WARPS; i++) {
        const float *part = parts + i * (P::DP + 4), a = exp2_approx(part[0] - top);
        l += a * part[1], o += a * part[4 + d];
    }
}

// The last block of a head joins its parts, each warp some of them, into `mine`. Part of block i: slot 2i + 1 where the
// head begins in it, otherwise 2i.
template <class P> DEVICE void join_parts(float *mine, const float *slots, int first, int last, int D) {
    constexpr int N = P::DP / 32, BATCH = 4;  // so many are on their way at a time
    const int lane = threadIdx.x % 32;
    float top = -1e30f, l = 0, o[N] = {};
    for (int begin = first + threadIdx.x / 32; begin <= last; begin += BATCH * WARPS) {
        float m[BATCH], sum[BATCH], x[BATCH][N], next = top;
        UNROLL for (int k = 0; k < BATCH; k++) {
            const int i = begin + k * WARPS;
            const float *from = slots + (size_t)(2 * i + (i == first)) * (D + 2);
            m[k] = i <= last ? __ldcg(from) : -1e30f, sum[k] = i <= last ? __ldcg(from + 1) : 0;
            UNROLL for (int j = 0; j < N; j++) x[k][j] =
                i <= last && lane + 32 * j < D ? __ldcg(from + 2 + lane + 32 * j) : 0;
        }
        UNROLL for (int k = 0; k < BATCH; k++) next = fmaxf(next, m[k]);
        const float a = exp2_approx(top - next);
        top = next, l *= a;
        UNROLL for (int j = 0; j < N; j++) o[j] *= a;
        UNROLL for (int k = 0; k < BATCH; k++) {
            const float weight = exp2_approx(m[k] - top);
            l += weight * sum[k];
            UNROLL for (int j = 0; j < N; j++) o[j] += weight * x[k][j];
        }
    }
    if (lane == 0) mine[0] = top, mine[1] = l;
    UNROLL for (int j = 0; j < N; j++) mine[4 + lane + 32 * j] = o[j];
}

// What a block has of a head becomes the result, where it has all of the head, and otherwise a part in `slots`; the last
// of the head's blocks, first .. last, joins them. parts: shared memory, [WARPS][DP + 4], by the warps that call this.
template <class P>
DEVICE void finish_head(typename P::T *O, float *parts, float *slots, unsigned *arrived, int first, int last, int D) {
    __shared__ unsigned last_one;
    const int d = threadIdx.x, block = blockIdx.x;
    float *mine = parts + threadIdx.x / 32 * (P::DP + 4), top, l, o;
    named_sync(1, 32 * WARPS);  // all warps' parts stand; those of the head before the last are no longer read
    if (d < D) join_warps<P>(parts, d, top, l, o);
    if (first == last) {
        if (d < D) store(O + d, l > 0 ? o / l : 0);
        return;
    }
    float *slot = slots + (size_t)(2 * block + (block == first)) * (D + 2);
    if (d < D) {
        if (d == 0) slot[0] = top, slot[1] = l;
        slot[2 + d] = o;
        __threadfence();  // the part is visible before its arrival is
    }
    named_sync(1, 32 * WARPS);                                                // all of it
    if (d == 0) last_one = atomicInc(arrived, last - first) == last - first;  // the last one leaves 0
    named_sync(1, 32 * WARPS);                                                // all threads know
    if (!last_one) return;
    __threadfence();  // the other blocks' parts are read after their arrivals
    join_parts<P>(mine, slots, first, last, D);
    named_sync(1, 32 * WARPS);  // the warps' parts stand again
    if (d < D) join_warps<P>(parts, d, top, l, o), store(O + d, l > 0 ? o / l : 0);
}

#endif
