// simd.h: two 16-bit or four 8-bit lanes in a word (__vadd2, __vadd4, ...), and the minima and maxima of DPX (__vimax3_s32, ...).
#ifndef SIMT_SIMD_H
#define SIMT_SIMD_H

#include "qualifiers.h"

namespace simt {

// f of each lane of a, b and c, without overflow; the result cut to a lane.
typedef long long lane_value;
template <class Lane, class F> SIMT_INLINE unsigned each_lane(unsigned a, unsigned b, unsigned c, F f) {
    constexpr int bits = 8 * sizeof(Lane);
    unsigned result = 0;
    for (int i = 0; i < 32; i += bits)
        result |= ((unsigned)f((lane_value)(Lane)(a >> i), (lane_value)(Lane)(b >> i), (lane_value)(Lane)(c >> i)) &
                   ~0u >> (32 - bits))
                  << i;
    return result;
}
SIMT_INLINE lane_value distance(lane_value x, lane_value y) { return x > y ? x - y : y - x; }
SIMT_INLINE lane_value most(lane_value x, lane_value y) { return x > y ? x : y; }
SIMT_INLINE lane_value least(lane_value x, lane_value y) { return x < y ? x : y; }
template <class Lane> SIMT_INLINE lane_value saturate(lane_value x) {
    constexpr int bits = 8 * sizeof(Lane);
    constexpr lane_value low = (Lane)-1 < 0 ? -(1 << (bits - 1)) : 0;
    return least(most(x, low), low + (1 << bits) - 1);
}

}  // namespace simt

// name2 and name4, where `value` is made of x and y, lanes that have a sign or not. They are templates so that a program
// that calls none does not wait for a hundred of them.
#define SIMT_LANES_OF(name, lane, value)                                                                               \
    template <int = 0> SIMT_INLINE unsigned name(unsigned a, unsigned b) {                                             \
        typedef lane Lane;                                                                                             \
        return simt::each_lane<Lane>(                                                                                  \
            a, b, 0,                                                                                                   \
            [](simt::lane_value x, simt::lane_value y, simt::lane_value) -> simt::lane_value { return value; });       \
    }
#define SIMT_LANES(name, sign, value)                                                                                  \
    SIMT_LANES_OF(name##2, sign short, value)                                                                          \
    SIMT_LANES_OF(name##4, sign char, value)
#define SIMT_LANES_COMPARE(name, sign, test)                                                                           \
    SIMT_LANES(__vcmp##name, sign, x test y ? -1 : 0)                                                                  \
    SIMT_LANES(__vset##name, sign, x test y ? 1 : 0)

SIMT_LANES(__vadd, unsigned, x + y)
SIMT_LANES(__vaddss, signed, simt::saturate<Lane>(x + y))
SIMT_LANES(__vaddus, unsigned, simt::saturate<Lane>(x + y))
SIMT_LANES(__vsub, unsigned, x - y)
SIMT_LANES(__vsubss, signed, simt::saturate<Lane>(x - y))
SIMT_LANES(__vsubus, unsigned, simt::saturate<Lane>(x - y))
SIMT_LANES(__vavgs, signed, x + y < 0 ? (x + y) >> 1 : (x + y + 1) >> 1)
SIMT_LANES(__vavgu, unsigned, (x + y + 1) >> 1)
SIMT_LANES(__vhaddu, unsigned, (x + y) >> 1)
SIMT_LANES(__vabsdiffs, signed, simt::distance(x, y))
SIMT_LANES(__vabsdiffu, unsigned, simt::distance(x, y))
SIMT_LANES(__vmaxs, signed, simt::most(x, y))
SIMT_LANES(__vmaxu, unsigned, simt::most(x, y))
SIMT_LANES(__vmins, signed, simt::least(x, y))
SIMT_LANES(__vminu, unsigned, simt::least(x, y))
SIMT_LANES_COMPARE(eq, unsigned, ==)
SIMT_LANES_COMPARE(ne, unsigned, !=)
SIMT_LANES_COMPARE(gts, signed, >)
SIMT_LANES_COMPARE(gtu, unsigned, >)
SIMT_LANES_COMPARE(ges, signed, >=)
SIMT_LANES_COMPARE(geu, unsigned, >=)
SIMT_LANES_COMPARE(lts, signed, <)
SIMT_LANES_COMPARE(ltu, unsigned, <)
SIMT_LANES_COMPARE(les, signed, <=)
SIMT_LANES_COMPARE(leu, unsigned, <=)
#define SIMT_LANES_ONE(name, value)                                                                                    \
    SIMT_LANES(name##_of_, signed, value + 0 * y)                                                                      \
    template <int = 0> SIMT_INLINE unsigned name##2(unsigned a) { return name##_of_2(a, 0); }                          \
    template <int = 0> SIMT_INLINE unsigned name##4(unsigned a) { return name##_of_4(a, 0); }
SIMT_LANES_ONE(__vabs, simt::distance(x, 0))
SIMT_LANES_ONE(__vabsss, simt::saturate<Lane>(simt::distance(x, 0)))
SIMT_LANES_ONE(__vneg, -x)
SIMT_LANES_ONE(__vnegss, simt::saturate<Lane>(-x))

// Sums of absolute differences.
static SIMT_INLINE unsigned __vsads2(unsigned a, unsigned b) {
    return (unsigned)(simt::distance((short)a, (short)b) + simt::distance((short)(a >> 16), (short)(b >> 16)));
}
static SIMT_INLINE unsigned __vsadu2(unsigned a, unsigned b) {
    return (unsigned)(simt::distance(a & 0xffff, b & 0xffff) + simt::distance(a >> 16, b >> 16));
}
template <int = 0> SIMT_INLINE unsigned __vsads4(unsigned a, unsigned b) {
    unsigned sum = 0, d = __vabsdiffs4(a, b);
    for (int i = 0; i < 32; i += 8) sum += d >> i & 255;
    return sum;
}
template <int = 0> SIMT_INLINE unsigned __vsadu4(unsigned a, unsigned b) {
    unsigned sum = 0, d = __vabsdiffu4(a, b);
    for (int i = 0; i < 32; i += 8) sum += d >> i & 255;
    return sum;
}

// DPX: of int, unsigned, or two 16-bit lanes; `relu` is the maximum with 0, too.
#define SIMT_DPX_OF(name, type, lane, value)                                                                           \
    template <int = 0> SIMT_INLINE type name(type a, type b, type c) {                                                 \
        typedef lane Lane;                                                                                             \
        return (type)simt::each_lane<Lane>(                                                                            \
            (unsigned)a, (unsigned)b, (unsigned)c,                                                                     \
            [](simt::lane_value x, simt::lane_value y, simt::lane_value z) -> simt::lane_value { return value; });     \
    }
#define SIMT_DPX(type, suffix, lane)                                                                                   \
    SIMT_DPX_OF(__vimax3_##suffix, type, lane, simt::most(simt::most(x, y), z))                                        \
    SIMT_DPX_OF(__vimin3_##suffix, type, lane, simt::least(simt::least(x, y), z))                                      \
    SIMT_DPX_OF(__viaddmax_##suffix, type, lane, simt::most((Lane)(x + y), z))                                         \
    SIMT_DPX_OF(__viaddmin_##suffix, type, lane, simt::least((Lane)(x + y), z))
#define SIMT_DPX_RELU(type, suffix, lane)                                                                              \
    SIMT_DPX(type, suffix, lane)                                                                                       \
    SIMT_DPX_OF(__vimax3_##suffix##_relu, type, lane, simt::most(simt::most(simt::most(x, y), z), 0))                  \
    SIMT_DPX_OF(__vimin3_##suffix##_relu, type, lane, simt::most(simt::least(simt::least(x, y), z), 0))                \
    SIMT_DPX_OF(__viaddmax_##suffix##_relu, type, lane, simt::most(simt::most((Lane)(x + y), z), 0))                   \
    SIMT_DPX_OF(__viaddmin_##suffix##_relu, type, lane, simt::most(simt::least((Lane)(x + y), z), 0))                  \
    template <int = 0> SIMT_INLINE type __vimax_##suffix##_relu(type a, type b) {                                      \
        return __vimax3_##suffix##_relu(a, b, b);                                                                      \
    }                                                                                                                  \
    template <int = 0> SIMT_INLINE type __vimin_##suffix##_relu(type a, type b) {                                      \
        return __vimin3_##suffix##_relu(a, b, b);                                                                      \
    }
SIMT_DPX_RELU(int, s32, int)
SIMT_DPX(unsigned, u32, unsigned)
SIMT_DPX_RELU(unsigned, s16x2, short)
SIMT_DPX(unsigned, u16x2, unsigned short)

// The larger or smaller one, and whether it is the first.
#define SIMT_DPX_CHOICE(type, suffix)                                                                                  \
    static SIMT_INLINE type __vibmax_##suffix(type a, type b, bool *first) { return *first = a >= b, *first ? a : b; } \
    static SIMT_INLINE type __vibmin_##suffix(type a, type b, bool *first) { return *first = a <= b, *first ? a : b; }
SIMT_DPX_CHOICE(int, s32)
SIMT_DPX_CHOICE(unsigned, u32)
#define SIMT_DPX_CHOICES(suffix, type)                                                                                 \
    static SIMT_INLINE unsigned __vibmax_##suffix(unsigned a, unsigned b, bool *high, bool *low) {                     \
        *high = (type)(a >> 16) >= (type)(b >> 16), *low = (type)a >= (type)b;                                         \
        return ((*high ? a : b) & 0xffff0000) | ((*low ? a : b) & 0xffff);                                             \
    }                                                                                                                  \
    static SIMT_INLINE unsigned __vibmin_##suffix(unsigned a, unsigned b, bool *high, bool *low) {                     \
        *high = (type)(a >> 16) <= (type)(b >> 16), *low = (type)a <= (type)b;                                         \
        return ((*high ? a : b) & 0xffff0000) | ((*low ? a : b) & 0xffff);                                             \
    }
SIMT_DPX_CHOICES(s16x2, short)
SIMT_DPX_CHOICES(u16x2, unsigned short)

#endif
