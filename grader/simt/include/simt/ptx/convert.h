// convert.h: cvt, from any type to any other, with its roundings.
#ifndef SIMT_PTX_CONVERT_H
#define SIMT_PTX_CONVERT_H

#include "scalar.h"

namespace simt {
namespace ptx {

struct rn {};
struct rz {};
struct rm {};
struct rp {};
struct rna {};
struct rni {};
struct rzi {};
struct rmi {};
struct rpi {};
struct sat {};
struct satfinite {};
struct relu {};

template <class S> SIMT_INLINE auto number_of(S a) {
    if constexpr (std::is_same_v<S, f16> || std::is_same_v<S, bf16>)
        return (double)to_number(a);
    else if constexpr (std::is_same_v<S, tf32>)
        return (double)bits_float(a.bits);
    else
        return a;
}

template <class R> SIMT_INLINE double to_integral(double x) {
    if constexpr (std::is_same_v<R, rzi>) return std::trunc(x);
    if constexpr (std::is_same_v<R, rmi>) return std::floor(x);
    if constexpr (std::is_same_v<R, rpi>) return std::ceil(x);
    return std::nearbyint(x);
}

// Into the type's range; a NaN becomes 0.
template <class D> SIMT_INLINE D clamp_to(double x) {
    if (x != x) return 0;
    constexpr double top = (double)(D)(std::is_signed_v<D> ? ((u64)1 << (8 * sizeof(D) - 1)) - 1 : ~(u64)0);
    constexpr double bottom = std::is_signed_v<D> ? -(double)((u64)1 << (8 * sizeof(D) - 1)) : 0;
    if (x >= top) return (D)(std::is_signed_v<D> ? ((u64)1 << (8 * sizeof(D) - 1)) - 1 : ~(u64)0);
    return x <= bottom ? (D)bottom : (D)x;
}

// 10 of 23 bits of the fraction stay; rna: nearest, ties away from zero.
template <class R> SIMT_INLINE tf32 to_tf32(float x) {
    u32 bits = float_bits(x), rest = bits & 0x1fff;
    if ((bits & 0x7f800000) == 0x7f800000) return {x != x ? 0x7fffffff : bits};
    bits &= ~(u32)0x1fff;
    bool up = std::is_same_v<R, rna> ? rest >= 0x1000
                                     : std::is_same_v<R, rn> && (rest > 0x1000 || (rest == 0x1000 && bits & 0x2000));
    return {bits + (up ? 0x2000 : 0)};
}

template <class R, class Format> SIMT_INLINE u16 to_half_bits(double x) {
    if constexpr (std::is_same_v<R, rz>) return round_zero_bits<Format>(x);
    if constexpr (std::is_same_v<R, rm>) return round_down_bits<Format>(x);
    if constexpr (std::is_same_v<R, rp>) return round_up_bits<Format>(x);
    return Format::from_double(x);
}

template <class R, class D> SIMT_INLINE D to_real(double x) {
    if constexpr (std::is_same_v<D, f16>)
        return {to_half_bits<R, half_format>(x)};
    else if constexpr (std::is_same_v<D, bf16>)
        return {to_half_bits<R, bfloat16_format>(x)};
    else if constexpr (std::is_same_v<D, tf32>)
        return to_tf32<R>((float)x);
    else if constexpr (std::is_same_v<D, f64>)
        return x;
    else {
        float f = (float)x;
        if (std::is_same_v<R, rz> && std::fabs((double)f) > std::fabs(x)) f = std::nextafter(f, 0.f);
        if (std::is_same_v<R, rm> && f > x) f = std::nextafter(f, -INFINITY);
        if (std::is_same_v<R, rp> && f < x) f = std::nextafter(f, INFINITY);
        return f;
    }
}

template <class R, class Limit, class D, class S> SIMT_INLINE D cvt(S a) {
    auto x = number_of(a);
    if constexpr (std::is_integral_v<D>) {
        if constexpr (!std::is_integral_v<decltype(x)>)
            return clamp_to<D>(to_integral<R>((double)x));
        else if constexpr (std::is_same_v<Limit, sat>)
            return clamp_to<D>((double)x);
        else
            return (D)x;
    } else {
        if constexpr (std::is_integral_v<decltype(x)> && sizeof(x) == 8 && std::is_same_v<D, f32>) return (float)x;
        double value = (double)x;
        if constexpr (std::is_same_v<R, rni> || std::is_same_v<R, rzi> || std::is_same_v<R, rmi> ||
                      std::is_same_v<R, rpi>)
            value = to_integral<R>(value);
        if constexpr (std::is_same_v<Limit, sat>) value = value > 0 ? (value < 1 ? value : 1) : 0;
        if constexpr (std::is_same_v<Limit, relu>) value = value > 0 ? value : 0;
        return to_real<R, D>(value);
    }
}

// cvt.rn.f16x2.f32 d, a, b: a becomes the upper half.
template <class R, class Limit, class D, class S> SIMT_INLINE D cvt(S a, S b) {
    static_assert(std::is_same_v<D, f16x2> || std::is_same_v<D, bf16x2>, "cvt with two sources makes a pair of halves");
    typedef std::conditional_t<std::is_same_v<D, f16x2>, f16, bf16> half;
    return {(u32)cvt<R, Limit, half, S>(a).bits << 16 | cvt<R, Limit, half, S>(b).bits};
}

}  // namespace ptx
}  // namespace simt

#endif
