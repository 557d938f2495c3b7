// phases.h: what the 8 computing warps do between one exchange and the next. Thread t has of a row x of E numbers those
// numbered t / 2 + 128 i, i < KX, in registers; so its neighbour has the same ones, and takes the other half of 8 columns.
#ifndef ONE_KERNEL_PHASES_H
#define ONE_KERNEL_PHASES_H

#include "work.h"

struct desk {  // shared memory of the computing warps. What changes in each phase is there twice: one barrier a phase.
    float sums[2][MOST_UNITS][WARPS][8];
    float2 norm[2][WARPS];
    float4 heads[sizeof(parts<2, WARPS>) / 16];
    lab_candidate best[WARPS];
    float row[1024];
    word near[3 * 64 + CLUSTER * 10];  // what the blocks of the cluster have for this one
};

struct worker {
    ring r;
    turns t;
    desk *d;
    unsigned step;
    int odd;
    float mean;  // of the last norm
};

DEVICE void meet() { named_sync(1, THREADS); }  // the computing warps only
template <class M> DEVICE int mine(int i) {     // the number of x[i] in the row, or -1
    const int e = threadIdx.x / 2 + 128 * i;
    return M::E % 128 == 0 || e < M::E ? e : -1;
}

template <class M> DEVICE void load_row(float (&x)[M::KX], const float *from) {
    UNROLL for (int i = 0; i < M::KX; i++) x[i] = mine<M>(i) < 0 ? 0 : __ldg(from + mine<M>(i));
}
template <int N> DEVICE void add_row(float (&x)[N], const float (&y)[N]) {
    UNROLL for (int i = 0; i < N; i++) x[i] += y[i];
}

// N / KX rows of E one after the other, as soon as they are there.
template <class M, int N> DEVICE void get_rows(float (&x)[N], const word *from, const worker &w) {
    get(x, from, w.step, [&](int i) { return mine<M>(i % M::KX) < 0 ? -1 : mine<M>(i % M::KX) + i / M::KX * M::E; });
}

// ---- The norm's two sums, around the last mean. One barrier stands between these two functions.
template <class M> DEVICE void leave_norm(const float (&x)[M::KX], worker &w) {
    float sum = 0, squares = 0;
    UNROLL for (int i = 0; i < M::KX; i++) {
        const float off = mine<M>(i) < 0 ? 0 : x[i] - w.mean;
        sum += off, squares = fmaf(off, off, squares);
    }
    UNROLL for (int bit = 2; bit <= 16; bit *= 2) {
        sum += __shfl_xor_sync(0xffffffff, sum, bit), squares += __shfl_xor_sync(0xffffffff, squares, bit);
    }
    if (threadIdx.x % 32 == 0) w.d->norm[w.odd][threadIdx.x / 32] = make_float2(sum, squares);
}
template <class M> DEVICE float2 find_norm(const worker &w, float epsilon) {  // mean - w.mean, 1 / deviation
    float sum = 0, squares = 0;
    UNROLL for (int i = 0; i < WARPS; i++) sum += w.d->norm[w.odd][i].x, squares += w.d->norm[w.odd][i].y;
    const float mean = sum * (1.f / M::E);
    return make_float2(mean, rsqrtf(squares * (1.f / M::E) - mean * mean + epsilon));
}

DEVICE float gelu_new(float x) { return 0.5f * x * (1 + tanhf(0.7978845608f * (x + 0.044715f * x * x * x))); }

// The sum over a warp's 16 rows of its 8 columns: halves of what is left are exchanged, so that 5 shuffles do. The lane
// has column 4 (lane % 2) + 2 (lane / 16) + lane / 8 % 2.
DEVICE float sum_over_rows(float4 s) {
    const bool high = threadIdx.x & 16, second = threadIdx.x & 8;
    float a = high ? s.z : s.x, b = high ? s.w : s.y;
    a += __shfl_xor_sync(0xffffffff, high ? s.x : s.z, 16), b += __shfl_xor_sync(0xffffffff, high ? s.y : s.w, 16);
    float c = second ? b : a;
    c += __shfl_xor_sync(0xffffffff, second ? a : b, 8);
    c += __shfl_xor_sync(0xffffffff, c, 4);
    return c + __shfl_xor_sync(0xffffffff, c, 2);
}

// A product as this thread sees it: its block's units, the column that it finishes, and what is added there.
struct product {
    int units, to;
    float sums, rest;
};
DEVICE product plan(deal d, const float *sums, const float *rest) {
    product p = {d.n, -1, 0, 0};
    if (threadIdx.x / 8 >= p.units) return p;
    p.to = 8 * (d.first + threadIdx.x / 8 * d.apart) + threadIdx.x % 8, p.rest = __ldg(rest + p.to);
    if (sums) p.sums = __ldg(sums + p.to);
    return p;
}

// send(column, x W + rest) of this block's columns, with NORM of the normalised x. PLACES of the ring are a unit's rows one
// after the other (MANY: x is as long), or each is a unit.
template <class M, bool NORM, int N, class Send>
DEVICE void multiply(worker &w, const product &p, const float (&x)[N], float epsilon, Send send) {
    constexpr int KX = M::KX;
    constexpr bool MANY = N > KX;
    constexpr int UNITS = MANY ? 1 : MOST_UNITS;
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32, places = MANY ? p.units * (N / KX) : p.units;
    float4 sum[UNITS] = {};
    const float *W[MOST_UNITS];
    UNROLL for (int k = 0; k < MOST_UNITS; k++) W[k] = k < places ? take(w.r) + threadIdx.x % 2 * 4 : NULL;
    UNROLL for (int k = 0; k < MOST_UNITS; k++) if (k < places) {
        UNROLL for (int i = 0; i < KX; i++) if (mine<M>(i) >= 0) sum[k % UNITS] = fma4(
            x[MANY ? k * KX + i : i] - (NORM ? w.mean : 0), *(const float4 *)(W[k] + 8 * mine<M>(i)), sum[k % UNITS]);
    }
    give_back(w.r, places);
    if constexpr (NORM) leave_norm<M>(x, w);
    UNROLL for (int k = 0; k < UNITS; k++) if (k < p.units) {
        const float total = sum_over_rows(sum[k]);
        if (lane % 8 < 2) w.d->sums[w.odd][k][warp][4 * (lane % 2) + 2 * (lane / 16) + lane / 8 % 2] = total;
    }
    meet();  // all warps' sums are written before any thread adds them
    const float2 norm = NORM ? find_norm<M>(w, epsilon) : make_float2(0, 1);
    if (p.to >= 0) {
        float y = 0;
        UNROLL for (int i = 0; i < WARPS; i++) y += w.d->sums[w.odd][threadIdx.x / 8][i][threadIdx.x % 8];
        send(p.to, (y - norm.x * p.sums) * norm.y + p.rest);
    }
    w.mean += norm.x, w.odd ^= 1;
}

#endif
