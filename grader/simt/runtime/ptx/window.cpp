// window.cpp: shared memory as instructions see it. A block's window begins with 1 KB that the hardware keeps for itself;
// then comes the dynamic part, and behind it the variables:
//
//     0        1024                     1024 + dynamic bytes, rounded up to 1024
//     | kept   | dynamic shared memory  | __shared__ variables and their red zones |
//
// So an address fits into the 18 bits that a wgmma descriptor has for it. Bits 24 and up, where not 0: the rank of another block
// of the cluster, plus 1.
#include "../runtime.h"
#include "matrix.h"
#include "ptx.h"

namespace simt {

constexpr uint32_t kept = 1024, static_window = 128 << 10;

static uint32_t static_start(const Worker &w) {
    return kept + (uint32_t)((w.launch->info.shared_bytes + 1023) & ~(size_t)1023);
}

char *shared_window(uint32_t address, const void *pc) {
    Worker &here = *this_worker, *w = address >> 24 ? cluster_block(here, (address >> 24) - 1) : &here;
    uint32_t start = static_start(here), at = address & 0xffffff;
    if (w && at >= kept && at < start) return dynamic_shared_of(*w) + (at - kept);
    if (w && at >= start && at < start + static_window) return w->arena + (at - start);
    stop_kernel(700, pc,
                "0x%x is no address in shared memory: instructions take what __cvta_generic_to_shared(pointer) gives",
                address);
}

}  // namespace simt

using namespace simt;

uint32_t simt_shared_address(const void *p) {
    Worker &here = *this_worker, &w = block_of(here, p);
    const char *dynamic = dynamic_shared_of(w), *at = (const char *)p;
    if (!holds_shared(w, p))
        stop_kernel(700, __builtin_return_address(0), "%p is no address in this block's shared memory", p);
    uint32_t rank = &w == &here ? 0 : cluster_rank(w) + 1;
    return (uint32_t)(at >= dynamic ? kept + (at - dynamic) : static_start(w) + (at - w.arena)) | rank << 24;
}

void *simt_shared_pointer(uint32_t address) { return shared_window(address, __builtin_return_address(0)); }

uint32_t simt_dynamic_bytes(void) { return (uint32_t)this_worker->launch->info.shared_bytes; }

uint32_t simt_thread_in_block(void) { return this_worker->fiber->thread; }

void simt_poll(void) {
    this_worker->fiber->site = __builtin_return_address(0);
    poll(*this_worker);
}
