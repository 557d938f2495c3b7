// carry.h: sums and differences of several words: add.cc, addc, sub.cc, subc, mad.cc, madc.
#ifndef SIMT_PTX_CARRY_H
#define SIMT_PTX_CARRY_H

#include "scalar.h"

namespace simt {
namespace ptx {

// The carry of the last instruction with .cc. Threads change places only where they wait, and no chain goes on there.
// It is no memory of the student's: checked mode does not look.
inline thread_local bool carry;

// IN: the carry is added; OUT: it is written.
template <bool IN, bool OUT, class T> __attribute__((noinline, no_sanitize("thread"))) T add_words(T a, T b) {
    std::make_unsigned_t<T> sum;
    const bool first = __builtin_add_overflow((std::make_unsigned_t<T>)a, (std::make_unsigned_t<T>)b, &sum);
    const bool second = __builtin_add_overflow(sum, IN && carry, &sum);
    if (OUT) carry = first || second;
    return (T)sum;
}
template <bool IN, bool OUT, class T> __attribute__((noinline, no_sanitize("thread"))) T sub_words(T a, T b) {
    std::make_unsigned_t<T> rest;
    const bool first = __builtin_sub_overflow((std::make_unsigned_t<T>)a, (std::make_unsigned_t<T>)b, &rest);
    const bool second = __builtin_sub_overflow(rest, IN && carry, &rest);
    if (OUT) carry = first || second;
    return (T)rest;
}

template <class T> SIMT_INLINE T add_cc(T a, T b) { return add_words<false, true>(a, b); }
template <class T> SIMT_INLINE T addc_cc(T a, T b) { return add_words<true, true>(a, b); }
template <class T> SIMT_INLINE T addc(T a, T b) { return add_words<true, false>(a, b); }
template <class T> SIMT_INLINE T sub_cc(T a, T b) { return sub_words<false, true>(a, b); }
template <class T> SIMT_INLINE T subc_cc(T a, T b) { return sub_words<true, true>(a, b); }
template <class T> SIMT_INLINE T subc(T a, T b) { return sub_words<true, false>(a, b); }
template <class Part, class T> SIMT_INLINE T mad_cc(T a, T b, T c) { return add_cc<T>((T)mul_part<Part, T>(a, b), c); }
template <class Part, class T> SIMT_INLINE T madc_cc(T a, T b, T c) {
    return addc_cc<T>((T)mul_part<Part, T>(a, b), c);
}
template <class Part, class T> SIMT_INLINE T madc(T a, T b, T c) { return addc<T>((T)mul_part<Part, T>(a, b), c); }

}  // namespace ptx
}  // namespace simt
#endif
