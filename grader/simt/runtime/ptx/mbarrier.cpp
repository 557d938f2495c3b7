// mbarrier.cpp: barriers in shared memory that count arrivals and bytes. All of one's state is in its own 8 bytes:
//
//     bit 63 62   61      60 .. 40            39 .. 20             19 .. 0
//         | 01 |  phase | bytes outstanding | arrivals a phase   | arrivals still to come |
//
// so that poisoned or overwritten memory is not taken for a barrier. A phase ends when no arrival and no byte is outstanding; then
// the phase bit flips. "Wait for parity p" is: until the phase bit is not p.
//
// A waiting thread sleeps. try_wait may give up by the manual, after a while; here it does when no thread of the block can go on
// otherwise, and the copy engine (engine.cpp) has nothing to do. When nothing happens between many such moments: a deadlock.
#include "mbarrier.h"

#include "../runtime.h"
#include "engine.h"
#include "ptx.h"

namespace simt {

namespace {
struct Barrier {
    uint32_t pending, expected, phase;
    int32_t bytes;
};
}  // namespace

constexpr uint64_t count_mask = (1 << 20) - 1, byte_mask = (1 << 21) - 1;

static uint64_t pack(const Barrier &s) {
    return (uint64_t)1 << 62 | (uint64_t)s.phase << 61 | ((uint64_t)s.bytes & byte_mask) << 40 |
           (uint64_t)s.expected << 20 | s.pending;
}

static Barrier unpack(const void *p, const void *pc) {
    if ((uintptr_t)p % 8) stop_kernel(716, pc, "an mbarrier at %p: its address must be a multiple of 8", p);
    uint64_t x = *(const uint64_t *)p;
    if (x >> 62 != 1)
        stop_kernel(
            719, pc,
            "no mbarrier stands here: it has not been initialised (mbarrier.init), or something was stored over it");
    int32_t bytes = (int32_t)(x >> 40 & byte_mask);
    return {(uint32_t)(x & count_mask), (uint32_t)(x >> 20 & count_mask), (uint32_t)(x >> 61 & 1),
            bytes >= 1 << 20 ? bytes - (1 << 21) : bytes};
}

static void wake(Worker &w, const void *p) {
    if (!w.ptx.waiters) return;
    for (int warp = 0; warp < w.warps; warp++) {
        uint32_t ready = 0;
        for (uint32_t m = w.ptx.at_mbarrier.lanes[warp]; m; m &= m - 1)
            if (w.fibers[(size_t)warp * 32 + (size_t)__builtin_ctz(m)].value == (uint64_t)(uintptr_t)p) ready |= m & -m;
        if (!ready) continue;
        w.ptx.at_mbarrier.lanes[warp] &= ~ready;
        w.ptx.waiters -= __builtin_popcount(ready);
        make_ready(w, warp, ready);
    }
}

// For the checker the phases of an mbarrier are two objects in turn: who waits for one must not learn from arrivals of the next.
static const void *phase_of(const void *p, uint32_t phase) { return (const char *)p + (phase & 1); }

static void store(Worker &w, void *p, Barrier s) {
    bool complete = s.pending == 0 && s.bytes == 0;
    if (complete) s.phase ^= 1, s.pending = s.expected;
    *(uint64_t *)p = pack(s);
    w.ptx.progress++;
    if (complete) wake(block_of(w, p), p);
}

void mbarrier_complete_bytes(Worker &w, void *p, uint32_t bytes, const void *pc) {
    Barrier s = unpack(p, pc);
    s.bytes -= (int32_t)bytes;
    if (s.bytes < -(1 << 20))
        stop_kernel(719, pc, "an mbarrier's count of bytes runs over: at most 2^20 - 1 may be under way");
    store(w, p, s);
}

static uint64_t arrive(void *p, uint32_t count, uint32_t bytes, bool drop, const void *pc) {
    Worker &w = *this_worker;
    Barrier s = unpack(p, pc);
    uint64_t before = pack(s);
    w.fiber->polls = 0;
    if (count == 0 || count > s.pending)
        stop_kernel(719, pc,
                    "%u arrivals at an mbarrier that waits for %u more in this phase (it was initialised with %u); the "
                    "phase must end before the next one's arrivals",
                    count, s.pending, s.expected);
    if (bytes >= 1 << 20) stop_kernel(719, pc, "expect_tx of %u bytes: at most 2^20 - 1", bytes);
    if (simt_hooks) simt_hooks->release(phase_of(p, s.phase));
    s.bytes += (int32_t)bytes;
    s.pending -= count;
    if (drop) s.expected -= count;
    store(w, p, s);
    return before;
}

static void sleep_at(Worker &w, const void *p) {
    Fiber *f = w.fiber;
    f->value = (uint64_t)(uintptr_t)p;
    f->result = 0;
    f->state = State::mbarrier;
    if (simt_hooks) simt_hooks->arrive(SIMT_PARTIAL_BARRIER, 0, f->site);
    w.ptx.at_mbarrier.lanes[f->thread >> 5] |= 1u << (f->thread & 31);
    w.ptx.waiters++;
    w.ptx.touched = true;
    suspend(w);
}

bool mbarrier_give_up(Worker &w) {
    constexpr int patience = 64;
    if (!w.ptx.waiters) return false;
    w.ptx.given_up = w.ptx.progress_then == w.ptx.progress ? w.ptx.given_up + 1 : 0;
    w.ptx.progress_then = w.ptx.progress;
    if (w.ptx.given_up > patience) return false;
    for (int warp = 0; warp < w.warps; warp++) {
        uint32_t ready = w.ptx.at_mbarrier.lanes[warp];
        for (uint32_t m = ready; m; m &= m - 1) w.fibers[(size_t)warp * 32 + (size_t)__builtin_ctz(m)].result = 1;
        w.ptx.at_mbarrier.lanes[warp] = 0;
        make_ready(w, warp, ready);
    }
    w.ptx.waiters = 0;
    return true;
}

static std::string mbarrier_text(const void *p) {
    uint64_t x = *(const uint64_t *)p;
    if (x >> 62 != 1) return "an mbarrier that is none any more";
    Barrier s = unpack(p, nullptr);
    std::string text = "an mbarrier in phase " + std::to_string(s.phase) + " that lacks " + std::to_string(s.pending) +
                       " of " + std::to_string(s.expected) + " arrivals";
    if (s.bytes > 0) text += " and " + std::to_string(s.bytes) + " bytes, which were expected and never came";
    if (s.bytes < 0) text += " and has " + std::to_string(-s.bytes) + " bytes more than were expected";
    return text;
}

std::string waits_for(const Worker &w, int thread) {
    const Fiber &f = w.fibers[(size_t)thread];
    if (f.state == State::cluster_barrier) return "the other blocks of the cluster";
    if (f.state == State::grid_barrier) return "all blocks of the grid";
    if (f.state == State::mbarrier) return mbarrier_text((const void *)(uintptr_t)f.value);
    for (int i = 0; i < 16; i++) {
        const NamedBarrier &b = w.ptx.named[i];
        if (b.waiting.lanes[thread >> 5] >> (thread & 31) & 1)
            return "barrier " + std::to_string(i) + ", where " + std::to_string(b.arrived) + " of " +
                   std::to_string(b.expected) + " threads have come";
    }
    return "others";
}

}  // namespace simt

using namespace simt;

const char *simt_waits_for(int thread) {
    static std::string text;
    text = waits_for(*this_worker, thread);
    return text.c_str();
}

void simt_mbarrier_init(void *p, uint32_t count) {
    const void *pc = __builtin_return_address(0);
    if ((uintptr_t)p % 8) stop_kernel(716, pc, "an mbarrier at %p: its address must be a multiple of 8", p);
    if (count == 0 || count > count_mask) stop_kernel(719, pc, "mbarrier.init with %u arrivals: 1 to 2^20 - 1", count);
    if (simt_hooks) simt_hooks->access(p, 8, SIMT_STORE, pc);
    *(uint64_t *)p = pack({count, count, 0, 0});
    this_worker->ptx.progress++;
}

void simt_mbarrier_invalidate(void *p) {
    unpack(p, __builtin_return_address(0));
    *(uint64_t *)p = ~(uint64_t)0;
}

uint64_t simt_mbarrier_arrive(void *p, uint32_t count, uint32_t bytes, int drop) {
    return arrive(p, count, bytes, drop, __builtin_return_address(0));
}

void simt_mbarrier_expect(void *p, uint32_t bytes) {
    const void *pc = __builtin_return_address(0);
    Barrier s = unpack(p, pc);
    s.bytes += (int32_t)bytes;
    store(*this_worker, p, s);
}

void simt_mbarrier_complete(void *p, uint32_t bytes) {
    const void *pc = __builtin_return_address(0);
    if (simt_hooks) simt_hooks->release(phase_of(p, unpack(p, pc).phase));  // who waits may read what has been stored
    mbarrier_complete_bytes(*this_worker, p, bytes, pc);
}

int simt_mbarrier_wait(void *p, uint32_t parity, int may_sleep) {
    const void *pc = __builtin_return_address(0);
    constexpr int polls_before_sleep = 32;
    Worker &w = *this_worker;
    Fiber *f = w.fiber;
    f->site = pc;
    for (;;) {
        if (unpack(p, pc).phase != (parity & 1)) {
            f->polls = 0;
            if (simt_hooks) simt_hooks->acquire(phase_of(p, parity));
            return 1;
        }
        if (!may_sleep && ++f->polls < polls_before_sleep) {  // test_wait: its loop may do other things
            give_way(w);
            return unpack(p, pc).phase != (parity & 1) ? simt_mbarrier_wait(p, parity, 0) : 0;
        }
        sleep_at(w, p);
        if (f->result) return 0;  // given up
    }
}

int simt_mbarrier_wait_state(void *p, uint64_t state, int may_sleep) {
    return simt_mbarrier_wait(p, (uint32_t)(state >> 61 & 1), may_sleep);
}
