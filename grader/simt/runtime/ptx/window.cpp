// window.cpp: shared memory as instructions see it. A block's window begins with 1 KB that the hardware keeps for itself;
// then comes the dynamic part, and behind it the variables:
//
//     0        1024                     1024 + dynamic bytes, rounded up to 1024
//     | kept   | dynamic shared memory  | __shared__ variables and their red zones |
//
// So an address fits into the 18 bits that a wgmma descriptor has for it.
#include "../runtime.h"
#include "matrix.h"
#include "ptx.h"

namespace simt {

constexpr uint32_t kept = 1024, static_window = 128 << 10;

static uint32_t static_start(const Worker &w) {
    return kept + (uint32_t)((w.launch->info.shared_bytes + 1023) & ~(size_t)1023);
}

char *shared_window(uint32_t address, const void *pc) {
    Worker &w = *this_worker;
    uint32_t start = static_start(w);
    if (address >= kept && address < start) return (char *)simt_dynamic_shared() + (address - kept);
    if (address >= start && address < start + static_window) return w.arena + (address - start);
    stop_kernel(700, pc,
                "0x%x is no address in shared memory: instructions take what __cvta_generic_to_shared(pointer) gives",
                address);
}

}  // namespace simt

using namespace simt;

uint32_t simt_shared_address(const void *p) {
    Worker &w = *this_worker;
    const char *dynamic = (const char *)simt_dynamic_shared(), *at = (const char *)p;
    simt_range all = simt_shared_memory();
    if (at < all.lo || at >= all.hi)
        stop_kernel(700, __builtin_return_address(0), "%p is no address in this block's shared memory", p);
    return (uint32_t)(at >= dynamic ? kept + (at - dynamic) : static_start(w) + (at - all.lo));
}

void *simt_shared_pointer(uint32_t address) { return shared_window(address, __builtin_return_address(0)); }

uint32_t simt_dynamic_bytes(void) { return (uint32_t)this_worker->launch->info.shared_bytes; }

uint32_t simt_thread_in_block(void) { return this_worker->fiber->thread; }

void simt_poll(void) {
    this_worker->fiber->site = __builtin_return_address(0);
    poll(*this_worker);
}
