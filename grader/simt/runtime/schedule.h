// schedule.h: which thread of a block goes next, and how: inlined into all that waits.
#ifndef SIMT_SCHEDULE_H
#define SIMT_SCHEDULE_H

#include "runtime.h"

#pragma GCC visibility push(hidden)
namespace simt {

inline int lane_of(const Fiber *f) { return f->thread & 31; }
inline int warp_of(const Fiber *f) { return f->thread >> 5; }

// block.cpp
int pick_unusual(Worker &w, uint32_t set, int last);
void tell_resumed();
Fiber *choose_other_warp(Worker &w);  // null: the block is finished

// The bit of `set` (not empty) that comes next after bit `last`, in the configured order.
inline int pick(Worker &w, uint32_t set, int last) {
    if (__builtin_expect(w.order != Order::forward, 0)) return pick_unusual(w, set, last);
    uint32_t later = set & (uint32_t)(~(uint64_t)1 << last);
    return __builtin_ctz(later ? later : set);
}

inline __attribute__((always_inline)) void become(Worker &w, Fiber *to) {
    w.fiber = to;
    const char *soon = (const char *)to[prefetch_ahead].sp;  // likely one of the next
    __builtin_prefetch(soon);
    __builtin_prefetch(soon + 64);
}

// Little is kept across the switch: each word of a waiting fiber's frames costs cache, 1024 times.
inline __attribute__((always_inline)) void run(Worker &w, Fiber *to) {
    Fiber *from = w.fiber;
    if (to != from) {
        become(w, to);
        simt_switch(&from->sp, to->sp);
    }
    if (__builtin_expect(simt_hooks != nullptr, 0)) tell_resumed();
}

inline void not_ready(Worker &w, Fiber *f) {
    int warp = warp_of(f);
    w.ready[warp] &= ~f->bit;
    if (!w.ready[warp]) w.ready_warps &= ~(1u << warp);
}

inline __attribute__((always_inline)) Fiber *choose(Worker &w) {
    size_t warp = (size_t)warp_of(w.fiber);
    // Mostly the next lane, and the processor foresees that: it works on that lane before it has the mask.
    if (w.ready[warp] & w.fiber->bit << 1 && w.order == Order::forward) return w.fiber + 1;
    if (w.ready[warp]) return &w.fibers[warp * 32 + (size_t)pick(w, w.ready[warp], lane_of(w.fiber))];
    return choose_other_warp(w);
}

inline __attribute__((always_inline)) void suspend_inline(Worker &w) {
    not_ready(w, w.fiber);
    run(w, choose(w));
}

}  // namespace simt
#pragma GCC visibility pop

#endif
