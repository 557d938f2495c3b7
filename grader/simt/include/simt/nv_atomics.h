// nv_atomics.h: the atomics with an order and a scope that nvcc has since CUDA 12.8, by those that CUDA always had. Every scope
// is the device's; an order that releases or acquires is a fence before and after.
#ifndef SIMT_NV_ATOMICS_H
#define SIMT_NV_ATOMICS_H

#include "atomics.h"
#include "sync.h"

enum {
    __NV_ATOMIC_RELAXED,
    __NV_ATOMIC_CONSUME,
    __NV_ATOMIC_ACQUIRE,
    __NV_ATOMIC_RELEASE,
    __NV_ATOMIC_ACQ_REL,
    __NV_ATOMIC_SEQ_CST
};
enum {
    __NV_THREAD_SCOPE_THREAD,
    __NV_THREAD_SCOPE_BLOCK,
    __NV_THREAD_SCOPE_CLUSTER,
    __NV_THREAD_SCOPE_DEVICE,
    __NV_THREAD_SCOPE_SYSTEM
};

#define SIMT_NV_ATOMIC(NAME, DOES)                                                                                     \
    template <class T, class V> SIMT_INLINE T __nv_atomic_fetch_##NAME(T *p, V v, int order, int = 3) {                \
        if (order) __threadfence();                                                                                    \
        const T old = DOES(p, (T)v);                                                                                   \
        if (order) __threadfence();                                                                                    \
        return old;                                                                                                    \
    }                                                                                                                  \
    template <class T, class V> SIMT_INLINE void __nv_atomic_##NAME(T *p, V v, int order, int = 3) {                   \
        __nv_atomic_fetch_##NAME(p, v, order);                                                                         \
    }
SIMT_NV_ATOMIC(add, atomicAdd)
SIMT_NV_ATOMIC(sub, atomicSub)
SIMT_NV_ATOMIC(min, atomicMin)
SIMT_NV_ATOMIC(max, atomicMax)
SIMT_NV_ATOMIC(and, atomicAnd)
SIMT_NV_ATOMIC(or, atomicOr)
SIMT_NV_ATOMIC(xor, atomicXor)
#undef SIMT_NV_ATOMIC

template <class T, class V> SIMT_INLINE T __nv_atomic_exchange_n(T *p, V v, int order, int = 3) {
    if (order) __threadfence();
    const T old = atomicExch(p, (T)v);
    if (order) __threadfence();
    return old;
}
template <class T, class V> SIMT_INLINE void __nv_atomic_store_n(T *p, V v, int order, int = 3) {
    if (order) __threadfence();
    *(volatile T *)p = (T)v;
}
template <class T> SIMT_INLINE T __nv_atomic_load_n(const T *p, int order, int = 3) {
    const T now = *(const volatile T *)p;
    if (order) __threadfence();
    return now;
}
template <class T, class V>
SIMT_INLINE bool __nv_atomic_compare_exchange_n(T *p, T *expected, V v, bool, int order, int, int = 3) {
    if (order) __threadfence();
    const T wanted = *expected, old = atomicCAS(p, wanted, (T)v);
    if (order) __threadfence();
    *expected = old;
    return old == wanted;
}

#endif
