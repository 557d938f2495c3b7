// builtins.cpp: what a thread asks about itself: indices, clocks, where a pointer points.
#include "runtime.h"

#include <time.h>

using namespace simt;

void simt_returns(void) {
    if (simt_hooks) simt_hooks->returns(this_worker->fiber->thread);
}
int simt_on_device(void) { return simt::in_kernel(); }

static uint64_t packed(simt_uint3 v) { return v.x | (uint64_t)v.y << 32 | (uint64_t)v.z << 48; }

uint64_t simt_thread_idx(void) { return packed(this_worker->fiber->idx); }
uint64_t simt_block_idx(void) { return packed(this_worker->block_idx); }
uint64_t simt_block_dim(void) { return packed(this_worker->launch->info.block); }
uint64_t simt_grid_dim(void) { return packed(this_worker->launch->info.grid); }

int simt_stack_owner(const void *p) {
    Worker *w = this_worker;
    if (!w || !w->stacks.contains(p)) return -1;
    int owner = w->stacks.owner(p);
    return owner < w->threads ? owner : -1;
}

void simt_nanosleep(unsigned) {
    this_worker->fiber->site = __builtin_return_address(0);
    give_way(*this_worker);
}

int simt_address_space(const void *p) {
    Worker *w = this_worker;
    if (w && w->stacks.contains(p)) return 3;
    simt_range shared = simt_shared_memory();
    if ((const char *)p >= shared.lo && (const char *)p < shared.hi) return 2;
    return in_device_space(p) || find_allocation(p) ? 1 : 0;
}

unsigned long long simt_globaltimer(void) {
    timespec t;
    clock_gettime(CLOCK_REALTIME, &t);
    return (unsigned long long)t.tv_sec * 1000000000u + (unsigned long long)t.tv_nsec;
}

long long simt_clock(void) {
    timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    if (in_kernel()) {  // a loop that waits for the clock lets others run
        this_worker->fiber->site = __builtin_return_address(0);
        poll(*this_worker);
    }
    return (long long)(((long long)t.tv_sec * 1000000000 + t.tv_nsec) * 1.98);
}
