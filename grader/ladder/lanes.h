// lanes.h: what the rungs of task 3 share: vectors of a processor's width, one query in each lane, their exponential,
// the way between rows in memory and lanes, and what is fetched ahead.
#ifndef LANES_H
#define LANES_H

#include <math.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __AVX512DQ__
#include <immintrin.h>          // two instructions of exp2_vec
enum { LANES = 16, ROWS = 8 };  // 32 registers: ROWS * VECS hold sums, the rest operands
#define LOW 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23
#define HIGH 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31
#elif defined(__AVX__)
enum { LANES = 8, ROWS = 4 };             // 16 registers
#define LOW 0, 8, 1, 9, 2, 10, 3, 11
#define HIGH 4, 12, 5, 13, 6, 14, 7, 15
#else
enum { LANES = 4, ROWS = 8 };  // NEON: 32 registers
#define LOW 0, 4, 1, 5
#define HIGH 2, 6, 3, 7
#endif
enum { VECS = 2, STRIP = VECS * LANES, UNROLLED = 4 };

typedef float vec __attribute__((vector_size(4 * LANES)));
typedef float unaligned_vec __attribute__((vector_size(4 * LANES), aligned(4), may_alias));
typedef int32_t ivec __attribute__((vector_size(4 * LANES)));
typedef union {  // one number for each query of a strip
    vec v[VECS];
    float lane[STRIP];
} row;

static inline int min_int(int a, int b) { return a < b ? a : b; }

static inline vec max_vec(vec a, vec b) {
    for (int i = 0; i < LANES; i++) a[i] = a[i] > b[i] ? a[i] : b[i];  // becomes one instruction
    return a;
}

// 2^x to 2e-7; 0 for -INFINITY, and 2^127 or more from 127 on. With x = n + r, n whole and 0 <= r < 1: 2^r from a
// polynomial that is within 1e-7 there (minimax, the constant fixed at 1). AVX-512 has instructions for r and for the
// product with 2^n, which rounds x down by itself.
static inline vec exp2_vec(vec x) {
#ifdef __AVX512DQ__
    const vec r = (vec)_mm512_reduce_ps((__m512)x, _MM_FROUND_TO_NEG_INF);
#else
    const float shift = 0x1.8p23f + 127;  // n + shift has n + 127, the exponent of 2^n, in its lowest bits
    x = -max_vec((vec){0} - 127, -max_vec(x, (vec){0} - 127));
    const vec shifted = (x - 0.4999999f) + shift, r = x - (shifted - shift);  // less than 1/2: 2^0 is 1, exactly
#endif
    vec p = 1.86713246e-3f * r + 9.01702522e-3f;
    p = p * r + 5.57999168e-2f;
    p = p * r + 2.40164449e-1f;
    p = p * r + 6.93151312e-1f;
    p = p * r + 1;
#ifdef __AVX512DQ__
    return (vec)_mm512_scalef_ps((__m512)p, (__m512)x);
#else
    return p * (vec)((ivec)shifted << 23);
#endif
}

#ifdef __clang__
#define PICK(a, b, ...) __builtin_shufflevector(a, b, __VA_ARGS__)
#else
#define PICK(a, b, ...) __builtin_shuffle(a, b, (ivec){__VA_ARGS__})
#endif

// A square of LANES x LANES in registers. Each round interleaves its upper half with its lower half.
static inline void transpose(vec *a) {
#pragma GCC unroll 4
    for (int n = 1; n < LANES; n *= 2) {
        vec b[LANES];
#pragma GCC unroll 8
        for (int i = 0; i < LANES / 2; i++) {
            b[2 * i] = PICK(a[i], a[i + LANES / 2], LOW);
            b[2 * i + 1] = PICK(a[i], a[i + LANES / 2], HIGH);
        }
#pragma GCC unroll 16
        for (int i = 0; i < LANES; i++) a[i] = b[i];
    }
}

// The first n numbers from p, and zeros.
static inline vec load_vec(const float *p, int n) {
    if (n >= LANES) return *(const unaligned_vec *)p;
    vec x = {0};
    for (int c = 0; c < n; c++) x[c] = p[c];
    return x;
}

static inline void store_vec(float *p, vec x, int n) {
    if (n >= LANES) *(unaligned_vec *)p = x;
    for (int c = 0; c < n && n < LANES; c++) p[c] = x[c];
}

// What is needed soon: where it is, and how many cache lines of it to fetch with each of the blocks that come before.
typedef struct {
    uintptr_t at;
    int lines;
} ahead;

enum { AHEAD = 3, LINE = 64 };  // places at once; bytes of a cache line

// numbers: how many from array[place] on. An address beyond the array does no harm.
static inline ahead soon(const float *array, size_t place, int numbers, int blocks) {
    const int lines = numbers * (int)sizeof(float) / LINE;
    return (ahead){(uintptr_t)array + place * sizeof(float), (lines + blocks - 1) / blocks};
}

// Asks for the next lines, into the second-level cache, and does not wait for them.
static inline void fetch(ahead *next) {
    for (int i = 0; i < AHEAD; i++)
        for (int k = 0; k < next[i].lines; k++, next[i].at += LINE) __builtin_prefetch((void *)next[i].at, 0, 2);
}

#endif
