// reduce.h: cp.reduce.async.bulk: what lies in global memory is joined with what comes, element by element.
#ifndef SIMT_PTX_REDUCE_H
#define SIMT_PTX_REDUCE_H

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <type_traits>

#include "../../include/simt/half_bits.h"
#include "../intrinsics.h"
#include "engine.h"

#pragma GCC visibility push(hidden)
namespace simt {

template <class T> T joined(Reduction op, T a, T b) {
    if constexpr (std::is_integral_v<T>) {
        if (op == Reduction::bit_and) return a & b;
        if (op == Reduction::bit_or) return a | b;
        if (op == Reduction::bit_xor) return a ^ b;
    }
    return op == Reduction::min ? std::min(a, b) : op == Reduction::max ? std::max(a, b) : (T)(a + b);
}

template <class T> void reduce_as(Reduction op, char *to, const char *from, size_t n) {
    for (size_t i = 0; i < n; i += sizeof(T)) {
        T a, b;
        memcpy(&a, to + i, sizeof a), memcpy(&b, from + i, sizeof b);
        a = joined(op, a, b);
        memcpy(to + i, &a, sizeof a);
    }
}

template <class Format> void reduce_halves(Reduction op, char *to, const char *from, size_t n) {
    for (size_t i = 0; i < n; i += 2) {
        uint16_t a, b;
        memcpy(&a, to + i, 2), memcpy(&b, from + i, 2);
        a = Format::from_float(joined(op, Format::to_float(a), Format::to_float(b)));
        memcpy(to + i, &a, 2);
    }
}

inline void reduce_into(Reduction op, simt_type type, char *to, const char *from, size_t n) {
    switch (type) {
    case SIMT_F16: return reduce_halves<half_format>(op, to, from, n);
    case SIMT_BF16: return reduce_halves<bfloat16_format>(op, to, from, n);
    case SIMT_F32: return reduce_as<float>(op, to, from, n);
    case SIMT_F64: return reduce_as<double>(op, to, from, n);
    case SIMT_I32: return reduce_as<int32_t>(op, to, from, n);
    case SIMT_U32: return reduce_as<uint32_t>(op, to, from, n);
    case SIMT_I64: return reduce_as<int64_t>(op, to, from, n);
    default: return reduce_as<uint64_t>(op, to, from, n);
    }
}

}  // namespace simt
#pragma GCC visibility pop
#endif
