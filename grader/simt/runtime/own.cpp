// own.cpp: pages from one range of addresses; small pieces by powers of two, freed ones in a list for each size.
#include "own.h"

#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <sys/mman.h>

namespace simt {

// Below where programs and their heap lie (x86-64: from 0x555555554000): that is the guest's to write.
constexpr uintptr_t range_low = (uintptr_t)0x500000000000, range_high = (uintptr_t)0x555000000000;
constexpr size_t page = 4096, chunk = 1 << 20;
constexpr int sizes = 48;

static std::mutex *lock() {
    static auto *m = new std::mutex;
    return m;
}
static uintptr_t next_hint = range_low;
static void *free_list[sizes];
static char *chunk_next;
static size_t chunk_left;

bool is_own_memory(const void *p, size_t n) { return (uintptr_t)p < range_high && (uintptr_t)p + n > range_low; }

// A system that takes no hints (39-bit addresses) puts the pages elsewhere: they work there, without this protection.
static void *map(size_t size) {
    void *p = mmap((void *)next_hint, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (p == MAP_FAILED) return nullptr;
    if (is_own_memory(p, size)) next_hint = (uintptr_t)p + size + page;
    return p;
}

void *own_pages(size_t size) {
    std::lock_guard<std::mutex> guard(*lock());
    return map((size + page - 1) / page * page);
}

void own_pages_back(void *p, size_t size) { munmap(p, (size + page - 1) / page * page); }

static int size_class(size_t n) {
    int c = 4;
    while (((size_t)1 << c) < n) c++;
    return c;
}

// A piece of 2^c bytes: one that was freed, or the next of the chunk.
static void *piece(int c) {
    const size_t n = (size_t)1 << c;
    if (n > chunk / 2) return map(n < page ? page : n);
    void *p = free_list[c];
    if (p) {
        free_list[c] = *(void **)p;
        return p;
    }
    const size_t skip = n < 64 ? 0 : -(uintptr_t)chunk_next % 64;  // a cache line's alignment is enough for all
    if (chunk_left >= n + skip) {
        chunk_next += skip;
        chunk_left -= skip;
    } else {
        chunk_next = (char *)map(chunk);
        chunk_left = chunk_next ? chunk : 0;
    }
    if (chunk_left < n) return nullptr;
    chunk_next += n;
    chunk_left -= n;
    return chunk_next - n;
}

void *own_allocate(size_t size) {
    std::lock_guard<std::mutex> guard(*lock());
    void *p = piece(size_class(size));
    if (p) return p;
    fprintf(stderr, "simt: no memory left for its own use\n");
    abort();
}

void own_free(void *p, size_t size) {
    const int c = size_class(size);
    if (((size_t)1 << c) > chunk / 2) return own_pages_back(p, (size_t)1 << c);
    std::lock_guard<std::mutex> guard(*lock());
    *(void **)p = free_list[c];
    free_list[c] = p;
}

}  // namespace simt
