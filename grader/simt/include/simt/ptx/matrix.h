// matrix.h: ldmatrix, stmatrix, mma.sync. The last lane of the warp to arrive does the work (runtime/ptx/matrix.cpp).
#ifndef SIMT_PTX_MATRIX_H
#define SIMT_PTX_MATRIX_H

#include "memory.h"

namespace simt {
namespace ptx {

struct trans {};

template <class Count, class Trans, class List> SIMT_INLINE void ldmatrix(List to, address a) {
    values<u32, Count::n> x;
    simt_ldmatrix(x.x, Count::n, std::is_same_v<Trans, trans>, simt_shared_pointer((uint32_t)a.value));
    to = x;
}
template <class Count, class Trans, class List> SIMT_INLINE void stmatrix(address a, List from) {
    values<u32, Count::n> x = from;
    simt_stmatrix(x.x, Count::n, std::is_same_v<Trans, trans>, simt_shared_pointer((uint32_t)a.value));
}

template <class T> constexpr simt_matrix_type matrix_type() {
    if (std::is_same_v<T, f16>) return SIMT_MATRIX_F16;
    if (std::is_same_v<T, bf16>) return SIMT_MATRIX_BF16;
    if (std::is_same_v<T, tf32>) return SIMT_MATRIX_TF32;
    if (std::is_same_v<T, f32>) return SIMT_MATRIX_F32;
    if (std::is_same_v<T, s8>) return SIMT_MATRIX_S8;
    if (std::is_same_v<T, u8>) return SIMT_MATRIX_U8;
    return SIMT_MATRIX_S32;
}

template <class Shape, class D, class A, class B, class C, class LD, class LA, class LB, class LC>
SIMT_INLINE void mma(LD d, LA a, LB b, LC c) {
    static_assert((Shape::m == 16 && Shape::n == 8) || (Shape::m == 8 && Shape::n == 8 && Shape::k == 16),
                  "simt knows mma.sync of the shapes m16n8k4, k8, k16 and k32, and m8n8k16");
    constexpr int bits = sizeof(A) * 8, per_lane = Shape::k * bits / 128;  // registers, of 8 rows or columns
    constexpr int of_a = Shape::m / 8 * per_lane, of_half = Shape::m / 8, of_float = Shape::m / 4;
    values<u32, of_a> av = a;
    values<u32, per_lane> bv = b;
    values<u32, std::is_same_v<C, f16> ? of_half : of_float> cv = c;
    values<u32, std::is_same_v<D, f16> ? of_half : of_float> dv;
    simt_mma(dv.x, av.x, bv.x, cv.x,
             {Shape::m, Shape::k, matrix_type<A>(), matrix_type<B>(), matrix_type<C>(), matrix_type<D>()});
    d = dv;
}

}  // namespace ptx
}  // namespace simt

#endif
