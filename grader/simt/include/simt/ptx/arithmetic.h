// arithmetic.h: sums, products, quotients and roots, with their roundings and .sat.
#ifndef SIMT_PTX_ARITHMETIC_H
#define SIMT_PTX_ARITHMETIC_H

#include "../math.h"
#include "carry.h"
#include "convert.h"
#include "scalar.h"

namespace simt {
namespace ptx {

// .sat: between 0 and 1, and NaN is 0.
template <class Limit, class T> SIMT_INLINE T limited(T x) {
    if constexpr (std::is_same_v<Limit, sat>)
        return lift([](auto v) { return v > 0 ? (v < 1 ? v : 1) : 0; }, x);
    else
        return x;
}

template <class R> constexpr bool is_directed = std::is_same_v<R, rz> || std::is_same_v<R, rm> || std::is_same_v<R, rp>;

// NAME(R{}, a, ...): rounded as R says, by CUDA's intrinsics for float (F_rz) and double (D_rz).
#define SIMT_DIRECTED_BY(NAME, T, F, PARAMETERS, ARGUMENTS)                                                            \
    template <class R> SIMT_INLINE T NAME PARAMETERS {                                                                 \
        if constexpr (std::is_same_v<R, rz>)                                                                           \
            return F##_rz ARGUMENTS;                                                                                   \
        else if constexpr (std::is_same_v<R, rm>)                                                                      \
            return F##_rd ARGUMENTS;                                                                                   \
        else                                                                                                           \
            return F##_ru ARGUMENTS;                                                                                   \
    }
SIMT_DIRECTED_BY(add_directed, float, __fadd, (float a, float b), (a, b))
SIMT_DIRECTED_BY(add_directed, double, __dadd, (double a, double b), (a, b))
SIMT_DIRECTED_BY(mul_directed, float, __fmul, (float a, float b), (a, b))
SIMT_DIRECTED_BY(mul_directed, double, __dmul, (double a, double b), (a, b))
SIMT_DIRECTED_BY(div_directed, float, __fdiv, (float a, float b), (a, b))
SIMT_DIRECTED_BY(div_directed, double, __ddiv, (double a, double b), (a, b))
SIMT_DIRECTED_BY(fma_directed, float, __fmaf, (float a, float b, float c), (a, b, c))
SIMT_DIRECTED_BY(fma_directed, double, __fma, (double a, double b, double c), (a, b, c))
SIMT_DIRECTED_BY(sqrt_directed, float, __fsqrt, (float a), (a))
SIMT_DIRECTED_BY(sqrt_directed, double, __dsqrt, (double a), (a))
#undef SIMT_DIRECTED_BY

// .sat of integers is .s32's alone: it stops at the ends.
SIMT_INLINE s32 between_ends(s64 x) { return x > INT32_MAX ? INT32_MAX : x < INT32_MIN ? INT32_MIN : (s32)x; }
template <class R, class Limit, class T> SIMT_INLINE T add(T a, T b) {
    if constexpr (std::is_same_v<T, s32> && std::is_same_v<Limit, sat>)
        return between_ends((s64)a + b);
    else if constexpr (is_directed<R>)
        return limited<Limit>(add_directed<R>(a, b));
    else
        return limited<Limit>(lift([](auto x, auto y) { return x + y; }, a, b));
}
template <class R, class Limit, class T> SIMT_INLINE T sub(T a, T b) {
    if constexpr (std::is_same_v<T, s32> && std::is_same_v<Limit, sat>)
        return between_ends((s64)a - b);
    else if constexpr (is_directed<R>)
        return limited<Limit>(add_directed<R>(a, -b));
    else
        return limited<Limit>(lift([](auto x, auto y) { return x - y; }, a, b));
}
template <class R, class Limit, class T> SIMT_INLINE T mul(T a, T b) {
    if constexpr (is_directed<R>)
        return limited<Limit>(mul_directed<R>(a, b));
    else
        return limited<Limit>(lift([](auto x, auto y) { return x * y; }, a, b));
}
template <class R, class T> SIMT_INLINE T div(T a, T b) {
    if constexpr (is_directed<R>)
        return div_directed<R>(a, b);
    else
        return lift([](auto x, auto y) { return x / y; }, a, b);
}
SIMT_INLINE float fused(float a, float b, float c) { return __builtin_fmaf(a, b, c); }
SIMT_INLINE double fused(double a, double b, double c) { return __builtin_fma(a, b, c); }
template <class R, class Limit, class T> SIMT_INLINE T fma(T a, T b, T c) {
    if constexpr (is_directed<R>)
        return limited<Limit>(fma_directed<R>(a, b, c));
    else if constexpr (std::is_floating_point_v<T>)
        return limited<Limit>(fused(a, b, c));
    else  // halves: as doubles, exact but for the last step
        return limited<Limit>(
            lift([](double x, double y, double z) { return fma_to_odd((float)x, (float)y, (float)z); }, a, b, c));
}
template <class R, class T> SIMT_INLINE T rcp(T a) { return div<R, T>((T)1, a); }
template <class R, class T> SIMT_INLINE T sqrt(T a) {
    if constexpr (is_directed<R>)
        return sqrt_directed<R>(a);
    else
        return lift([](auto x) { return std::sqrt(x); }, a);
}

}  // namespace ptx
}  // namespace simt
#endif
