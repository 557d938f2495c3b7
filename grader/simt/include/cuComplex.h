// cuComplex.h: complex numbers as CUDA's libraries have them, for C and C++.
#ifndef SIMT_CUCOMPLEX_H
#define SIMT_CUCOMPLEX_H

#include <math.h>

#include "vector_types.h"

typedef float2 cuFloatComplex;
typedef double2 cuDoubleComplex;
typedef cuFloatComplex cuComplex;

// Division scales first, so that squares do not overflow.
#define SIMT_COMPLEX(C, T, F, MAKE)                                                                                    \
    static inline C MAKE(T re, T im) {                                                                                 \
        C z;                                                                                                           \
        z.x = re, z.y = im;                                                                                            \
        return z;                                                                                                      \
    }                                                                                                                  \
    static inline T cuCreal##F(C z) { return z.x; }                                                                    \
    static inline T cuCimag##F(C z) { return z.y; }                                                                    \
    static inline C cuConj##F(C z) { return MAKE(z.x, -z.y); }                                                         \
    static inline C cuCadd##F(C a, C b) { return MAKE(a.x + b.x, a.y + b.y); }                                         \
    static inline C cuCsub##F(C a, C b) { return MAKE(a.x - b.x, a.y - b.y); }                                         \
    static inline C cuCmul##F(C a, C b) { return MAKE(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x); }                 \
    static inline C cuCdiv##F(C a, C b) {                                                                              \
        const T s = 1 / (fabs##F(b.x) + fabs##F(b.y)), ax = a.x * s, ay = a.y * s, bx = b.x * s, by = b.y * s;         \
        const T n = 1 / (bx * bx + by * by);                                                                           \
        return MAKE((ax * bx + ay * by) * n, (ay * bx - ax * by) * n);                                                 \
    }                                                                                                                  \
    static inline T cuCabs##F(C z) { return hypot##F(z.x, z.y); }                                                      \
    static inline C cuCfma##F(C a, C b, C c) { return MAKE(a.x * b.x + c.x - a.y * b.y, a.x * b.y + c.y + a.y * b.x); }
SIMT_COMPLEX(cuFloatComplex, float, f, make_cuFloatComplex)
SIMT_COMPLEX(cuDoubleComplex, double, , make_cuDoubleComplex)
#undef SIMT_COMPLEX

static inline cuComplex make_cuComplex(float re, float im) { return make_cuFloatComplex(re, im); }
static inline cuDoubleComplex cuComplexFloatToDouble(cuFloatComplex z) { return make_cuDoubleComplex(z.x, z.y); }
static inline cuFloatComplex cuComplexDoubleToFloat(cuDoubleComplex z) {
    return make_cuFloatComplex((float)z.x, (float)z.y);
}

#endif
