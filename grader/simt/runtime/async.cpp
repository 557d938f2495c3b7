// async.cpp: cp.async. The bytes land as late as CUDA allows, at the wait that covers them, and the destination is poisoned
// (0xff) from issue until then: code that reads too early reads NaN. A copy never waited for never lands.
#include "runtime.h"

#include <cstring>

using namespace simt;

static AsyncQueue &queue_of(const Fiber &f) {
    Worker &w = *this_worker;
    if (!w.async_used) w.async.resize((size_t)w.threads);
    w.async_used = true;
    return w.async[f.thread];
}

void simt::async_reset(Worker &w) {
    if (w.async_used) w.async.clear();
    w.async_used = false;
}

void simt_async_copy(void *dst, const void *src, size_t n, size_t zero_fill) {
    const void *pc = __builtin_return_address(0);
    AsyncQueue &queue = queue_of(*this_worker->fiber);
    if (simt_hooks) simt_hooks->async_copy(dst, src, n, zero_fill, queue.group, pc);
    if ((n != 4 && n != 8 && n != 16) || zero_fill > n)
        stop_kernel(719, pc, "cp.async of %zu bytes, %zu of them zero: only 4, 8 or 16 bytes", n, zero_fill);
    if ((uintptr_t)dst % n || (uintptr_t)src % n)
        stop_kernel(716, pc, "misaligned cp.async of %zu bytes: to %p from %p", n, dst, src);
    memset(dst, 0xff, n);
    queue.copies.push_back({(char *)dst, (const char *)src, (uint32_t)n, (uint32_t)zero_fill, queue.group});
}

void simt_async_commit(void) { queue_of(*this_worker->fiber).group++; }

void simt_async_wait(unsigned newest_groups_left) {
    Fiber &f = *this_worker->fiber;
    AsyncQueue &queue = queue_of(f);
    int done = queue.group - (int)newest_groups_left;
    size_t kept = 0;
    f.site = __builtin_return_address(0);
    for (const AsyncCopy &copy : queue.copies) {
        if (copy.group >= done) {
            queue.copies[kept++] = copy;
            continue;
        }
        memcpy(copy.dst, copy.src, copy.bytes - copy.zero_fill);
        memset(copy.dst + copy.bytes - copy.zero_fill, 0, copy.zero_fill);
    }
    queue.copies.resize(kept);
    if (simt_hooks) simt_hooks->async_wait(f.thread, done);
}
