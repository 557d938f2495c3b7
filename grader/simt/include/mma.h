// mma.h: warp matrices, nvcuda::wmma, emulated: 16x16x16, half or bfloat16 times the same, sums in float or half.
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

template <class T> struct element_type { static constexpr bool supported = false; };
template <> struct element_type<__half> {
    static constexpr bool supported = true;
    static constexpr simt_type value = SIMT_F16;
};
template <> struct element_type<__nv_bfloat16> {
    static constexpr bool supported = true;
    static constexpr simt_type value = SIMT_BF16;
};
template <> struct element_type<float> {
    static constexpr bool supported = true;
    static constexpr simt_type value = SIMT_F32;
};

// A lane owns 8 of the 256 elements. Operand fragments hold them twice, as Hopper's do.
template <class Use, int M, int N, int K, class T, class Layout = void> class fragment {
    static_assert(M == 16 && N == 16 && K == 16,
                  "simt emulates wmma for 16x16x16 only; put other shapes under #ifdef __CUDACC__");
    static_assert(element_type<T>::supported, "simt emulates wmma for half, __nv_bfloat16 and float only");
    static constexpr bool is_accumulator = std::is_same<Use, accumulator>::value;

public:
    typedef T element_type;
    typedef T storage_element_type;
    static constexpr int num_elements = is_accumulator ? 8 : 16;
    static constexpr int num_storage_elements = num_elements;
    T x[num_elements];
};

template <class Use, class T, class Layout>
SIMT_INLINE void fill_fragment(fragment<Use, 16, 16, 16, T, Layout> &f,
                               const typename fragment<Use, 16, 16, 16, T, Layout>::element_type &value) {
    for (int i = 0; i < f.num_elements; i++) f.x[i] = value;
}

template <class Use, class T, class Layout>
SIMT_INLINE void load_matrix_sync(fragment<Use, 16, 16, 16, T, Layout> &f, const T *p, unsigned ld) {
    simt_wmma_load(f.x, p, ld, element_type<T>::value, std::is_same<Layout, col_major>::value);
    for (int i = 8; i < f.num_elements; i++) f.x[i] = f.x[i - 8];
}

template <class T>
SIMT_INLINE void load_matrix_sync(fragment<accumulator, 16, 16, 16, T> &f, const T *p, unsigned ld, layout_t layout) {
    simt_wmma_load(f.x, p, ld, element_type<T>::value, layout == mem_col_major);
}

template <class T>
SIMT_INLINE void store_matrix_sync(T *p, const fragment<accumulator, 16, 16, 16, T> &f, unsigned ld, layout_t layout) {
    simt_wmma_store(p, f.x, ld, element_type<T>::value, layout == mem_col_major);
}

// D = A B + C
template <class T, class LayoutA, class LayoutB, class D, class C>
SIMT_INLINE void mma_sync(fragment<accumulator, 16, 16, 16, D> &d, const fragment<matrix_a, 16, 16, 16, T, LayoutA> &a,
                          const fragment<matrix_b, 16, 16, 16, T, LayoutB> &b,
                          const fragment<accumulator, 16, 16, 16, C> &c) {
    simt_wmma_operands operands = {
        d.x, a.x, b.x, c.x, element_type<T>::value, element_type<C>::value, element_type<D>::value};
    simt_wmma_mma(&operands);
}

}  // namespace wmma
}  // namespace nvcuda

#endif
