// reduce.h: cooperative_groups::reduce, over tiles and coalesced groups, and the operations it takes.
#ifndef SIMT_COOPERATIVE_GROUPS_REDUCE_H
#define SIMT_COOPERATIVE_GROUPS_REDUCE_H

#include "../cooperative_groups.h"

namespace cooperative_groups {

#define SIMT_GROUP_OPERATION(NAME, EXPRESSION)                                                                         \
    template <class T = void> struct NAME {                                                                            \
        SIMT_MEMBER T operator()(T a, T b) const { return EXPRESSION; }                                                \
    };                                                                                                                 \
    template <> struct NAME<void> {                                                                                    \
        template <class T> SIMT_MEMBER T operator()(T a, T b) const { return EXPRESSION; }                             \
    };
SIMT_GROUP_OPERATION(plus, a + b)
SIMT_GROUP_OPERATION(less, b < a ? b : a)     // the smaller
SIMT_GROUP_OPERATION(greater, a < b ? b : a)  // the larger
SIMT_GROUP_OPERATION(bit_and, a &b)
SIMT_GROUP_OPERATION(bit_or, a | b)
SIMT_GROUP_OPERATION(bit_xor, a ^ b)

// A butterfly: every lane has the result.
template <unsigned N, class P, class T, class Op>
SIMT_INLINE T reduce(const thread_block_tile<N, P> &g, T value, Op op) {
    for (unsigned delta = N / 2; delta > 0; delta /= 2) value = op(value, g.shfl_xor(value, delta));
    return value;
}

// A tree over the ranks, then rank 0 tells.
template <class T, class Op> SIMT_INLINE T reduce(const coalesced_group &g, T value, Op op) {
    unsigned n = g.num_threads(), rank = g.thread_rank();
    for (unsigned delta = 16; delta > 0; delta /= 2) {
        T other = g.shfl_down(value, delta);
        if (rank + delta < n && rank < delta) value = op(value, other);
    }
    return g.shfl(value, 0);
}

}  // namespace cooperative_groups

#endif
