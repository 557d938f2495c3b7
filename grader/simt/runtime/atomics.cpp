// atomics.cpp: atomicAdd and its kin for every type, and the fences. One function, so that each is one access for the
// checker and names the student's line when it faults.
#include "../include/simt/half_bits.h"
#include "runtime.h"

#include <algorithm>
#include <cstring>

namespace simt {

template <class To, class From> static To bits(From from) {
    To to{};
    memcpy(&to, &from, std::min(sizeof to, sizeof from));
    return to;
}

// new = f(old) in a compare-and-swap loop; returns old.
template <class Bits, class F> static uint64_t update(void *p, F f) {
    Bits *word = (Bits *)p, old = __atomic_load_n(word, __ATOMIC_RELAXED);
    while (!__atomic_compare_exchange_n(word, &old, f(old), true, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
        ;
    return old;
}

template <class T> static T integer_op(simt_atomic_op op, T old, T value, T compare) {
    using U = std::make_unsigned_t<T>;
    switch (op) {
    case SIMT_ATOMIC_ADD: return (T)((U)old + (U)value);
    case SIMT_ATOMIC_MIN: return std::min(old, value);
    case SIMT_ATOMIC_MAX: return std::max(old, value);
    case SIMT_ATOMIC_EXCH: return value;
    case SIMT_ATOMIC_CAS: return old == compare ? value : old;
    case SIMT_ATOMIC_AND: return old & value;
    case SIMT_ATOMIC_OR: return old | value;
    case SIMT_ATOMIC_XOR: return old ^ value;
    case SIMT_ATOMIC_INC: return old >= value ? 0 : old + 1;
    default: return old == 0 || old > value ? value : old - 1;
    }
}

template <class T> static uint64_t integer(simt_atomic_op op, void *p, uint64_t value, uint64_t compare) {
    using U = std::make_unsigned_t<T>;
    if (op == SIMT_ATOMIC_ADD) return __atomic_fetch_add((U *)p, (U)value, __ATOMIC_RELAXED);
    return update<U>(p, [=](U old) { return (U)integer_op<T>(op, (T)old, (T)value, (T)compare); });
}

template <class T, class U> static uint64_t floating(simt_atomic_op op, void *p, uint64_t value) {
    return update<U>(p, [=](U old) {
        T x = bits<T>(old), v = bits<T>((U)value);
        return bits<U>(op == SIMT_ATOMIC_ADD    ? x + v
                       : op == SIMT_ATOMIC_EXCH ? v
                       : op == SIMT_ATOMIC_MIN  ? std::min(x, v)
                                                : std::max(x, v));
    });
}

static uint16_t add_half(uint16_t a, uint16_t b) { return float_to_half(half_to_float(a) + half_to_float(b)); }
static uint16_t add_bfloat16(uint16_t a, uint16_t b) {
    return float_to_bfloat16(bfloat16_to_float(a) + bfloat16_to_float(b));
}

static uint64_t add_halves(simt_type type, void *p, uint64_t value) {
    auto add = type == SIMT_F16 || type == SIMT_F16X2 ? add_half : add_bfloat16;
    if (type == SIMT_F16 || type == SIMT_BF16)
        return update<uint16_t>(p, [=](uint16_t old) { return add(old, (uint16_t)value); });
    return update<uint32_t>(p, [=](uint32_t old) {
        return (uint32_t)add((uint16_t)old, (uint16_t)value) |
               (uint32_t)add((uint16_t)(old >> 16), (uint16_t)(value >> 16)) << 16;
    });
}

static uint64_t perform(simt_atomic_op op, simt_type type, void *p, uint64_t value, uint64_t compare) {
    switch (type) {
    case SIMT_I32: return integer<int32_t>(op, p, value, compare);
    case SIMT_U32: return integer<uint32_t>(op, p, value, compare);
    case SIMT_I64: return integer<int64_t>(op, p, value, compare);
    case SIMT_U64: return integer<uint64_t>(op, p, value, compare);
    case SIMT_U16: return integer<uint16_t>(op, p, value, compare);
    case SIMT_F32: return floating<float, uint32_t>(op, p, value);
    case SIMT_F64: return floating<double, uint64_t>(op, p, value);
    default: return add_halves(type, p, value);
    }
}

static size_t size_of(simt_type type) {
    switch (type) {
    case SIMT_I64:
    case SIMT_U64:
    case SIMT_F64: return 8;
    case SIMT_U16:
    case SIMT_F16:
    case SIMT_BF16: return 2;
    default: return 4;
    }
}

}  // namespace simt

using namespace simt;

uint64_t simt_atomic(simt_atomic_op op, simt_type type, void *p, uint64_t value, uint64_t compare) {
    Worker *w = this_worker;
    w->fiber->site = __builtin_return_address(0);
    if ((uintptr_t)p % size_of(type))
        stop_kernel(716, __builtin_return_address(0), "misaligned atomic: address %p, %zu bytes", p, size_of(type));
    poll(*w);
    if (simt_hooks)  // after poll: nothing may run between the announcement and the operation
        simt_hooks->access(p, size_of(type), op == SIMT_ATOMIC_CAS ? SIMT_CAS : SIMT_ATOMIC,
                           __builtin_return_address(0));
    return perform(op, type, p, value, compare);
}

void simt_fence(int scope) {
    Worker *w = this_worker;
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
    if (!w) return;
    w->fiber->site = __builtin_return_address(0);
    poll(*w);
    if (simt_hooks) simt_hooks->fence(w->fiber->thread, scope);
}
