// cooperative_groups.h: blocks, tiles of a warp, coalesced groups, clusters, the grid.
#ifndef SIMT_COOPERATIVE_GROUPS_H
#define SIMT_COOPERATIVE_GROUPS_H

#include "cooperative_groups/details.h"

namespace cooperative_groups {

// Any group, its kind forgotten.
class thread_group {
protected:
    unsigned mask_;  // lanes of the warp; 0: the whole block

public:
    SIMT_MEMBER thread_group(unsigned mask) : mask_(mask) {}
    SIMT_MEMBER void sync() const {
        if (mask_)
            __syncwarp(mask_);
        else
            __syncthreads();
    }
    SIMT_MEMBER unsigned long long num_threads() const {
        return mask_ ? (unsigned)__builtin_popcount(mask_) : details::threads_in_block();
    }
    SIMT_MEMBER unsigned long long size() const { return num_threads(); }
    SIMT_MEMBER unsigned long long thread_rank() const {
        unsigned rank = details::thread_rank_in_block();
        return mask_ ? (unsigned)__builtin_popcount(mask_ & details::below(rank % 32)) : rank;
    }
    SIMT_MEMBER bool is_valid() const { return true; }
};

class thread_block : public thread_group {
public:
    SIMT_MEMBER thread_block() : thread_group(0) {}
    static SIMT_MEMBER void sync() { __syncthreads(); }
    static SIMT_MEMBER unsigned thread_rank() { return details::thread_rank_in_block(); }
    static SIMT_MEMBER unsigned num_threads() { return details::threads_in_block(); }
    static SIMT_MEMBER unsigned size() { return details::threads_in_block(); }
    static SIMT_MEMBER dim3 group_index() { return dim3(simt::block_idx()); }
    static SIMT_MEMBER dim3 thread_index() { return dim3(simt::thread_idx()); }
    static SIMT_MEMBER dim3 group_dim() { return simt::block_dim(); }
    static SIMT_MEMBER dim3 dim_threads() { return simt::block_dim(); }
};
SIMT_INLINE thread_block this_thread_block() { return thread_block(); }

// Lanes that were found together: coalesced_threads(), a labelled or a binary partition. Ranks count the members.
class coalesced_group : public thread_group {
    unsigned group_rank_ = 0, group_count_ = 1;

public:
    SIMT_MEMBER explicit coalesced_group(unsigned mask, unsigned group_rank = 0, unsigned group_count = 1)
        : thread_group(mask), group_rank_(group_rank), group_count_(group_count) {}
    SIMT_MEMBER void sync() const { __syncwarp(mask_); }
    SIMT_MEMBER unsigned num_threads() const { return (unsigned)__builtin_popcount(mask_); }
    SIMT_MEMBER unsigned size() const { return num_threads(); }
    SIMT_MEMBER unsigned thread_rank() const {
        return (unsigned)__builtin_popcount(mask_ & details::below(details::lane()));
    }
    SIMT_MEMBER unsigned meta_group_rank() const { return group_rank_; }
    SIMT_MEMBER unsigned meta_group_size() const { return group_count_; }
    SIMT_MEMBER unsigned lane_mask() const { return mask_; }
    template <class T> SIMT_MEMBER T shfl(T v, int rank) const {
        return details::shuffle(SIMT_SHFL, mask_, v, details::nth_lane(mask_, (unsigned)rank), 32);
    }
    template <class T> SIMT_MEMBER T shfl_up(T v, unsigned delta) const {
        unsigned rank = thread_rank();
        return details::shuffle(SIMT_SHFL, mask_, v, details::nth_lane(mask_, rank < delta ? rank : rank - delta), 32);
    }
    template <class T> SIMT_MEMBER T shfl_down(T v, unsigned delta) const {
        unsigned rank = thread_rank();
        return details::shuffle(SIMT_SHFL, mask_, v,
                                details::nth_lane(mask_, rank + delta >= num_threads() ? rank : rank + delta), 32);
    }
    SIMT_MEMBER int any(int p) const { return __any_sync(mask_, p); }
    SIMT_MEMBER int all(int p) const { return __all_sync(mask_, p); }
    SIMT_MEMBER unsigned ballot(int p) const { return details::to_ranks(mask_, __ballot_sync(mask_, p)); }
    template <class T> SIMT_MEMBER unsigned match_any(T v) const {
        return details::to_ranks(mask_, __match_any_sync(mask_, v));
    }
    template <class T> SIMT_MEMBER unsigned match_all(T v, int &same) const {
        return details::to_ranks(mask_, __match_all_sync(mask_, v, &same));
    }
};
SIMT_INLINE coalesced_group coalesced_threads(const char *file = __builtin_FILE(), int line = __builtin_LINE()) {
    return coalesced_group(__activemask(file, line));
}

// Size neighbouring lanes, Size a power of two.
template <unsigned Size, class Parent = void> class thread_block_tile : public thread_group {
    static_assert(Size >= 1 && Size <= 32 && (Size & (Size - 1)) == 0,
                  "simt has tiles of 1, 2, 4, 8, 16 or 32 threads");
    unsigned rank_, count_;

public:
    // rank: in the parent group of `count` threads whose first member is the tile's warp's or an aligned part of it.
    SIMT_MEMBER thread_block_tile(unsigned rank, unsigned count)
        : thread_group((Size == 32 ? ~0u : (1u << (Size & 31)) - 1) << (details::lane() & ~(Size - 1))), rank_(rank),
          count_((count + Size - 1) / Size) {}
    template <class P>
    SIMT_MEMBER thread_block_tile(const thread_block_tile<Size, P> &other)
        : thread_group(other.lane_mask()), rank_(other.meta_group_rank() * Size + other.thread_rank()),
          count_(other.meta_group_size()) {}
    SIMT_MEMBER void sync() const { __syncwarp(mask_); }
    SIMT_MEMBER unsigned thread_rank() const { return rank_ % Size; }
    static constexpr unsigned num_threads() { return Size; }
    static constexpr unsigned size() { return Size; }
    SIMT_MEMBER unsigned meta_group_rank() const { return rank_ / Size; }
    SIMT_MEMBER unsigned meta_group_size() const { return count_; }
    SIMT_MEMBER unsigned lane_mask() const { return mask_; }
    template <class T> SIMT_MEMBER T shfl(T v, int rank) const {
        return details::shuffle(SIMT_SHFL, mask_, v, rank, Size);
    }
    template <class T> SIMT_MEMBER T shfl_up(T v, unsigned delta) const {
        return details::shuffle(SIMT_SHFL_UP, mask_, v, (int)delta, Size);
    }
    template <class T> SIMT_MEMBER T shfl_down(T v, unsigned delta) const {
        return details::shuffle(SIMT_SHFL_DOWN, mask_, v, (int)delta, Size);
    }
    template <class T> SIMT_MEMBER T shfl_xor(T v, unsigned mask) const {
        return details::shuffle(SIMT_SHFL_XOR, mask_, v, (int)mask, Size);
    }
    SIMT_MEMBER int any(int p) const { return __any_sync(mask_, p); }
    SIMT_MEMBER int all(int p) const { return __all_sync(mask_, p); }
    SIMT_MEMBER unsigned ballot(int p) const { return __ballot_sync(mask_, p) >> __builtin_ctz(mask_); }
    template <class T> SIMT_MEMBER unsigned match_any(T v) const {
        return __match_any_sync(mask_, v) >> __builtin_ctz(mask_);
    }
    template <class T> SIMT_MEMBER unsigned match_all(T v, int &same) const {
        return __match_all_sync(mask_, v, &same) >> __builtin_ctz(mask_);
    }
};

template <unsigned Size> SIMT_INLINE thread_block_tile<Size, thread_block> tiled_partition(const thread_block &b) {
    return thread_block_tile<Size, thread_block>(b.thread_rank(), b.num_threads());
}
template <unsigned Size, unsigned N, class P>
SIMT_INLINE thread_block_tile<Size, thread_block_tile<N, P>> tiled_partition(const thread_block_tile<N, P> &t) {
    static_assert(Size <= N, "a tile's part cannot be larger than the tile");
    return thread_block_tile<Size, thread_block_tile<N, P>>(t.thread_rank(), N);
}
SIMT_INLINE thread_group tiled_partition(const thread_group &, unsigned size) {
    if (size > 32)
        __assert_fail("size <= 32: simt has tiles of 1 to 32 threads", __FILE__, __LINE__, "tiled_partition");
    return thread_group((size >= 32 ? ~0u : (1u << size) - 1) << (details::lane() & ~(size - 1)));
}

// The members of `g` with the same label; with the same truth.
template <class Group, class T> SIMT_INLINE coalesced_group labeled_partition(const Group &g, T label) {
    return coalesced_group(__match_any_sync(g.lane_mask(), label));
}
template <class Group> SIMT_INLINE coalesced_group binary_partition(const Group &g, bool truth) {
    unsigned yes = __ballot_sync(g.lane_mask(), truth);
    return coalesced_group(truth ? yes : g.lane_mask() & ~yes, truth ? 0u : 1u, 2);
}

}  // namespace cooperative_groups

#include "cooperative_groups/wide.h"

namespace cooperative_groups {

template <class Group> SIMT_INLINE void sync(const Group &g) { g.sync(); }
template <class Group> SIMT_INLINE unsigned long long thread_rank(const Group &g) { return g.thread_rank(); }
template <class Group> SIMT_INLINE unsigned long long group_size(const Group &g) { return g.num_threads(); }

// One member runs f; the other form gives its result to all.
template <class Group, class F, class... A> SIMT_INLINE void invoke_one(const Group &g, F &&f, A &&...arguments) {
    if (g.thread_rank() == 0) f(arguments...);
}
template <class Group, class F, class... A>
SIMT_INLINE auto invoke_one_broadcast(const Group &g, F &&f, A &&...arguments) -> decltype(f(arguments...)) {
    decltype(f(arguments...)) result{};
    if (g.thread_rank() == 0) result = f(arguments...);
    return g.shfl(result, 0);
}

}  // namespace cooperative_groups

#endif
