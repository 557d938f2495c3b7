// cuda_fp8.h: 8-bit floating point: e4m3 (to 448, no infinities) and e5m2 (the upper half of a __half): storage and conversion.
#ifndef SIMT_CUDA_FP8_H
#define SIMT_CUDA_FP8_H

#include "cuda_bf16.h"
#include "cuda_fp16.h"

typedef unsigned char __nv_fp8_storage_t;
typedef unsigned short __nv_fp8x2_storage_t;
typedef unsigned int __nv_fp8x4_storage_t;
typedef enum { __NV_NOSAT, __NV_SATFINITE } __nv_saturation_t;
typedef enum { __NV_E4M3, __NV_E5M2 } __nv_fp8_interpretation_t;

namespace simt {

// To nearest even. What is too large becomes the largest number (SATFINITE), or else NaN (e4m3) and infinity (e5m2).
SIMT_INLINE unsigned char to_fp8(double x, __nv_saturation_t saturation, __nv_fp8_interpretation_t kind) {
    const int fraction = kind == __NV_E4M3 ? 3 : 2, bias = kind == __NV_E4M3 ? 7 : 15;
    const int largest = kind == __NV_E4M3 ? 0x7e : 0x7b, beyond = kind == __NV_E4M3 ? 0x7f : 0x7c;
    if (x != x) return 0x7f;
    const int sign = __builtin_signbit(x) ? 0x80 : 0;
    const double a = __builtin_fabs(x);
    int exponent = 1 - bias, code = largest + 1;
    if (a < 65536) {
        if (a >= __builtin_ldexp(1, exponent)) exponent = __builtin_ilogb(a);
        code = (int)__builtin_rint(__builtin_ldexp(a, fraction - exponent)) + ((exponent + bias - 1) << fraction);
    }
    if (code > largest) code = saturation == __NV_SATFINITE ? largest : beyond;
    return (unsigned char)(sign | code);
}
SIMT_INLINE float from_fp8(unsigned char x, __nv_fp8_interpretation_t kind) {
    if (kind == __NV_E5M2) return half_to_float((uint16_t)(x << 8));
    const int exponent = x >> 3 & 15, fraction = x & 7;
    if ((x & 0x7f) == 0x7f) return __builtin_nanf("");
    const float a = exponent ? __builtin_ldexpf((float)(8 + fraction), exponent - 10) : (float)fraction * 0x1p-9f;
    return x & 0x80 ? -a : a;
}

}  // namespace simt

static SIMT_INLINE __nv_fp8_storage_t __nv_cvt_double_to_fp8(double x, __nv_saturation_t s,
                                                             __nv_fp8_interpretation_t k) {
    return simt::to_fp8(x, s, k);
}
static SIMT_INLINE __nv_fp8_storage_t __nv_cvt_float_to_fp8(float x, __nv_saturation_t s, __nv_fp8_interpretation_t k) {
    return simt::to_fp8(x, s, k);
}
static SIMT_INLINE __nv_fp8_storage_t __nv_cvt_halfraw_to_fp8(__half_raw x, __nv_saturation_t s,
                                                              __nv_fp8_interpretation_t k) {
    return simt::to_fp8(simt::half_to_float(x.x), s, k);
}
static SIMT_INLINE __nv_fp8_storage_t __nv_cvt_bfloat16raw_to_fp8(__nv_bfloat16_raw x, __nv_saturation_t s,
                                                                  __nv_fp8_interpretation_t k) {
    return simt::to_fp8(simt::bfloat16_to_float(x.x), s, k);
}
static SIMT_INLINE __nv_fp8x2_storage_t __nv_cvt_float2_to_fp8x2(float2 x, __nv_saturation_t s,
                                                                 __nv_fp8_interpretation_t k) {
    return (__nv_fp8x2_storage_t)(simt::to_fp8(x.x, s, k) | simt::to_fp8(x.y, s, k) << 8);
}
static SIMT_INLINE __nv_fp8x2_storage_t __nv_cvt_halfraw2_to_fp8x2(__half2_raw x, __nv_saturation_t s,
                                                                   __nv_fp8_interpretation_t k) {
    return __nv_cvt_float2_to_fp8x2(make_float2(simt::half_to_float(x.x), simt::half_to_float(x.y)), s, k);
}
static SIMT_INLINE __half_raw __nv_cvt_fp8_to_halfraw(__nv_fp8_storage_t x, __nv_fp8_interpretation_t k) {
    return __half_raw{simt::float_to_half(simt::from_fp8(x, k))};
}
static SIMT_INLINE __half2_raw __nv_cvt_fp8x2_to_halfraw2(__nv_fp8x2_storage_t x, __nv_fp8_interpretation_t k) {
    return __half2_raw{__nv_cvt_fp8_to_halfraw((unsigned char)x, k).x,
                       __nv_cvt_fp8_to_halfraw((unsigned char)(x >> 8), k).x};
}

// The types: made from wider numbers, saturating, and read back exactly; two and four in a word.
#define SIMT_FP8_TYPES(T, X2, X4, kind)                                                                                \
    struct T {                                                                                                         \
        __nv_fp8_storage_t __x;                                                                                        \
        T() = default;                                                                                                 \
        explicit SIMT_INLINE T(float v) : __x(simt::to_fp8(v, __NV_SATFINITE, kind)) {}                                \
        explicit SIMT_INLINE T(double v) : __x(simt::to_fp8(v, __NV_SATFINITE, kind)) {}                               \
        explicit SIMT_INLINE T(int v) : __x(simt::to_fp8(v, __NV_SATFINITE, kind)) {}                                  \
        explicit SIMT_INLINE T(unsigned v) : __x(simt::to_fp8(v, __NV_SATFINITE, kind)) {}                             \
        explicit SIMT_INLINE T(__half v) : __x(simt::to_fp8((float)v, __NV_SATFINITE, kind)) {}                        \
        explicit SIMT_INLINE T(__nv_bfloat16 v) : __x(simt::to_fp8((float)v, __NV_SATFINITE, kind)) {}                 \
        explicit SIMT_INLINE operator float() const { return simt::from_fp8(__x, kind); }                              \
        explicit SIMT_INLINE operator double() const { return simt::from_fp8(__x, kind); }                             \
        explicit SIMT_INLINE operator __half() const { return __half(simt::from_fp8(__x, kind)); }                     \
        explicit SIMT_INLINE operator __nv_bfloat16() const { return __nv_bfloat16(simt::from_fp8(__x, kind)); }       \
        explicit SIMT_INLINE operator int() const { return (int)simt::from_fp8(__x, kind); }                           \
        explicit SIMT_INLINE operator bool() const { return (__x & 0x7f) != 0; }                                       \
    };                                                                                                                 \
    struct __attribute__((aligned(2))) X2 {                                                                            \
        __nv_fp8x2_storage_t __x;                                                                                      \
        X2() = default;                                                                                                \
        explicit SIMT_INLINE X2(float2 v) : __x(__nv_cvt_float2_to_fp8x2(v, __NV_SATFINITE, kind)) {}                  \
        explicit SIMT_INLINE X2(__half2 v) : X2(make_float2((float)v.x, (float)v.y)) {}                                \
        explicit SIMT_INLINE X2(__nv_bfloat162 v) : X2(make_float2((float)v.x, (float)v.y)) {}                         \
        explicit SIMT_INLINE operator float2() const {                                                                 \
            return make_float2(simt::from_fp8((unsigned char)__x, kind),                                               \
                               simt::from_fp8((unsigned char)(__x >> 8), kind));                                       \
        }                                                                                                              \
        explicit SIMT_INLINE operator __half2() const {                                                                \
            const float2 v = (float2) * this;                                                                          \
            return __half2(__half(v.x), __half(v.y));                                                                  \
        }                                                                                                              \
    };                                                                                                                 \
    struct __attribute__((aligned(4))) X4 {                                                                            \
        __nv_fp8x4_storage_t __x;                                                                                      \
        X4() = default;                                                                                                \
        explicit SIMT_INLINE X4(float4 v)                                                                              \
            : __x(X2(make_float2(v.x, v.y)).__x | (unsigned)X2(make_float2(v.z, v.w)).__x << 16) {}                    \
        explicit SIMT_INLINE operator float4() const {                                                                 \
            X2 low, high;                                                                                              \
            low.__x = (__nv_fp8x2_storage_t)__x, high.__x = (__nv_fp8x2_storage_t)(__x >> 16);                         \
            const float2 a = (float2)low, b = (float2)high;                                                            \
            return make_float4(a.x, a.y, b.x, b.y);                                                                    \
        }                                                                                                              \
    };
SIMT_FP8_TYPES(__nv_fp8_e4m3, __nv_fp8x2_e4m3, __nv_fp8x4_e4m3, __NV_E4M3)
SIMT_FP8_TYPES(__nv_fp8_e5m2, __nv_fp8x2_e5m2, __nv_fp8x4_e5m2, __NV_E5M2)

#endif
