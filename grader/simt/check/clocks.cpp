// clocks.cpp: order by barriers that only some threads meet at: named barriers, mbarriers. One who arrives leaves there what he
// knows; one who waits takes it along.
//
// seen[t][u]: thread t comes after what thread u did up to this stamp. Everything before the last __syncthreads is known to all
// (order.h), so that these rows need no clearing there.
#include "order.h"

#include <algorithm>
#include <unordered_map>

namespace check {

static uint32_t seen[MAX_THREADS][MAX_THREADS];
static bool knows[MAX_THREADS];  // any of seen[t] is not 0
static bool any_known;
static std::unordered_map<const void *, Listed<uint32_t>> left_at;

void clocks_begin_block() {
    if (!any_known && left_at.empty()) return;
    for (int t = 0; t < MAX_THREADS; t++)
        if (knows[t]) std::fill_n(seen[t], MAX_THREADS, 0), knows[t] = false;
    left_at.clear();
    any_known = false;
}

static void join(uint32_t *to, const uint32_t *from) {
    for (int u = 0; u < run.n_threads; u++) to[u] = std::max(to[u], from[u]);
}

// What the warp's own barriers have told thread t of its neighbours.
static void add_lanes(uint32_t *row, int t) {
    int warp = t / WARP, first = warp * WARP;
    for (int l = 0; l < WARP && first + l < run.n_threads; l++) {
        if (hb.full[warp]) row[first + l] = std::max(row[first + l], hb.full[warp] - 1);
        if (hb.partial[warp]) row[first + l] = std::max(row[first + l], hb.known[t][l]);
    }
}

void clock_release(const void *object) {
    int t = run.thread;
    Listed<uint32_t> &row = left_at[object];
    row.resize(MAX_THREADS);
    if (knows[t]) join(row.data(), seen[t]);
    add_lanes(row.data(), t);
    row[t] = std::max(row[t], hb.stamp);
    order_tick(t);
}

void clock_acquire(const void *object) {
    auto found = left_at.find(object);
    if (found == left_at.end()) return;
    fences_used = any_known = knows[run.thread] = true;  // fences_used: two reads may be ordered within an interval
    join(seen[run.thread], found->second.data());
}

void clocks_join(int warp, uint32_t mask) {
    if (!any_known) return;
    int first = warp * WARP, one = -1;
    for (uint32_t m = mask; m; m &= m - 1) {
        int t = first + __builtin_ctz(m);
        if (!knows[t]) continue;
        if (one >= 0) join(seen[one], seen[t]);
        if (one < 0) one = t;
    }
    for (uint32_t m = mask; m && one >= 0; m &= m - 1) {
        int t = first + __builtin_ctz(m);
        if (t != one) std::copy_n(seen[one], run.n_threads, seen[t]);
        knows[t] = true;
    }
}

bool clocks_order(Event e) { return knows[run.thread] && e.stamp <= seen[run.thread][e.thread]; }

}  // namespace check
