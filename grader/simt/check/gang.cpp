// gang.cpp: order between blocks that run at the same time: by barrier.cluster and grid.sync(). At a wide barrier each thread
// leaves its stamp; who has waited comes after all that was left in that phase.
#include "gang.h"

#include <algorithm>

namespace check {

namespace {
struct Wide {
    // stamps[phase % 4][id]: nobody leaves phase p + 2 before all have waited for p + 1
    Listed<uint32_t> stamps[4], waited, exited;
};
}  // namespace
static Wide wides[2];
static uint32_t cluster_blocks = 1;
constexpr uint32_t NEVER = UINT32_MAX;

static Kept *all_kept[32];
static int n_kept;
Kept::Kept() { all_kept[n_kept++] = this; }

static uint32_t whole_warps(uint32_t threads) { return (threads + WARP - 1) / WARP * WARP; }

bool gang_fits(uint32_t blocks, uint32_t threads) {
    return blocks <= MOST_GANG_BLOCKS && (uint64_t)blocks * whole_warps(threads) <= MOST_GANG_THREADS;
}

void gang_begins(uint32_t blocks, uint32_t cluster) {
    const uint32_t span = whole_warps((uint32_t)run.n_threads);
    run.blocks = blocks, run.span = span, run.rank = run.first = 0;
    cluster_blocks = cluster;
    for (Wide &w : wides) {
        for (auto &s : w.stamps) s.assign(blocks * span, 0);
        w.waited.assign(blocks * span, 0);
        w.exited.assign(blocks * span, NEVER);
    }
}

void gang_ends() {
    if (run.rank) gang_enters(0);
    run.blocks = 1, run.span = MOST_GANG_THREADS, run.first = 0;
}

// Another block goes on.
void gang_enters(uint32_t rank) {
    if (rank == run.rank) return;
    const uint32_t now = hb->now, begin = hb->launch_begin, block_begin = hb->block_begin;
    for (int i = 0; i < n_kept; i++) all_kept[i]->turn_to(rank);
    hb->now = now, hb->launch_begin = begin, hb->block_begin = block_begin;
    run.rank = rank, run.first = rank * run.span;
}

uint32_t cluster_size() { return cluster_blocks; }
uint32_t cluster_first() { return run.rank / cluster_blocks * cluster_blocks * run.span; }
bool same_cluster(uint32_t id) { return id / run.span / cluster_blocks == run.rank / cluster_blocks; }

void gang_arrives(int wide, uint32_t phase) {
    wides[wide].stamps[phase % 4][run.id()] = hb->stamp;
    order_tick(run.thread);
}

void gang_waited(int wide, uint32_t phase) { wides[wide].waited[run.id()] = phase + 1; }

void gang_exits(int thread, uint32_t cluster_phase, uint32_t grid_phase) {
    wides[0].exited[run.first + (uint32_t)thread] = cluster_phase;
    wides[1].exited[run.first + (uint32_t)thread] = grid_phase;
}

void gang_lanes_met(int warp, uint32_t lanes) {
    for (Wide &w : wides) {
        uint32_t most = 0, *waited = &w.waited[run.first + (uint32_t)(warp * WARP)];
        for (uint32_t m = lanes; m; m &= m - 1) most = std::max(most, waited[__builtin_ctz(m)]);
        for (uint32_t m = lanes; m; m &= m - 1) waited[__builtin_ctz(m)] = most;
    }
}

void gang_threads_met() {
    for (Wide &w : wides) {
        auto from = w.waited.begin() + run.first, to = from + run.n_threads;
        std::fill(from, to, *std::max_element(from, to));
    }
}

bool gang_orders(Event e) {
    if (e.stamp == PENDING) return false;
    for (int wide = same_cluster(e.thread) ? 0 : 1; wide < 2; wide++) {
        const Wide &w = wides[wide];
        const uint32_t phases = w.waited[run.id()];
        if (phases && (e.stamp <= w.stamps[(phases - 1) % 4][e.thread] || w.exited[e.thread] < phases)) return true;
    }
    return false;
}

const char *gang_advice(bool shared) {
    if (shared || cluster_blocks > 1)
        return "Put a barrier of the cluster between the two: cluster.sync(), or barrier.cluster.arrive.release and "
               "barrier.cluster.wait.acquire, which all threads of the cluster's blocks execute. A __syncthreads() "
               "joins the threads of one block only.";
    return "Put a grid.sync() between the two, which all threads of all blocks execute. A __syncthreads() joins the "
           "threads of one block only.";
}

}  // namespace check
