// integer.h: integer intrinsics: bit counts, byte permutation, high products, packed and saturating arithmetic.
#ifndef SIMT_INTEGER_H
#define SIMT_INTEGER_H

#include "vector_types.h"

static SIMT_INLINE int __popc(unsigned x) { return __builtin_popcount(x); }
static SIMT_INLINE int __popcll(unsigned long long x) { return __builtin_popcountll(x); }
static SIMT_INLINE int __clz(int x) { return x ? __builtin_clz((unsigned)x) : 32; }
static SIMT_INLINE int __clzll(long long x) { return x ? __builtin_clzll((unsigned long long)x) : 64; }
static SIMT_INLINE int __ffs(int x) { return __builtin_ffs(x); }
static SIMT_INLINE int __ffsll(long long x) { return __builtin_ffsll(x); }

static SIMT_INLINE unsigned __brev(unsigned x) {
    x = (x >> 1 & 0x55555555) | (x & 0x55555555) << 1;
    x = (x >> 2 & 0x33333333) | (x & 0x33333333) << 2;
    x = (x >> 4 & 0x0f0f0f0f) | (x & 0x0f0f0f0f) << 4;
    return __builtin_bswap32(x);
}
static SIMT_INLINE unsigned long long __brevll(unsigned long long x) {
    return (unsigned long long)__brev((unsigned)x) << 32 | __brev((unsigned)(x >> 32));
}

// Byte i of the result is byte (selector >> 4i) & 7 of y:x, or its sign if bit 3 is set.
static SIMT_INLINE unsigned __byte_perm(unsigned x, unsigned y, unsigned selector) {
    unsigned long long both = (unsigned long long)y << 32 | x;
    unsigned result = 0;
    for (int i = 0; i < 4; i++) {
        unsigned s = selector >> (4 * i) & 15, byte = (unsigned)(both >> (8 * (s & 7))) & 255;
        result |= (s & 8 ? (byte & 128 ? 255u : 0u) : byte) << (8 * i);
    }
    return result;
}

static SIMT_INLINE int __mulhi(int a, int b) { return (int)(((long long)a * b) >> 32); }
static SIMT_INLINE unsigned __umulhi(unsigned a, unsigned b) { return (unsigned)(((unsigned long long)a * b) >> 32); }
static SIMT_INLINE long long __mul64hi(long long a, long long b) { return (long long)(((__int128)a * b) >> 64); }
static SIMT_INLINE unsigned long long __umul64hi(unsigned long long a, unsigned long long b) {
    return (unsigned long long)(((unsigned __int128)a * b) >> 64);
}
static SIMT_INLINE int __mul24(int a, int b) { return (int)((unsigned)((a << 8) >> 8) * (unsigned)((b << 8) >> 8)); }
static SIMT_INLINE unsigned __umul24(unsigned a, unsigned b) { return (a & 0xffffff) * (b & 0xffffff); }

static SIMT_INLINE unsigned __funnelshift_l(unsigned lo, unsigned hi, unsigned shift) {
    return (unsigned)((((unsigned long long)hi << 32 | lo) << (shift & 31)) >> 32);
}
static SIMT_INLINE unsigned __funnelshift_r(unsigned lo, unsigned hi, unsigned shift) {
    return (unsigned)(((unsigned long long)hi << 32 | lo) >> (shift & 31));
}
static SIMT_INLINE unsigned __funnelshift_lc(unsigned lo, unsigned hi, unsigned shift) {
    return shift >= 32 ? lo : __funnelshift_l(lo, hi, shift);
}
static SIMT_INLINE unsigned __funnelshift_rc(unsigned lo, unsigned hi, unsigned shift) {
    return shift >= 32 ? hi : __funnelshift_r(lo, hi, shift);
}

static SIMT_INLINE unsigned __sad(int a, int b, unsigned c) {
    return c + (a > b ? (unsigned)a - (unsigned)b : (unsigned)b - (unsigned)a);
}
static SIMT_INLINE unsigned __usad(unsigned a, unsigned b, unsigned c) { return c + (a > b ? a - b : b - a); }
static SIMT_INLINE int __hadd(int a, int b) { return (int)(((long long)a + b) >> 1); }
static SIMT_INLINE int __rhadd(int a, int b) { return (int)(((long long)a + b + 1) >> 1); }
static SIMT_INLINE unsigned __uhadd(unsigned a, unsigned b) { return (unsigned)(((unsigned long long)a + b) >> 1); }
static SIMT_INLINE unsigned __urhadd(unsigned a, unsigned b) {
    return (unsigned)(((unsigned long long)a + b + 1) >> 1);
}

// Dot products of four bytes, and of two 16-bit halves with the low or high two bytes.
static SIMT_INLINE int __dp4a(int a, int b, int c) {
    for (int i = 0; i < 32; i += 8) c += (int)(signed char)(a >> i) * (signed char)(b >> i);
    return c;
}
static SIMT_INLINE unsigned __dp4a(unsigned a, unsigned b, unsigned c) {
    for (int i = 0; i < 32; i += 8) c += (a >> i & 255) * (b >> i & 255);
    return c;
}
// The low (high) two bytes of b times the halves of a.
static SIMT_INLINE int __dp2a_lo(int a, int b, int c) {
    return c + (short)a * (signed char)b + (short)(a >> 16) * (signed char)(b >> 8);
}
static SIMT_INLINE int __dp2a_hi(int a, int b, int c) { return __dp2a_lo(a, b >> 16, c); }
static SIMT_INLINE unsigned __dp2a_lo(unsigned a, unsigned b, unsigned c) {
    return c + (a & 65535) * (b & 255) + (a >> 16) * (b >> 8 & 255);
}
static SIMT_INLINE unsigned __dp2a_hi(unsigned a, unsigned b, unsigned c) { return __dp2a_lo(a, b >> 16, c); }

// The same for vectors of bytes and of halves.
template <class Word, class Vector> static SIMT_INLINE Word simt_word_of(Vector v) {
    static_assert(sizeof(Word) == sizeof(Vector));
    Word word;
    SIMT_MOVE_BITS(&word, &v, sizeof word);
    return word;
}
#define SIMT_DOT_PRODUCT(NAME, HALVES, BYTES, WORD)                                                                    \
    static SIMT_INLINE WORD NAME(HALVES a, BYTES b, WORD c) {                                                          \
        return NAME(simt_word_of<WORD>(a), simt_word_of<WORD>(b), c);                                                  \
    }
SIMT_DOT_PRODUCT(__dp4a, char4, char4, int)
SIMT_DOT_PRODUCT(__dp4a, uchar4, uchar4, unsigned)
SIMT_DOT_PRODUCT(__dp2a_lo, short2, char4, int)
SIMT_DOT_PRODUCT(__dp2a_lo, ushort2, uchar4, unsigned)
SIMT_DOT_PRODUCT(__dp2a_hi, short2, char4, int)
SIMT_DOT_PRODUCT(__dp2a_hi, ushort2, uchar4, unsigned)
#undef SIMT_DOT_PRODUCT

#endif
