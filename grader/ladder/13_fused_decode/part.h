// part.h: a part of decode attention, of one query to some of its keys: how its rows are loaded, and how parts become one.
#ifndef FUSED_DECODE_PART_H
#define FUSED_DECODE_PART_H

#include <cuda_runtime.h>
#include <math.h>

#define UNROLL _Pragma("unroll")  // register arrays must be indexed by constants, or they move to memory

enum { THREADS = 256, GROUPS = THREADS / 8, WARPS = THREADS / 32 };  // of a block; a group of 8 lanes takes a key

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

// A head's keys, or values: n rows in the cache, and the newest, which is not there yet.
typedef struct {
    const float *rows, *newest;
    int n, D;
} keys;

// x[a][t] = this lane's dims of rows first, first + GROUPS, ...; zeros from row `end` on, and from dim D on. Eight lanes
// share a row: lane tx has dims 4tx + 32t + 0..3.
template <int NV, int AHEAD>
static __device__ __forceinline__ void load_rows(float4 (&x)[AHEAD][NV], keys k, int first, int end) {
    UNROLL for (int a = 0; a < AHEAD; a++) UNROLL for (int t = 0; t < NV; t++) {
        const int row = first + a * GROUPS, col = 4 * (threadIdx.x % 8) + 32 * t;
        const float *from = row == k.n ? k.newest : k.rows + (size_t)row * k.D;
        x[a][t] = row < end && col < k.D ? *(const float4 *)(from + col) : make_float4(0, 0, 0, 0);
    }
}

// A part of attention: the maximum of the scores, in log2, the sum of the weights, and the output, not yet divided by it.
template <int NV> struct part {
    float m = -INFINITY, l = 0;
    float4 o[NV] = {};

    template <int AHEAD> __device__ __forceinline__ void add(const float (&s)[AHEAD], const float4 (&v)[AHEAD][NV]) {
        float top = m;
        UNROLL for (int a = 0; a < AHEAD; a++) top = fmaxf(top, s[a]);
        const float rescale = weight(m, top);
        m = top, l *= rescale;
        UNROLL for (int t = 0; t < NV; t++) o[t] = mul4(rescale, o[t]);
        UNROLL for (int a = 0; a < AHEAD; a++) {
            const float p = weight(s[a], top);
            l += p;
            UNROLL for (int t = 0; t < NV; t++) o[t] = fma4(p, v[a][t], o[t]);
        }
    }

    // Joins the parts of the warp's four groups: every lane has its dims of all.
    __device__ __forceinline__ void join_warp() {
        UNROLL for (int bit = 8; bit <= 16; bit *= 2) {
            const float top = fmaxf(m, __shfl_xor_sync(0xffffffff, m, bit)), w = weight(m, top);
            l *= w, m = top;
            l += __shfl_xor_sync(0xffffffff, l, bit);
            UNROLL for (int t = 0; t < NV; t++) {
                o[t] = mul4(w, o[t]);
                o[t].x += __shfl_xor_sync(0xffffffff, o[t].x, bit), o[t].y += __shfl_xor_sync(0xffffffff, o[t].y, bit);
                o[t].z += __shfl_xor_sync(0xffffffff, o[t].z, bit), o[t].w += __shfl_xor_sync(0xffffffff, o[t].w, bit);
            }
        }
    }
};

// The parts of a block's warps, or of a cluster's blocks, in shared memory: MANY of them.
template <int NV, int MANY> struct parts {
    float4 o[MANY][8 * NV];
    float m[MANY], l[MANY];

    // Dims 4 four .. 4 four + 3 of all parts together.
    __device__ __forceinline__ float4 join(int four, float *top, float *sum) const {
        float4 out = make_float4(0, 0, 0, 0);
        *top = -INFINITY, *sum = 0;
        UNROLL for (int i = 0; i < MANY; i++) *top = fmaxf(*top, m[i]);
        UNROLL for (int i = 0; i < MANY; i++) {
            const float w = weight(m[i], *top);
            *sum += w * l[i];
            out = fma4(w, o[i][four], out);
        }
        return out;
    }
};

#endif
