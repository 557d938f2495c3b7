// math.h: CUDA's mathematics beyond C's. The fast intrinsics (__expf ...) are the accurate functions here: a GPU's are off
// by a few units in the last place, so results agree to about six digits.
#ifndef SIMT_MATH_H
#define SIMT_MATH_H

#include <cmath>
#ifdef __GLIBCXX__
#include <bits/stl_algobase.h>  // std::min and std::max, which nvcc's headers bring along, too
#endif
#include <cstdlib>

#include "casts.h"

// min and max for every pair of types that CUDA names. They are templates only so that a program's own plain function of the
// same name and types is no redefinition, and wins (helper_math.h has some).
#define SIMT_MIN_MAX(R, A, B)                                                                                          \
    template <int = 0> SIMT_INLINE constexpr R min(A a, B b) { return (R)a < (R)b ? (R)a : (R)b; }                     \
    template <int = 0> SIMT_INLINE constexpr R max(A a, B b) { return (R)a > (R)b ? (R)a : (R)b; }
SIMT_MIN_MAX(int, int, int)
SIMT_MIN_MAX(unsigned, unsigned, unsigned)
SIMT_MIN_MAX(unsigned, int, unsigned)
SIMT_MIN_MAX(unsigned, unsigned, int)
SIMT_MIN_MAX(long, long, long)
SIMT_MIN_MAX(unsigned long, unsigned long, unsigned long)
SIMT_MIN_MAX(unsigned long, long, unsigned long)
SIMT_MIN_MAX(unsigned long, unsigned long, long)
SIMT_MIN_MAX(long long, long long, long long)
SIMT_MIN_MAX(unsigned long long, unsigned long long, unsigned long long)
SIMT_MIN_MAX(unsigned long long, long long, unsigned long long)
SIMT_MIN_MAX(unsigned long long, unsigned long long, long long)
#define SIMT_MIN_MAX_FLOAT(R, A, B)                                                                                    \
    template <int = 0> SIMT_INLINE R min(A a, B b) { return (R)a < (R)b || (R)b != (R)b ? (R)a : (R)b; }               \
    template <int = 0> SIMT_INLINE R max(A a, B b) { return (R)a > (R)b || (R)b != (R)b ? (R)a : (R)b; }
SIMT_MIN_MAX_FLOAT(float, float, float)
SIMT_MIN_MAX_FLOAT(double, double, double)
SIMT_MIN_MAX_FLOAT(double, float, double)
SIMT_MIN_MAX_FLOAT(double, double, float)
static SIMT_INLINE unsigned umin(unsigned a, unsigned b) { return min(a, b); }
static SIMT_INLINE unsigned umax(unsigned a, unsigned b) { return max(a, b); }
static SIMT_INLINE long long llmin(long long a, long long b) { return min(a, b); }
static SIMT_INLINE long long llmax(long long a, long long b) { return max(a, b); }
static SIMT_INLINE unsigned long long ullmin(unsigned long long a, unsigned long long b) { return min(a, b); }
static SIMT_INLINE unsigned long long ullmax(unsigned long long a, unsigned long long b) { return max(a, b); }

// Functions that C does not have. F: suffix f for float, none for double.
#define SIMT_MATH(T, F)                                                                                                \
    template <int = 0> SIMT_INLINE T rsqrt##F(T x) { return (T)1 / std::sqrt(x); }                                     \
    static SIMT_INLINE T rcbrt##F(T x) { return (T)1 / std::cbrt(x); }                                                 \
    static SIMT_INLINE T sinpi##F(T x) {                                                                               \
        return (T)std::sin(3.14159265358979323846 * std::remainder((double)x, 2.0));                                   \
    }                                                                                                                  \
    static SIMT_INLINE T cospi##F(T x) {                                                                               \
        return (T)std::cos(3.14159265358979323846 * std::remainder((double)x, 2.0));                                   \
    }                                                                                                                  \
    static SIMT_INLINE void sincospi##F(T x, T *s, T *c) { *s = sinpi##F(x), *c = cospi##F(x); }                       \
    static SIMT_INLINE T normcdf##F(T x) { return (T)(0.5 * std::erfc(-(double)x * 0.70710678118654752440)); }         \
    static SIMT_INLINE T rhypot##F(T x, T y) { return (T)1 / std::hypot(x, y); }                                       \
    static SIMT_INLINE T norm3d##F(T x, T y, T z) { return std::hypot(x, y, z); }                                      \
    static SIMT_INLINE T rnorm3d##F(T x, T y, T z) { return (T)1 / std::hypot(x, y, z); }                              \
    static SIMT_INLINE T norm4d##F(T x, T y, T z, T w) { return std::hypot(std::hypot(x, y), std::hypot(z, w)); }      \
    static SIMT_INLINE T rnorm4d##F(T x, T y, T z, T w) { return (T)1 / norm4d##F(x, y, z, w); }                       \
    static inline T norm##F(int n, const T *x) {                                                                       \
        T sum = 0;                                                                                                     \
        for (int i = 0; i < n; i++) sum += x[i] * x[i];                                                                \
        return std::sqrt(sum);                                                                                         \
    }                                                                                                                  \
    static inline T rnorm##F(int n, const T *x) { return (T)1 / norm##F(n, x); }                                       \
    static SIMT_INLINE T erfcx##F(T x) { return (T)(std::exp((double)x * x) * std::erfc((double)x)); }
SIMT_MATH(float, f)
SIMT_MATH(double, )
template <int = 0> SIMT_INLINE float rsqrt(float x) { return rsqrtf(x); }
static SIMT_INLINE float fdividef(float a, float b) { return a / b; }
#ifndef __USE_GNU
static SIMT_INLINE void sincosf(float x, float *s, float *c) { *s = std::sin(x), *c = std::cos(x); }
static SIMT_INLINE void sincos(double x, double *s, double *c) { *s = std::sin(x), *c = std::cos(x); }
static SIMT_INLINE float exp10f(float x) { return (float)std::pow(10.0, x); }
static SIMT_INLINE double exp10(double x) { return std::pow(10.0, x); }
#endif

// The fast intrinsics. glibc declares these names too, as internal ones: hence the attribute, which gives them a body here.
#define SIMT_LIBC_INLINE extern inline __attribute__((gnu_inline, always_inline))
extern "C" {
SIMT_LIBC_INLINE float __expf(float x) noexcept(true) { return expf(x); }
SIMT_LIBC_INLINE float __exp10f(float x) noexcept(true) { return (float)std::pow(10.0, (double)x); }
SIMT_LIBC_INLINE float __logf(float x) noexcept(true) { return logf(x); }
SIMT_LIBC_INLINE float __log2f(float x) noexcept(true) { return log2f(x); }
SIMT_LIBC_INLINE float __log10f(float x) noexcept(true) { return log10f(x); }
SIMT_LIBC_INLINE float __powf(float x, float y) noexcept(true) { return powf(x, y); }
SIMT_LIBC_INLINE float __sinf(float x) noexcept(true) { return sinf(x); }
SIMT_LIBC_INLINE float __cosf(float x) noexcept(true) { return cosf(x); }
SIMT_LIBC_INLINE float __tanf(float x) noexcept(true) { return tanf(x); }
SIMT_LIBC_INLINE float __tanhf(float x) noexcept(true) { return tanhf(x); }
SIMT_LIBC_INLINE void __sincosf(float x, float *s, float *c) noexcept(true) { *s = sinf(x), *c = cosf(x); }
}
static SIMT_INLINE float __fdividef(float a, float b) { return a / b; }
static SIMT_INLINE float __saturatef(float x) { return x > 0 ? (x < 1 ? x : 1) : 0; }
static SIMT_INLINE float __frsqrt_rn(float x) { return (float)(1.0 / std::sqrt((double)x)); }

// Arithmetic that is never contracted, rounded to nearest; the other modes through a wider type.
#define SIMT_ARITHMETIC(T, P)                                                                                          \
    static SIMT_INLINE T __##P##add_rn(T a, T b) { return a + b; }                                                     \
    static SIMT_INLINE T __##P##sub_rn(T a, T b) { return a - b; }                                                     \
    static SIMT_INLINE T __##P##mul_rn(T a, T b) { return a * b; }                                                     \
    static SIMT_INLINE T __##P##div_rn(T a, T b) { return a / b; }                                                     \
    static SIMT_INLINE T __##P##sqrt_rn(T a) { return std::sqrt(a); }                                                  \
    static SIMT_INLINE T __##P##rcp_rn(T a) { return (T)1 / a; }
SIMT_ARITHMETIC(float, f)
SIMT_ARITHMETIC(double, d)
static SIMT_INLINE float __fmaf_rn(float a, float b, float c) { return std::fma(a, b, c); }
static SIMT_INLINE double __fma_rn(double a, double b, double c) { return std::fma(a, b, c); }
// Directed rounding of floats: the exact or nearly exact result in double, rounded to one side.
#define SIMT_DIRECTED(NAME, PARAMETERS, EXPRESSION)                                                                    \
    template <int = 0> SIMT_INLINE float NAME##_rz PARAMETERS { return simt::round_zero<float>(EXPRESSION); }          \
    template <int = 0> SIMT_INLINE float NAME##_rd PARAMETERS { return simt::round_down<float>(EXPRESSION); }          \
    template <int = 0> SIMT_INLINE float NAME##_ru PARAMETERS { return simt::round_up<float>(EXPRESSION); }
SIMT_DIRECTED(__fadd, (float a, float b), (double)a + b)
SIMT_DIRECTED(__fsub, (float a, float b), (double)a - b)
SIMT_DIRECTED(__fmul, (float a, float b), (double)a *b)
SIMT_DIRECTED(__fdiv, (float a, float b), (double)a / b)
SIMT_DIRECTED(__fmaf, (float a, float b, float c), (double)a *b + c)
SIMT_DIRECTED(__fsqrt, (float a), std::sqrt((double)a))
SIMT_DIRECTED(__frcp, (float a), 1 / (double)a)

namespace simt {
// Doubles, in the processor's own rounding mode. What is volatile stays between the two calls.
template <class F, class... A> static inline double in_rounding_mode(int mode, F compute, A... operands) {
    const volatile double x[] = {operands...};
    const int before = std::fegetround();
    std::fesetround(mode);
    const volatile double result = compute(x);
    std::fesetround(before);
    return result;
}
}  // namespace simt
#define SIMT_DIRECTED_MODE(NAME, MODE, PARAMETERS, EXPRESSION, ...)                                                    \
    template <int = 0> SIMT_INLINE double NAME PARAMETERS {                                                            \
        return simt::in_rounding_mode(                                                                                 \
            MODE, [](const volatile double *x) -> double { return EXPRESSION; }, __VA_ARGS__);                         \
    }
#define SIMT_DIRECTED_DOUBLE(NAME, PARAMETERS, EXPRESSION, ...)                                                        \
    SIMT_DIRECTED_MODE(NAME##_rz, FE_TOWARDZERO, PARAMETERS, EXPRESSION, __VA_ARGS__)                                  \
    SIMT_DIRECTED_MODE(NAME##_rd, FE_DOWNWARD, PARAMETERS, EXPRESSION, __VA_ARGS__)                                    \
    SIMT_DIRECTED_MODE(NAME##_ru, FE_UPWARD, PARAMETERS, EXPRESSION, __VA_ARGS__)
SIMT_DIRECTED_DOUBLE(__dadd, (double a, double b), x[0] + x[1], a, b)
SIMT_DIRECTED_DOUBLE(__dsub, (double a, double b), x[0] - x[1], a, b)
SIMT_DIRECTED_DOUBLE(__dmul, (double a, double b), x[0] * x[1], a, b)
SIMT_DIRECTED_DOUBLE(__ddiv, (double a, double b), x[0] / x[1], a, b)
SIMT_DIRECTED_DOUBLE(__fma, (double a, double b, double c), std::fma(x[0], x[1], x[2]), a, b, c)
SIMT_DIRECTED_DOUBLE(__dsqrt, (double a), std::sqrt(x[0]), a)
SIMT_DIRECTED_DOUBLE(__drcp, (double a), 1 / x[0], a)

// C++ overloads that nvcc offers in the global namespace.
using std::isfinite;
using std::isinf;
using std::isnan;
using std::signbit;

#endif
