// ring.h: a block's share of all weights and keys, in the order in which it will need them, on its way through shared
// memory. The copying warp runs ahead as far as there are places, whatever the other warps wait for.
//
//     copying warp     | W_qkv | W_qkv | K, V | K, V | W_out | W_fc | W_fc | W_fc | W_proj ...  8 E floats each
//                                 |                      ^
//     other warps        used ----+    <- the ring ->    +---- on its way
#ifndef ONE_KERNEL_RING_H
#define ONE_KERNEL_RING_H

#include "exchange.h"

enum { MOST_PLACES = 32 };

struct ring {
    float *places;
    uint64_t *full, *empty;
    int n, size;    // places, and floats of each
    int ahead;      // copies that may be under way at once
    int at, round;  // the next place to use, and the parity of its round
    int used;       // places so far
    MEMBER float *here() const { return places + at * size; }
    MEMBER void next() {
        used++;
        if (++at == n) at = 0, round ^= 1;
    }
};

// ---- for who uses what has come
DEVICE const float *take(ring &r) {  // and gives it back later
    wait(r.full + r.at, r.round);
    const float *place = r.here();
    r.next();
    return place;
}
DEVICE void give_back(const ring &r, int places) {  // the last ones that were taken
    __syncwarp();
    if (threadIdx.x % 32 >= places) return;
    const int at = r.at - 1 - (int)threadIdx.x % 32;
    asm volatile("mbarrier.arrive.shared.b64 _, [%0];" ::"r"(shared_address(r.empty + (at < 0 ? at + r.n : at)))
                 : "memory");
}

// ---- for who copies: one thread, with the copy engine
// A place for `floats`, when it is empty and all copies but the last `ahead` - 1 have come. While blocks exchange numbers, one
// copy of each is under way: 3 MB on the device. With more, what is exchanged waits behind them, and a step takes longer.
DEVICE float *begin(const ring &r, int floats) {
    const int before = r.at - r.ahead;
    if (r.used >= r.ahead) wait(r.full + (before < 0 ? before + r.n : before), before < 0 ? r.round ^ 1 : r.round);
    wait(r.empty + r.at, r.round ^ 1);  // the first round finds every place empty
    asm volatile("mbarrier.arrive.expect_tx.shared.b64 _, [%0], %1;" ::"r"(shared_address(r.full + r.at)),
                 "r"(4 * floats)
                 : "memory");
    return r.here();
}
DEVICE void copy(const ring &r, float *to, const float *from, int floats) {
    const uint32_t place = shared_address(to), barrier = shared_address(r.full + r.at);
    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(place),
                 "l"(from), "r"(4 * floats), "r"(barrier)
                 : "memory");
}

#endif
