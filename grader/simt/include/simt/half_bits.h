// half_bits.h: float <-> binary16 and bfloat16, as bits, rounded to nearest even. For the headers and the runtime.
#ifndef SIMT_HALF_BITS_H
#define SIMT_HALF_BITS_H

#include <stdint.h>

#include "qualifiers.h"

namespace simt {

static inline uint32_t float_bits(float f) {
    uint32_t x;
    SIMT_MOVE_BITS(&x, &f, sizeof x);
    return x;
}

static inline float bits_float(uint32_t x) {
    float f;
    SIMT_MOVE_BITS(&f, &x, sizeof f);
    return f;
}

static inline float half_to_float(uint16_t h) {
    // Exponent and fraction in place, then times 2^112 corrects the exponent's bias; denormals come out right too.
    uint32_t sign = (uint32_t)(h & 0x8000) << 16, rest = (uint32_t)(h & 0x7fff) << 13;
    if (rest >= 0x0f800000)  // infinity, NaN
        return bits_float(sign | 0x7f800000 | (rest & 0x007fffff));
    return bits_float(sign | float_bits(bits_float(rest) * 0x1p112f));
}

static inline uint16_t float_to_half(float f) {
    uint32_t x = float_bits(f), sign = x >> 16 & 0x8000;
    x &= 0x7fffffff;
    if (x > 0x7f800000) return 0x7fff;                      // CUDA's canonical NaN
    if (x >= 0x477ff000) return (uint16_t)(sign | 0x7c00);  // 65520 and above round to infinity
    if (x < 0x38800000)  // denormal: adding 0.5 leaves the rounded fraction in the low bits
        return (uint16_t)(sign | (float_bits(bits_float(x) + 0.5f) - 0x3f000000));
    return (uint16_t)(sign | ((x - 0x38000000 + 0xfff + (x >> 13 & 1)) >> 13));
}

// From double in one rounding: to float with the lost bits kept sticky in the last place, then to half.
static inline float double_to_float_sticky(double d) {
    float f = (float)d;
    if ((double)f == d || f != f || f - f != 0) return f;
    uint32_t x = float_bits(f);
    bool above = (f < 0 ? -(double)f : (double)f) > (d < 0 ? -d : d);
    return bits_float((x - (above ? 1 : 0)) | 1);
}
static inline uint16_t double_to_half(double d) { return float_to_half(double_to_float_sticky(d)); }

// a b + c in double, rounded to odd: what is lost of the exact result stays visible in the last bit, so that rounding once
// more, to a half type, is rounding once. a b is exact; the rest of the sum is Knuth's two-sum.
static inline double fma_to_odd(float a, float b, float c) {
    double p = (double)a * b, s = p + c, rest = (p - (s - (s - p))) + (c - (s - p));
    uint64_t x;
    SIMT_MOVE_BITS(&x, &s, sizeof x);
    if (rest != 0 && s - s == 0 && rest == rest && !(x & 1)) x += (rest > 0) == (s > 0) ? 1 : -1;
    SIMT_MOVE_BITS(&s, &x, sizeof s);
    return s;
}

static inline float bfloat16_to_float(uint16_t b) { return bits_float((uint32_t)b << 16); }

static inline uint16_t float_to_bfloat16(float f) {
    uint32_t x = float_bits(f);
    if ((x & 0x7fffffff) > 0x7f800000) return 0x7fff;
    return (uint16_t)((x + 0x7fff + (x >> 16 & 1)) >> 16);
}
static inline uint16_t double_to_bfloat16(double d) { return float_to_bfloat16(double_to_float_sticky(d)); }

// The two formats, for code that is the same for both.
struct half_format {
    static float to_float(uint16_t h) { return half_to_float(h); }
    static uint16_t from_float(float f) { return float_to_half(f); }
    static uint16_t from_double(double d) { return double_to_half(d); }
};
struct bfloat16_format {
    static float to_float(uint16_t h) { return bfloat16_to_float(h); }
    static uint16_t from_float(float f) { return float_to_bfloat16(f); }
    static uint16_t from_double(double d) { return double_to_bfloat16(d); }
};

// Directed rounding: the nearest value, or its neighbour on the wanted side.
template <class Format> static inline uint16_t round_down_bits(double d) {
    uint16_t h = Format::from_double(d);
    if (!((double)Format::to_float(h) > d)) return h;
    return h == 0 ? 0x8001 : (uint16_t)(h & 0x8000 ? h + 1 : h - 1);
}
template <class Format> static inline uint16_t round_up_bits(double d) {
    uint16_t h = Format::from_double(d);
    if (!((double)Format::to_float(h) < d)) return h;
    return h == 0x8000 ? 1 : (uint16_t)(h & 0x8000 ? h - 1 : h + 1);
}
template <class Format> static inline uint16_t round_zero_bits(double d) {
    return d < 0 ? round_up_bits<Format>(d) : round_down_bits<Format>(d);
}

}  // namespace simt
#endif
