// fiber.cpp: stacks, and the first frame of each.
#include "fiber.h"

#include "own.h"

#include <cstring>
#include <sys/mman.h>

namespace simt {

Stacks::~Stacks() {
    if (base_) own_pages_back(base_, count_ * stack_bytes);
}

bool Stacks::reserve(int count, bool guarded) {
    if ((size_t)count <= count_) return true;
    if (base_) own_pages_back(base_, count_ * stack_bytes);
    count_ = 0;
    base_ = (char *)own_pages(count * stack_bytes);
    if (!base_) return false;
    count_ = (size_t)count;
    for (int i = 0; guarded && i < count; i++)  // of very many stacks the system would not keep so many pieces
        if (mprotect(low(i), page_bytes, PROT_NONE) != 0) return false;
    return true;
}

#if defined(__x86_64__)
// Six registers, the entry, and two words that keep the stack aligned as after a call.
void *fiber_prime(char *top) {
    void **sp = (void **)((uintptr_t)top & ~(uintptr_t)63);
    sp -= 9;
    memset(sp, 0, 9 * sizeof *sp);
    sp[6] = (void *)simt_fiber_start;
    return sp;
}
#elif defined(__aarch64__)
void *fiber_prime(char *top) {
    char *sp = (char *)((uintptr_t)top & ~(uintptr_t)63) - 160;
    memset(sp, 0, 160);
    *(void **)(sp + 88) = (void *)simt_fiber_start;  // x30
    return sp;
}
#else
#error "simt has no context switch for this processor: write switch_<machine>.S"
#endif

}  // namespace simt
