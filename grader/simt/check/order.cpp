// order.cpp: the clock behind happens-before (order.h). __syncthreads orders the block; __syncwarp only the lanes of
// its mask; shuffles and votes nothing (CUDA C++ Programming Guide: they "do not imply a memory barrier").
#include "gang.h"

#include <algorithm>
#include <cstring>

namespace check {

PerBlock<Clock> hb;

void order_begin_launch() {
    constexpr uint32_t LATE = 3000000000;  // leaves room for a launch of a billion barriers
    if (hb->now > LATE) {
        forget_the_past();
        hb->now = 1;
    }
    hb->launch_begin = ++hb->now;
    fence_begin_launch();
}

void order_begin_block() {
    if (!run.rank) hb->block_begin = ++hb->now;  // all blocks of a gang begin together
    hb->interval = hb->stamp = hb->block_begin;
    memset(hb->partial, 0, sizeof hb->partial);
    memset(hb->full, 0, sizeof hb->full);
    memset(hb->thread_stamp, 0, sizeof hb->thread_stamp);
    fence_begin_block();
    clocks_begin_block();
}

void order_resume(int thread) { hb->stamp = std::max(hb->thread_stamp[thread], hb->interval); }

uint32_t order_tick(int thread) {
    hb->thread_stamp[thread] = ++hb->now;
    if (thread == run.thread) hb->stamp = hb->now;
    return hb->now;
}

static uint32_t lanes_of_warp(int warp) {
    const int lanes = std::min(WARP, run.n_threads - warp * WARP);
    return lanes == WARP ? ~0u : (1u << lanes) - 1;
}

// Some lanes of a warp have met: each now knows what any of them knew or did.
static void join_lanes(int warp, uint32_t mask) {
    int first = warp * WARP;
    if (!hb->partial[warp]) {
        hb->partial[warp] = true;
        uint32_t before = std::max(hb->full[warp], hb->interval) - 1;
        for (int t = first; t < first + WARP; t++) std::fill_n(hb->known[t], WARP, before);
    }
    uint32_t joint[WARP] = {};
    for (uint32_t m = mask; m; m &= m - 1) {
        int lane = __builtin_ctz(m), t = first + lane;
        for (int l = 0; l < WARP; l++) joint[l] = std::max(joint[l], hb->known[t][l]);
        joint[lane] = std::max({joint[lane], hb->thread_stamp[t], hb->interval});
    }
    for (uint32_t m = mask; m; m &= m - 1) memcpy(hb->known[first + __builtin_ctz(m)], joint, sizeof joint);
}

// What a thread knows of other blocks, all of its block know now.
static void block_met() {
    gang_threads_met();
    clocks_block_met();
}

void order_barrier(simt_barrier_kind kind, int warp, uint32_t mask) {
    if (kind == SIMT_WARP_EXCHANGE) return;
    if (fences_used) fence_barrier(kind, warp, mask);
    if (kind == SIMT_BLOCK_BARRIER) {
        hb->interval = hb->stamp = ++hb->now;
        memset(hb->partial, 0, sizeof hb->partial);
        if (run.blocks > 1) block_met();
        return;
    }
    const uint32_t all = lanes_of_warp(warp);
    mask &= all;
    bool full = mask == all;
    clocks_join(warp, mask);
    if (run.blocks > 1) gang_lanes_met(warp, mask);
    if (!full) join_lanes(warp, mask);
    uint32_t stamp = ++hb->now;
    if (full) hb->full[warp] = stamp;
    for (uint32_t m = mask; m; m &= m - 1) hb->thread_stamp[warp * WARP + __builtin_ctz(m)] = stamp;
    order_resume(run.thread);
}

bool ordered_in_interval(Event e) {
    if (e.stamp == PENDING) return false;
    int warp = run.thread / WARP;
    if ((int)(e.thread - run.first) / WARP == warp) {
        if (e.stamp < hb->full[warp]) return true;
        if (hb->partial[warp] && e.stamp <= hb->known[run.thread][e.thread % WARP]) return true;
    }
    return clocks_order(e) || (fences_used && fence_orders(e)) || (run.blocks > 1 && gang_orders(e));
}

bool ordered_with_other_block(Event e) {
    return e.stamp != PENDING && (gang_orders(e) || clocks_order(e) || (fences_used && fence_orders(e)));
}

}  // namespace check
