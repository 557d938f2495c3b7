// ends.cpp: the two ends of a copy: what it reads and what it writes is open as long as it runs. To open and close all of
// device memory for each copy took a quarter of the time of task 6's claims.
#include "runtime.h"

#include <sys/mman.h>

namespace simt {

// Are these bytes the host's, or those of one allocation that is closed?
static bool alone(const void *p, bool device) {
    const Allocation *a = device ? find_allocation(p) : nullptr;
    return device ? a && a->kind == MemoryKind::device : !in_variable_pages(p);
}

static void protect_bytes(const void *p, size_t n, int protection) {
    const uintptr_t lo = (uintptr_t)p / page_bytes * page_bytes, hi = (uintptr_t)p + n;
    mprotect((void *)lo, (hi - lo + page_bytes - 1) / page_bytes * page_bytes, protection);
}

// A copy opens what it reads and writes, and not all: each page that is opened or closed has its price. The lock is held
// until then, or another thread's close would come in between.
MemoryEnds::MemoryEnds(const void *a, size_t n_a, const void *b, size_t n_b) : end{a, b}, bytes{n_a, n_b} {
    memory_lock.lock();
    const bool device[2] = {in_device_space(a), in_device_space(b)};
    narrow = memory_closes_by_bytes() && alone(a, device[0]) && alone(b, device[1]);
    if (!narrow) memory_open();
    for (int i = 0; i < 2; i++) {
        if (!device[i]) bytes[i] = 0;
        if (narrow && bytes[i]) protect_bytes(end[i], bytes[i], PROT_READ | PROT_WRITE);
    }
    if (!narrow) memory_lock.unlock();
}
MemoryEnds::~MemoryEnds() {
    for (int i = 0; narrow && i < 2; i++)
        if (bytes[i]) protect_bytes(end[i], bytes[i], PROT_NONE);
    if (narrow)
        memory_lock.unlock();
    else
        memory_close();
}

}  // namespace simt
