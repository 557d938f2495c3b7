// parts.h: how warpgroups with the same queries, but other keys, join what they have: O, m and l of 64 rows.
//
// There are PARTS = 2^DOUBLINGS of them: the blocks of a cluster, and where queries are few the two consumers of each.
// All hold the same rows and columns in the same registers. So each joins a share of the columns, and gets it from the
// others, thread t from thread t:
//
//      part 0    o[0..15]   o[16..31] --+         PARTS = 2, D = 64
//                   ^                   v
//      part 1    o[0..15]   o[16..31]             m and l of its rows go with them
//
// st.async stores into another block's shared memory, where an mbarrier counts the bytes: who joins waits for nothing
// but what it needs, and no block has to stay so that others can read its memory.
#ifndef SPLIT_KEYS_PARTS_H
#define SPLIT_KEYS_PARTS_H

#include "plan.h"

// Of the same place in a block of the cluster. A block that is alone (not FAR) stores into its own memory.
template <bool FAR> DEVICE uint32_t address_in(int rank, const void *p) {
    uint32_t at = shared_address(p);
    if (FAR) asm volatile("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(at) : "r"(at), "r"(rank));
    return at;
}
template <bool FAR> DEVICE void send(uint32_t to, float x, float y, float z, float w, uint32_t barrier) {
    if (FAR)
        asm volatile(
            "st.async.shared::cluster.mbarrier::complete_tx::bytes.v4.f32 [%0], {%1, %2, %3, %4}, [%5];" ::"r"(to),
            "f"(x), "f"(y), "f"(z), "f"(w), "r"(barrier)
            : "memory");
    else
        asm volatile("st.shared.v4.f32 [%0], {%1, %2, %3, %4};" ::"r"(to), "f"(x), "f"(y), "f"(z), "f"(w) : "memory");
}
DEVICE void cluster_arrive() { asm volatile("barrier.cluster.arrive.relaxed;" ::: "memory"); }
DEVICE void cluster_wait() { asm volatile("barrier.cluster.wait;" ::: "memory"); }

// Parts come when all of the receiver's queries have met their last keys. O comes to where the queries of a consumer
// stood, from each of the others [share / 4][128 threads] of 16 bytes. m and l come to where block `rank` had the last
// of its K: [32] of 16 bytes, as 4 lanes have the same rows.
template <class T> DEVICE float4 *mail_of_sums(const block &b, int rank, int consumer) {
    const int tiles = first_tile(b, rank + 1) - first_tile(b, rank), item = 2 * T::PANELS * max(tiles - 1, 0);
    return (float4 *)(b.ring + item % T::STAGES * T::ITEM) + consumer * 256;
}

template <class T, int DOUBLINGS, bool FAR>
DEVICE void send_parts(const block &b, int w, const float (&o)[T::SUMS], const float (&m)[2], const float (&l)[2]) {
    constexpr int PARTS = 1 << DOUBLINGS, N = share<T>(DOUBLINGS);
    const int few = b.by.few, me = few ? b.rank * 2 + w : b.rank, t = threadIdx.x % 128;
    UNROLL for (int p = 0; p < PARTS; p++) if (p != me) {
        const int rank = p >> few, consumer = few ? p % 2 : w, from = me - (me > p);
        const uint32_t barrier = address_in<FAR>(rank, b.mailed + consumer);
        const uint32_t to =
            address_in<FAR>(rank, b.queries + consumer * T::PANELS * T::Q_PANEL) + from * N * 512 + t * 16;
        UNROLL for (int i = 0; i < N; i += 4) {
            const float *x = o + p * N + i;  // zeros, so that each part sends as much
            p *N + i < T::SUMS ? send<FAR>(to + i * 512, x[0], x[1], x[2], x[3], barrier)
                               : send<FAR>(to + i * 512, 0, 0, 0, 0, barrier);
        }
        const uint32_t sums = address_in<FAR>(rank, mail_of_sums<T>(b, rank, consumer) + from * 32 + t / 4);
        if (t % 4 == 0) send<FAR>(sums, m[0], m[1], l[0], l[1], barrier);
    }
}

// Joins this warpgroup's share of the columns, and writes it. row: this lane's first; the other is row + 8.
template <class T, int DOUBLINGS, bool FAR>
DEVICE void join_parts(const block &b, int w, int row, const float (&o)[T::SUMS], const float (&m)[2],
                       const float (&l)[2]) {
    constexpr int PARTS = 1 << DOUBLINGS, N = share<T>(DOUBLINGS);
    static_assert((PARTS - 1) * N * 512 <= T::PANELS * T::Q_PANEL, "the others' O come where the queries stood");
    const int me = b.by.few ? b.rank * 2 + w : b.rank, t = threadIdx.x % 128;
    const float4 *sums = mail_of_sums<T>(b, b.rank, w) + t / 4;
    const float4 *mail = (const float4 *)(b.queries + w * T::PANELS * T::Q_PANEL) + t;
    float x[N], top[2] = {m[0], m[1]}, sum[2], weight[2];
    UNROLL for (int p = 0; p < PARTS; p++) if (PARTS == 1 || p == me) UNROLL for (int i = 0; i < N; i++) x[i] =
        p * N + i < T::SUMS ? o[p * N + i] : 0;
    if (FAR)
        wait(b.mailed + w, 0);
    else if (PARTS > 1)
        named_sync(5, 256);  // the parts stand
    UNROLL for (int p = 0; p < PARTS - 1; p++) top[0] = fmaxf(top[0], sums[p * 32].x),
                                               top[1] = fmaxf(top[1], sums[p * 32].y);
    UNROLL for (int r = 0; r < 2; r++) weight[r] = exp2_approx(m[r] - top[r]), sum[r] = weight[r] * l[r];
    UNROLL for (int i = 0; i < N; i++) x[i] *= weight[i % 4 / 2];
    UNROLL for (int p = 0; p < PARTS - 1; p++) {
        const float4 theirs = sums[p * 32];
        weight[0] = exp2_approx(theirs.x - top[0]), weight[1] = exp2_approx(theirs.y - top[1]);
        sum[0] += weight[0] * theirs.z, sum[1] += weight[1] * theirs.w;
        UNROLL for (int i = 0; i < N; i += 4) {
            const float4 y = mail[(p * N + i) * 32];
            x[i] += weight[0] * y.x, x[i + 1] += weight[0] * y.y;
            x[i + 2] += weight[1] * y.z, x[i + 3] += weight[1] * y.w;
        }
    }
    UNROLL for (int r = 0; r < 2; r++) {
        const float norm = reciprocal(sum[r]);
#ifndef FOR_PROMPTS
        float *out = b.O + (size_t)(row + 8 * r) * b.D;
#endif
        UNROLL for (int i = 2 * r; i < N; i += 4) {
            const int col = (me * N + i) / 4 * 8 + t % 4 * 2;
#ifdef FOR_PROMPTS  // rung 16: split
            if (row + 8 * r < b.Sq && col < b.D) store_pair(b.O, b.Sq, row + 8 * r, col, x[i] * norm, x[i + 1] * norm);
#else
            if (row + 8 * r < b.Sq && col < b.D) *(float2 *)(out + col) = make_float2(x[i] * norm, x[i + 1] * norm);
#endif
        }
    }
}

// When all queries have met their last keys, in this block or in all blocks of the cluster.
template <class T, int DOUBLINGS, bool FAR>
DEVICE void send_and_join(const block &b, int w, int row, const float (&o)[T::SUMS], const float (&m)[2],
                          const float (&l)[2]) {
    FAR ? cluster_wait() : named_sync(5, 256);
    send_parts<T, DOUBLINGS, FAR>(b, w, o, m, l);
    join_parts<T, DOUBLINGS, FAR>(b, w, row, o, m, l);
}

#endif
