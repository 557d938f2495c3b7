// atomics.h: atomicAdd and its kin, with their _block and _system forms, which are the same here.
#ifndef SIMT_ATOMICS_H
#define SIMT_ATOMICS_H

#include "warp.h"

namespace simt {

template <class T> struct atomic_type;
template <> struct atomic_type<int> { static constexpr simt_type value = SIMT_I32; };
template <> struct atomic_type<unsigned> { static constexpr simt_type value = SIMT_U32; };
template <> struct atomic_type<long long> { static constexpr simt_type value = SIMT_I64; };
template <> struct atomic_type<unsigned long long> { static constexpr simt_type value = SIMT_U64; };
template <> struct atomic_type<unsigned short> { static constexpr simt_type value = SIMT_U16; };
template <> struct atomic_type<float> { static constexpr simt_type value = SIMT_F32; };
template <> struct atomic_type<double> { static constexpr simt_type value = SIMT_F64; };

template <class T> SIMT_INLINE T atomic(simt_atomic_op op, T *p, T value, T compare = T()) {
    return from_bits<T>(simt_atomic(op, atomic_type<T>::value, (void *)p, to_bits(value), to_bits(compare)));
}

}  // namespace simt

// NAME(T *, T) for one type, in the three scopes.
#define SIMT_ATOMIC_FUNCTION(NAME, OP, T)                                                                              \
    static SIMT_INLINE T NAME(T *p, T value) { return simt::atomic<T>(OP, p, value); }                                 \
    static SIMT_INLINE T NAME##_block(T *p, T value) { return simt::atomic<T>(OP, p, value); }                         \
    static SIMT_INLINE T NAME##_system(T *p, T value) { return simt::atomic<T>(OP, p, value); }
#define SIMT_ATOMIC_CAS_FUNCTION(T)                                                                                    \
    static SIMT_INLINE T atomicCAS(T *p, T compare, T value) {                                                         \
        return simt::atomic<T>(SIMT_ATOMIC_CAS, p, value, compare);                                                    \
    }                                                                                                                  \
    static SIMT_INLINE T atomicCAS_block(T *p, T compare, T value) {                                                   \
        return simt::atomic<T>(SIMT_ATOMIC_CAS, p, value, compare);                                                    \
    }                                                                                                                  \
    static SIMT_INLINE T atomicCAS_system(T *p, T compare, T value) {                                                  \
        return simt::atomic<T>(SIMT_ATOMIC_CAS, p, value, compare);                                                    \
    }

SIMT_ATOMIC_FUNCTION(atomicAdd, SIMT_ATOMIC_ADD, int)
SIMT_ATOMIC_FUNCTION(atomicAdd, SIMT_ATOMIC_ADD, unsigned)
SIMT_ATOMIC_FUNCTION(atomicAdd, SIMT_ATOMIC_ADD, unsigned long long)
SIMT_ATOMIC_FUNCTION(atomicAdd, SIMT_ATOMIC_ADD, float)
SIMT_ATOMIC_FUNCTION(atomicAdd, SIMT_ATOMIC_ADD, double)
SIMT_ATOMIC_FUNCTION(atomicExch, SIMT_ATOMIC_EXCH, int)
SIMT_ATOMIC_FUNCTION(atomicExch, SIMT_ATOMIC_EXCH, unsigned)
SIMT_ATOMIC_FUNCTION(atomicExch, SIMT_ATOMIC_EXCH, unsigned long long)
SIMT_ATOMIC_FUNCTION(atomicExch, SIMT_ATOMIC_EXCH, float)
#define SIMT_ATOMIC_INTEGERS(NAME, OP)                                                                                 \
    SIMT_ATOMIC_FUNCTION(NAME, OP, int)                                                                                \
    SIMT_ATOMIC_FUNCTION(NAME, OP, unsigned)                                                                           \
    SIMT_ATOMIC_FUNCTION(NAME, OP, unsigned long long)
SIMT_ATOMIC_INTEGERS(atomicMin, SIMT_ATOMIC_MIN)
SIMT_ATOMIC_INTEGERS(atomicMax, SIMT_ATOMIC_MAX)
SIMT_ATOMIC_FUNCTION(atomicMin, SIMT_ATOMIC_MIN, long long)
SIMT_ATOMIC_FUNCTION(atomicMax, SIMT_ATOMIC_MAX, long long)
SIMT_ATOMIC_INTEGERS(atomicAnd, SIMT_ATOMIC_AND)
SIMT_ATOMIC_INTEGERS(atomicOr, SIMT_ATOMIC_OR)
SIMT_ATOMIC_INTEGERS(atomicXor, SIMT_ATOMIC_XOR)
SIMT_ATOMIC_FUNCTION(atomicInc, SIMT_ATOMIC_INC, unsigned)
SIMT_ATOMIC_FUNCTION(atomicDec, SIMT_ATOMIC_DEC, unsigned)
SIMT_ATOMIC_CAS_FUNCTION(int)
SIMT_ATOMIC_CAS_FUNCTION(unsigned)
SIMT_ATOMIC_CAS_FUNCTION(unsigned long long)
SIMT_ATOMIC_CAS_FUNCTION(unsigned short)

static SIMT_INLINE int atomicSub(int *p, int value) {
    return simt::atomic<int>(SIMT_ATOMIC_ADD, p, (int)(0u - (unsigned)value));
}
static SIMT_INLINE unsigned atomicSub(unsigned *p, unsigned value) {
    return simt::atomic<unsigned>(SIMT_ATOMIC_ADD, p, 0u - value);
}
static SIMT_INLINE int atomicSub_block(int *p, int value) {
    return simt::atomic<int>(SIMT_ATOMIC_ADD, p, (int)(0u - (unsigned)value));
}
static SIMT_INLINE int atomicSub_system(int *p, int value) {
    return simt::atomic<int>(SIMT_ATOMIC_ADD, p, (int)(0u - (unsigned)value));
}
static SIMT_INLINE unsigned atomicSub_block(unsigned *p, unsigned value) {
    return simt::atomic<unsigned>(SIMT_ATOMIC_ADD, p, 0u - value);
}
static SIMT_INLINE unsigned atomicSub_system(unsigned *p, unsigned value) {
    return simt::atomic<unsigned>(SIMT_ATOMIC_ADD, p, 0u - value);
}

#endif
