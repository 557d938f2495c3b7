// operations.h: what atom, red, redux and setp do with two values: .add, .min, ...
#ifndef SIMT_PTX_OPERATIONS_H
#define SIMT_PTX_OPERATIONS_H

#include "../../../runtime/intrinsics.h"
#include "../vector_types.h"

namespace simt {
namespace ptx {

struct op_add {
    static constexpr simt_atomic_op atomic = SIMT_ATOMIC_ADD;
    static constexpr simt_warp_op reduce = SIMT_REDUCE_ADD, reduce_signed = SIMT_REDUCE_ADD;
};
struct op_min {
    static constexpr simt_atomic_op atomic = SIMT_ATOMIC_MIN;
    static constexpr simt_warp_op reduce = SIMT_REDUCE_MIN_U, reduce_signed = SIMT_REDUCE_MIN_S;
};
struct op_max {
    static constexpr simt_atomic_op atomic = SIMT_ATOMIC_MAX;
    static constexpr simt_warp_op reduce = SIMT_REDUCE_MAX_U, reduce_signed = SIMT_REDUCE_MAX_S;
};
struct op_and {
    static constexpr simt_atomic_op atomic = SIMT_ATOMIC_AND;
    static constexpr simt_warp_op reduce = SIMT_REDUCE_AND, reduce_signed = SIMT_REDUCE_AND;
    static SIMT_INLINE bool of(bool x, bool y) { return x && y; }
};
struct op_or {
    static constexpr simt_atomic_op atomic = SIMT_ATOMIC_OR;
    static constexpr simt_warp_op reduce = SIMT_REDUCE_OR, reduce_signed = SIMT_REDUCE_OR;
    static SIMT_INLINE bool of(bool x, bool y) { return x || y; }
};
struct op_xor {
    static constexpr simt_atomic_op atomic = SIMT_ATOMIC_XOR;
    static constexpr simt_warp_op reduce = SIMT_REDUCE_XOR, reduce_signed = SIMT_REDUCE_XOR;
    static SIMT_INLINE bool of(bool x, bool y) { return x != y; }
};
struct op_exch {
    static constexpr simt_atomic_op atomic = SIMT_ATOMIC_EXCH;
};
struct op_cas {
    static constexpr simt_atomic_op atomic = SIMT_ATOMIC_CAS;
};
struct op_inc {
    static constexpr simt_atomic_op atomic = SIMT_ATOMIC_INC;
};
struct op_dec {
    static constexpr simt_atomic_op atomic = SIMT_ATOMIC_DEC;
};

}  // namespace ptx
}  // namespace simt

#endif
