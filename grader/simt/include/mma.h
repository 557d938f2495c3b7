// mma.h: warp matrices, nvcuda::wmma, emulated: half, bfloat16, tf32, signed and unsigned char, double.
//
// Element i of a fragment belongs to an unspecified place of the tile, as with nvcc: treat all elements alike, or store.
#ifndef SIMT_MMA_H
#define SIMT_MMA_H

#include "cuda_bf16.h"
#include "cuda_fp16.h"

namespace nvcuda {
namespace wmma {

struct row_major;
struct col_major;
struct matrix_a;
struct matrix_b;
struct accumulator;
enum layout_t { mem_row_major, mem_col_major };

namespace precision {
struct tf32;
}

// What an element is in the fragment and in memory, and to simt.
template <class T> struct element { static constexpr bool operand = false, sum = false; };
#define SIMT_WMMA_ELEMENT(T, stored_as, is_operand, is_sum, type_value)                                                \
    template <> struct element<T> {                                                                                    \
        typedef stored_as stored;                                                                                      \
        static constexpr bool operand = is_operand, sum = is_sum;                                                      \
        static constexpr simt_type value = type_value;                                                                 \
    };
SIMT_WMMA_ELEMENT(__half, __half, true, true, SIMT_F16)
SIMT_WMMA_ELEMENT(__nv_bfloat16, __nv_bfloat16, true, false, SIMT_BF16)
SIMT_WMMA_ELEMENT(precision::tf32, float, true, false, SIMT_TF32)
SIMT_WMMA_ELEMENT(signed char, signed char, true, false, SIMT_S8)
SIMT_WMMA_ELEMENT(unsigned char, unsigned char, true, false, SIMT_U8)
SIMT_WMMA_ELEMENT(double, double, true, true, SIMT_F64)
SIMT_WMMA_ELEMENT(float, float, false, true, SIMT_F32)
SIMT_WMMA_ELEMENT(int, int, false, true, SIMT_I32)
#undef SIMT_WMMA_ELEMENT

template <class T> constexpr bool shape_fits(int m, int n, int k) {
    if (m == 8 && n == 8 && k == 4) return std::is_same<T, double>::value;
    if (m == 16 && n == 16 && k == 8) return std::is_same<T, precision::tf32>::value || std::is_same<T, float>::value;
    bool of_16 = k == 16 && ((m == 16 && n == 16) || (m == 32 && n == 8) || (m == 8 && n == 32));
    return of_16 && !std::is_same<T, precision::tf32>::value && !std::is_same<T, double>::value;
}

// A lane owns a 32nd of the tile. Of half's operands nvcc's fragments hold more, copies.
template <class Use, int M, int N, int K, class T, class Layout = void> class fragment {
    static constexpr bool is_sum = std::is_same<Use, accumulator>::value;
    static_assert(is_sum ? element<T>::sum : element<T>::operand, "simt: no wmma::fragment has such elements");
    static_assert(shape_fits<T>(M, N, K),
                  "simt: wmma is 16x16x16, 32x8x16 or 8x32x16 (half, __nv_bfloat16, signed and unsigned char), 16x16x8 "
                  "(precision::tf32) or 8x8x4 (double); put other shapes under #ifdef __CUDACC__");

public:
    static constexpr int rows = std::is_same<Use, matrix_b>::value ? K : M;
    static constexpr int columns = std::is_same<Use, matrix_a>::value ? K : N;
    static constexpr int own = rows * columns / 32;
    typedef T element_type;
    typedef typename element<T>::stored storage_element_type;
    static constexpr int num_elements = !is_sum && std::is_same<T, __half>::value ? 16 : own;
    static constexpr int num_storage_elements = num_elements;
    storage_element_type x[num_elements];

    static constexpr simt_wmma_tile tile(bool column_major) { return {element<T>::value, rows, columns, column_major}; }
};

// cvt.rna.tf32: 10 of 23 bits of the fraction stay; to the nearest, halves away from zero.
SIMT_INLINE float __float_to_tf32(float x) {
    unsigned bits = __float_as_uint(x);
    if ((bits & 0x7f800000) == 0x7f800000) return x != x ? __uint_as_float(0x7fffffff) : x;
    return __uint_as_float((bits + 0x1000) & ~0x1fffu);
}

template <class Use, int M, int N, int K, class T, class Layout>
SIMT_INLINE void fill_fragment(fragment<Use, M, N, K, T, Layout> &f, const typename element<T>::stored &value) {
    for (int i = 0; i < f.num_elements; i++) f.x[i] = value;
}

template <class Use, int M, int N, int K, class T, class Layout>
SIMT_INLINE void load_matrix_sync(fragment<Use, M, N, K, T, Layout> &f, const typename element<T>::stored *p,
                                  unsigned ld) {
    static_assert(!std::is_same<Use, accumulator>::value, "wmma::load_matrix_sync of an accumulator needs its layout");
    simt_wmma_load(f.x, p, ld, f.tile(std::is_same<Layout, col_major>::value));
    for (int i = f.own; i < f.num_elements; i++) f.x[i] = f.x[i - f.own];
}

template <int M, int N, int K, class T>
SIMT_INLINE void load_matrix_sync(fragment<accumulator, M, N, K, T> &f, const typename element<T>::stored *p,
                                  unsigned ld, layout_t layout) {
    simt_wmma_load(f.x, p, ld, f.tile(layout == mem_col_major));
}

template <int M, int N, int K, class T>
SIMT_INLINE void store_matrix_sync(typename element<T>::stored *p, const fragment<accumulator, M, N, K, T> &f,
                                   unsigned ld, layout_t layout) {
    simt_wmma_store(p, f.x, ld, f.tile(layout == mem_col_major));
}

template <class T, class C, class D> constexpr bool sums_fit() {
    constexpr bool one_byte = std::is_same<T, signed char>::value || std::is_same<T, unsigned char>::value;
    if (std::is_same<T, __half>::value) return !std::is_same<C, int>::value && !std::is_same<D, int>::value;
    typedef std::conditional_t<one_byte, int, std::conditional_t<std::is_same<T, double>::value, double, float>> sum;
    return std::is_same<C, sum>::value && std::is_same<D, sum>::value;
}

// D = A B + C. saturate: sums of ints stay within their range.
template <int M, int N, int K, class T, class LayoutA, class LayoutB, class D, class C>
SIMT_INLINE void mma_sync(fragment<accumulator, M, N, K, D> &d, const fragment<matrix_a, M, N, K, T, LayoutA> &a,
                          const fragment<matrix_b, M, N, K, T, LayoutB> &b, const fragment<accumulator, M, N, K, C> &c,
                          bool saturate = false) {
    static_assert(sums_fit<T, C, D>(), "wmma::mma_sync: the accumulator's elements do not fit those of A and B");
    simt_wmma_operands operands = {
        d.x, a.x, b.x, c.x,     element<T>::value, element<T>::value, element<C>::value, element<D>::value,
        M,   N,   K,   saturate};
    simt_wmma_mma(&operands);
}

}  // namespace wmma
}  // namespace nvcuda

#endif
