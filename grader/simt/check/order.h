// order.h: happens-before between the accesses of one launch, exact and cheap.
//
// A clock `now` ticks at every barrier and fence. An access carries the stamp its thread got at its last one. Blocks
// run one after another, so a stamp alone tells the launch, the block and the barrier interval of an access:
//
//        launch_begin      block_begin        interval        now
//   -----------|-----------------|----------------|------------|
//    earlier       an earlier       this block,      this block,
//    kernel:       block of this    before its last  since its last
//    ordered       launch: only     __syncthreads:   __syncthreads: only the same
//                  by a fence       ordered          thread, __syncwarp or a fence
#ifndef SIMT_CHECK_ORDER_H
#define SIMT_CHECK_ORDER_H

#include "check.h"

#pragma GCC visibility push(hidden)
namespace check {

constexpr uint32_t PENDING = UINT32_MAX;  // the stamp of a cp.async that nobody has waited for: ordered with nothing

struct Clock {
    uint32_t now = 1, launch_begin = 1, block_begin = 1, interval = 1;
    uint32_t stamp;                      // of the running thread
    uint32_t thread_stamp[MAX_THREADS];  // valid where above `interval`
    uint32_t full[MAX_WARPS];            // the last __syncwarp of the whole warp
    bool partial[MAX_WARPS];             // since `interval` some lanes synchronised without the others: see known
    uint32_t known[MAX_THREADS][WARP];   // known[t][l]: t comes after what lane l of its warp did up to this stamp
};
extern PerBlock<Clock> hb;

void order_begin_launch();
void order_begin_block();
void order_resume(int thread);
void order_barrier(simt_barrier_kind kind, int warp, uint32_t mask);
uint32_t order_tick(int thread);  // a new stamp for this thread

// fences.cpp: knowledge that travels by fence and atomic.
extern bool fences_used;
void fence_begin_launch();
void fence_begin_block();
void fence(int thread, int scope);
void fence_sync(uintptr_t a, bool acquire, bool release);  // the running thread's atomic on a
void fence_barrier(simt_barrier_kind kind, int warp, uint32_t mask);
bool fence_orders(Event e);

// clocks.cpp: order by named barriers and mbarriers.
void clocks_begin_block();
void clock_release(const void *object);  // by the running thread
void clock_acquire(const void *object);
void clocks_join(int warp, uint32_t mask);  // these lanes have met
void clocks_block_met();                    // of a gang
bool clocks_order(Event e);
enum { MBARRIERS = 1, NAMED_BARRIERS = 2 };
int partial_barriers_used();  // by this block

bool ordered_in_interval(Event e);
bool gang_orders(Event e);               // gang.cpp: by the barriers of a cluster or grid
bool ordered_with_other_block(Event e);  // of the same gang

// Did e happen before what the running thread does now?
inline bool ordered(Event e, bool shared) {
    if (e.stamp < hb->block_begin) return shared || e.stamp < hb->launch_begin || (fences_used && fence_orders(e));
    if (!run.owns(e.thread)) return ordered_with_other_block(e);
    if (e.stamp < hb->interval) return true;
    return e.thread == run.id() ? e.stamp != PENDING : ordered_in_interval(e);
}

}  // namespace check
#pragma GCC visibility pop
#endif
