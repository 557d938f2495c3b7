// shown.h: a struct that a call takes by value, where the compiler's instrumentation does not look (rewrite/shown.c).
#ifndef SIMT_SHOWN_H
#define SIMT_SHOWN_H

#ifdef SIMT_CHECKED
#include <type_traits>

extern "C" void __tsan_read_range(void *p, size_t n);
extern "C" void simt_index_outside(const char *file, int line, const char *function, const char *type, size_t elements,
                                   long index);

namespace simt {

template <class T> __attribute__((always_inline)) inline T &&shown(T &&x) {
    typedef std::remove_cv_t<std::remove_reference_t<T>> Value;
    if constexpr (std::is_class_v<Value> || std::is_union_v<Value>)
        __tsan_read_range((void *)__builtin_addressof(x), sizeof x);
    return static_cast<T &&>(x);
}

template <class T> inline const char *pretty_type() { return __PRETTY_FUNCTION__; }

// a[i]. Since shown takes an address, and one past the end of an array may have one, the compiler's own check lets that pass.
template <class T, size_t n, class Index>
__attribute__((always_inline)) inline T &item(T (&a)[n], Index i, const char *file = __builtin_FILE(),
                                              int line = __builtin_LINE(),
                                              const char *function = __builtin_FUNCTION()) {
    if ((size_t)i == n) simt_index_outside(file, line, function, pretty_type<T>(), n, (long)n);
    return a[i];
}
template <class Array, class Index>
__attribute__((always_inline)) inline decltype(auto) item(Array &&a, const Index &i) {
    return static_cast<Array &&>(a)[i];
}

}  // namespace simt
#endif

#endif
