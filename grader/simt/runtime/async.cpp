// async.cpp: cp.async. The bytes land as late as CUDA allows, at the wait that covers them, and the destination is poisoned
// (0xff) from issue until then: code that reads too early reads NaN. A copy never waited for never lands.
#include "runtime.h"

#include <cstring>

using namespace simt;

void simt_async_copy(void *dst, const void *src, size_t n, size_t zero_fill) {
    const void *pc = __builtin_return_address(0);
    Fiber &f = *this_worker->fiber;
    if (simt_hooks) simt_hooks->async_copy(dst, src, n, zero_fill, f.async_group, pc);
    if ((n != 4 && n != 8 && n != 16) || zero_fill > n)
        stop_kernel(719, pc, "cp.async of %zu bytes, %zu of them zero: only 4, 8 or 16 bytes", n, zero_fill);
    if ((uintptr_t)dst % n || (uintptr_t)src % n)
        stop_kernel(716, pc, "misaligned cp.async of %zu bytes: to %p from %p", n, dst, src);
    memset(dst, 0xff, n);
    f.async.push_back({(char *)dst, (const char *)src, (uint32_t)n, (uint32_t)zero_fill, f.async_group});
}

void simt_async_commit(void) { this_worker->fiber->async_group++; }

void simt_async_wait(unsigned newest_groups_left) {
    Fiber &f = *this_worker->fiber;
    int done = f.async_group - (int)newest_groups_left;
    size_t kept = 0;
    f.site = __builtin_return_address(0);
    for (const AsyncCopy &copy : f.async) {
        if (copy.group >= done) {
            f.async[kept++] = copy;
            continue;
        }
        memcpy(copy.dst, copy.src, copy.bytes - copy.zero_fill);
        memset(copy.dst + copy.bytes - copy.zero_fill, 0, copy.zero_fill);
    }
    f.async.resize(kept);
    if (simt_hooks) simt_hooks->async_wait(f.thread, done);
}
