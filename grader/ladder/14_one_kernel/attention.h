// attention.h: the part of a step that reads the cache. A cluster of blocks has a head: each block computes a part of its
// q, k and v and has a part of its keys. Then each joins some dims of all parts. The cluster's exchange, in each block's
// shared memory:
//
//     q [D] | k [D] | v [D] | of each block: o [SLICE], m, l        k and v: in the last block, which has the newest token
#ifndef ONE_KERNEL_ATTENTION_H
#define ONE_KERNEL_ATTENTION_H

#include "phases.h"

// Dims 4 (t % 8) + 32 i + 0 .. 3 of a head: of q, and then of k and v, which stand `next` further on. Lanes look at words
// side by side, and hand them to who needs them.
template <int D, int ROWS, int NV> DEVICE void get_dims(float4 (&x)[ROWS][NV], near from, int next, unsigned step) {
    const int lane = threadIdx.x % 32, first = lane % 8 * 4;
    float y[NV * ROWS];
    get(y, from, step, [&](int i) { return lane + 32 * (i % NV) + i / NV * next; });
    UNROLL for (int i = 0; i < NV * ROWS; i++) x[i / NV][i % NV] =
        make_float4(__shfl_sync(0xffffffff, y[i], first), __shfl_sync(0xffffffff, y[i], first + 1),
                    __shfl_sync(0xffffffff, y[i], first + 2), __shfl_sync(0xffffffff, y[i], first + 3));
}

template <int NV> DEVICE float score(const float4 (&q)[NV], const float4 (&k)[NV]) {
    float s = 0;
    UNROLL for (int i = 0; i < NV; i++) s = dot4(q[i], k[i], s);
    UNROLL for (int bit = 1; bit <= 4; bit *= 2) s += __shfl_xor_sync(0xffffffff, s, bit);
    return s;
}

// The keys of a chunk, those of a group at once.
template <class M>
DEVICE void add_chunk(part<M::NV> &sum, const float4 (&q)[M::NV], const float *k, const float *v, int keys,
                      float scale) {
    constexpr int AHEAD = (4 * M::H + GROUPS - 1) / GROUPS;
    const int group = threadIdx.x / 8, col = threadIdx.x % 8 * 4;
    float s[AHEAD];
    float4 ks[AHEAD][M::NV], vs[AHEAD][M::NV];
    UNROLL for (int a = 0; a < AHEAD; a++) UNROLL for (int i = 0; i < M::NV; i++) {
        const int key = group + a * GROUPS, at = key * M::D + col + 32 * i;
        ks[a][i] = key < keys ? *(const float4 *)(k + at) : make_float4(0, 0, 0, 0);
        vs[a][i] = key < keys ? *(const float4 *)(v + at) : make_float4(0, 0, 0, 0);
    }
    UNROLL for (int a = 0; a < AHEAD; a++) {
        const float x = score(q, ks[a]);
        s[a] = group + a * GROUPS < keys ? x * scale : -INFINITY;
    }
    sum.add(s, vs);
}

// The newest token: into the sums, by the first group of the block's first warp, and into the cache.
template <class M>
DEVICE void add_newest(part<M::NV> &sum, const float4 (&qkv)[3][M::NV], float *K, float *V, bool room, float scale) {
    const float x = score(qkv[0], qkv[1]), s[1] = {threadIdx.x < 8 ? x * scale : -INFINITY};
    float4 v[1][M::NV];
    UNROLL for (int i = 0; i < M::NV; i++) {
        const int d = 4 * threadIdx.x + 32 * i;
        v[0][i] = qkv[2][i];
        if (threadIdx.x < 8 && room) *(float4 *)(K + d) = qkv[1][i], *(float4 *)(V + d) = qkv[2][i];
    }
    sum.add(s, v);
}

// A number of W_qkv's product goes to the head's blocks.
template <class M> DEVICE void send_qkv(near at, int column, float y, unsigned tag) {
    const int matrix = column / M::E, d = column % M::D;
    if (matrix > 0) return put(at + matrix * M::D + d, CLUSTER - 1, y, tag);
    UNROLL for (int rank = 0; rank < CLUSTER; rank++) put(at + d, rank, y, tag);
}

// This block's keys: o, m and l to the blocks that join them.
template <class M>
DEVICE void attend(const attn_step &a, worker &w, const share &mine, near at, unsigned tag, int layer, int n) {
    constexpr int D = M::D, NV = M::NV;
    const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    const float scale = 1.44269504f * rsqrtf((float)D);  // log2(e) / sqrt(D): exp of a score is 2^s
    part<NV> sum;
    float4 q[1][NV];
    if (mine.rank == CLUSTER - 1 && warp == 0) {
        const size_t row = (((size_t)layer * M::H + mine.head) * a.max_seq + n) * D;
        float4 qkv[3][NV];
        get_dims<D>(qkv, at, D, tag);
        add_newest<M>(sum, qkv, a.K + row, a.V + row, n < a.max_seq, scale);
        UNROLL for (int i = 0; i < NV; i++) q[0][i] = qkv[0][i];
    } else
        get_dims<D>(q, at, 0, tag);
    for (int first = mine.begin; first < mine.end; first += mine.room) {
        const float *k = take(w.r);
        add_chunk<M>(sum, q[0], k, k + mine.room * D, min(mine.room, mine.end - first), scale);
        give_back(w.r, 1);
    }
    sum.join_warp();
    auto &heads = *(parts<NV, WARPS> *)w.d->heads;
    if (lane == 0) heads.m[warp] = sum.m, heads.l[warp] = sum.l;
    if (lane < 8) UNROLL for (int i = 0; i < NV; i++) heads.o[warp][lane + 8 * i] = sum.o[i];
    meet();  // the parts of all warps are written before any thread joins them
    if (threadIdx.x >= 8 * NV) return;
    float m, l;
    const float4 o = heads.join(threadIdx.x, &m, &l);
    const int d = 4 * threadIdx.x, from = mine.rank * (M::SLICE + 2);
    at = at + 3 * D + from;
    const float os[4] = {o.x, o.y, o.z, o.w};
    UNROLL for (int i = 0; i < 4; i++) put(at + d % M::SLICE + i, d / M::SLICE, os[i], tag);
    if (threadIdx.x < CLUSTER) put(at + M::SLICE, threadIdx.x, m, tag), put(at + M::SLICE + 1, threadIdx.x, l, tag);
}

// This block's dims of all parts, by one warp: lane t has NV dims of part t % 8.
template <class M> DEVICE void join_parts(const worker &w, const share &mine, near at, unsigned tag, word *to) {
    constexpr int N = M::NV;
    const int part = threadIdx.x % CLUSTER, d = threadIdx.x / CLUSTER * N;
    static_assert(4 * N == M::SLICE && CLUSTER == 8, "a lane has NV dims of a block's part");
    float o[N + 2];  // and m and l
    get(o, at + 3 * M::D + part * (M::SLICE + 2), tag, [&](int i) { return i < N ? d + i : M::SLICE + i - N; });
    float top = o[N];
    UNROLL for (int bit = 1; bit < CLUSTER; bit *= 2) top = fmaxf(top, __shfl_xor_sync(0xffffffff, top, bit));
    const float factor = weight(o[N], top);
    o[N] = o[N + 1];
    UNROLL for (int i = 0; i <= N; i++) {
        o[i] *= factor;
        UNROLL for (int bit = 1; bit < CLUSTER; bit *= 2) o[i] += __shfl_xor_sync(0xffffffff, o[i], bit);
    }
    if (part == 0)
        UNROLL for (int i = 0; i < N; i++)
            put(to + mine.head * M::D + mine.rank * M::SLICE + d + i, o[i] / o[N], w.step);
}

#endif
