// wgmma.h: products of a warpgroup (runtime/ptx/wgmma.cpp).
#ifndef SIMT_PTX_WGMMA_H
#define SIMT_PTX_WGMMA_H

#include "matrix.h"

namespace simt {
namespace ptx {

template <class X> struct is_list : std::false_type {};
template <class... E> struct is_list<elements<E...>> : std::true_type {};

// d, a, b-descriptor, p, and constants: 1 or -1 for a and for b, then which of a and b are transposed; an a in registers is not.
template <class Shape, class D, class A, class B, class LD, class LA>
SIMT_INLINE void wgmma(LD d, LA a, u64 b, bool add, int sign_a = 1, int sign_b = 1, int transposed = 0,
                       int transposed_too = 0) {
    constexpr int registers = Shape::n / (std::is_same_v<D, f16> ? 4 : 2);
    static_assert(Shape::m == 64 && Shape::n % 8 == 0 && Shape::n <= 256,
                  "wgmma: m64, and n a multiple of 8 up to 256");
    static_assert(Shape::k * sizeof(A) == 32, "wgmma: k16 for f16 and bf16, k8 for tf32");
    static_assert(LD::n == registers, "wgmma: the list of d has another length than the shape's");
    constexpr bool in_registers = is_list<LA>::value;
    u32 *to[registers];
    d.point(to);
    const simt_wgmma_kind kind = {Shape::n,
                                  Shape::k,
                                  matrix_type<A>(),
                                  matrix_type<B>(),
                                  matrix_type<D>(),
                                  add,
                                  sign_a < 0,
                                  sign_b < 0,
                                  in_registers ? 0 : transposed,
                                  in_registers ? transposed : transposed_too};
    if constexpr (in_registers) {
        values<u32, 4> x = a;
        simt_wgmma(to, x.x, 0, b, &kind);
    } else {
        simt_wgmma(to, nullptr, (u64)a, b, &kind);
    }
}
SIMT_INLINE void wgmma_fence() { simt_wgmma_fence(); }
SIMT_INLINE void wgmma_commit() { simt_wgmma_commit(); }
SIMT_INLINE void wgmma_wait(u32 newest_groups_left) { simt_wgmma_wait(newest_groups_left); }

}  // namespace ptx
}  // namespace simt

#endif
