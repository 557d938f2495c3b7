// fiber.h: one CUDA thread: a stack, and what it waits for.
#ifndef SIMT_FIBER_H
#define SIMT_FIBER_H

#include <cstddef>
#include <cstdint>
#include <vector>

#include "abi.h"
#include "intrinsics.h"

// In switch_*.S.
extern "C" {
#pragma GCC visibility push(hidden)
void simt_switch(void **save, void *to);
void simt_switch_tail();
// Called from there: the bottom of a fiber's stack, and a wait at __syncthreads (both return the stack to go on with),
// and a collective of a warp.
void *simt_fiber_main();
void *simt_barrier_step(void *sp, const void *site);
uint64_t simt_warp_step(simt_warp_op op, uint32_t mask, uint64_t value, int argument, int width, const void *site);
#pragma GCC visibility pop
}

#pragma GCC visibility push(hidden)
namespace simt {

// What a CUDA thread's stack is here. A GPU's limit is 512 KB of local memory per thread.
constexpr size_t stack_bytes = 256 << 10;
constexpr size_t page_bytes = 4096;

// What a fiber waits for, if it is not among the ready ones.
enum class State : uint8_t {
    fresh,
    block_barrier,
    warp_collective,
    converging,
    named_barrier,
    mbarrier,
    cluster_barrier,
    grid_barrier,
    done
};

// One cp.async that has been issued and not waited for.
struct AsyncCopy {
    char *dst;
    const char *src;
    uint32_t bytes, zero_fill;
    int group;
};

// What a thread has issued of cp.async.
struct AsyncQueue {
    int group = 0;  // groups committed so far
    std::vector<AsyncCopy> copies;
};

// One line of cache: each switch touches it.
struct alignas(64) Fiber {
    void *sp;        // where simt_switch left it
    simt_uint3 idx;  // threadIdx
    State state;
    uint8_t op;        // the warp collective it waits in
    uint16_t thread;   // linear index, threadIdx.x fastest
    const void *site;  // return address of the barrier or collective it waits in
    uint64_t value, result;
    uint32_t mask;
    int32_t argument;
    uint16_t width;
    uint16_t polls;  // atomics and fences since it last gave way
    uint32_t bit;    // its lane's, in a mask of its warp
};
static_assert(sizeof(Fiber) == 64, "a line of cache");

// The stacks of one OS thread: `count` of them, each with a guard page at its low end.
class Stacks {
public:
    ~Stacks();
    bool reserve(int count, bool guarded = true);  // false: the system refuses
    char *low(int i) const { return base_ + (size_t)i * stack_bytes; }
    // Tops are staggered by 192 bytes so that 32 fibers in a row do not fight for one cache set.
    char *top(int i) const { return base_ + (size_t)(i + 1) * stack_bytes - (size_t)(i % 32) * 192; }
    bool contains(const void *p) const {
        return (const char *)p >= base_ && (const char *)p < base_ + count_ * stack_bytes;
    }
    int owner(const void *p) const { return (int)(((const char *)p - base_) / stack_bytes); }

private:
    char *base_ = nullptr;
    size_t count_ = 0;
};

// What simt_switch takes for a stack on which nothing has run: odd.
inline void *fresh_stack(char *top) { return (void *)(((uintptr_t)top & ~(uintptr_t)63) | 1); }

}  // namespace simt
#pragma GCC visibility pop
#endif
