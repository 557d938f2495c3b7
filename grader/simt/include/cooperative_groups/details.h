// details.h: ranks, masks and values of any size: what the groups are made of. Included by cooperative_groups.h.
#ifndef SIMT_COOPERATIVE_GROUPS_DETAILS_H
#define SIMT_COOPERATIVE_GROUPS_DETAILS_H

#include "../cuda_runtime.h"

#define SIMT_MEMBER __attribute__((always_inline))

namespace cooperative_groups {
namespace details {

SIMT_INLINE unsigned thread_rank_in_block() {
    uint3 t = simt::thread_idx();
    dim3 b = simt::block_dim();
    return t.x + b.x * (t.y + b.y * t.z);
}
SIMT_INLINE unsigned threads_in_block() {
    dim3 b = simt::block_dim();
    return b.x * b.y * b.z;
}
SIMT_INLINE unsigned lane() { return thread_rank_in_block() % 32; }
SIMT_INLINE unsigned below(unsigned lane) { return (1u << lane) - 1; }

// The lane of the n-th member (from 0) of `mask`.
SIMT_INLINE int nth_lane(unsigned mask, unsigned n) {
    for (; n > 0; n--) mask &= mask - 1;
    return mask ? __builtin_ctz(mask) : 0;
}
// Bits of `lanes`, which lie within `mask`, as bits of ranks.
SIMT_INLINE unsigned to_ranks(unsigned mask, unsigned lanes) {
    unsigned ranks = 0;
    for (unsigned rank = 0; mask; mask &= mask - 1, rank++) ranks |= (lanes & (mask & -mask) ? 1u : 0u) << rank;
    return ranks;
}

// A value of any size, eight bytes at a time. Of lanes that nobody reads it may be uninitialised: only the leader sets it.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
template <class T> SIMT_INLINE T shuffle(simt_warp_op op, unsigned mask, const T &value, int argument, int width) {
    static_assert(sizeof(T) <= 32, "a group shuffles values of at most 32 bytes");
    T result;
    for (size_t at = 0; at < sizeof(T); at += 8) {
        uint64_t bits = 0;
        size_t n = sizeof(T) - at < 8 ? sizeof(T) - at : 8;
        SIMT_MOVE_BITS(&bits, (const char *)&value + at, n);
        bits = simt_warp(op, mask, bits, argument, width);
        SIMT_MOVE_BITS((char *)&result + at, &bits, n);
    }
    return result;
}
#pragma GCC diagnostic pop

}  // namespace details

}  // namespace cooperative_groups

#endif
