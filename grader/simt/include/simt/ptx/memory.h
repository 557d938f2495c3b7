// memory.h: loads, stores, atomics and addresses. Cache hints change nothing here.
#ifndef SIMT_PTX_MEMORY_H
#define SIMT_PTX_MEMORY_H

#include "../../../runtime/ptx/ptx.h"
#include "../atomics.h"
#include "operands.h"
#include "operations.h"

namespace simt {
namespace ptx {

struct global {};
struct shared {};
struct shared_cta {};
struct shared_cluster {};
struct local {};
struct _const {};
struct param {};
struct weak {};
struct relaxed {};
struct acquire {};
struct release {};
struct acq_rel {};
struct mmio {};
struct _volatile {};

template <class Space>
constexpr bool is_shared =
    std::is_same_v<Space, shared> || std::is_same_v<Space, shared_cta> || std::is_same_v<Space, shared_cluster>;

template <class Space> SIMT_INLINE void *pointer(address a) {
    if constexpr (is_shared<Space>)
        return simt_shared_pointer((uint32_t)a.value);
    else
        return (void *)a.value;
}

// One access of N bytes, whatever their type.
template <size_t N> struct chunk;
template <> struct chunk<1> { typedef uint8_t type; };
template <> struct chunk<2> { typedef uint16_t type; };
template <> struct chunk<4> { typedef uint32_t type; };
template <> struct chunk<8> { typedef uint64_t type; };
template <> struct chunk<16> { typedef uint32_t type __attribute__((vector_size(16))); };

template <class Order> constexpr bool is_strong = !std::is_same_v<Order, none> && !std::is_same_v<Order, weak>;
// Checked mode tells relaxed accesses, which two threads may do at once, from C++'s volatile.
template <class Order, class T> SIMT_INLINE T load_strong(T *p) {
    if constexpr (std::is_same_v<Order, _volatile>) return *(volatile T *)p;
    return __atomic_load_n(p, __ATOMIC_RELAXED);
}
template <class Order, class T> SIMT_INLINE void store_strong(T *p, T value) {
    if constexpr (std::is_same_v<Order, _volatile>)
        *(volatile T *)p = value;
    else
        __atomic_store_n(p, value, __ATOMIC_RELAXED);
}

template <class Order, class T> SIMT_INLINE T load(void *p) {
    if constexpr (is_strong<Order> && sizeof(T) <= 8) {
        auto x = load_strong<Order>((typename chunk<sizeof(T)>::type *)p);
        if constexpr (std::is_same_v<Order, acquire>) simt_fence(1);
        simt_poll();  // a loop around it waits for others
        return as<T>(x);
    } else {
        return as<T>(*(typename chunk<sizeof(T)>::type *)p);
    }
}
template <class Order, class T> SIMT_INLINE void store(void *p, T value) {
    if constexpr (std::is_same_v<Order, release>) simt_fence(1);
    if constexpr (is_strong<Order> && sizeof(T) <= 8)
        store_strong<Order>((typename chunk<sizeof(T)>::type *)p, as<typename chunk<sizeof(T)>::type>(value));
    else
        *(typename chunk<sizeof(T)>::type *)p = as<typename chunk<sizeof(T)>::type>(value);
}

template <class Order, class Space, class Vector, class T> SIMT_INLINE auto ld(address a) {
    if constexpr (std::is_same_v<Vector, none>)
        return load<Order, T>(pointer<Space>(a));
    else
        return load<Order, values<T, Vector::n>>(pointer<Space>(a));
}
template <class Order, class Space, class Vector, class T, class Policy> SIMT_INLINE auto ld(address a, Policy) {
    return ld<Order, Space, Vector, T>(a);
}
template <class Space, class Vector, class T> SIMT_INLINE auto ldu(address a) { return ld<none, Space, Vector, T>(a); }

template <class Order, class Space, class Vector, class T, class V> SIMT_INLINE void st(address a, V value) {
    if constexpr (std::is_same_v<Vector, none>)
        store<Order, T>(pointer<Space>(a), (T)value);
    else
        store<Order, values<T, Vector::n>>(pointer<Space>(a), (values<T, Vector::n>)value);
}
template <class Order, class Space, class Vector, class T, class V, class Policy>
SIMT_INLINE void st(address a, V value, Policy) {
    st<Order, Space, Vector, T>(a, value);
}

// ---- Atomics
template <class T> constexpr simt_type atomic_kind() {
    if (std::is_same_v<T, s32>) return SIMT_I32;
    if (std::is_same_v<T, u32>) return SIMT_U32;
    if (std::is_same_v<T, s64>) return SIMT_I64;
    if (std::is_same_v<T, u64>) return SIMT_U64;
    if (std::is_same_v<T, f32>) return SIMT_F32;
    if (std::is_same_v<T, f64>) return SIMT_F64;
    if (std::is_same_v<T, u16>) return SIMT_U16;
    if (std::is_same_v<T, f16>) return SIMT_F16;
    if (std::is_same_v<T, bf16>) return SIMT_BF16;
    return std::is_same_v<T, f16x2> ? SIMT_F16X2 : SIMT_BF16X2;
}
template <class Order> SIMT_INLINE void fence_before() {
    if constexpr (std::is_same_v<Order, release> || std::is_same_v<Order, acq_rel>) simt_fence(1);
}
template <class Order> SIMT_INLINE void fence_after() {
    if constexpr (std::is_same_v<Order, acquire> || std::is_same_v<Order, acq_rel>) simt_fence(1);
}
template <class Order, class Space, class Op, class T> SIMT_INLINE T atomic_at(address a, T value, T compare) {
    fence_before<Order>();
    T old = as<T>(from_bits<typename chunk<sizeof(T)>::type>(
        simt_atomic(Op::atomic, atomic_kind<T>(), pointer<Space>(a), to_bits(value), to_bits(compare))));
    fence_after<Order>();
    return old;
}
template <class Order, class Space, class Op, class T> SIMT_INLINE T atom(address a, T value) {
    return atomic_at<Order, Space, Op, T>(a, value, T());
}
template <class Order, class Space, class Op, class T> SIMT_INLINE T atom(address a, T compare, T value) {
    return atomic_at<Order, Space, Op, T>(a, value, compare);
}
// The operation may also stand first: atom.add.release.gpu.u32.
template <class Op, class Order, class Space, class T, class... V> SIMT_INLINE T atom_by(address a, V... values) {
    return atom<Order, Space, Op, T>(a, values...);
}
template <class Order, class Space, class Op, class T> SIMT_INLINE void red(address a, T value) {
    atomic_at<Order, Space, Op, T>(a, value, T());
}

// ---- Addresses
template <class Space> SIMT_INLINE uint64_t cvta(uint64_t a) { return (uint64_t)(uintptr_t)pointer<Space>(address{a}); }
template <class Space> SIMT_INLINE uint64_t cvta_to(uint64_t a) {
    return is_shared<Space> ? simt_shared_address((const void *)a) : a;
}
// The same place in the shared memory of the cluster's block `rank`.
template <class Space> SIMT_INLINE u64 mapa(u64 a, u32 rank) {
    if constexpr (is_shared<Space>)
        return simt_shared_address(simt_map_shared(simt_shared_pointer((u32)a), rank));
    else
        return (u64)(uintptr_t)simt_map_shared((void *)a, rank);
}
template <class Space> SIMT_INLINE u32 getctarank(u64 a) {
    return (u32)simt_rank_of_shared(is_shared<Space> ? simt_shared_pointer((u32)a) : (void *)a);
}
template <class Space> SIMT_INLINE bool isspacep(uint64_t a) {
    int space = simt_address_space((const void *)a);
    return is_shared<Space> ? space == 2 : std::is_same_v<Space, global> ? space == 1 : space == 3;
}
template <class... A> SIMT_INLINE uint64_t policy(A...) { return 0; }
template <class... M, class... A> SIMT_INLINE void hint(A...) {}

}  // namespace ptx
}  // namespace simt

#endif
