// scan.h: cooperative_groups::inclusive_scan and exclusive_scan over tiles and coalesced groups.
#ifndef SIMT_COOPERATIVE_GROUPS_SCAN_H
#define SIMT_COOPERATIVE_GROUPS_SCAN_H

#include "reduce.h"

namespace cooperative_groups {

template <class Group, class T, class Op> SIMT_INLINE T inclusive_scan(const Group &g, T value, Op op) {
    unsigned n = g.num_threads(), rank = g.thread_rank();
    for (unsigned delta = 1; delta < n; delta *= 2) {
        T other = g.shfl_up(value, delta);
        if (rank >= delta) value = op(other, value);
    }
    return value;
}
template <class Group, class T> SIMT_INLINE T inclusive_scan(const Group &g, T value) {
    return inclusive_scan(g, value, plus<T>());
}

// The first member gets T().
template <class Group, class T, class Op> SIMT_INLINE T exclusive_scan(const Group &g, T value, Op op) {
    T result = g.shfl_up(inclusive_scan(g, value, op), 1);
    return g.thread_rank() == 0 ? T() : result;
}
template <class Group, class T> SIMT_INLINE T exclusive_scan(const Group &g, T value) {
    return exclusive_scan(g, value, plus<T>());
}

}  // namespace cooperative_groups

#endif
