// scalar.h: arithmetic, logic, comparisons. f16, bf16 and their pairs are computed in float and rounded once.
#ifndef SIMT_PTX_SCALAR_H
#define SIMT_PTX_SCALAR_H

#include <cmath>

#include "../half_bits.h"
#include "../integer.h"
#include "operands.h"
#include "operations.h"

namespace simt {
namespace ptx {

struct lo {};
struct hi {};
struct wide {};
struct NaN {};

// f(a, ...) on numbers of type T, half types as doubles that hold them exactly.
template <class F, class... A> SIMT_INLINE f16 lift(F f, f16 a, A... more) {
    return {double_to_half((double)f((double)half_to_float(a.bits), (double)half_to_float(more.bits)...))};
}
template <class F, class... A> SIMT_INLINE bf16 lift(F f, bf16 a, A... more) {
    return {double_to_bfloat16((double)f((double)bfloat16_to_float(a.bits), (double)bfloat16_to_float(more.bits)...))};
}
template <class Half, class F, class T, class... A> SIMT_INLINE T lift_pair(F f, T a, A... more) {
    uint32_t low = lift(f, Half{(uint16_t)a.bits}, Half{(uint16_t)more.bits}...).bits;
    uint32_t high = lift(f, Half{(uint16_t)(a.bits >> 16)}, Half{(uint16_t)(more.bits >> 16)}...).bits;
    return {low | high << 16};
}
template <class F, class... A> SIMT_INLINE f16x2 lift(F f, f16x2 a, A... more) { return lift_pair<f16>(f, a, more...); }
template <class F, class... A> SIMT_INLINE bf16x2 lift(F f, bf16x2 a, A... more) {
    return lift_pair<bf16>(f, a, more...);
}
template <class F, class T, class... A>
SIMT_INLINE std::enable_if_t<std::is_arithmetic_v<T>, T> lift(F f, T a, A... more) {
    return (T)f(a, more...);
}
template <class T> constexpr bool is_real = !std::is_integral_v<T>;

template <class T> SIMT_INLINE T mov(T x) { return x; }
template <class T> SIMT_INLINE T rem(T a, T b) { return a % b; }
template <class T> SIMT_INLINE T neg(T a) {
    return lift([](auto x) { return -x; }, a);
}
template <class T> SIMT_INLINE T abs(T a) {
    return lift([](auto x) { return x < 0 ? -x : x; }, a);
}
// A NaN loses against a number, but not with .NaN.
template <class Mode> struct smaller {
    template <class X> SIMT_INLINE X operator()(X x, X y) const {
        if (x != x || y != y) return (x != x) != std::is_same_v<Mode, NaN> ? y : x;
        return y < x ? y : x;
    }
};
template <class Mode> struct larger {
    template <class X> SIMT_INLINE X operator()(X x, X y) const {
        if (x != x || y != y) return (x != x) != std::is_same_v<Mode, NaN> ? y : x;
        return x < y ? y : x;
    }
};
template <class Mode, class T> SIMT_INLINE T min(T a, T b) { return lift(smaller<Mode>(), a, b); }
template <class Mode, class T> SIMT_INLINE T max(T a, T b) { return lift(larger<Mode>(), a, b); }
template <class Mode, class T> SIMT_INLINE T min(T a, T b, T c) { return min<Mode, T>(min<Mode, T>(a, b), c); }
template <class Mode, class T> SIMT_INLINE T max(T a, T b, T c) { return max<Mode, T>(max<Mode, T>(a, b), c); }

// ---- Integers: which half of a product
template <class T> struct twice;
template <> struct twice<u16> { typedef u32 type; };
template <> struct twice<s16> { typedef s32 type; };
template <> struct twice<u32> { typedef u64 type; };
template <> struct twice<s32> { typedef s64 type; };
template <> struct twice<u64> { typedef unsigned __int128 type; };
template <> struct twice<s64> { typedef __int128 type; };
template <class Part, class T> SIMT_INLINE auto mul_part(T a, T b) {
    typedef typename twice<T>::type full;
    full product = (full)((full)a * (full)b);
    if constexpr (std::is_same_v<Part, wide>)
        return product;
    else
        return (T)(product >> (std::is_same_v<Part, hi> ? 8 * sizeof(T) : 0));
}
template <class Part, class T> SIMT_INLINE auto mad_part(T a, T b, decltype(mul_part<Part, T>(a, b)) c) {
    return (decltype(c))(mul_part<Part, T>(a, b) + c);
}

template <class T> SIMT_INLINE T low24(T a) { return (T)((T)((u32)a << 8) >> 8); }
template <class T> SIMT_INLINE T mul24(T a, T b) { return (T)((u32)low24(a) * (u32)low24(b)); }
template <class T> SIMT_INLINE T mad24(T a, T b, T c) { return (T)((u32)mul24(a, b) + (u32)c); }
template <class A, class B> using dot = std::conditional_t<std::is_signed_v<A> || std::is_signed_v<B>, s32, u32>;
template <class A, class B> SIMT_INLINE dot<A, B> dp4a(A a, B b, dot<A, B> c) {
    for (int i = 0; i < 32; i += 8) {
        const int x = std::is_signed_v<A> ? (int8_t)((u32)a >> i) : (uint8_t)((u32)a >> i);
        const int y = std::is_signed_v<B> ? (int8_t)((u32)b >> i) : (uint8_t)((u32)b >> i);
        c = (dot<A, B>)((u32)c + (u32)(x * y));
    }
    return c;
}

// ---- Bits
template <class T> SIMT_INLINE T and_(T a, T b) { return a & b; }
template <class T> SIMT_INLINE T or_(T a, T b) { return a | b; }
template <class T> SIMT_INLINE T xor_(T a, T b) { return a ^ b; }
template <class T> SIMT_INLINE T not_(T a) {
    if constexpr (std::is_same_v<T, bool>)
        return !a;
    else
        return (T)~a;
}
template <class T> SIMT_INLINE T shl(T a, u32 n) { return n >= 8 * sizeof(T) ? 0 : (T)(a << n); }
template <class T> SIMT_INLINE T shr(T a, u32 n) {
    return n < 8 * sizeof(T) ? (T)(a >> n) : std::is_signed_v<T> && a < 0 ? (T)-1 : (T)0;
}
struct l {};
struct r {};
struct wrap {};
struct clamp {};
template <class Way, class Mode> SIMT_INLINE u32 shf(u32 low, u32 high, u32 n) {
    if constexpr (std::is_same_v<Way, l>)
        return std::is_same_v<Mode, clamp> ? __funnelshift_lc(low, high, n) : __funnelshift_l(low, high, n);
    else
        return std::is_same_v<Mode, clamp> ? __funnelshift_rc(low, high, n) : __funnelshift_r(low, high, n);
}
SIMT_INLINE u32 lop3(u32 a, u32 b, u32 c, u32 table) {
    u32 result = 0;
    for (u32 i = 0; i < 8; i++)
        if (table >> i & 1) result |= (i & 4 ? a : ~a) & (i & 2 ? b : ~b) & (i & 1 ? c : ~c);
    return result;
}
SIMT_INLINE u32 prmt(u32 a, u32 b, u32 selector) {  // a nibble's top bit: the byte's sign, eight times
    u32 result = 0;
    for (int i = 0; i < 4; i++) {
        u32 pick = selector >> 4 * i & 15, byte = (u32)(((u64)b << 32 | a) >> 8 * (pick & 7)) & 255;
        result |= (pick & 8 ? (byte & 128 ? 255u : 0u) : byte) << 8 * i;
    }
    return result;
}
template <class T> SIMT_INLINE T bfe(T a, u32 from, u32 length) {
    constexpr u32 width = 8 * sizeof(T);
    from &= 255, length &= 255;
    if (!length) return 0;
    T above = shr<T>(a, from);  // a signed field ends, at the latest, with the number
    if (from + length >= width) return above;
    return (T)((T)((std::make_unsigned_t<T>)above << (width - length)) >> (width - length));
}
template <class T> SIMT_INLINE T bfi(T field, T into, u32 from, u32 length) {
    constexpr u32 width = 8 * sizeof(T);
    from &= 255, length &= 255;
    if (!length || from >= width) return into;
    T mask = (T)((length >= width ? (T) ~(T)0 : (T)(((T)1 << length) - 1)) << from);
    return (T)((into & ~mask) | ((field << from) & mask));
}
template <class T> SIMT_INLINE u32 popc(T a) { return (u32)__builtin_popcountll((u64)a); }
template <class T> SIMT_INLINE u32 clz(T a) {
    return a ? (u32)__builtin_clzll((u64)a) - (64 - 8 * (u32)sizeof(T)) : 8 * sizeof(T);
}
// The place of the highest bit that is no copy of the sign, or how far it is from the top.
struct shiftamt {};
template <class Shift, class T> SIMT_INLINE u32 bfind(T a) {
    const T x = std::is_signed_v<T> && a < 0 ? (T)~a : a;
    return !x ? ~0u : std::is_same_v<Shift, none> ? 8 * (u32)sizeof(T) - 1 - clz<T>(x) : clz<T>(x);
}
template <class T> SIMT_INLINE T sad(T a, T b, T c) { return c + (a < b ? b - a : a - b); }
template <class T, class By> SIMT_INLINE T slct(T a, T b, By c) { return c >= 0 ? a : b; }
template <class T> SIMT_INLINE T copysign_(T a, T b) { return __builtin_copysign(b, a); }
template <class T> SIMT_INLINE T brev(T a) { return sizeof(T) == 8 ? (T)__brevll((u64)a) : (T)__brev((u32)a); }

// ---- Comparisons. The unordered ones (equ, ...) are true where one of the two is a NaN.
template <class T> SIMT_INLINE T selp(T a, T b, bool which) { return which ? a : b; }
#define SIMT_COMPARISON(NAME, ORDERED)                                                                                 \
    struct NAME {                                                                                                      \
        template <class X> static SIMT_INLINE bool holds(X x, X y) { return ORDERED; }                                 \
    };
SIMT_COMPARISON(eq, x == y)
SIMT_COMPARISON(ne, x == x && y == y && x != y)
SIMT_COMPARISON(lt, x < y)
SIMT_COMPARISON(le, x <= y)
SIMT_COMPARISON(gt, x > y)
SIMT_COMPARISON(ge, x >= y)
SIMT_COMPARISON(equ, !(x < y || x > y))
SIMT_COMPARISON(neu, !(x == y))
SIMT_COMPARISON(ltu, !(x >= y))
SIMT_COMPARISON(leu, !(x > y))
SIMT_COMPARISON(gtu, !(x <= y))
SIMT_COMPARISON(geu, !(x < y))
SIMT_COMPARISON(num, x == x && y == y)
SIMT_COMPARISON(nan, x != x || y != y)
#undef SIMT_COMPARISON
struct ls : le {};  // and lo, hi, hs: of unsigned numbers
struct hs : ge {};
SIMT_INLINE float to_number(f16 a) { return half_to_float(a.bits); }
SIMT_INLINE float to_number(bf16 a) { return bfloat16_to_float(a.bits); }
template <class Compare, class T> SIMT_INLINE bool compare(T a, T b) {
    if constexpr (std::is_same_v<Compare, lo>)
        return a < b;
    else if constexpr (std::is_same_v<Compare, hi>)
        return a > b;
    else if constexpr (std::is_arithmetic_v<T>)
        return Compare::holds(a, b);
    else
        return Compare::holds(to_number(a), to_number(b));
}
template <class Compare, class T> SIMT_INLINE bool setp(T a, T b) { return compare<Compare, T>(a, b); }
template <class Compare, class With, class T> SIMT_INLINE bool setp_with(T a, T b, bool c) {
    return With::of(compare<Compare, T>(a, b), c);
}
// p|q: q gets the contrary.
template <class Compare, class T, class Q> SIMT_INLINE bool setp(Q contrary, T a, T b) {
    const bool holds = compare<Compare, T>(a, b);
    contrary = !holds;
    return holds;
}
template <class Compare, class With, class T, class Q> SIMT_INLINE bool setp_with(Q contrary, T a, T b, bool c) {
    const bool holds = compare<Compare, T>(a, b);
    contrary = With::of(!holds, c);
    return With::of(holds, c);
}

// ---- Functions: the accurate ones of C, as __expf and its kin are here
template <class T> SIMT_INLINE T ex2(T a) {
    return lift([](auto x) { return std::exp2(x); }, a);
}
template <> SIMT_INLINE f32 ex2<f32>(f32 a) { return __builtin_exp2f(a); }
template <class T> SIMT_INLINE T lg2(T a) {
    return lift([](auto x) { return std::log2(x); }, a);
}
template <class T> SIMT_INLINE T rsqrt(T a) {
    return lift([](auto x) { return 1 / std::sqrt(x); }, a);
}
template <class T> SIMT_INLINE T sin(T a) {
    return lift([](auto x) { return std::sin(x); }, a);
}
template <class T> SIMT_INLINE T cos(T a) {
    return lift([](auto x) { return std::cos(x); }, a);
}
template <class T> SIMT_INLINE T tanh(T a) {
    return lift([](auto x) { return std::tanh(x); }, a);
}

}  // namespace ptx
}  // namespace simt

#endif
