// sync.h: warps, named barriers, fences, and what a thread asks about itself.
#ifndef SIMT_PTX_SYNC_H
#define SIMT_PTX_SYNC_H

#include "../warp.h"
#include "memory.h"

namespace simt {
namespace ptx {

// ---- %laneid and other registers
SIMT_INLINE constant<u32> lane() { return {simt_thread_in_block() % 32}; }
SIMT_INLINE constant<u32> warp() { return {simt_thread_in_block() / 32}; }
SIMT_INLINE constant<u32> lane_mask(int side, int own) {
    u32 bit = 1u << simt_thread_in_block() % 32;
    return {(side < 0 ? bit - 1 : side > 0 ? ~(bit - 1) & ~bit : 0) | (own ? bit : 0)};
}
SIMT_INLINE constant<u32> multiprocessors() { return {132}; }
SIMT_INLINE constant<u32> multiprocessor() {
    return {(u32)((simt::block_idx().x + (u64)simt::grid_dim().x * simt::block_idx().y) % 132)};
}
SIMT_INLINE constant<u32> dynamic_bytes() { return {simt_dynamic_bytes()}; }

// ---- Warps
struct up {};
struct down {};
struct bfly {};
struct idx {};
struct all {};
struct any {};
struct uni {};
struct ballot {};

template <class Way>
constexpr simt_warp_op shuffle_op = std::is_same_v<Way, up>     ? SIMT_SHFL_UP
                                    : std::is_same_v<Way, down> ? SIMT_SHFL_DOWN
                                    : std::is_same_v<Way, bfly> ? SIMT_SHFL_XOR
                                                                : SIMT_SHFL;
// c: the segment's mask in bits 8 to 12, the clamp below. Segments of 32 / 2^k lanes, as CUDA's `width` makes them.
template <class Way> SIMT_INLINE u32 shfl(u32 value, int by, u32 c, u32 mask) {
    return (u32)simt_warp(shuffle_op<Way>, mask, value, by, 32 - (int)(c >> 8 & 31));
}
template <class Way, class P> SIMT_INLINE u32 shfl(P in_range, u32 value, int by, u32 c, u32 mask) {
    int width = 32 - (int)(c >> 8 & 31), lane = (int)(simt_thread_in_block() % 32), at = lane & (width - 1);
    if constexpr (std::is_same_v<Way, up>) in_range = at >= by;
    if constexpr (std::is_same_v<Way, down>) in_range = at + by < width;
    if constexpr (std::is_same_v<Way, bfly>) in_range = (at ^ by) < width;
    if constexpr (std::is_same_v<Way, idx>) in_range = true;
    return shfl<Way>(value, by, c, mask);
}
template <class What> SIMT_INLINE auto vote(bool truth, u32 mask) {
    u32 yes = (u32)simt_warp(SIMT_BALLOT, mask, truth, 0, 32);
    if constexpr (std::is_same_v<What, ballot>)
        return yes;
    else if constexpr (std::is_same_v<What, any>)
        return yes != 0;
    else
        return yes == mask || (std::is_same_v<What, uni> && !yes);
}
template <class What, class T> SIMT_INLINE u32 match(T value, u32 mask) {
    return (u32)simt_warp(std::is_same_v<What, all> ? SIMT_MATCH_ALL : SIMT_MATCH_ANY, mask, (u64)value, 0, 32);
}
template <class What, class T, class P> SIMT_INLINE u32 match(P same, T value, u32 mask) {  // d|p, of match.all
    u64 result = simt_warp(SIMT_MATCH_ALL, mask, (u64)value, 0, 32);
    same = (bool)(result >> 32);
    return (u32)result;
}
template <class Op, class T> SIMT_INLINE T redux(T value, u32 mask) {
    return (T)simt_warp(std::is_signed_v<T> ? Op::reduce_signed : Op::reduce, mask, (u32)value, 0, 32);
}
SIMT_INLINE u32 activemask(const char *file = __builtin_FILE(), int line = __builtin_LINE()) {
    return simt_activemask(file, line);
}
// elect.sync d|p, mask: one lane of the mask, here the lowest, gets true.
template <class D, class P> SIMT_INLINE void elect(D lane, P elected, u32 mask) {
    u32 first = (u32)__builtin_ctz((u32)simt_warp(SIMT_BALLOT, mask, 1, 0, 32));
    lane = first;
    elected = simt_thread_in_block() % 32 == first;
}
SIMT_INLINE void bar_warp(u32 mask) { simt_warp(SIMT_SYNCWARP, mask, 0, 0, 32); }

// ---- Barriers of a block, by name
SIMT_INLINE void bar_sync(u32 name) { simt_named_barrier(name, 0, 1); }
SIMT_INLINE void bar_sync(u32 name, u32 threads) { simt_named_barrier(name, threads, 1); }
SIMT_INLINE void bar_arrive(u32 name, u32 threads) { simt_named_barrier(name, threads, 0); }

SIMT_INLINE u32 bar_red_popc(u32 name, bool p) { return simt_named_reduce(name, 0, p); }
SIMT_INLINE u32 bar_red_popc(u32 name, u32 threads, bool p) { return simt_named_reduce(name, threads, p); }
template <class... A> SIMT_INLINE bool bar_red_or(A... a) { return bar_red_popc(a...) > 0; }
SIMT_INLINE bool bar_red_and(u32 name, bool p) { return simt_named_reduce(name, 0, !p) == 0; }
SIMT_INLINE bool bar_red_and(u32 name, u32 threads, bool p) { return simt_named_reduce(name, threads, !p) == 0; }

// ---- The barrier of a cluster
SIMT_INLINE void cluster_arrive() { simt_wide_arrive(0); }
SIMT_INLINE void cluster_wait() { simt_wide_wait(0); }
SIMT_INLINE constant<u32> cluster_blocks() {
    simt_uint3 c = simt_cluster_dim();
    return {c.x * c.y * c.z};
}

// ---- Fences
struct cta {};
struct cluster {};
struct gpu {};
struct gl {};
struct sys {};
template <class Scope> SIMT_INLINE void fence() {
    simt_fence(std::is_same_v<Scope, cta> ? 0 : std::is_same_v<Scope, sys> ? 2 : 1);
}
template <class Scope> SIMT_INLINE void membar() { fence<Scope>(); }
SIMT_INLINE void fence_mbarrier_init() {}
SIMT_INLINE void fence_proxy_async() { simt_fence_proxy_async(); }
SIMT_INLINE void fence_proxy_alias() {}

template <class... A> SIMT_INLINE void no_op(A...) {}
SIMT_INLINE void setmaxnreg(u32 registers) { simt_setmaxnreg(registers); }
SIMT_INLINE void nanosleep(u32 ns) { simt_nanosleep(ns); }
SIMT_INLINE void trap() { simt_trap(); }

}  // namespace ptx
}  // namespace simt

#endif
