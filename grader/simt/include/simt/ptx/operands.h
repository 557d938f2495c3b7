// operands.h: registers, constants, lists and addresses of inline PTX. A PTX register is bits, and an instruction says what
// they mean: so a ref converts to, and takes, any type, as bits where the sizes agree.
#ifndef SIMT_PTX_OPERANDS_H
#define SIMT_PTX_OPERANDS_H

#include <stdint.h>
#include <type_traits>

#include "../../../runtime/intrinsics.h"
#include "../qualifiers.h"
#include "../vector_types.h"

namespace simt {
namespace ptx {

// Types and other modifiers, as template arguments.
typedef bool pred;
typedef uint8_t b8, u8;
typedef int8_t s8;
typedef uint16_t b16, u16;
typedef int16_t s16;
typedef uint32_t b32, u32;
typedef int32_t s32;
typedef uint64_t b64, u64;
typedef int64_t s64;
typedef float f32;
typedef double f64;
struct f16 {
    uint16_t bits;
};
struct bf16 {
    uint16_t bits;
};
struct tf32 {
    uint32_t bits;
};
struct f16x2 {
    uint32_t bits;
};
struct bf16x2 {
    uint32_t bits;
};
struct none {};
template <int M, int N, int K> struct shape { static constexpr int m = M, n = N, k = K; };
template <int N> struct count { static constexpr int n = N; };
typedef count<2> v2;
typedef count<4> v4;
typedef count<8> v8;
typedef count<1> x1;
typedef count<2> x2;
typedef count<4> x4;

// Bits of one type as another. A larger register is filled by the value's sign, or by zeros.
template <class To, class From> SIMT_INLINE To as(From from) {
    if constexpr (sizeof(To) == sizeof(From)) {
        To to;
        SIMT_MOVE_BITS((void *)&to, &from, sizeof to);
        return to;
    } else if constexpr (std::is_arithmetic_v<To> && (std::is_arithmetic_v<From> || std::is_enum_v<From>)) {
        return (To)from;
    } else {
        To to{};
        SIMT_MOVE_BITS((void *)&to, &from, sizeof to < sizeof from ? sizeof to : sizeof from);
        return to;
    }
}
template <> SIMT_INLINE bool as<bool, bool>(bool from) { return from; }

// An operand of the asm statement: the variable itself, or its value.
template <class R, class T> SIMT_INLINE R &output(T &x) {
    static_assert(sizeof(T) == sizeof(R), "asm operand: the variable's size is not what the constraint says");
    return (R &)x;
}
template <class R, class T> SIMT_INLINE R input(T x) {
    static_assert(sizeof(T) == sizeof(R) || std::is_integral_v<T> || std::is_enum_v<T>,
                  "asm operand: the variable's size is not what the constraint says");
    return as<R>(x);
}

template <class X> struct reference {
    X &x;
    template <class T> SIMT_INLINE operator T() const { return as<T>(x); }
    template <class T> SIMT_INLINE void operator=(T value) const { x = as<X>(value); }
};
template <class X> SIMT_INLINE reference<X> ref(X &x) { return {x}; }

template <class X> struct constant {
    X x;
    template <class T> SIMT_INLINE operator T() const {
        if constexpr (std::is_arithmetic_v<T>)
            return (T)x;
        else
            return as<T>(x);
    }
};
template <class X> SIMT_INLINE constant<X> imm(X x) { return {x}; }

template <class X> struct bit_pattern {
    X x;
    template <class T> SIMT_INLINE operator T() const { return as<T>(x); }
};
template <class X> SIMT_INLINE bit_pattern<X> bits(X x) { return {x}; }  // 0f3F800000

struct sink {  // _
    template <class T> SIMT_INLINE void operator=(T) const {}
};

// [base + offset]: a pointer, or an address of 32 bits in the shared window.
struct address {
    uint64_t value;
};
template <class X> SIMT_INLINE address at(reference<X> base, int64_t offset) {
    return {(uint64_t)base.x + (uint64_t)offset};
}
template <class X> SIMT_INLINE address at(constant<X> base, int64_t offset) {
    return {(uint64_t)base.x + (uint64_t)offset};
}

// {a, b, c, d}: registers, or bits of a larger register.
template <class T, int N> struct values { T x[N]; };
template <class... E> struct elements;
template <> struct elements<> {
    template <class T> SIMT_INLINE void get(T *) const {}
    template <class T> SIMT_INLINE void set(const T *) const {}
    template <class T> SIMT_INLINE void point(T **) const {}
    static constexpr size_t size = 0;
};
template <class X> constexpr size_t size_of_element(const reference<X> *) { return sizeof(X); }
template <class X> constexpr size_t size_of_element(const X *) { return 4; }
template <class T, class X> SIMT_INLINE T *pointer_to(const reference<X> &r) {
    static_assert(sizeof(T) == sizeof(X), "inline PTX: a register of the list has another size than the instruction's");
    return (T *)&r.x;
}
template <class First, class... Rest> struct elements<First, Rest...> {
    First first;
    elements<Rest...> rest;
    static constexpr int n = 1 + sizeof...(Rest);
    static constexpr size_t size = size_of_element((const First *)nullptr);

    template <class T> SIMT_INLINE void get(T *to) const {
        *to = first;
        rest.get(to + 1);
    }
    template <class T> SIMT_INLINE void set(const T *from) const {
        first = *from;
        rest.set(from + 1);
    }
    template <class T> SIMT_INLINE void point(T **to) const {
        *to = pointer_to<T>(first);
        rest.point(to + 1);
    }
    template <class T, int N> SIMT_INLINE void operator=(const values<T, N> &v) const {
        static_assert(N == n, "inline PTX: the list has another length than the instruction's");
        set(v.x);
    }
    template <class T, int N> SIMT_INLINE operator values<T, N>() const {
        static_assert(N == n, "inline PTX: the list has another length than the instruction's");
        values<T, N> v;
        get(v.x);
        return v;
    }
    // mov.b64 {lo, hi}, x and mov.b64 x, {lo, hi}
    typedef std::conditional_t<
        size == 1, uint8_t, std::conditional_t<size == 2, uint16_t, std::conditional_t<size == 4, uint32_t, uint64_t>>>
        part;
    template <class T, std::enable_if_t<sizeof(T) == sizeof(part) * n && std::is_arithmetic_v<T>, int> = 0>
    SIMT_INLINE void operator=(T value) const {
        part parts[n];
        SIMT_MOVE_BITS(parts, &value, sizeof parts);
        set(parts);
    }
    template <class T, std::enable_if_t<sizeof(T) == sizeof(part) * n && std::is_arithmetic_v<T>, int> = 0>
    SIMT_INLINE operator T() const {
        part parts[n];
        get(parts);
        T value;
        SIMT_MOVE_BITS(&value, parts, sizeof parts);
        return value;
    }
};
SIMT_INLINE elements<> list() { return {}; }
template <class First, class... Rest> SIMT_INLINE elements<First, Rest...> list(First first, Rest... rest) {
    return {first, list(rest...)};
}

}  // namespace ptx
}  // namespace simt

#endif
