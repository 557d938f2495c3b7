// async.h: copies in the background: cp.async, mbarriers, the copy engine (cp.async.bulk and its tensor form).
#ifndef SIMT_PTX_ASYNC_H
#define SIMT_PTX_ASYNC_H

#include "memory.h"

namespace simt {
namespace ptx {

// ---- cp.async [to], [from], n, source bytes: what the source does not give becomes 0.
SIMT_INLINE void cp_async(address to, address from, u32 n) {
    simt_async_copy(simt_shared_pointer((u32)to.value), (const void *)from.value, n, 0);
}
SIMT_INLINE void cp_async(address to, address from, u32 n, u32 given) {
    simt_async_copy(simt_shared_pointer((u32)to.value), (const void *)from.value, n, given < n ? n - given : 0);
}
SIMT_INLINE void cp_async_commit() { simt_async_commit(); }
SIMT_INLINE void cp_async_wait(u32 newest_groups_left) { simt_async_wait(newest_groups_left); }
SIMT_INLINE void cp_async_wait_all() {
    simt_async_commit();
    simt_async_wait(0);
}

// ---- mbarrier
template <class Space> SIMT_INLINE void mbarrier_init(address a, u32 count) {
    simt_mbarrier_init(pointer<Space>(a), count);
}
template <class Space> SIMT_INLINE void mbarrier_inval(address a) { simt_mbarrier_invalidate(pointer<Space>(a)); }
template <class Space> SIMT_INLINE u64 mbarrier_arrive(address a, u32 count = 1) {
    return simt_mbarrier_arrive(pointer<Space>(a), count, 0, 0);
}
template <class Space> SIMT_INLINE u64 mbarrier_drop(address a, u32 count = 1) {
    return simt_mbarrier_arrive(pointer<Space>(a), count, 0, 1);
}
template <class Space> SIMT_INLINE u64 mbarrier_arrive_expect(address a, u32 bytes) {
    return simt_mbarrier_arrive(pointer<Space>(a), 1, bytes, 0);
}
template <class Space> SIMT_INLINE void mbarrier_expect(address a, u32 bytes) {
    simt_mbarrier_expect(pointer<Space>(a), bytes);
}
template <class Space> SIMT_INLINE void mbarrier_complete(address a, u32 bytes) {
    simt_mbarrier_complete(pointer<Space>(a), bytes);
}
struct parity {};
template <class What, class Space> SIMT_INLINE bool mbarrier_try(address a, u64 phase, u32 = 0) {
    return std::is_same_v<What, parity> ? simt_mbarrier_wait(pointer<Space>(a), (u32)phase, 1)
                                        : simt_mbarrier_wait_state(pointer<Space>(a), phase, 1);
}
template <class What, class Space> SIMT_INLINE bool mbarrier_test(address a, u64 phase) {
    return std::is_same_v<What, parity> ? simt_mbarrier_wait(pointer<Space>(a), (u32)phase, 0)
                                        : simt_mbarrier_wait_state(pointer<Space>(a), phase, 0);
}
struct noinc {};
// This thread's cp.asyncs have landed: an arrival, which without noinc was one more to wait for.
template <class NoInc, class Space> SIMT_INLINE void cp_async_arrive(address a) {
    cp_async_wait_all();
    if constexpr (std::is_same_v<NoInc, noinc>) simt_mbarrier_arrive(pointer<Space>(a), 1, 0, 0);
}

// ---- cp.async.bulk
template <class To, class... Hint>
SIMT_INLINE void bulk_load(address to, address from, u32 n, address barrier, Hint...) {
    simt_bulk_load(pointer<To>(to), (const void *)from.value, n, simt_shared_pointer((u32)barrier.value));
}
// To the same place in each block of the cluster whose bit is set, where the barrier of the same place counts the bytes.
SIMT_INLINE u32 in_block(address a, u32 rank) {
    return simt_shared_address(simt_map_shared(simt_shared_pointer((u32)a.value), rank));
}
template <class... Hint>
SIMT_INLINE void bulk_multicast(address to, address from, u32 n, address barrier, u32 mask, Hint...) {
    for (u32 rank = 0; rank < 16; rank++)
        if (mask >> rank & 1)
            bulk_load<shared_cluster>(address{in_block(to, rank)}, from, n, address{in_block(barrier, rank)});
}
SIMT_INLINE void bulk_between(address to, address from, u32 n, address barrier) {  // from this block's shared memory
    simt_bulk_load(simt_shared_pointer((u32)to.value), simt_shared_pointer((u32)from.value), n,
                   simt_shared_pointer((u32)barrier.value));
}
template <class... Hint> SIMT_INLINE void bulk_store(address to, address from, u32 n, Hint...) {
    simt_bulk_store((void *)to.value, simt_shared_pointer((u32)from.value), n, 0, SIMT_U32);
}
template <class Op> constexpr int reduction() {
    return std::is_same_v<Op, op_add>   ? 1
           : std::is_same_v<Op, op_min> ? 2
           : std::is_same_v<Op, op_max> ? 3
           : std::is_same_v<Op, op_and> ? 4
           : std::is_same_v<Op, op_or>  ? 5
                                        : 6;
}
template <class Op, class T, class... Hint> SIMT_INLINE void bulk_reduce(address to, address from, u32 n, Hint...) {
    simt_bulk_store((void *)to.value, simt_shared_pointer((u32)from.value), n, reduction<Op>(), atomic_kind<T>());
}

typedef count<1> _1d;
typedef count<2> _2d;
typedef count<3> _3d;
typedef count<4> _4d;
typedef count<5> _5d;

template <class Rank, class List, class... Hint>
SIMT_INLINE void tensor_load(address to, address map, List at, address barrier, Hint...) {
    values<s32, Rank::n> x = at;
    simt_tensor_load(simt_shared_pointer((u32)to.value), (const void *)map.value, Rank::n, x.x,
                     simt_shared_pointer((u32)barrier.value));
}
template <class Rank, class List, class... Hint>
SIMT_INLINE void tensor_multicast(address to, address map, List at, address barrier, u32 mask, Hint...) {
    for (u32 rank = 0; rank < 16; rank++)
        if (mask >> rank & 1) tensor_load<Rank>(address{in_block(to, rank)}, map, at, address{in_block(barrier, rank)});
}
template <class Rank, class List, class... Hint>
SIMT_INLINE void tensor_store(address map, List at, address from, Hint...) {
    values<s32, Rank::n> x = at;
    simt_tensor_store((const void *)map.value, Rank::n, x.x, simt_shared_pointer((u32)from.value), 0);
}
template <class Rank, class Op, class List, class... Hint>
SIMT_INLINE void tensor_reduce(address map, List at, address from, Hint...) {
    values<s32, Rank::n> x = at;
    simt_tensor_store((const void *)map.value, Rank::n, x.x, simt_shared_pointer((u32)from.value), reduction<Op>());
}
template <class Rank, class... A> SIMT_INLINE void tensor_prefetch(A...) {}
SIMT_INLINE void bulk_commit() { simt_bulk_commit(); }
SIMT_INLINE void bulk_wait(u32 newest_groups_left) { simt_bulk_wait(newest_groups_left); }

// st.async: a store into another block's shared memory that its mbarrier counts.
template <class Vector, class T, class V> SIMT_INLINE void st_async(address to, V value, address barrier) {
    st<none, shared_cluster, Vector, T>(to, value);
    simt_mbarrier_complete(simt_shared_pointer((u32)barrier.value), sizeof(T) * (std::is_same_v<Vector, v2>   ? 2
                                                                                 : std::is_same_v<Vector, v4> ? 4
                                                                                                              : 1));
}

}  // namespace ptx
}  // namespace simt

#endif
