// block.cpp: the scheduler of one block. Runs each thread until it must wait, then another, until all have returned.
//
// A fiber is ready, or waits at __syncthreads, in a warp collective, or for the rest of its warp to converge. Which ready
// fiber goes next is the thread order (SIMT_ORDER); a warp runs until all of its lanes wait, then the next warp.
#include "ptx/mbarrier.h"
#include "schedule.h"

#include <cstring>

namespace simt {

__thread Worker *this_worker __attribute__((tls_model("initial-exec")));

uint64_t next_random(Worker &w) {
    w.random ^= w.random << 13;
    w.random ^= w.random >> 7;
    w.random ^= w.random << 17;
    return w.random >> 16;
}

int pick_unusual(Worker &w, uint32_t set, int last) {
    if (w.order == Order::reverse) {
        uint32_t later = set & (((uint32_t)1 << last) - 1);
        return 31 - __builtin_clz(later ? later : set);
    }
    for (int k = (int)(next_random(w) % (unsigned)__builtin_popcount(set)); k > 0; k--) set &= set - 1;
    return __builtin_ctz(set);
}

__attribute__((noinline)) void tell_resumed() {
    Worker &w = *this_worker;
    int thread = w.fiber->thread;
    simt_hooks->resume(thread, w.stacks.low(thread), w.stacks.top(thread));
}

void make_ready(Worker &w, int warp, uint32_t lanes) {
    w.ready[warp] |= lanes;
    if (lanes) w.ready_warps |= 1u << warp;
}

// Every live thread waits at __syncthreads.
static void release_barrier(Worker &w) {
    w.barrier_count = w.predicates;
    w.barrier_all = w.predicates == w.at_barrier;
    w.at_barrier = w.predicates = 0;
    if (simt_hooks) simt_hooks->barrier(SIMT_BLOCK_BARRIER, -1, ~0u, w.fiber->site);
    for (int warp = 0; warp < w.warps; warp++) make_ready(w, warp, w.alive[warp]);
}

// The fiber to run next; null when the block is finished.
__attribute__((noinline)) Fiber *choose_other_warp(Worker &w) {
    for (;;) {
        int warp = warp_of(w.fiber);
        if (w.launch->stop.load(std::memory_order_relaxed)) leave_stopped(w);
        if (w.converging[warp] && release_converged(w, warp))
            return &w.fibers[(size_t)warp * 32 + (size_t)pick(w, w.ready[warp], lane_of(w.fiber))];
        if (!w.ready_warps && w.live == 0) {
            if (!leave_block(w)) return nullptr;
            continue;
        }
        int last_lane = w.order == Order::reverse ? 0 : 31;
        if (!w.ready_warps && w.at_barrier == w.live) {
            release_barrier(w);
            warp = last_lane;  // start over with the first warp
        }
        if (w.ready_warps) {
            warp = pick(w, w.ready_warps, warp);
            return &w.fibers[(size_t)warp * 32 + (size_t)pick(w, w.ready[warp], last_lane)];
        }
        bool released = false;
        for (int i = 0; i < w.warps && !released; i++) released = release_converged(w, i);
        if (released || leave_block(w)) continue;
        if (!engine_step(w) && !mbarrier_give_up(w)) deadlock(w);
    }
}

void suspend(Worker &w) { suspend_inline(w); }

void give_way(Worker &w) {
    Fiber *f = w.fiber;
    int warp = warp_of(f);
    if (w.launch->stop.load(std::memory_order_relaxed)) leave_stopped(w);
    if (++w.gave_way > w.live) all_gave_way(w);
    // In turn: later lanes of this warp, then the other warps. This thread may be spinning on any of them.
    uint32_t others = w.ready[warp] & ~(1u << lane_of(f));
    uint32_t later =
        w.order == Order::reverse ? others & ((1u << lane_of(f)) - 1) : others & (uint32_t)(~(uint64_t)1 << lane_of(f));
    uint32_t other_warps = w.ready_warps & ~(1u << warp);
    if (w.order == Order::random) later = other_warps && next_random(w) % 8 == 0 ? 0 : others;
    if (later) {
        run(w, &w.fibers[(size_t)warp * 32 + (size_t)pick(w, later, lane_of(f))]);
    } else if (other_warps) {
        int next = pick(w, other_warps, warp);
        run(w, &w.fibers[(size_t)next * 32 + (size_t)pick(w, w.ready[next], w.order == Order::reverse ? 0 : 31)]);
    } else if (others) {
        run(w, &w.fibers[(size_t)warp * 32 + (size_t)pick(w, others, lane_of(f))]);
    } else if (w.converging[warp]) {
        // Lanes that wait to converge wait for this one too; it spins, perhaps for them.
        release_converged(w, warp);
    }
}

void poll(Worker &w) {
    constexpr int polls_before_giving_way = 64;
    if (++w.fiber->polls < polls_before_giving_way && w.order != Order::random) return;
    w.fiber->polls = 0;
    if (w.order != Order::random || next_random(w) % 8 == 0) give_way(w);
}

extern "C" void *simt_fiber_main() {
    Worker &w = *this_worker;
    if (simt_hooks) tell_resumed();
    w.launch->thunk(w.launch->ctx);
    Fiber *f = w.fiber;
    int warp = warp_of(f);
    if (simt_hooks) simt_hooks->thread_exit(f->thread);
    f->site = nullptr;
    f->state = State::done;
    not_ready(w, f);
    w.alive[warp] &= ~(1u << lane_of(f));
    w.live--;
    if (w.waiting[warp]) complete_after_exit(w, warp);
    if (w.gang) thread_left(w);
    Fiber *next = choose(w);
    if (!next) return w.main_sp;
    become(w, next);
    return next->sp;
}

static void seed_order(Worker &w) {
    w.random = (config().seed + 1) * 0x9e3779b97f4a7c15u ^ (w.block_idx.x + 1) * 0xbf58476d1ce4e5b9u ^
               ((uint64_t)w.block_idx.y << 21) ^ ((uint64_t)w.block_idx.z << 42);
    w.random |= 1;
    for (int i = 0; i < 4; i++) next_random(w);
}

void prepare_block(Worker &w, simt_uint3 block_idx) {
    const simt_uint3 dim = w.launch->info.block;
    w.block_idx = block_idx;
    w.threads = (int)(dim.x * dim.y * dim.z);
    w.warps = (w.threads + 31) / 32;
    w.live = w.threads;
    w.at_barrier = w.predicates = 0;
    w.ready_warps = 0;
    async_reset(w);
    simt_uint3 idx = {0, 0, 0};
    for (int i = 0; i < w.threads; i++) {
        Fiber &f = w.fibers[(size_t)i];
        f.sp = fresh_stack(w.stacks.top(i));
        f.idx = idx;
        f.state = State::fresh;
        f.thread = (uint16_t)i;
        f.bit = (uint32_t)1 << (i & 31);
        f.polls = 0;
        if (++idx.x == dim.x) {
            idx.x = 0;
            if (++idx.y == dim.y) {
                idx.y = 0;
                idx.z++;
            }
        }
    }
    for (int warp = 0; warp < w.warps; warp++) {
        int lanes = w.threads - warp * 32;
        w.alive[warp] = lanes >= 32 ? ~0u : (1u << lanes) - 1;
        w.ready[warp] = w.alive[warp];
        w.waiting[warp] = w.converging[warp] = 0;
        w.ready_warps |= 1u << warp;
    }
    seed_order(w);
    shared_reset(w);
    ptx_reset(w);
    int edge = w.order == Order::reverse ? 0 : 31;
    int warp = pick(w, w.ready_warps, edge);
    w.fiber = &w.fibers[(size_t)warp * 32 + (size_t)pick(w, w.ready[warp], edge)];
    w.parked = w.fiber->sp;
}

void run_prepared(Worker &w) { simt_switch(&w.main_sp, w.fiber->sp); }

void run_block(Worker &w, simt_uint3 block_idx) {
    prepare_block(w, block_idx);
    if (simt_hooks) simt_hooks->block_begin(block_idx, simt_dynamic_shared());
    run_prepared(w);
    engine_finish(w);
    w.fiber = nullptr;
    w.no_abandon = 0;
    if (simt_hooks) simt_hooks->block_end();
}

}  // namespace simt
