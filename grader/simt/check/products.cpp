// products.cpp: wgmma's products as the checker sees them. From the instruction to the wait for its group a product reads its tiles,
// and holds its sums:
//
//     tiles   read by the warp: races as ever, and nobody may store there before the wait
//     sums    registers of each lane, here on its stack: nobody may touch them before the wait
#include "gang.h"
#include "reports.h"

#include <algorithm>

namespace check {

namespace {
struct Reading {
    uint64_t id;
    const void *pc;
    int thread;
    bool overwritten;
    Listed<uintptr_t> pieces;  // of 16 bytes, sorted
};
struct Taken {
    uintptr_t lo, hi;
    const void *pc;
    bool reported;
};
}  // namespace
static Listed<Reading> readings;
static PerBlock<Listed<Taken>[MAX_THREADS]> taken;
bool any_sums_taken;
constexpr uintptr_t PIECE = 16;

void products_forget() {
    readings.clear();
    if (any_sums_taken)
        for (auto &mine : *taken) mine.clear();
    any_sums_taken = false;
}

void product_begins(uint64_t id, const void *const *pieces, size_t n, size_t counted, const void *pc) {
    Reading r{id, pc, run.thread, false, {}};
    for (size_t i = 0; i < n; i++) r.pieces.push_back((uintptr_t)pieces[i]);
    for (size_t i = 0; i + 8 <= counted; i += 8) count_core_matrix(site_of(pc, PIECE, LOAD, TOLD), pieces + i);
    std::sort(r.pieces.begin(), r.pieces.end());
    r.pieces.erase(std::unique(r.pieces.begin(), r.pieces.end()), r.pieces.end());
    for (uintptr_t a : r.pieces) {
        access_by_engine(a, PIECE, LOAD, pc);
        proxies_check(a, PIECE, pc, false);
    }
    readings.push_back(r);
    copies_pending = true;
}

// It has read until now: who stores later must come after the wait.
void product_ends(uint64_t id) {
    auto r = std::find_if(readings.begin(), readings.end(), [&](const Reading &x) { return x.id == id; });
    if (r == readings.end()) return;
    Site *site = site_of(r->pc, 4, LOAD, TOLD | ENGINE);
    for (uintptr_t a : r->pieces) {
        Region *region = r->overwritten ? nullptr : find_region(a);
        if (region && region->size) check_races(region, a - region->base, PIECE, site);
    }
    readings.erase(r);
}

void products_waited(int warp) { order_barrier(SIMT_WARP_BARRIER, warp, ~0u); }

static bool reads(const Reading &r, uintptr_t a, size_t n) {
    if (a + n <= r.pieces.front() || a >= r.pieces.back() + PIECE) return false;
    auto at = std::lower_bound(r.pieces.begin(), r.pieces.end(), a - a % PIECE);
    return at != r.pieces.end() && *at < a + n;
}

void products_check_store(uintptr_t a, size_t n, Site *site) {
    const Reading *first = nullptr;
    for (Reading &r : readings) {
        if (!reads(r, a, n)) continue;
        r.overwritten = true;  // said once, here
        if (!first) first = &r;
    }
    Report *report = first ? new_report("tile_overwritten", ERROR, site->pc, first->pc) : nullptr;
    if (!report) return;
    if (Region *region = find_region(a)) name_memory(report, region, (long)(a - region->base), site->size);
    add_access(report, verb(site->kind), site, run.thread);
    add_place(report, "read", first->pc, first->thread);
    report->message = "wgmma may still be reading this tile: its warp has not waited for it.";
    report->advice = "Before the tile is written again, each warp that multiplies must wait (wgmma.commit_group, then "
                     "wgmma.wait_group) and "
                     "tell the writer, by __syncthreads() or an mbarrier that says that the stage is free.";
}

void sums_taken(int thread, uint32_t *const *at, int n, const void *pc) {
    Listed<Taken> &mine = taken[thread];
    for (int i = 0; i < n; i++) {
        uintptr_t a = (uintptr_t)at[i];
        if (i && mine.back().hi == a)
            mine.back().hi += 4;
        else
            mine.push_back({a, a + 4, pc, false});
    }
    any_sums_taken = true;
}

void sums_given_back(int thread, uint32_t *const *at, int n) {
    Listed<Taken> &mine = taken[thread];
    auto given = [&](const Taken &t) {
        return std::any_of(at, at + n, [&](const uint32_t *p) { return (uintptr_t)p - t.lo < t.hi - t.lo; });
    };
    mine.erase(std::remove_if(mine.begin(), mine.end(), given), mine.end());
}

void touch_sums(uintptr_t a, size_t n, Kind kind, const void *pc) {
    for (Taken &t : taken[run.thread]) {
        if (a >= t.hi || t.lo >= a + n || t.reported) continue;
        t.reported = true;
        Report *report = new_report("sums_before_wait", ERROR, pc, t.pc);
        if (!report) return;
        add_place(report, verb(kind), pc, run.thread);
        add_place(report, "wgmma", t.pc, run.thread);
        report->message =
            "The product is still under way: until its warp has waited for it, its sums (the list of d) are the "
            "tensor core's. What is read there is no number (NaN).";
        report->advice =
            "Commit and wait before the sums are touched: wgmma.commit_group, then wgmma.wait_group N, where N is the "
            "number of newer groups that may still be under way. What was not committed is not waited for.";
    }
}

void product_unfenced(int sums_changed, const void *pc) {
    Report *report = new_report("missing_wgmma_fence", ERROR, pc, nullptr);
    if (!report) return;
    add_place(report, "wgmma", pc, run.thread);
    report->message =
        sums_changed
            ? "The sums were changed since the last wait, and no wgmma.fence came after that: the product may "
              "begin with the numbers from before."
            : "No wgmma.fence came before this warp's first product: what its registers hold may come too late.";
    report->advice = "Put wgmma.fence.sync.aligned before the first product of a group, after the last ordinary use of "
                     "its registers.";
}

}  // namespace check
