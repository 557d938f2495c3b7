// fiber.cpp: stacks.
#include "fiber.h"

#include "own.h"

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

#if !defined(__x86_64__) && !defined(__aarch64__)
#error "simt has no context switch for this processor: write switch_<machine>.S"
#endif

}  // namespace simt
