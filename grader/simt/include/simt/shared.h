// shared.h: what __shared__ declarations become:
//
//     float (&tile)[8][8] = simt::shared("tile", []{});        __shared__ float tile[8][8];
//     float (&data)[] = simt::dynamic_shared();                extern __shared__ float data[];
//
// The right-hand side converts to a reference to whatever type the left-hand side declares.
#ifndef SIMT_SHARED_H
#define SIMT_SHARED_H

#include <type_traits>

#include "../../runtime/abi.h"

namespace simt {

// Its address is a variable's name in all threads of a block. Not thread-local: the library may be loaded by dlopen.
template <class Identity> struct shared_key { alignas(8) static inline const char here = 0; };

#ifdef SIMT_CHECKED
// "tile[16][17]" for reports that speak of tile[2][5]. Runs inside kernels: hence no library calls, and not watched.
__attribute__((no_sanitize("thread"))) inline char *append(char *to, char *end, const char *text) {
    while (*text && to < end) *to++ = *text++;
    return to;
}

__attribute__((no_sanitize("thread"))) inline char *append(char *to, char *end, size_t number) {
    char digits[24], *p = digits + sizeof digits;
    *--p = 0;
    do *--p = char('0' + number % 10);
    while (number /= 10);
    return append(to, end, p);
}

template <class Identity, class T> __attribute__((no_sanitize("thread"))) const char *full_name(const char *name) {
    static char text[128];
    constexpr size_t extents[] = {std::extent_v<T, 0>, std::extent_v<T, 1>, std::extent_v<T, 2>, std::extent_v<T, 3>};
    char *p = append(text, text + sizeof text - 1, name), *end = text + sizeof text - 1;
    for (size_t i = 0; i < 4 && extents[i]; i++) p = append(append(append(p, end, "["), end, extents[i]), end, "]");
    return text;
}
#else
template <class Identity, class T> __attribute__((always_inline)) inline const char *full_name(const char *name) {
    return name;
}
#endif

constexpr size_t static_shared_limit = 48 * 1024;  // bytes; nvcc has it too

template <class Identity> struct shared_variable {
    const char *name;
    size_t alignment;

    template <class T, std::enable_if_t<(sizeof(T) > static_shared_limit), int> = 0>
    __attribute__((error("a kernel has 48 KB of static shared memory: for more take extern __shared__ and "
                         "cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes)")))
    operator T &() const;

    template <class T, std::enable_if_t<(sizeof(T) <= static_shared_limit), int> = 0>
    __attribute__((always_inline)) operator T &() const {
        size_t align = alignment > alignof(T) ? alignment : alignof(T);
        return *static_cast<T *>(
            simt_shared(&shared_key<Identity>::here, sizeof(T), align, full_name<Identity, T>(name)));
    }
};

template <class Identity>
__attribute__((always_inline)) inline shared_variable<Identity> shared(const char *name, Identity,
                                                                       size_t alignment = 1) {
    return {name, alignment};
}

struct dynamic_shared {
    template <class T> __attribute__((always_inline)) operator T &() const { return *(T *)simt_dynamic_shared(); }
};

}  // namespace simt

#endif
