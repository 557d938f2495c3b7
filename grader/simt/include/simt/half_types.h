// half_types.h: what __half and __nv_bfloat16 have in common, as macros over the names in which CUDA's headers differ:
//     T, T2  the types    N, N2  the names in conversions (half, half2 / bfloat16, bfloat162)    F  the format's class
// Arithmetic is done in float and rounded once to the type, which gives the correctly rounded result for + - * / and sqrt.
#ifndef SIMT_HALF_TYPES_H
#define SIMT_HALF_TYPES_H

#include "../cuda_runtime.h"
#include "half_bits.h"

#define SIMT_HALF_TYPE(T, T2, F)                                                                                       \
    struct T##_raw {                                                                                                   \
        unsigned short x;                                                                                              \
    };                                                                                                                 \
    struct __attribute__((aligned(2), may_alias)) T {                                                                  \
        unsigned short __x;                                                                                            \
        T() = default;                                                                                                 \
        constexpr T(const T##_raw &raw) : __x(raw.x) {}                                                                \
        SIMT_INLINE T(float v) : __x(simt::F::from_float(v)) {}                                                        \
        SIMT_INLINE T(double v) : __x(simt::F::from_double(v)) {}                                                      \
        SIMT_INLINE T(short v) : __x(simt::F::from_float((float)v)) {}                                                 \
        SIMT_INLINE T(unsigned short v) : __x(simt::F::from_float((float)v)) {}                                        \
        SIMT_INLINE T(int v) : __x(simt::F::from_double((double)v)) {}                                                 \
        SIMT_INLINE T(unsigned v) : __x(simt::F::from_double((double)v)) {}                                            \
        SIMT_INLINE T(long v) : __x(simt::F::from_double((double)v)) {}                                                \
        SIMT_INLINE T(unsigned long v) : __x(simt::F::from_double((double)v)) {}                                       \
        SIMT_INLINE T(long long v) : __x(simt::F::from_double((double)v)) {}                                           \
        SIMT_INLINE T(unsigned long long v) : __x(simt::F::from_double((double)v)) {}                                  \
        SIMT_INLINE operator float() const { return simt::F::to_float(__x); }                                          \
        SIMT_INLINE operator T##_raw() const { return T##_raw{__x}; }                                                  \
        SIMT_INLINE operator signed char() const { return (signed char)simt::to_integer<short>((float)*this); }        \
        SIMT_INLINE operator unsigned char() const {                                                                   \
            return (unsigned char)simt::to_integer<unsigned short>((float)*this);                                      \
        }                                                                                                              \
        SIMT_INLINE operator char() const { return (char)simt::to_integer<short>((float)*this); }                      \
        SIMT_INLINE operator short() const { return simt::to_integer<short>((float)*this); }                           \
        SIMT_INLINE operator unsigned short() const { return simt::to_integer<unsigned short>((float)*this); }         \
        SIMT_INLINE operator int() const { return simt::to_integer<int>((float)*this); }                               \
        SIMT_INLINE operator unsigned() const { return simt::to_integer<unsigned>((float)*this); }                     \
        SIMT_INLINE operator long() const { return simt::to_integer<long>((float)*this); }                             \
        SIMT_INLINE operator unsigned long() const { return simt::to_integer<unsigned long>((float)*this); }           \
        SIMT_INLINE operator long long() const { return simt::to_integer<long long>((float)*this); }                   \
        SIMT_INLINE operator unsigned long long() const { return simt::to_integer<unsigned long long>((float)*this); } \
        constexpr operator bool() const { return (__x & 0x7fff) != 0; }                                                \
    };                                                                                                                 \
    struct T2##_raw {                                                                                                  \
        unsigned short x, y;                                                                                           \
    };                                                                                                                 \
    struct __attribute__((aligned(4), may_alias)) T2 {                                                                 \
        T x, y;                                                                                                        \
        T2() = default;                                                                                                \
        SIMT_INLINE T2(const T &a, const T &b) : x(a), y(b) {}                                                         \
        SIMT_INLINE T2(const T2##_raw &raw) : x(T##_raw{raw.x}), y(T##_raw{raw.y}) {}                                  \
        SIMT_WIDE_COPY(T2)                                                                                             \
    };                                                                                                                 \
    namespace simt {                                                                                                   \
    template <> struct can_shuffle<T> : std::true_type {};                                                             \
    template <> struct can_shuffle<T2> : std::true_type {};                                                            \
    }                                                                                                                  \
    SIMT_INLINE T simt_bits_##T(unsigned short bits) { return T(T##_raw{bits}); }

// One function per pair from the function per element.
#define SIMT_PAIRWISE1(T2, PAIR, ONE)                                                                                  \
    static SIMT_INLINE T2 PAIR(T2 a) { return T2(ONE(a.x), ONE(a.y)); }
#define SIMT_PAIRWISE2(T2, PAIR, ONE)                                                                                  \
    static SIMT_INLINE T2 PAIR(T2 a, T2 b) { return T2(ONE(a.x, b.x), ONE(a.y, b.y)); }
#define SIMT_PAIRWISE3(T2, PAIR, ONE)                                                                                  \
    static SIMT_INLINE T2 PAIR(T2 a, T2 b, T2 c) { return T2(ONE(a.x, b.x, c.x), ONE(a.y, b.y, c.y)); }

#define SIMT_HALF_ARITHMETIC(T, T2)                                                                                    \
    static SIMT_INLINE T __hadd(T a, T b) { return T((float)a + (float)b); }                                           \
    static SIMT_INLINE T __hsub(T a, T b) { return T((float)a - (float)b); }                                           \
    static SIMT_INLINE T __hmul(T a, T b) { return T((float)a * (float)b); }                                           \
    static SIMT_INLINE T __hdiv(T a, T b) { return T((float)a / (float)b); }                                           \
    static SIMT_INLINE T __hfma(T a, T b, T c) { return T(simt::fma_to_odd((float)a, (float)b, (float)c)); }           \
    static SIMT_INLINE T __hadd_rn(T a, T b) { return __hadd(a, b); }                                                  \
    static SIMT_INLINE T __hsub_rn(T a, T b) { return __hsub(a, b); }                                                  \
    static SIMT_INLINE T __hmul_rn(T a, T b) { return __hmul(a, b); }                                                  \
    static SIMT_INLINE T __hadd_sat(T a, T b) { return T(__saturatef((float)a + (float)b)); }                          \
    static SIMT_INLINE T __hsub_sat(T a, T b) { return T(__saturatef((float)a - (float)b)); }                          \
    static SIMT_INLINE T __hmul_sat(T a, T b) { return T(__saturatef((float)a * (float)b)); }                          \
    static SIMT_INLINE T __hfma_sat(T a, T b, T c) { return T(__saturatef((float)__hfma(a, b, c))); }                  \
    static SIMT_INLINE T __hfma_relu(T a, T b, T c) {                                                                  \
        T r = __hfma(a, b, c);                                                                                         \
        return (float)r < 0 ? T(0.0f) : r;                                                                             \
    }                                                                                                                  \
    static SIMT_INLINE T __hneg(T a) { return simt_bits_##T(a.__x ^ 0x8000); }                                         \
    static SIMT_INLINE T __habs(T a) { return simt_bits_##T(a.__x & 0x7fff); }                                         \
    static SIMT_INLINE bool __hisnan(T a) { return (float)a != (float)a; }                                             \
    static SIMT_INLINE int __hisinf(T a) { return (float)a == INFINITY ? 1 : (float)a == -INFINITY ? -1 : 0; }         \
    static SIMT_INLINE T __hmax(T a, T b) {                                                                            \
        return (float)a == (float)b ? simt_bits_##T(a.__x & b.__x) : T(std::fmax((float)a, (float)b));                 \
    }                                                                                                                  \
    static SIMT_INLINE T __hmin(T a, T b) {                                                                            \
        return (float)a == (float)b ? simt_bits_##T(a.__x | b.__x) : T(std::fmin((float)a, (float)b));                 \
    }                                                                                                                  \
    static SIMT_INLINE T __hmax_nan(T a, T b) {                                                                        \
        return __hisnan(a) || __hisnan(b) ? simt_bits_##T(0x7fff) : __hmax(a, b);                                      \
    }                                                                                                                  \
    static SIMT_INLINE T __hmin_nan(T a, T b) {                                                                        \
        return __hisnan(a) || __hisnan(b) ? simt_bits_##T(0x7fff) : __hmin(a, b);                                      \
    }                                                                                                                  \
    SIMT_PAIRWISE2(T2, __hadd2, __hadd)                                                                                \
    SIMT_PAIRWISE2(T2, __hsub2, __hsub)                                                                                \
    SIMT_PAIRWISE2(T2, __hmul2, __hmul)                                                                                \
    SIMT_PAIRWISE2(T2, __h2div, __hdiv)                                                                                \
    SIMT_PAIRWISE3(T2, __hfma2, __hfma)                                                                                \
    SIMT_PAIRWISE3(T2, __hfma2_sat, __hfma_sat)                                                                        \
    SIMT_PAIRWISE3(T2, __hfma2_relu, __hfma_relu)                                                                      \
    SIMT_PAIRWISE2(T2, __hadd2_rn, __hadd)                                                                             \
    SIMT_PAIRWISE2(T2, __hsub2_rn, __hsub)                                                                             \
    SIMT_PAIRWISE2(T2, __hmul2_rn, __hmul)                                                                             \
    SIMT_PAIRWISE2(T2, __hadd2_sat, __hadd_sat)                                                                        \
    SIMT_PAIRWISE2(T2, __hsub2_sat, __hsub_sat)                                                                        \
    SIMT_PAIRWISE2(T2, __hmul2_sat, __hmul_sat)                                                                        \
    SIMT_PAIRWISE1(T2, __hneg2, __hneg)                                                                                \
    SIMT_PAIRWISE1(T2, __habs2, __habs)                                                                                \
    SIMT_PAIRWISE2(T2, __hmax2, __hmax)                                                                                \
    SIMT_PAIRWISE2(T2, __hmin2, __hmin)                                                                                \
    SIMT_PAIRWISE2(T2, __hmax2_nan, __hmax_nan)                                                                        \
    SIMT_PAIRWISE2(T2, __hmin2_nan, __hmin_nan) static SIMT_INLINE T2 __hisnan2(T2 a) {                                \
        return T2(T(__hisnan(a.x) ? 1.0f : 0.0f), T(__hisnan(a.y) ? 1.0f : 0.0f));                                     \
    }                                                                                                                  \
    static SIMT_INLINE T2 __hcmadd(T2 a, T2 b, T2 c) {                                                                 \
        return T2(__hfma(__hneg(a.y), b.y, __hfma(a.x, b.x, c.x)), __hfma(a.y, b.x, __hfma(a.x, b.y, c.y)));           \
    }

// A comparison in CUDA's eight forms; the u forms are true when an operand is NaN.
#define SIMT_HALF_COMPARISON(T, T2, NAME, OP)                                                                          \
    static SIMT_INLINE bool __h##NAME(T a, T b) { return !__hisnan(a) && !__hisnan(b) && (float)a OP(float) b; }       \
    static SIMT_INLINE bool __h##NAME##u(T a, T b) { return __hisnan(a) || __hisnan(b) || (float)a OP(float) b; }      \
    static SIMT_INLINE bool __hb##NAME##2(T2 a, T2 b) { return __h##NAME(a.x, b.x) && __h##NAME(a.y, b.y); }           \
    static SIMT_INLINE bool __hb##NAME##u2(T2 a, T2 b) { return __h##NAME##u(a.x, b.x) && __h##NAME##u(a.y, b.y); }    \
    static SIMT_INLINE T2 __h##NAME##2(T2 a, T2 b) {                                                                   \
        return T2(T(__h##NAME(a.x, b.x) ? 1.0f : 0.0f), T(__h##NAME(a.y, b.y) ? 1.0f : 0.0f));                         \
    }                                                                                                                  \
    static SIMT_INLINE T2 __h##NAME##u2(T2 a, T2 b) {                                                                  \
        return T2(T(__h##NAME##u(a.x, b.x) ? 1.0f : 0.0f), T(__h##NAME##u(a.y, b.y) ? 1.0f : 0.0f));                   \
    }                                                                                                                  \
    static SIMT_INLINE unsigned __h##NAME##2_mask(T2 a, T2 b) {                                                        \
        return (__h##NAME(a.x, b.x) ? 0xffffu : 0) | (__h##NAME(a.y, b.y) ? 0xffff0000u : 0);                          \
    }                                                                                                                  \
    static SIMT_INLINE unsigned __h##NAME##u2_mask(T2 a, T2 b) {                                                       \
        return (__h##NAME##u(a.x, b.x) ? 0xffffu : 0) | (__h##NAME##u(a.y, b.y) ? 0xffff0000u : 0);                    \
    }
#define SIMT_HALF_COMPARISONS(T, T2)                                                                                   \
    SIMT_HALF_COMPARISON(T, T2, eq, ==)                                                                                \
    SIMT_HALF_COMPARISON(T, T2, lt, <)                                                                                 \
    SIMT_HALF_COMPARISON(T, T2, le, <=)                                                                                \
    SIMT_HALF_COMPARISON(T, T2, gt, >) SIMT_HALF_COMPARISON(T, T2, ge, >=) SIMT_HALF_COMPARISON(T, T2, ne, !=)

#define SIMT_HALF_OPERATORS(T, T2)                                                                                     \
    static SIMT_INLINE T operator+(const T &a, const T &b) { return __hadd(a, b); }                                    \
    static SIMT_INLINE T operator-(const T &a, const T &b) { return __hsub(a, b); }                                    \
    static SIMT_INLINE T operator*(const T &a, const T &b) { return __hmul(a, b); }                                    \
    static SIMT_INLINE T operator/(const T &a, const T &b) { return __hdiv(a, b); }                                    \
    static SIMT_INLINE T &operator+=(T &a, const T &b) { return a = __hadd(a, b); }                                    \
    static SIMT_INLINE T &operator-=(T &a, const T &b) { return a = __hsub(a, b); }                                    \
    static SIMT_INLINE T &operator*=(T &a, const T &b) { return a = __hmul(a, b); }                                    \
    static SIMT_INLINE T &operator/=(T &a, const T &b) { return a = __hdiv(a, b); }                                    \
    static SIMT_INLINE T &operator++(T &a) { return a = __hadd(a, T(1.0f)); }                                          \
    static SIMT_INLINE T &operator--(T &a) { return a = __hsub(a, T(1.0f)); }                                          \
    static SIMT_INLINE T operator++(T &a, int) {                                                                       \
        T old = a;                                                                                                     \
        a = __hadd(a, T(1.0f));                                                                                        \
        return old;                                                                                                    \
    }                                                                                                                  \
    static SIMT_INLINE T operator--(T &a, int) {                                                                       \
        T old = a;                                                                                                     \
        a = __hsub(a, T(1.0f));                                                                                        \
        return old;                                                                                                    \
    }                                                                                                                  \
    static SIMT_INLINE T operator+(const T &a) { return a; }                                                           \
    static SIMT_INLINE T operator-(const T &a) { return __hneg(a); }                                                   \
    static SIMT_INLINE bool operator==(const T &a, const T &b) { return (float)a == (float)b; }                        \
    static SIMT_INLINE bool operator!=(const T &a, const T &b) { return (float)a != (float)b; }                        \
    static SIMT_INLINE bool operator<(const T &a, const T &b) { return (float)a < (float)b; }                          \
    static SIMT_INLINE bool operator>(const T &a, const T &b) { return (float)a > (float)b; }                          \
    static SIMT_INLINE bool operator<=(const T &a, const T &b) { return (float)a <= (float)b; }                        \
    static SIMT_INLINE bool operator>=(const T &a, const T &b) { return (float)a >= (float)b; }                        \
    static SIMT_INLINE T2 operator+(const T2 &a, const T2 &b) { return __hadd2(a, b); }                                \
    static SIMT_INLINE T2 operator-(const T2 &a, const T2 &b) { return __hsub2(a, b); }                                \
    static SIMT_INLINE T2 operator*(const T2 &a, const T2 &b) { return __hmul2(a, b); }                                \
    static SIMT_INLINE T2 operator/(const T2 &a, const T2 &b) { return __h2div(a, b); }                                \
    static SIMT_INLINE T2 &operator+=(T2 &a, const T2 &b) { return a = __hadd2(a, b); }                                \
    static SIMT_INLINE T2 &operator-=(T2 &a, const T2 &b) { return a = __hsub2(a, b); }                                \
    static SIMT_INLINE T2 &operator*=(T2 &a, const T2 &b) { return a = __hmul2(a, b); }                                \
    static SIMT_INLINE T2 &operator/=(T2 &a, const T2 &b) { return a = __h2div(a, b); }                                \
    static SIMT_INLINE T2 operator+(const T2 &a) { return a; }                                                         \
    static SIMT_INLINE T2 operator-(const T2 &a) { return __hneg2(a); }                                                \
    static SIMT_INLINE bool operator==(const T2 &a, const T2 &b) { return __hbeq2(a, b); }                             \
    static SIMT_INLINE bool operator!=(const T2 &a, const T2 &b) { return __hbneu2(a, b); }                            \
    static SIMT_INLINE bool operator<(const T2 &a, const T2 &b) { return __hblt2(a, b); }                              \
    static SIMT_INLINE bool operator>(const T2 &a, const T2 &b) { return __hbgt2(a, b); }

#define SIMT_HALF_FUNCTION(T, T2, NAME, EXPRESSION)                                                                    \
    static SIMT_INLINE T h##NAME(T a) {                                                                                \
        float v = (float)a;                                                                                            \
        return T(EXPRESSION);                                                                                          \
    }                                                                                                                  \
    SIMT_PAIRWISE1(T2, h2##NAME, h##NAME)
#define SIMT_HALF_FUNCTIONS(T, T2)                                                                                     \
    SIMT_HALF_FUNCTION(T, T2, sqrt, std::sqrt(v))                                                                      \
    SIMT_HALF_FUNCTION(T, T2, rsqrt, 1 / std::sqrt(v))                                                                 \
    SIMT_HALF_FUNCTION(T, T2, rcp, 1 / v)                                                                              \
    SIMT_HALF_FUNCTION(T, T2, exp, std::exp(v))                                                                        \
    SIMT_HALF_FUNCTION(T, T2, exp2, std::exp2(v))                                                                      \
    SIMT_HALF_FUNCTION(T, T2, exp10, std::pow(10.0f, v))                                                               \
    SIMT_HALF_FUNCTION(T, T2, log, std::log(v))                                                                        \
    SIMT_HALF_FUNCTION(T, T2, log2, std::log2(v))                                                                      \
    SIMT_HALF_FUNCTION(T, T2, log10, std::log10(v))                                                                    \
    SIMT_HALF_FUNCTION(T, T2, sin, std::sin(v))                                                                        \
    SIMT_HALF_FUNCTION(T, T2, cos, std::cos(v))                                                                        \
    SIMT_HALF_FUNCTION(T, T2, tanh, std::tanh(v))                                                                      \
    SIMT_HALF_FUNCTION(T, T2, tanh_approx, std::tanh(v))                                                               \
    SIMT_HALF_FUNCTION(T, T2, trunc, std::trunc(v))                                                                    \
    SIMT_HALF_FUNCTION(T, T2, ceil, std::ceil(v))                                                                      \
    SIMT_HALF_FUNCTION(T, T2, floor, std::floor(v)) SIMT_HALF_FUNCTION(T, T2, rint, std::nearbyint(v))

// Integers in the four rounding modes, both ways.
#define SIMT_HALF_INTEGER(T, N, F, NAME, I)                                                                            \
    static SIMT_INLINE I __##N##2##NAME##_rn(T h) { return simt::to_integer<I>(std::nearbyint((float)h)); }            \
    static SIMT_INLINE I __##N##2##NAME##_rz(T h) { return simt::to_integer<I>(std::trunc((float)h)); }                \
    static SIMT_INLINE I __##N##2##NAME##_rd(T h) { return simt::to_integer<I>(std::floor((float)h)); }                \
    static SIMT_INLINE I __##N##2##NAME##_ru(T h) { return simt::to_integer<I>(std::ceil((float)h)); }                 \
    static SIMT_INLINE T __##NAME##2##N##_rn(I i) { return T((double)i); }                                             \
    static SIMT_INLINE T __##NAME##2##N##_rz(I i) { return simt_bits_##T(simt::round_zero_bits<simt::F>((double)i)); } \
    static SIMT_INLINE T __##NAME##2##N##_rd(I i) { return simt_bits_##T(simt::round_down_bits<simt::F>((double)i)); } \
    static SIMT_INLINE T __##NAME##2##N##_ru(I i) { return simt_bits_##T(simt::round_up_bits<simt::F>((double)i)); }

#define SIMT_HALF_CONVERSIONS(T, T2, N, N2, F)                                                                         \
    static SIMT_INLINE T __float2##N(float f) { return T(f); }                                                         \
    static SIMT_INLINE T __float2##N##_rn(float f) { return T(f); }                                                    \
    static SIMT_INLINE T __float2##N##_rz(float f) { return simt_bits_##T(simt::round_zero_bits<simt::F>(f)); }        \
    static SIMT_INLINE T __float2##N##_rd(float f) { return simt_bits_##T(simt::round_down_bits<simt::F>(f)); }        \
    static SIMT_INLINE T __float2##N##_ru(float f) { return simt_bits_##T(simt::round_up_bits<simt::F>(f)); }          \
    static SIMT_INLINE T __double2##N(double d) { return T(d); }                                                       \
    static SIMT_INLINE float __##N##2float(T h) { return (float)h; }                                                   \
    static SIMT_INLINE T2 __float2##N2##_rn(float f) { return T2(T(f), T(f)); }                                        \
    static SIMT_INLINE T2 __floats2##N2##_rn(float a, float b) { return T2(T(a), T(b)); }                              \
    static SIMT_INLINE T2 __float22##N2##_rn(float2 v) { return T2(T(v.x), T(v.y)); }                                  \
    static SIMT_INLINE float2 __##N2##2float2(T2 h) { return float2((float)h.x, (float)h.y); }                         \
    static SIMT_INLINE float __low2float(T2 h) { return (float)h.x; }                                                  \
    static SIMT_INLINE float __high2float(T2 h) { return (float)h.y; }                                                 \
    static SIMT_INLINE T2 __##N##2##N2(T h) { return T2(h, h); }                                                       \
    static SIMT_INLINE T2 __halves2##N2(T a, T b) { return T2(a, b); }                                                 \
    static SIMT_INLINE T2 make_##N2(T a, T b) { return T2(a, b); }                                                     \
    static SIMT_INLINE T __low2##N(T2 h) { return h.x; }                                                               \
    static SIMT_INLINE T __high2##N(T2 h) { return h.y; }                                                              \
    static SIMT_INLINE T2 __low2##N2(T2 h) { return T2(h.x, h.x); }                                                    \
    static SIMT_INLINE T2 __high2##N2(T2 h) { return T2(h.y, h.y); }                                                   \
    static SIMT_INLINE T2 __lowhigh2highlow(T2 h) { return T2(h.y, h.x); }                                             \
    static SIMT_INLINE T2 __lows2##N2(T2 a, T2 b) { return T2(a.x, b.x); }                                             \
    static SIMT_INLINE T2 __highs2##N2(T2 a, T2 b) { return T2(a.y, b.y); }                                            \
    static SIMT_INLINE short __##N##_as_short(T h) { return (short)h.__x; }                                            \
    static SIMT_INLINE unsigned short __##N##_as_ushort(T h) { return h.__x; }                                         \
    static SIMT_INLINE T __short_as_##N(short bits) { return simt_bits_##T((unsigned short)bits); }                    \
    static SIMT_INLINE T __ushort_as_##N(unsigned short bits) { return simt_bits_##T(bits); }                          \
    SIMT_HALF_INTEGER(T, N, F, int, int)                                                                               \
    SIMT_HALF_INTEGER(T, N, F, uint, unsigned)                                                                         \
    SIMT_HALF_INTEGER(T, N, F, short, short)                                                                           \
    SIMT_HALF_INTEGER(T, N, F, ushort, unsigned short)                                                                 \
    SIMT_HALF_INTEGER(T, N, F, ll, long long) SIMT_HALF_INTEGER(T, N, F, ull, unsigned long long)

#define SIMT_HALF_ATOMICS(T, T2, TYPE, TYPE2)                                                                          \
    static SIMT_INLINE T atomicAdd(T *p, T v) {                                                                        \
        return simt::from_bits<T>(simt_atomic(SIMT_ATOMIC_ADD, TYPE, (void *)p, simt::to_bits(v), 0));                 \
    }                                                                                                                  \
    static SIMT_INLINE T2 atomicAdd(T2 *p, T2 v) {                                                                     \
        return simt::from_bits<T2>(simt_atomic(SIMT_ATOMIC_ADD, TYPE2, (void *)p, simt::to_bits(v), 0));               \
    }

#endif
