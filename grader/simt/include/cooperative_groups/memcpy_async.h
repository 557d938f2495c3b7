// memcpy_async.h: a copy to shared memory shared out among a group's threads, by cp.async where alignment allows.
#ifndef SIMT_COOPERATIVE_GROUPS_MEMCPY_ASYNC_H
#define SIMT_COOPERATIVE_GROUPS_MEMCPY_ASYNC_H

#include "../cooperative_groups.h"

namespace cooperative_groups {

// n bytes; a batch of its own, as if each call were followed by a commit.
template <class Group, class D, class S> SIMT_INLINE void memcpy_async(const Group &g, D *dst, const S *src, size_t n) {
    size_t misaligned = (size_t)dst | (size_t)src | n;
    size_t piece = misaligned % 16 == 0 ? 16 : misaligned % 8 == 0 ? 8 : misaligned % 4 == 0 ? 4 : 1;
    for (size_t at = g.thread_rank() * piece; at < n; at += g.num_threads() * piece) {
        if (piece == 1)
            ((char *)dst)[at] = ((const char *)src)[at];
        else
            simt_async_copy((char *)dst + at, (const char *)src + at, piece, 0);
    }
    simt_async_commit();
}

template <unsigned Stages, class Group> SIMT_INLINE void wait_prior(const Group &g) {
    simt_async_wait(Stages);
    g.sync();
}
template <class Group> SIMT_INLINE void wait(const Group &g) {
    simt_async_wait(0);
    g.sync();
}

}  // namespace cooperative_groups

#endif
