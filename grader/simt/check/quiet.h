// quiet.h: the short cut for most accesses: whole, aligned words that are initialised, where nothing conflicts and
// nothing new need be remembered. Inlined into the compiler's callbacks; all else goes the long way, through access().
#ifndef SIMT_CHECK_QUIET_H
#define SIMT_CHECK_QUIET_H

#include "order.h"

#pragma GCC visibility push(hidden)
namespace check {

// Before the interval began, and ordered.
inline bool is_past(Event e, bool shared) {
    return e.stamp < hb->interval &&
           (e.stamp >= hb->block_begin ? run.owns(e.thread) : shared || e.stamp < hb->launch_begin);
}

// Two reads of this barrier interval, and neither fences nor partial __syncwarps: a further read adds nothing when the
// two are of different warps (never ordered), or when all three are of one warp and have the same stamp.
inline bool says_nothing_new(const Cell &c, Event x) {
    if (fences_used || c.read.stamp < hb->interval || c.other_read.stamp < hb->interval) return false;
    unsigned warp = c.read.thread / WARP;
    if (warp != c.other_read.thread / WARP) return true;
    return warp == x.thread / WARP && c.read.stamp == x.stamp && c.other_read.stamp == x.stamp;
}

inline bool quiet_load(const Cell &c, Event x, bool shared) {
    if (!is_past(c.write, shared) || !is_past(c.other_write, shared)) return false;
    return says_nothing_new(c, x) || (c.read.stamp == x.stamp && c.read.thread == x.thread);
}

inline bool quiet_store(Cell &c, Event x, bool shared) {
    auto own_or_past = [&](Event e) { return is_past(e, shared) || (e.thread == x.thread && e.stamp == x.stamp); };
    if (!own_or_past(c.write) || !own_or_past(c.read)) return false;
    if (!is_past(c.other_write, shared) || !is_past(c.other_read, shared)) return false;
    c = Cell{x, {}, {}, {}};
    return true;
}

// Returns true when the access is done with. SIZE: 4, 8 or 16.
template <size_t SIZE, Kind KIND> inline bool quiet_access(uintptr_t a, const void *pc) {
    if (!unwatched) return false;
    if (a - run.stack_lo < run.stack_size) return !any_sums_taken;
    Site *site = site_of(pc, SIZE, KIND, ALIGNED);
    Region *r = site->region;
    size_t offset = a - r->base, word = offset / 4;
    if (offset >= r->size || offset + SIZE > r->size || a % SIZE || r->space > DYNAMIC ||
        (KIND == STORE && copies_pending))
        return false;
    bool shared = r->space >= SHARED;
    Event x{hb->stamp, (uint16_t)site->id, (uint16_t)run.id()};
    for (size_t i = word; i < word + SIZE / 4; i++) {
        if (r->init[i] != 0x0f) return false;  // SPLIT, or not yet written
        if (!(KIND == LOAD ? quiet_load(r->cells[i], x, shared) : quiet_store(r->cells[i], x, shared))) return false;
    }
    if (!shared) (KIND == LOAD ? r->counts.loaded : r->counts.stored) += SIZE;
    log_access(run.thread, a, site);
    return true;
}

}  // namespace check
#pragma GCC visibility pop
#endif
