// memory.cpp: device memory: one reserved range of addresses, cut into allocations from its low end.
//
//     | guard page | ... allocation, right-aligned | guard page | ... | never used yet: no access |
//
// An allocation (of the first 8192 that live) ends within 255 bytes of a guard page, so that a kernel that runs past it
// faults; freed pages lose their memory and stay inaccessible until the addresses run out. While no kernel and no API call
// runs, device pages are inaccessible, so that host code that uses a device pointer faults as it does with a GPU (off above
// 256 allocations, where the system calls would cost more than the kernels). In checked mode the checker sees all this
// itself. With guests (guests.h) device memory is closed in both modes, whatever the number: above 256 all of it at once,
// guard pages too.
//
// Where the kernel has guards that mprotect leaves alone (Linux 6.13), one call closes or opens all of it: pages between
// allocations, and freed ones, stay guarded. A call for each allocation took half of the time of task 6's claims.
#include "runtime.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <map>
#include <sys/mman.h>

namespace simt {

constexpr size_t alignment = 256;  // of cudaMalloc
constexpr size_t guarded_allocations = 256;
constexpr size_t separate_allocations = 8192;  // each takes two of the mappings that the system gives, as a rule 65530
constexpr size_t poisoned_bytes = 256 << 20;   // more would cost seconds
constexpr size_t huge_bytes = 2 << 20;
#ifndef MADV_GUARD_INSTALL
#define MADV_GUARD_INSTALL 102
#define MADV_GUARD_REMOVE 103
#endif

std::recursive_mutex memory_lock;

static char *space_low, *space_high, *space_next;
static size_t used_bytes;
static int open_count;
static bool closed;
static bool guards_last;  // whatever mprotect says of their pages
typedef OwnMap<uintptr_t, Allocation> Allocations;
static Allocations &live() {
    static auto *map = own_new<Allocations>();
    return *map;
}
static Allocations &freed() {
    static auto *map = own_new<Allocations>();
    return *map;
}

static void reserve_space() {
    if (space_low) return;
    // As much address space as the system gives: a terabyte, else less (RLIMIT_AS, 39-bit machines).
    for (size_t size = (size_t)1 << 40; size >= (size_t)1 << 30; size >>= 2) {
        void *p = mmap((void *)0x600000000000, size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (p == MAP_FAILED) continue;
        space_low = space_next = (char *)p;
        space_high = space_low + size;
        madvise(p, size, MADV_HUGEPAGE);  // for protect_all
        guards_last = !simt_hooks && config().guards_last && madvise(p, page_bytes, MADV_GUARD_INSTALL) == 0;
        install_handlers();
        return;
    }
    complain("error: no address space for device memory (ulimit -v?)");
}

bool in_device_space(const void *p) { return (const char *)p >= space_low && (const char *)p < space_high; }

static const Allocation *covering(Allocations &map, const void *p) {
    auto it = map.upper_bound((uintptr_t)p);
    if (it == map.begin()) return nullptr;
    const Allocation &a = std::prev(it)->second;
    return (const char *)p < a.base + std::max<size_t>(a.size, 1) ? &a : nullptr;
}
const Allocation *find_allocation(const void *p) { return covering(live(), p); }
bool was_freed(const void *p) { return !find_allocation(p) && covering(freed(), p); }

// Pages for an allocation: fresh ones, or when the addresses have run out the first freed ones that are large enough.
static char *take_pages(size_t size) {
    if ((size_t)(space_high - space_next) >= size + 2 * page_bytes) {
        char *p = space_next + page_bytes;
        if (guards_last) madvise(space_next, page_bytes, MADV_GUARD_INSTALL);
        space_next = p + size;
        return p;
    }
    for (auto it = freed().begin(); it != freed().end(); ++it) {
        if (it->second.pages_size >= size) {
            char *p = it->second.pages;
            freed().erase(it);
            if (guards_last) madvise(p, size, MADV_GUARD_REMOVE);
            return p;
        }
    }
    return nullptr;
}

static bool guardable(const Allocation &a) { return a.kind == MemoryKind::device; }

static bool at_once() { return simt_hooks || guards_last || live().size() > guarded_allocations; }

// Pages of __device__ variables, of each program or library that has some.
static std::vector<std::pair<char *, char *>> &variable_pages() {
    static auto *list = new std::vector<std::pair<char *, char *>>;
    return *list;
}
static void protect_pages(std::pair<char *, char *> pages, int protection) {
    mprotect(pages.first, (size_t)(pages.second - pages.first), protection);
}
bool in_variable_pages(const void *p) {
    for (auto &pages : variable_pages())
        if ((const char *)p >= pages.first && (const char *)p < pages.second) return true;
    return false;
}

// What is closed at once. With guests in checked mode, where the checker sees what lies beyond, it ends with a huge page: to
// close a page at a time took a fifth of task 6's sanitize.
static bool by_huge_pages() { return simt_hooks && has_guests(); }
static size_t bytes_at_once() {
    const size_t bytes = (size_t)(space_next - space_low), whole = (bytes + huge_bytes - 1) / huge_bytes * huge_bytes;
    return by_huge_pages() && whole <= (size_t)(space_high - space_low) ? whole : bytes;
}

static void protect_all(int protection) {
    for (auto &pages : variable_pages()) protect_pages(pages, protection);
    if (at_once() && space_next > space_low) mprotect(space_low, bytes_at_once(), protection);
    for (auto &[base, a] : live()) {
        if (!at_once() && guardable(a)) mprotect(a.pages, a.pages_size, protection);
        if (at_once() && protection == PROT_NONE && a.kind == MemoryKind::managed)
            mprotect(a.pages, a.pages_size, PROT_READ | PROT_WRITE);
    }
}

void memory_open() {
    std::lock_guard<std::recursive_mutex> guard(memory_lock);
    if (open_count++ == 0 && closed) {
        protect_all(PROT_READ | PROT_WRITE);
        closed = false;
    }
}

void memory_close() {
    std::lock_guard<std::recursive_mutex> guard(memory_lock);
    if (--open_count == 0 && config().guard &&
        (has_guests() || (!simt_hooks && live().size() <= guarded_allocations))) {
        protect_all(PROT_NONE);
        closed = true;
    }
}

bool memory_closes_by_bytes() { return closed && guards_last; }

void *device_allocate(size_t size, MemoryKind kind, const void *pc) {
    std::lock_guard<std::recursive_mutex> guard(memory_lock);
    reserve_space();
    size_t rounded = (size + alignment - 1) / alignment * alignment;
    size_t pages_size = (rounded + page_bytes - 1) / page_bytes * page_bytes;
    if (!space_low || rounded < size || rounded > config().memory - std::min(config().memory, used_bytes))
        return nullptr;
    memory_open();
    char *pages = take_pages(pages_size);
    // With the page before it, it becomes one mapping with its neighbour. Of very many none has a guard any longer.
    const size_t before = guards_last || live().size() >= separate_allocations ? page_bytes : 0;
    if (!pages || mprotect(pages - before, pages_size + before, PROT_READ | PROT_WRITE) != 0) {
        memory_close();
        return nullptr;
    }
    if (by_huge_pages()) mprotect(space_low, bytes_at_once(), PROT_READ | PROT_WRITE);
    Allocation a{pages + pages_size - rounded, size, pages, pages_size, kind, ""};
    if (config().poison) memset(a.base, 0xff, std::min(size, poisoned_bytes));
    used_bytes += rounded;
    live()[(uintptr_t)a.base] = a;
    if (simt_hooks) simt_hooks->alloc(a.base, size, nullptr, pc);
    if (simt_hooks && kind == MemoryKind::managed) simt_hooks->variable(a.base, SIMT_MANAGED);
    memory_close();
    return a.base;
}

// False: p is no live allocation of this kind.
bool device_release(void *p, MemoryKind kind, const void *pc) {
    std::lock_guard<std::recursive_mutex> guard(memory_lock);
    auto it = live().find((uintptr_t)p);
    if (it == live().end() || it->second.kind != kind || !it->second.pages) return false;
    Allocation a = it->second;
    live().erase(it);
    used_bytes -= (a.size + alignment - 1) / alignment * alignment;
    if (simt_hooks) {
        simt_hooks->free(p, pc);  // stays readable: the checker reports uses by name
    } else {
        madvise(a.pages, a.pages_size, guards_last ? MADV_GUARD_INSTALL : MADV_DONTNEED);
        mprotect(a.pages - page_bytes, a.pages_size + page_bytes, PROT_NONE);  // one mapping with a freed neighbour
    }
    freed()[(uintptr_t)p] = a;
    return true;
}

// Host memory that kernels may use (cudaMallocHost, cudaHostRegister). For the checker it is like managed memory.
void pin(void *p, size_t size, const void *pc) {
    std::lock_guard<std::recursive_mutex> guard(memory_lock);
    live()[(uintptr_t)p] = {(char *)p, size, nullptr, 0, MemoryKind::pinned, ""};
    if (simt_hooks) {
        simt_hooks->alloc(p, size, nullptr, pc);
        simt_hooks->variable(p, SIMT_MANAGED);
    }
}

bool unpin(void *p, const void *pc) {
    std::lock_guard<std::recursive_mutex> guard(memory_lock);
    auto it = live().find((uintptr_t)p);
    if (it == live().end() || it->second.kind != MemoryKind::pinned) return false;
    live().erase(it);
    if (simt_hooks) simt_hooks->free(p, pc);
    return true;
}

size_t memory_in_use() { return used_bytes; }

// cudaDeviceReset.
void release_everything(const void *pc) {
    std::lock_guard<std::recursive_mutex> guard(memory_lock);
    std::vector<std::pair<void *, MemoryKind>> all;
    for (auto &[base, a] : live())
        if (a.pages) all.push_back({a.base, a.kind});
    for (auto &[p, kind] : all) device_release(p, kind, pc);
}

}  // namespace simt

using namespace simt;

simt_range simt_device_memory(void) {
    reserve_space();
    return {space_low, space_high};
}

void simt_variable(void *p, size_t size, const char *name, simt_variable_kind kind) {
    std::lock_guard<std::recursive_mutex> guard(memory_lock);
    if (kind == SIMT_MANAGED) guest_shares(name, __builtin_return_address(0));
    if (in_device_space(p)) return;  // what is there has not been declared
    live()[(uintptr_t)p] = {
        (char *)p, size, nullptr, 0, kind == SIMT_MANAGED ? MemoryKind::managed : MemoryKind::variable, name};
    if (simt_hooks) {
        simt_hooks->alloc(p, size, name, __builtin_return_address(0));
        simt_hooks->variable(p, kind);
    }
}

void simt_variable_pages(void *lo, void *hi) {
    std::lock_guard<std::recursive_mutex> guard(memory_lock);
    if (lo == hi || in_variable_pages(lo)) return;
    install_handlers();
    variable_pages().push_back({(char *)lo, (char *)hi});
    memory_open();
    memory_close();
}

void simt_variable_gone(void *p) {
    std::lock_guard<std::recursive_mutex> guard(memory_lock);
    auto it = live().find((uintptr_t)p);
    if (it == live().end() || it->second.pages) return;  // no variable
    auto &pages = variable_pages();
    for (size_t i = 0; i < pages.size(); i++)
        if ((char *)p >= pages[i].first && (char *)p < pages[i].second) {
            protect_pages(pages[i], PROT_READ | PROT_WRITE);
            pages.erase(pages.begin() + (long)i--);
        }
    live().erase(it);
    if (simt_hooks) simt_hooks->free(p, __builtin_return_address(0));
}

int simt_memory_kind(const void *p) {
    std::lock_guard<std::recursive_mutex> guard(memory_lock);
    const Allocation *a = find_allocation(p);
    return !a ? 0 : a->kind == MemoryKind::managed ? 2 : a->kind == MemoryKind::pinned ? 3 : 1;
}
