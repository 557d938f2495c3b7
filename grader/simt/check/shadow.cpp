// shadow.cpp: the regions of memory that kernels may touch, and the shadow that remembers each word's past.
// Shadow pages are mapped lazily by the kernel (MAP_NORESERVE): untouched memory costs nothing.
#include "check.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <sys/mman.h>

namespace check {

// Constructed before any static constructor of the program registers a __device__ variable.
#define EARLY __attribute__((init_priority(200)))
EARLY static Listed<Region *> globals, shareds, uncheckeds;  // globals: sorted by base, freed ones too
namespace {
struct Arena {  // the shared memory of a block, and of those that come after it
    simt_range range;
    Cell *cells, *byte_cells;
    uint8_t *init;
};
}  // namespace
EARLY static Listed<Arena> arenas;
static Arena arena;  // of the running block
size_t allocated_bytes;

// A list of a hundred thousand nodes has as many shadows: pages of their own would be more mappings than a system gives.
constexpr size_t small_bytes = 1 << 14;

template <class T> static T *reserve(size_t n) {
    const size_t bytes = n * sizeof(T);
    if (bytes <= small_bytes) return (T *)memset(simt::own_allocate(bytes + 1), 0, bytes + 1);
    void *p = simt::own_pages(bytes + 1);
    if (!p) {
        fprintf(stderr,
                "simt: no address space for the shadow of %zu bytes; checked mode needs 40 times a buffer's size of "
                "it (ulimit -v), and fills 8 times\n",
                bytes);
        abort();
    }
    return (T *)p;
}

template <class T> static void give_back(T *p, size_t n) {
    const size_t bytes = n * sizeof(T);
    bytes <= small_bytes ? simt::own_free(p, bytes + 1) : simt::own_pages_back(p, bytes + 1);
}

static Region *new_region(uintptr_t base, size_t size, Space space, const char *name, const void *pc) {
    Region *r = new Region{};
    r->base = base, r->size = r->full_size = r->whole_size = size, r->space = space, r->name = name ? name : "",
    r->alloc_pc = pc;
    return r;
}

static bool starts_before(Region *r, uintptr_t a) { return r->base < a; }

void add_global(void *p, size_t size, const char *name, const void *pc) {
    auto at = std::lower_bound(globals.begin(), globals.end(), (uintptr_t)p, starts_before);
    while (at != globals.end() && (*at)->base < (uintptr_t)p + size) {  // unloaded module: its variables are gone
        (*at)->size = (*at)->full_size = 0;
        at = globals.erase(at);
    }
    Region *r = new_region((uintptr_t)p, size, GLOBAL, name, pc);
    size_t words = (size + 3) / 4;
    r->cells = reserve<Cell>(words);
    r->byte_cells = reserve<Cell>(4 * words);
    r->init = reserve<uint8_t>(words);
    if (name)
        memset(r->init, 0x0f, words);  // variables have an initial value
    else
        allocated_bytes += size;
    globals.insert(at, r);
}

// ---- parts of an allocation, with names of their own --------------------------------------------
static Region *whole_of(Region *r) { return r->whole ? r->whole : r; }

// Two regions where r was one: the second begins at address a, with the shadow that belongs to it.
static void cut(Region *r, uintptr_t a) {
    if (a == r->base || a == r->base + r->full_size) return;
    Region *rest = new_region(a, r->base + r->full_size - a, r->space, r->name.c_str(), r->alloc_pc);
    size_t words = (a - r->base) / 4;
    rest->whole = whole_of(r), rest->shared_with_host = r->shared_with_host;
    rest->cells = r->cells + words, rest->byte_cells = r->byte_cells + 4 * words, rest->init = r->init + words;
    r->size = r->full_size = a - r->base;
    globals.insert(std::find(globals.begin(), globals.end(), r) + 1, rest);
}

// A part that is nobody's: what touches it is outside of everything. The start of an allocation is not hidden: its region
// keeps what all parts share.
static bool hide(Region *r) {
    if (!r->whole) return false;
    r->size = r->full_size = 0;
    globals.erase(std::find(globals.begin(), globals.end(), r));
    return true;
}

// False where the range is not within one live region, or not of whole words: a cell is a word's past.
bool name_range(void *p, size_t size, const char *name) {
    uintptr_t a = (uintptr_t)p;
    Region *r = find_region(a);
    if (!r || r->space != GLOBAL || !r->size || !size || size > r->base + r->size - a || (a - r->base) % 4 || size % 4)
        return false;
    cut(r, a);
    r = find_region(a);
    cut(r, a + size);
    if (!name) return hide(r);
    if (!r->renamed) r->own_name = r->name;
    r->name = name, r->renamed = true;
    return true;
}

void join_parts() {
    auto is_part = [](Region *r) {
        if (r->renamed) r->name = r->own_name, r->renamed = false;
        if (!r->whole) return false;
        if (r->size) r->whole->size = r->whole->whole_size;
        r->whole->full_size = r->whole->whole_size;
        r->size = r->full_size = 0;  // a site may still remember it
        return true;
    };
    globals.erase(std::remove_if(globals.begin(), globals.end(), is_part), globals.end());
}

void free_global(void *p, const void *pc) {
    Region *r = find_region((uintptr_t)p);
    if (!r || r->base != (uintptr_t)p || !r->size || r->whole) return;
    auto part = std::find(std::lower_bound(globals.begin(), globals.end(), r->base, starts_before), globals.end(), r);
    for (; part != globals.end() && whole_of(*part) == r; ++part) (*part)->size = 0, (*part)->free_pc = pc;
    size_t words = (r->whole_size + 3) / 4;
    give_back(r->cells, words);
    give_back(r->byte_cells, 4 * words);
    give_back(r->init, words);
}

Region *add_unchecked(uintptr_t lo, uintptr_t hi) {
    for (Region *r : uncheckeds)
        if (r->base == lo && r->size == hi - lo) return r;
    Region *r = new_region(lo, hi - lo, UNCHECKED, nullptr, nullptr);
    uncheckeds.push_back(r);
    return r;
}

static Region *find_in(const Listed<Region *> &v, uintptr_t a) {
    for (Region *r : v)
        if (a - r->base < r->size) return r;
    return nullptr;
}

Region *find_region(uintptr_t a) {
    auto at = std::upper_bound(globals.begin(), globals.end(), a, [](uintptr_t x, Region *r) { return x < r->base; });
    if (at != globals.begin() && a - at[-1]->base < at[-1]->full_size) return at[-1];
    return find_in(shareds, a);
}

Region *nearest_region(uintptr_t a, bool shared) {
    Region *best = nullptr;
    uintptr_t least = UINTPTR_MAX;
    for (Region *r : shared ? shareds : globals) {
        if (!(shared ? r->size : r->full_size)) continue;
        uintptr_t end = r->base + r->full_size, d = a < r->base ? r->base - a : a >= end ? a - end : 0;
        if (d < least) least = d, best = r;
    }
    return best;
}

static void forget(Cell *cells, size_t n) { madvise(cells, n * sizeof(Cell), MADV_DONTNEED); }  // zero again

void forget_the_past() {
    for (Region *r : globals)
        if (r->size && !r->whole)
            forget(r->cells, (r->whole_size + 3) / 4), forget(r->byte_cells, (r->whole_size + 3) / 4 * 4);
    for (const Arena &a : arenas) {
        size_t words = (size_t)(a.range.hi - a.range.lo + 3) / 4;
        forget(a.cells, words), forget(a.byte_cells, 4 * words);
    }
}

const Listed<Region *> &global_regions() { return globals; }

// ---- shared memory: one shadow for the arena; the regions name its parts ------------------------
void shared_begin_launch() {
    for (Region *r : shareds) r->size = 0;
}

void shadow_arena() {
    simt_range now = simt_shared_memory();
    if (now.lo == arena.range.lo) return;
    for (const Arena &a : arenas)
        if (a.range.lo == now.lo) {
            arena = a;
            return;
        }
    size_t words = (size_t)(now.hi - now.lo + 3) / 4;
    arena = {now, reserve<Cell>(words), reserve<Cell>(4 * words), reserve<uint8_t>(words)};
    arenas.push_back(arena);
}

bool in_shared_memory(uintptr_t a) {
    for (const Arena &one : arenas)
        if (a - (uintptr_t)one.range.lo < (size_t)(one.range.hi - one.range.lo)) return true;
    return false;
}

void shared_begin_block(void *dynamic_shared, size_t bytes) {
    shadow_arena();
    if (bytes) add_shared(dynamic_shared, bytes, DYNAMIC_SHARED, DYNAMIC);
}

void add_shared(void *p, size_t size, const char *name, Space space) {
    Region *r = nullptr;
    for (Region *s : shareds)
        if (s->base == (uintptr_t)p && s->full_size == size && s->name == name) r = s;
    if (!r) {
        shareds.push_back(r = new_region((uintptr_t)p, size, space, name, nullptr));
        size_t word = (r->base - (uintptr_t)arena.range.lo) / 4;
        r->cells = arena.cells + word;
        r->byte_cells = arena.byte_cells + 4 * word;
        r->init = arena.init + word;
    }
    r->size = size;
    memset(r->init, 0, (size + 3) / 4);
}

size_t static_shared_bytes() {
    size_t sum = 0;
    for (Region *r : shareds)
        if (r->space == SHARED && r->base - (uintptr_t)arena.range.lo < (size_t)(arena.range.hi - arena.range.lo))
            sum += r->size;
    return sum;
}

// ---- words --------------------------------------------------------------------------------------
void split_word(Region *r, size_t word) {
    for (int i = 0; i < 4; i++) r->byte_cells[4 * word + i] = r->cells[word];
    r->init[word] |= SPLIT;
}

void mark_written(const void *p, size_t n) {
    Region *r = find_region((uintptr_t)p);
    if (!r || !r->size || !n) return;
    if (n > r->base + r->size - (uintptr_t)p) {  // goes on in the next part
        size_t here = r->base + r->size - (uintptr_t)p;
        Region *next = find_region(r->base + r->size);
        if (next && whole_of(next) == whole_of(r)) mark_written((const char *)p + here, n - here);
    }
    size_t lo = (uintptr_t)p - r->base, hi = std::min(lo + n, r->size);
    for (; lo < hi && lo % 4; lo++) r->init[lo / 4] |= 1 << lo % 4;
    for (; lo + 4 <= hi; lo += 4) r->init[lo / 4] |= 0x0f;
    for (; lo < hi; lo++) r->init[lo / 4] |= 1 << lo % 4;
}

}  // namespace check
