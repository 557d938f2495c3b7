// vector_types.h: dim3, and char1 ... double4 with CUDA's alignments.
//
// A vector of 2 or 4 elements that fills 2, 4, 8 or 16 bytes is copied by one access of that width, as a GPU does: the
// copy constructor and assignment go through a compiler vector of the same size. (Plain member-wise copies would be split
// into scalar accesses, and the checker would count four where the hardware makes one.)
#ifndef SIMT_VECTOR_TYPES_H
#define SIMT_VECTOR_TYPES_H

#ifdef __cplusplus

#define SIMT_INLINE __attribute__((always_inline)) inline

namespace simt {
typedef float floats_2 __attribute__((vector_size(8), may_alias));
typedef unsigned char bytes_16 __attribute__((vector_size(16), may_alias));
template <int Bytes> struct wide;
template <> struct wide<2> { typedef unsigned short __attribute__((may_alias)) type; };
template <> struct wide<4> { typedef unsigned __attribute__((may_alias)) type; };
template <> struct wide<8> { typedef floats_2 type; };
template <> struct wide<16> { typedef bytes_16 type; };
}  // namespace simt

#define SIMT_WIDE_COPY(N)                                                                                              \
    SIMT_INLINE N(const N &o) {                                                                                        \
        *(typename simt::wide<sizeof(N)>::type *)this = *(const typename simt::wide<sizeof(N)>::type *)&o;             \
    }                                                                                                                  \
    SIMT_INLINE N &operator=(const N &o) {                                                                             \
        *(typename simt::wide<sizeof(N)>::type *)this = *(const typename simt::wide<sizeof(N)>::type *)&o;             \
        return *this;                                                                                                  \
    }

#define SIMT_VECTOR1(T, N)                                                                                             \
    struct N {                                                                                                         \
        T x;                                                                                                           \
    };                                                                                                                 \
    static SIMT_INLINE N make_##N(T x) { return N{x}; }
#define SIMT_VECTOR2(T, N)                                                                                             \
    struct __attribute__((may_alias, aligned(2 * sizeof(T)))) N {                                                      \
        T x, y;                                                                                                        \
        N() = default;                                                                                                 \
        constexpr N(T x_, T y_ = 0) : x(x_), y(y_) {}                                                                  \
        SIMT_WIDE_COPY(N)                                                                                              \
    };                                                                                                                 \
    static SIMT_INLINE N make_##N(T x, T y) { return N(x, y); }
#define SIMT_VECTOR3(T, N)                                                                                             \
    struct N {                                                                                                         \
        T x, y, z;                                                                                                     \
    };                                                                                                                 \
    static SIMT_INLINE N make_##N(T x, T y, T z) { return N{x, y, z}; }
#define SIMT_VECTOR4(T, N)                                                                                             \
    struct __attribute__((may_alias, aligned(4 * sizeof(T)))) N {                                                      \
        T x, y, z, w;                                                                                                  \
        N() = default;                                                                                                 \
        constexpr N(T x_, T y_ = 0, T z_ = 0, T w_ = 0) : x(x_), y(y_), z(z_), w(w_) {}                                \
        SIMT_WIDE_COPY(N)                                                                                              \
    };                                                                                                                 \
    static SIMT_INLINE N make_##N(T x, T y, T z, T w) { return N(x, y, z, w); }
// Four 8-byte elements: 16-byte aligned and copied by two accesses.
#define SIMT_VECTOR4_LONG(T, N)                                                                                        \
    struct __attribute__((may_alias, aligned(16))) N {                                                                 \
        T x, y, z, w;                                                                                                  \
        N() = default;                                                                                                 \
        constexpr N(T x_, T y_ = 0, T z_ = 0, T w_ = 0) : x(x_), y(y_), z(z_), w(w_) {}                                \
        SIMT_INLINE N(const N &o) { *this = o; }                                                                       \
        SIMT_INLINE N &operator=(const N &o) {                                                                         \
            typedef simt::bytes_16 half_of_it;                                                                         \
            ((half_of_it *)this)[0] = ((const half_of_it *)&o)[0];                                                     \
            ((half_of_it *)this)[1] = ((const half_of_it *)&o)[1];                                                     \
            return *this;                                                                                              \
        }                                                                                                              \
    };                                                                                                                 \
    static SIMT_INLINE N make_##N(T x, T y, T z, T w) { return N(x, y, z, w); }
#define SIMT_VECTORS(T, N)                                                                                             \
    SIMT_VECTOR1(T, N##1)                                                                                              \
    SIMT_VECTOR2(T, N##2)                                                                                              \
    SIMT_VECTOR3(T, N##3)                                                                                              \
    SIMT_VECTOR4(T, N##4)
#define SIMT_VECTORS_LONG(T, N)                                                                                        \
    SIMT_VECTOR1(T, N##1)                                                                                              \
    SIMT_VECTOR2(T, N##2)                                                                                              \
    SIMT_VECTOR3(T, N##3)                                                                                              \
    SIMT_VECTOR4_LONG(T, N##4)

SIMT_VECTORS(signed char, char)
SIMT_VECTORS(unsigned char, uchar)
SIMT_VECTORS(short, short)
SIMT_VECTORS(unsigned short, ushort)
SIMT_VECTORS(int, int)
SIMT_VECTORS(unsigned, uint)
SIMT_VECTORS(float, float)
SIMT_VECTORS_LONG(long, long)
SIMT_VECTORS_LONG(unsigned long, ulong)
SIMT_VECTORS_LONG(long long, longlong)
SIMT_VECTORS_LONG(unsigned long long, ulonglong)
SIMT_VECTORS_LONG(double, double)

struct dim3 {
    unsigned x, y, z;
    constexpr dim3(unsigned x_ = 1, unsigned y_ = 1, unsigned z_ = 1) : x(x_), y(y_), z(z_) {}
    constexpr dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {}
    constexpr operator uint3() const { return uint3{x, y, z}; }
};

#else  // C: host code that passes them around

typedef struct dim3 {
    unsigned x, y, z;
} dim3;
typedef struct float2 {
    float x, y;
} __attribute__((aligned(8))) float2;
typedef struct float4 {
    float x, y, z, w;
} __attribute__((aligned(16))) float4;
typedef struct int2 {
    int x, y;
} __attribute__((aligned(8))) int2;
typedef struct int4 {
    int x, y, z, w;
} __attribute__((aligned(16))) int4;
typedef struct uint3 {
    unsigned x, y, z;
} uint3;

#endif
#endif
