// shared.cpp: the shared memory of a block.
//
//     | red zone | __shared__ variables, 64 bytes or more apart ... | red zone | dynamic part | red zone |
//
// One such arena per OS thread, filled with 0xff (NaN) for each block. A variable gets its place when a thread of the
// block first reaches its declaration.
#include "runtime.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>

namespace simt {

constexpr size_t red_zone = 64;
constexpr size_t static_area = 128 << 10;  // 48 KB of variables and their red zones; two pages are never all used
constexpr size_t arena_size = static_area + shared_opt_in + 1024;

// Called at the start of each block: forgets the variables, poisons what the last block may have used.
void shared_reset(Worker &w) {
    size_t dynamic = w.launch->info.shared_bytes;
    if (!w.arena) {
        w.arena = (char *)aligned_alloc(4096, (arena_size + 4095) / 4096 * 4096);
        memset(w.arena, 0xff, arena_size);
    }
    if (config().poison) {
        memset(w.arena, 0xff, std::min(w.static_used, static_area));
        memset(w.arena + static_area, 0xff, dynamic);
    }
    w.static_used = red_zone;
    w.static_bytes = 0;
    w.generation++;
}

bool holds_shared(const Worker &w, const void *p) {
    return (const char *)p >= w.arena && (const char *)p < w.arena + arena_size;
}

static char *place(Worker &w, const void *pc, size_t size, size_t align, const char *name) {
    size_t at = (w.static_used + std::max<size_t>(align, 16) - 1) & ~(std::max<size_t>(align, 16) - 1);
    w.static_bytes += size;
    if (w.static_bytes > shared_default || at + size + red_zone > static_area)
        stop_kernel(
            1, pc,
            "__shared__ %s (%zu bytes) does not fit: a kernel may declare 48 KB of shared variables (nvcc refuses "
            "more); "
            "take extern __shared__ and cudaFuncSetAttribute(cudaFuncAttributeMaxDynamicSharedMemorySize) for more",
            name, size);
    w.static_used = at + size + red_zone;
    return w.arena + at;
}

}  // namespace simt

using namespace simt;

void *simt_shared(const void *key, size_t size, size_t align, const char *name) {
    Worker &w = *this_worker;
    constexpr size_t slots = sizeof w.shared / sizeof *w.shared;
    size_t i = ((uintptr_t)key >> 3) * 0x9e3779b97f4a7c15u >> 56;
    for (size_t tries = 0; tries < slots; tries++, i = (i + 1) % slots) {
        SharedVariable &v = w.shared[i];
        if (v.generation == w.generation && v.key == key) return v.address;
        if (v.generation != w.generation) {
            char *p = place(w, __builtin_return_address(0), size, align, name);
            v = {key, p, w.generation};
            if (simt_hooks) simt_hooks->shared_var(p, size, name);
            return p;
        }
    }
    stop_kernel(1, __builtin_return_address(0), "more than %zu __shared__ variables in one kernel", slots);
}

char *simt::dynamic_shared_of(const Worker &w) { return w.arena + static_area; }

void *simt_dynamic_shared(void) { return this_worker->arena + static_area; }

simt_uint3 simt_running_block(void) { return this_worker->block_idx; }

simt_range simt_shared_memory(void) {
    Worker *w = this_worker;
    return w && w->arena ? simt_range{w->arena, w->arena + arena_size} : simt_range{nullptr, nullptr};
}
