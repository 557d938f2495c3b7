// clocks.cpp: order by barriers that only some threads meet at: named barriers, mbarriers. One who arrives leaves there what he
// knows; one who waits takes it along.
//
// seen[t][u]: thread t comes after what thread u did up to this stamp. Everything that threads of the block did before its last
// __syncthreads is known to all (order.h), so that these rows need no clearing there. With clusters a row has the threads of all of
// its blocks, and mbarriers tell what they do.
#include "gang.h"

#include <algorithm>
#include <unordered_map>

namespace check {

typedef Listed<uint32_t> Row;
static PerBlock<Row[MAX_THREADS]> seen;
static PerBlock<bool[MAX_THREADS]> knows;  // any of seen[t] is not 0
static PerBlock<bool> any_known;
static PerBlock<int> barriers_used;
static std::unordered_map<const void *, Row> left_at;

void clocks_begin_block() {
    if (!run.rank) left_at.clear();
    barriers_used = 0;
    if (!any_known) return;
    for (int t = 0; t < MAX_THREADS; t++)
        if (knows[t]) std::fill(seen[t].begin(), seen[t].end(), 0), knows[t] = false;
    any_known = false;
}

static size_t row_size() { return run.blocks > 1 ? cluster_size() * run.span : MAX_THREADS; }
static size_t own_place() { return run.first - cluster_first(); }  // of the block's threads in a row

static void join(Row &to, const Row &from) {
    to.resize(row_size());
    const size_t n = run.blocks > 1 ? row_size() : (size_t)run.n_threads;
    for (size_t u = 0; u < n && u < from.size(); u++) to[u] = std::max(to[u], from[u]);
}

// What the warp's own barriers have told thread t of its neighbours.
static void add_lanes(uint32_t *row, int t) {
    int warp = t / WARP, first = warp * WARP;
    for (int l = 0; l < WARP && first + l < run.n_threads; l++) {
        if (hb->full[warp]) row[first + l] = std::max(row[first + l], hb->full[warp] - 1);
        if (hb->partial[warp]) row[first + l] = std::max(row[first + l], hb->known[t][l]);
    }
}

void clock_release(const void *object) {
    int t = run.thread;
    Row &row = left_at[object];
    *barriers_used |= in_shared_memory((uintptr_t)object) ? MBARRIERS : NAMED_BARRIERS;
    row.resize(row_size());
    if (knows[t]) join(row, seen[t]);
    uint32_t *own = row.data() + own_place();
    for (int u = 0; u < run.n_threads && run.blocks > 1; u++) own[u] = std::max(own[u], hb->interval - 1);
    add_lanes(own, t);
    own[t] = std::max(own[t], hb->stamp);
    order_tick(t);
}

void clock_acquire(const void *object) {
    auto found = left_at.find(object);
    if (found == left_at.end()) return;
    fences_used = any_known = knows[run.thread] = true;  // fences_used: two reads may be ordered within an interval
    join(seen[run.thread], found->second);
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
        if (t != one) seen[t] = seen[one];
        knows[t] = true;
    }
}

void clocks_block_met() {
    if (!any_known) return;
    Row all;
    for (int t = 0; t < run.n_threads; t++)
        if (knows[t]) join(all, seen[t]);
    for (int t = 0; t < run.n_threads; t++) seen[t] = all, knows[t] = true;
}

int partial_barriers_used() { return barriers_used; }

bool clocks_order(Event e) {
    if (!knows[run.thread] || (run.blocks > 1 && !same_cluster(e.thread))) return false;
    return e.stamp <= seen[run.thread][e.thread - cluster_first()];
}

}  // namespace check
