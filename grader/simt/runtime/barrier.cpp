// barrier.cpp: __syncthreads and its forms that count. A thread that arrives goes on with the next one's stack at once.
#include "schedule.h"

using namespace simt;

static inline __attribute__((always_inline)) void enter_barrier(Worker &w, Fiber *f, int predicate, const void *site) {
    f->site = site;
    f->polls = 0;
    f->state = State::block_barrier;
    w.at_barrier++;
    w.predicates += predicate;
}

static void arrive_at_barrier(Worker &w, int predicate, const void *site) {
    enter_barrier(w, w.fiber, predicate, site);
    if (simt_hooks) simt_hooks->arrive(SIMT_BLOCK_BARRIER, ~0u, site);
}

static __attribute__((noinline)) void *barrier_step_unusual(void *sp, const void *site) {
    Worker &w = *this_worker;
    Fiber *f = w.fiber;
    arrive_at_barrier(w, 0, site);
    if (simt_hooks) {  // who is told when a thread goes on
        suspend_inline(w);
        return sp;
    }
    not_ready(w, f);
    Fiber *to = choose(w);
    f->sp = sp;
    become(w, to);
    return to->sp;
}

// simt_syncthreads (switch_*.S) has left the caller's registers at sp, and goes on with the stack that this returns. What is
// usual needs no registers that a function must keep.
extern "C" void *simt_barrier_step(void *sp, const void *site) {
    Worker &w = *this_worker;
    Fiber *f = w.fiber;
    uint32_t &ready = w.ready[warp_of(f)];
    if (__builtin_expect(!(ready & f->bit << 1) || w.order != Order::forward || simt_hooks, 0))
        return barrier_step_unusual(sp, site);
    enter_barrier(w, f, 0, site);
    ready &= ~f->bit;  // the next lane is ready, too
    f->sp = sp;
    become(w, f + 1);
    return f[1].sp;
}

void simt::wait_for_block(const void *site) {
    arrive_at_barrier(*this_worker, 0, site);
    suspend_inline(*this_worker);
}

int simt_syncthreads_op(simt_sync_op op, int predicate) {
    Worker &w = *this_worker;
    if (simt_hooks && w.fiber->thread % 32 == 0) simt_hooks->broadcasts(1);  // a vote of each warp
    arrive_at_barrier(w, predicate != 0, __builtin_return_address(0));
    suspend_inline(w);
    return op == SIMT_SYNC_COUNT ? w.barrier_count : op == SIMT_SYNC_AND ? w.barrier_all : w.barrier_count != 0;
}
