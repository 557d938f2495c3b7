// named.cpp: bar.sync and bar.arrive. Each of a block's 16 barriers opens when as many threads have come as the instruction says;
// those that only arrive go on at once. Barrier 0 with all threads is __syncthreads.
#include "../runtime.h"
#include "wgmma.h"
#include "ptx.h"

#include <cstring>

namespace simt {

void ptx_reset(Worker &w) {
    PtxState &s = w.ptx;
    if (!s.touched) return;
    s.touched = false;
    memset(s.named, 0, sizeof s.named);
    memset(&s.at_mbarrier, 0, sizeof s.at_mbarrier);
    s.waiters = s.given_up = 0;
    memset(s.bulk_group, 0, sizeof s.bulk_group);
    memset(s.at_wide, 0, sizeof s.at_wide);
    s.copies.clear();
    if (simt_hooks) products_reset(w);
}

static void open(Worker &w, NamedBarrier &b) {
    for (int warp = 0; warp < w.warps; warp++) {
        for (uint32_t m = b.waiting.lanes[warp]; m; m &= m - 1)
            w.fibers[(size_t)warp * 32 + (size_t)__builtin_ctz(m)].result = b.trues;
        make_ready(w, warp, b.waiting.lanes[warp]);
    }
    const bool round = !b.round;
    b = NamedBarrier{};
    b.round = round;
}

static void check(const NamedBarrier &b, uint32_t name, uint32_t threads, const void *pc) {
    if (threads % 32)
        stop_kernel(719, pc, "barrier %u for %u threads: the number must be a multiple of 32", name, threads);
    if (b.expected && b.expected != threads)
        stop_kernel(719, pc, "barrier %u for %u threads here, for %u at %s: all that meet must name the same number",
                    name, threads, b.expected, where(b.first).c_str());
}

// How many of those that met had a predicate that holds.
static uint32_t meet(uint32_t name, uint32_t threads, bool wait, bool predicate, const void *pc) {
    Worker &w = *this_worker;
    Fiber *f = w.fiber;
    if (!threads) threads = (uint32_t)(w.threads + 31) / 32 * 32;
    NamedBarrier &b = w.ptx.named[name];
    check(b, name, threads, pc);
    if (!b.expected) b.expected = threads, b.first = pc;
    w.ptx.touched = true;
    f->site = pc;
    f->polls = 0;
    const void *round = (const char *)&b + b.round;  // its rounds are two objects in turn, as the phases of an mbarrier
    if (simt_hooks) simt_hooks->release(round);
    f->result = b.trues += predicate;
    if (++b.arrived == b.expected) {
        open(w, b);
    } else if (wait) {
        b.waiting.lanes[f->thread >> 5] |= 1u << (f->thread & 31);
        f->state = State::named_barrier;
        if (simt_hooks) simt_hooks->arrive(SIMT_PARTIAL_BARRIER, 0, pc);
        suspend(w);
    }
    if (wait && simt_hooks) simt_hooks->acquire(round);
    return (uint32_t)f->result;
}

// Barrier 0 with all threads is __syncthreads.
static bool is_of_block(uint32_t name, uint32_t threads, const void *pc) {
    if (name > 15) stop_kernel(719, pc, "barrier %u: a block has 16, 0 to 15", name);
    return name == 0 && (!threads || threads == (uint32_t)this_worker->threads);
}

}  // namespace simt

using namespace simt;

void simt_named_barrier(uint32_t name, uint32_t threads, int wait) {
    const void *pc = __builtin_return_address(0);
    if (is_of_block(name, threads, pc) && wait) return wait_for_block(pc);
    meet(name, threads, wait, false, pc);
}

uint32_t simt_named_reduce(uint32_t name, uint32_t threads, int predicate) {
    const void *pc = __builtin_return_address(0);
    if (is_of_block(name, threads, pc)) return (uint32_t)simt_syncthreads_op(SIMT_SYNC_COUNT, predicate);
    return meet(name, threads, true, predicate, pc);
}

void simt_fence_proxy_async(void) {
    if (simt_hooks) simt_hooks->proxy_fence(this_worker->fiber->thread);
}

void simt_setmaxnreg(uint32_t registers) {
    if (registers < 24 || registers > 256 || registers % 8)
        stop_kernel(719, __builtin_return_address(0), "setmaxnreg %u: 24 to 256, a multiple of 8", registers);
}
