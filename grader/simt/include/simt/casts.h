// casts.h: bits as another type, and conversions with a rounding mode in their name.
#ifndef SIMT_CASTS_H
#define SIMT_CASTS_H

#include <cfenv>
#include <cmath>

#include "warp.h"

namespace simt {

// To an integer type, saturating; NaN gives 0 for 32 bits and the lowest bit pattern 0x8000... for 64, as on a GPU.
template <class I, class F> static inline I to_integer(F x) {
    if (x != x) return sizeof(I) == 8 ? (I)((uint64_t)1 << 63) : 0;
    constexpr bool is_signed = std::is_signed<I>::value;
    const I least = is_signed ? (I)((uint64_t)1 << (8 * sizeof(I) - 1)) : 0, most = (I)~least;
    const F limit = (F)((uint64_t)1 << (8 * sizeof(I) - 1)) * (is_signed ? 1 : 2);
    if (x >= limit) return most;
    if (x < (is_signed ? -limit : (F)0)) return least;
    return (I)x;
}

// Rounds to the four modes; F is float or double, `exact` any type that holds the value.
template <class F> static inline F next_up(F x) { return std::nextafter(x, (F)INFINITY); }
template <class F> static inline F next_down(F x) { return std::nextafter(x, (F)-INFINITY); }
template <class F, class X> static inline F round_down(X exact) {
    F x = (F)exact;
    return (long double)x > (long double)exact ? next_down(x) : x;
}
template <class F, class X> static inline F round_up(X exact) {
    F x = (F)exact;
    return (long double)x < (long double)exact ? next_up(x) : x;
}
template <class F, class X> static inline F round_zero(X exact) {
    return exact < 0 ? round_up<F>(exact) : round_down<F>(exact);
}

}  // namespace simt

static SIMT_INLINE int __float_as_int(float x) { return simt::from_bits<int>(simt::to_bits(x)); }
static SIMT_INLINE unsigned __float_as_uint(float x) { return simt::from_bits<unsigned>(simt::to_bits(x)); }
static SIMT_INLINE float __int_as_float(int x) { return simt::from_bits<float>(simt::to_bits(x)); }
static SIMT_INLINE float __uint_as_float(unsigned x) { return simt::from_bits<float>(simt::to_bits(x)); }
static SIMT_INLINE long long __double_as_longlong(double x) { return simt::from_bits<long long>(simt::to_bits(x)); }
static SIMT_INLINE double __longlong_as_double(long long x) { return simt::from_bits<double>(simt::to_bits(x)); }
static SIMT_INLINE int __double2hiint(double x) { return (int)(simt::to_bits(x) >> 32); }
static SIMT_INLINE int __double2loint(double x) { return (int)simt::to_bits(x); }
static SIMT_INLINE double __hiloint2double(int hi, int lo) {
    return simt::from_bits<double>((uint64_t)(unsigned)hi << 32 | (unsigned)lo);
}

// From floating point to integers: rn nearest even, rz toward zero, rd down, ru up. Templates, as a program that calls none
// compiles faster without them.
#define SIMT_TO_INTEGER(FROM, F, TO, I)                                                                                \
    template <int = 0> SIMT_INLINE I __##FROM##2##TO##_rn(F x) { return simt::to_integer<I>(std::nearbyint(x)); }      \
    template <int = 0> SIMT_INLINE I __##FROM##2##TO##_rz(F x) { return simt::to_integer<I>(std::trunc(x)); }          \
    template <int = 0> SIMT_INLINE I __##FROM##2##TO##_rd(F x) { return simt::to_integer<I>(std::floor(x)); }          \
    template <int = 0> SIMT_INLINE I __##FROM##2##TO##_ru(F x) { return simt::to_integer<I>(std::ceil(x)); }
SIMT_TO_INTEGER(float, float, int, int)
SIMT_TO_INTEGER(float, float, uint, unsigned)
SIMT_TO_INTEGER(float, float, ll, long long)
SIMT_TO_INTEGER(float, float, ull, unsigned long long)
SIMT_TO_INTEGER(double, double, int, int)
SIMT_TO_INTEGER(double, double, uint, unsigned)
SIMT_TO_INTEGER(double, double, ll, long long)
SIMT_TO_INTEGER(double, double, ull, unsigned long long)

#define SIMT_FROM_INTEGER(FROM, I, TO, F)                                                                              \
    static SIMT_INLINE F __##FROM##2##TO##_rn(I x) { return (F)x; }                                                    \
    template <int = 0> SIMT_INLINE F __##FROM##2##TO##_rz(I x) { return simt::round_zero<F>(x); }                      \
    template <int = 0> SIMT_INLINE F __##FROM##2##TO##_rd(I x) { return simt::round_down<F>(x); }                      \
    template <int = 0> SIMT_INLINE F __##FROM##2##TO##_ru(I x) { return simt::round_up<F>(x); }
SIMT_FROM_INTEGER(int, int, float, float)
SIMT_FROM_INTEGER(uint, unsigned, float, float)
SIMT_FROM_INTEGER(ll, long long, float, float)
SIMT_FROM_INTEGER(ull, unsigned long long, float, float)
SIMT_FROM_INTEGER(ll, long long, double, double)
SIMT_FROM_INTEGER(ull, unsigned long long, double, double)
SIMT_FROM_INTEGER(double, double, float, float)
static SIMT_INLINE double __int2double_rn(int x) { return x; }
static SIMT_INLINE double __uint2double_rn(unsigned x) { return x; }

#endif
