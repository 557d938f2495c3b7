// warp_matrix.h: wmma.load, wmma.store, wmma.mma: PTX's warp matrices, done as mma.h's are (runtime/wmma.cpp). Which element a register
// holds PTX leaves open. Of half's operands there are more registers than elements: the others are copies.
#ifndef SIMT_PTX_WARP_MATRIX_H
#define SIMT_PTX_WARP_MATRIX_H

#include "convert.h"
#include "memory.h"

namespace simt {
namespace ptx {

struct row {};
struct col {};
enum class WarpMatrix { a, b, sums };

template <class T> constexpr simt_type warp_type() {
    if (std::is_same_v<T, f16>) return SIMT_F16;
    if (std::is_same_v<T, bf16>) return SIMT_BF16;
    if (std::is_same_v<T, tf32>) return SIMT_TF32;
    if (std::is_same_v<T, s8>) return SIMT_S8;
    if (std::is_same_v<T, u8>) return SIMT_U8;
    return std::is_same_v<T, f32> ? SIMT_F32 : SIMT_I32;
}

template <WarpMatrix What, class Layout, class Shape, class T> constexpr simt_wmma_tile warp_tile() {
    const int rows = What == WarpMatrix::b ? Shape::k : Shape::m, columns = What == WarpMatrix::a ? Shape::k : Shape::n;
    return {warp_type<T>(), rows, columns, std::is_same_v<Layout, col>};
}
template <WarpMatrix What, class Layout, class Shape, class T> constexpr u32 beside() {  // without a stride
    constexpr simt_wmma_tile t = warp_tile<What, Layout, Shape, T>();
    return (u32)(t.column_major ? t.rows : t.columns);
}

template <WarpMatrix What, class Layout, class Shape, class Space, class T, class List>
SIMT_INLINE void warp_load(List to, address a, u32 stride) {
    constexpr simt_wmma_tile tile = warp_tile<What, Layout, Shape, T>();
    constexpr int own = tile.rows * tile.columns / 32 * (int)sizeof(T) / 4;
    values<u32, List::n> x;
    simt_wmma_load(x.x, pointer<Space>(a), stride, tile);
    for (int i = own; i < List::n; i++) x.x[i] = x.x[i - own];
    to = x;
}
#define SIMT_WARP_LOAD(NAME, WHAT)                                                                                     \
    template <class Layout, class Shape, class Space, class T, class List>                                             \
    SIMT_INLINE void NAME(List to, address a, u32 stride = beside<WHAT, Layout, Shape, T>()) {                         \
        warp_load<WHAT, Layout, Shape, Space, T>(to, a, stride);                                                       \
    }
SIMT_WARP_LOAD(warp_load_a, WarpMatrix::a)
SIMT_WARP_LOAD(warp_load_b, WarpMatrix::b)
SIMT_WARP_LOAD(warp_load_c, WarpMatrix::sums)
#undef SIMT_WARP_LOAD

template <class Layout, class Shape, class Space, class T, class List>
SIMT_INLINE void warp_store(address a, List from, u32 stride = beside<WarpMatrix::sums, Layout, Shape, T>()) {
    values<u32, List::n> x = from;
    simt_wmma_store(pointer<Space>(a), x.x, stride, warp_tile<WarpMatrix::sums, Layout, Shape, T>());
}

template <class Shape, class D, class A, class B, class C, class Saturate, class LD, class LA, class LB, class LC>
SIMT_INLINE void warp_mma(LD d, LA a, LB b, LC c) {
    values<u32, LA::n> av = a;
    values<u32, LB::n> bv = b;
    values<u32, LC::n> cv = c;
    values<u32, LD::n> dv;
    simt_wmma_operands operands = {dv.x,           av.x,           bv.x,           cv.x,
                                   warp_type<A>(), warp_type<B>(), warp_type<C>(), warp_type<D>(),
                                   Shape::m,       Shape::n,       Shape::k,       std::is_same_v<Saturate, satfinite>};
    simt_wmma_mma(&operands);
    d = dv;
}
template <class Shape, class D, class C, class LD, class LA, class LB, class LC>
SIMT_INLINE void warp_mma_half(LD d, LA a, LB b, LC c) {
    warp_mma<Shape, D, f16, f16, C, none>(d, a, b, c);
}

// movmatrix: an 8 x 8 matrix of 16 bits, transposed. Lane l has row l / 4, columns 2 (l % 4) and the next.
SIMT_INLINE u32 movmatrix(u32 x) {
    const u32 l = lane(), from = 8 * (l % 4) + l / 8, low = (u32)simt_warp(SIMT_SHFL, ~0u, x, (int)from, 32),
              high = (u32)simt_warp(SIMT_SHFL, ~0u, x, (int)from + 4, 32), shift = l / 4 % 2 * 16;
    return (low >> shift & 0xffff) | (high >> shift & 0xffff) << 16;
}

}  // namespace ptx
}  // namespace simt

#endif
