// padding.cpp: a struct is copied as a whole, with the padding between its members that nobody has written. Such a copy is
// no mistake. It hands on which bytes are without a value, so that who reads them as a number at the other end is reported.
//
// A copy is a load and a store of one size at neighbouring places in the code, by calls of the compiler or in memcpy: clang++
// loads first, g++ stores first. What is loaded and stored elsewhere (into a local variable) hands on nothing.
#include "check.h"

namespace check {

struct Gap {
    uint32_t from, bytes;  // from: where the struct begins
};
static Listed<Gap> gaps;  // of the struct that was loaded last
Moved struct_stored;
static Moved struct_loaded;
bool gaps_carried;

static bool byte_is_written(const Region *r, size_t i) { return r->init[i / 4] >> i % 4 & 1; }
static void set_written(Region *r, size_t i) { r->init[i / 4] |= 1 << i % 4; }
static void set_unwritten(Region *r, size_t i) { r->init[i / 4] &= ~(1 << i % 4); }

// Padding stands before a member, or at the end, and is shorter than the alignment of that member or of the struct.
static bool may_be_padding(uintptr_t a, size_t n, size_t from, size_t end) {
    size_t alignment = 2;
    while (alignment <= end - from) alignment *= 2;
    return from > 0 && alignment <= 16 && (a | n | end) % alignment == 0;
}

// Are these the two calls of one statement?
static bool neighbours(const Moved &first, size_t n, const void *pc) {
    return first.n == n && first.thread == run.id() && (uintptr_t)pc - (uintptr_t)first.pc < 64;
}

// Before the load of something that may be a struct. Its padding counts as written until it is loaded.
void struct_begins(uintptr_t a, size_t n, bool maybe_a_vector, const void *pc) {
    gaps.clear();
    if (maybe_a_vector && !neighbours(struct_stored, n, pc)) return;
    Region *r = find_region(a);
    if (!r || r->space == UNCHECKED || a - r->base + n > r->size) return;
    const size_t offset = a - r->base;
    for (size_t i = 0; i < n; i++) {
        if ((offset + i) % 4 == 0 && (r->init[(offset + i) / 4] & 0x0f) == 0x0f) {
            i += 3;
            continue;
        }
        if (byte_is_written(r, offset + i)) continue;
        const size_t from = i;
        while (i < n && !byte_is_written(r, offset + i)) i++;
        if (may_be_padding(a, n, from, i)) gaps.push_back({(uint32_t)from, (uint32_t)(i - from)});
        i--;
    }
    for (Gap g : gaps)
        for (size_t i = 0; i < g.bytes; i++) set_written(r, offset + g.from + i);
}

static void carry_gaps(uintptr_t a, size_t n) {
    Region *r = find_region(a);
    if (!r || r->space == UNCHECKED || a - r->base + n > r->size) return;
    for (Gap g : gaps)
        for (size_t i = 0; i < g.bytes; i++) set_unwritten(r, a - r->base + g.from + i);
    gaps_carried = true;
}

// After the load.
void struct_ends(uintptr_t a, size_t n, const void *pc) {
    struct_loaded = {pc, a, n, run.id()};
    if (gaps.empty()) return;
    carry_gaps(a, n);  // the source's are what they were
    if (neighbours(struct_stored, n, pc) && struct_stored.pc != pc) carry_gaps(struct_stored.a, n);
}

void struct_is_stored(uintptr_t a, size_t n, const void *pc) {
    struct_stored = {pc, a, n, run.id()};
    if (!gaps.empty() && neighbours(struct_loaded, n, pc)) carry_gaps(a, n);
    gaps.clear();
}

}  // namespace check
