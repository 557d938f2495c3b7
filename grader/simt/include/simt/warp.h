// warp.h: shuffles, votes, match and reductions. A value of up to 8 bytes travels as bits.
#ifndef SIMT_WARP_H
#define SIMT_WARP_H

#include <type_traits>

#include "../../runtime/intrinsics.h"
#include "vector_types.h"

namespace simt {

template <class T> SIMT_INLINE uint64_t to_bits(T value) {
    static_assert(sizeof(T) <= 8, "a warp collective takes values of at most 8 bytes");
    uint64_t bits = 0;
    SIMT_MOVE_BITS(&bits, &value, sizeof value);
    return bits;
}

template <class T> SIMT_INLINE T from_bits(uint64_t bits) {
    T value;
    SIMT_MOVE_BITS((void *)&value, &bits, sizeof value);
    return value;
}

// What CUDA shuffles: numbers, and the half types (which specialise this).
template <class T> struct can_shuffle : std::is_arithmetic<T> {};

template <class T> SIMT_INLINE T shuffle(simt_warp_op op, unsigned mask, T value, int argument, int width) {
    static_assert(can_shuffle<T>::value, "CUDA shuffles numbers and half types; shuffle a struct's members one by one");
    return from_bits<T>(simt_warp(op, mask, to_bits(value), argument, width));
}

}  // namespace simt

template <class T> SIMT_INLINE T __shfl_sync(unsigned mask, T value, int lane, int width = 32) {
    return simt::shuffle(SIMT_SHFL, mask, value, lane, width);
}
template <class T> SIMT_INLINE T __shfl_up_sync(unsigned mask, T value, unsigned delta, int width = 32) {
    return simt::shuffle(SIMT_SHFL_UP, mask, value, (int)delta, width);
}
template <class T> SIMT_INLINE T __shfl_down_sync(unsigned mask, T value, unsigned delta, int width = 32) {
    return simt::shuffle(SIMT_SHFL_DOWN, mask, value, (int)delta, width);
}
template <class T> SIMT_INLINE T __shfl_xor_sync(unsigned mask, T value, int lane_mask, int width = 32) {
    return simt::shuffle(SIMT_SHFL_XOR, mask, value, lane_mask, width);
}

static SIMT_INLINE unsigned __ballot_sync(unsigned mask, int predicate) {
    return (unsigned)simt_warp(SIMT_BALLOT, mask, predicate != 0, 0, 32);
}
static SIMT_INLINE int __any_sync(unsigned mask, int predicate) {
    return simt_warp(SIMT_BALLOT, mask, predicate != 0, 0, 32) != 0;
}
static SIMT_INLINE int __all_sync(unsigned mask, int predicate) {
    return simt_warp(SIMT_BALLOT, mask, predicate == 0, 0, 32) == 0;
}
static SIMT_INLINE unsigned __activemask(const char *file = __builtin_FILE(), int line = __builtin_LINE()) {
    return simt_activemask(file, line);
}
// Where lanes that are taken to step together wait for each other, all that come there (rewrite/lockstep.c).
namespace simt {
static SIMT_INLINE void lockstep(int place) { simt_activemask("lockstep", place); }
template <class T> SIMT_INLINE T lockstep(int place, T value) {
    lockstep(place);
    return value;
}
}  // namespace simt

template <class T> SIMT_INLINE unsigned __match_any_sync(unsigned mask, T value) {
    return (unsigned)simt_warp(SIMT_MATCH_ANY, mask, simt::to_bits(value), 0, 32);
}
template <class T> SIMT_INLINE unsigned __match_all_sync(unsigned mask, T value, int *all) {
    uint64_t result = simt_warp(SIMT_MATCH_ALL, mask, simt::to_bits(value), 0, 32);
    *all = (int)(result >> 32);
    return (unsigned)result;
}

static SIMT_INLINE unsigned __reduce_add_sync(unsigned mask, unsigned value) {
    return (unsigned)simt_warp(SIMT_REDUCE_ADD, mask, value, 0, 32);
}
static SIMT_INLINE int __reduce_add_sync(unsigned mask, int value) {
    return (int)simt_warp(SIMT_REDUCE_ADD, mask, (unsigned)value, 0, 32);
}
static SIMT_INLINE unsigned __reduce_min_sync(unsigned mask, unsigned value) {
    return (unsigned)simt_warp(SIMT_REDUCE_MIN_U, mask, value, 0, 32);
}
static SIMT_INLINE int __reduce_min_sync(unsigned mask, int value) {
    return (int)simt_warp(SIMT_REDUCE_MIN_S, mask, (unsigned)value, 0, 32);
}
static SIMT_INLINE unsigned __reduce_max_sync(unsigned mask, unsigned value) {
    return (unsigned)simt_warp(SIMT_REDUCE_MAX_U, mask, value, 0, 32);
}
static SIMT_INLINE int __reduce_max_sync(unsigned mask, int value) {
    return (int)simt_warp(SIMT_REDUCE_MAX_S, mask, (unsigned)value, 0, 32);
}
static SIMT_INLINE unsigned __reduce_and_sync(unsigned mask, unsigned value) {
    return (unsigned)simt_warp(SIMT_REDUCE_AND, mask, value, 0, 32);
}
static SIMT_INLINE unsigned __reduce_or_sync(unsigned mask, unsigned value) {
    return (unsigned)simt_warp(SIMT_REDUCE_OR, mask, value, 0, 32);
}
static SIMT_INLINE unsigned __reduce_xor_sync(unsigned mask, unsigned value) {
    return (unsigned)simt_warp(SIMT_REDUCE_XOR, mask, value, 0, 32);
}

#endif
