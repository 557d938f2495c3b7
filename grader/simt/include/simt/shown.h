// shown.h: a struct that a call takes by value, where the compiler's instrumentation does not look (rewrite/shown.c).
#ifndef SIMT_SHOWN_H
#define SIMT_SHOWN_H

#ifdef SIMT_CHECKED
#include <type_traits>

extern "C" void __tsan_read_range(void *p, size_t n);

namespace simt {

template <class T> __attribute__((always_inline)) inline T &&shown(T &&x) {
    typedef std::remove_cv_t<std::remove_reference_t<T>> Value;
    if constexpr (std::is_class_v<Value> || std::is_union_v<Value>)
        __tsan_read_range((void *)__builtin_addressof(x), sizeof x);
    return static_cast<T &&>(x);
}

}  // namespace simt
#endif

#endif
