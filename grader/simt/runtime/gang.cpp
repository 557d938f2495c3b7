// gang.cpp: blocks that run at the same time, and the barriers between them: barrier.cluster and grid.sync().
#include "gang.h"

#include "ptx/engine.h"
#include "ptx/mbarrier.h"
#include "ptx/ptx.h"
#include "runtime.h"

#include <algorithm>

namespace simt {

uint32_t gang_size(const Launch &l) {
    if (l.request.cooperative) return (uint32_t)((uint64_t)l.info.grid.x * l.info.grid.y * l.info.grid.z);
    return l.request.cluster.x * l.request.cluster.y * l.request.cluster.z;
}

// Block `rank` of cluster number `n`.
static simt_uint3 block_index(const Launch &l, uint64_t n, uint32_t rank) {
    const simt_uint3 &g = l.info.grid, &c = l.request.cluster;
    const uint64_t across = g.x / c.x, down = g.y / c.y;
    return {(unsigned)(n % across) * c.x + rank % c.x, (unsigned)(n / across % down) * c.y + rank / c.x % c.y,
            (unsigned)(n / across / down) * c.z + rank / c.x / c.y};
}

static Worker *new_member(const Worker &w) {
    Worker *m = new Worker;
    m->fibers.resize(w.fibers.size());
    return m;
}

static void turn_to(Worker &w) {
    this_worker = &w;
    if (simt_hooks) simt_hooks->gang_enters(w.gang_rank);
}

static void tell_resumed(Worker &w) {
    const int t = w.fiber->thread;
    if (simt_hooks) simt_hooks->resume(t, w.stacks.low(t), w.stacks.top(t));
}

static void begin_watched(const Gang &gang) {
    for (size_t i = 0; simt_hooks && i < gang.blocks.size(); i++) {
        turn_to(*gang.blocks[i]);
        simt_hooks->block_begin(this_worker->block_idx, simt_dynamic_shared());
    }
    turn_to(*gang.blocks[0]);
}

static void end_watched(Worker &w) {
    if (!simt_hooks) return;
    turn_to(w);
    simt_hooks->block_end();
}

void run_gang(Worker &w, const Launch &l, uint64_t n) {
    const uint32_t size = gang_size(l), cluster = l.request.cluster.x * l.request.cluster.y * l.request.cluster.z;
    const int threads = (int)(l.info.block.x * l.info.block.y * l.info.block.z);
    Gang gang;
    gang.cluster_size = cluster;
    gang.clusters.resize(size / cluster);
    while (w.members.size() + 1 < size) w.members.push_back(new_member(w));
    for (uint32_t i = 0; i < size; i++) {
        Worker &b = i ? *w.members[i - 1] : w;
        b.launch = w.launch, b.order = w.order, b.pthread = w.pthread, b.has_thread = w.has_thread;
        if (i && !b.stacks.reserve((threads + 31) / 32 * 32, size <= 16))
            stop_kernel(2, nullptr, "no memory for the threads of %u blocks that run at the same time", size);
        b.gang = &gang, b.gang_rank = i;
        gang.blocks.push_back(&b);
        const simt_uint3 at = block_index(l, n * (size / cluster) + i / cluster, i % cluster);
        output_begin_block(b, at.x + (uint64_t)l.info.grid.x * (at.y + (uint64_t)l.info.grid.y * at.z));
        prepare_block(b, at);
    }
    if (simt_hooks) simt_hooks->gang_begins(size, cluster);
    begin_watched(gang);
    run_prepared(w);
    for (Worker *b : gang.blocks) {
        engine_finish(*b);
        end_watched(*b);
    }
    if (simt_hooks) simt_hooks->gang_ends();
    this_worker = &w;
    for (Worker *b : gang.blocks) {
        b->gang = nullptr, b->fiber = nullptr, b->no_abandon = 0;
        output_begin_block(*b, 0);  // hands over what it has printed
    }
}

static bool can_go_on(const Worker &w) { return w.ready_warps || (w.live && w.at_barrier == w.live); }

// A late copy comes when no thread can go on without it. But who spins can always go on, so that here those come that are waited
// for (after a while; others after a long one).
static bool copies_come(Worker &w, int rounds) {
    constexpr int patience = 2, long_patience = 64;
    const bool waited_for = w.ptx.waiters || !can_go_on(w);
    return rounds >= (waited_for ? patience : long_patience) && engine_step(w);
}

void all_gave_way(Worker &w) {
    const int rounds = ++w.rounds_given_way;
    bool any = copies_come(w, rounds);
    w.gave_way = 0;
    for (size_t i = 0; w.gang && i < w.gang->blocks.size(); i++)
        if (w.gang->blocks[i] != &w) any |= copies_come(*w.gang->blocks[i], rounds);
    if (any) w.rounds_given_way = 0;
    if (w.gang) leave_block(w);
}

bool leave_block(Worker &w) {
    if (!w.gang) return false;
    const auto &blocks = w.gang->blocks;
    for (size_t i = 1; i <= blocks.size(); i++) {
        Worker &to = *blocks[(w.gang_rank + i) % blocks.size()];
        if (!can_go_on(to)) continue;
        if (&to == &w) return true;
        to.main_sp = w.main_sp;
        turn_to(to);
        simt_switch(&w.parked, to.parked);
        tell_resumed(w);
        return true;
    }
    for (Worker *b : blocks)
        if (engine_step(*b)) return leave_block(w);
    for (Worker *b : blocks)
        if (mbarrier_give_up(*b)) return leave_block(w);
    for (Worker *b : blocks)
        if (b->live) {
            b->main_sp = w.main_sp;
            turn_to(*b);
            deadlock(*b);
        }
    return false;
}

Worker &block_of(Worker &w, const void *p) {
    if (w.gang)
        for (Worker *b : w.gang->blocks)
            if (holds_shared(*b, p)) return *b;
    return w;
}

uint32_t cluster_blocks(const Worker &w) { return w.gang ? w.gang->cluster_size : 1; }
uint32_t cluster_rank(const Worker &w) { return w.gang ? w.gang_rank % w.gang->cluster_size : 0; }

Worker *cluster_block(Worker &w, uint32_t rank) {
    if (rank >= cluster_blocks(w)) return nullptr;
    return w.gang ? w.gang->blocks[w.gang_rank - cluster_rank(w) + rank] : &w;
}

// ---- Wide barriers: of the cluster (0), of the grid (1)

namespace {
struct Members {
    Worker *const *first;
    size_t count;
};
}  // namespace

static Members members(Worker &w, int wide) {
    if (wide) return {w.gang->blocks.data(), w.gang->blocks.size()};
    return {w.gang->blocks.data() + (w.gang_rank - cluster_rank(w)), w.gang->cluster_size};
}
static WideBarrier &barrier_of(Worker &w, int wide) {
    return wide ? w.gang->grid : w.gang->clusters[w.gang_rank / w.gang->cluster_size];
}

static void open_if_complete(Worker &w, int wide) {
    WideBarrier &b = barrier_of(w, wide);
    const Members m = members(w, wide);
    uint32_t live = 0;
    for (size_t i = 0; i < m.count; i++) live += (uint32_t)m.first[i]->live;
    if (!b.arrived || b.arrived < live) return;
    b.arrived = 0;
    b.phase++;
    for (size_t i = 0; i < m.count; i++)
        for (int warp = 0; warp < m.first[i]->warps; warp++) {
            uint32_t &waiting = m.first[i]->ptx.at_wide[wide].lanes[warp];
            make_ready(*m.first[i], warp, waiting);
            waiting = 0;
        }
}

void thread_left(Worker &w) {
    if (simt_hooks) simt_hooks->wide_exits(w.fiber->thread, barrier_of(w, 0).phase, barrier_of(w, 1).phase);
    open_if_complete(w, 0);
    open_if_complete(w, 1);
}

static void arrive(int wide, const void *pc) {
    Worker &w = *this_worker;
    if (!w.gang) {
        if (wide)
            stop_kernel(719, pc,
                        "grid.sync() in a launch that is not cooperative: use cudaLaunchCooperativeKernel, or "
                        "cudaLaunchKernelEx with cudaLaunchAttributeCooperative");
        return;  // a cluster of one block: the wait is __syncthreads
    }
    if (wide && !w.launch->request.cooperative) stop_kernel(719, pc, "grid.sync() in a launch that is not cooperative");
    w.ptx.touched = true;
    w.fiber->site = pc;
    w.ptx.wide_phase[wide][w.fiber->thread] = barrier_of(w, wide).phase;
    if (simt_hooks) simt_hooks->wide_arrives(wide, barrier_of(w, wide).phase);
    barrier_of(w, wide).arrived++;
    open_if_complete(w, wide);
}

static void wait(int wide, const void *pc) {
    Worker &w = *this_worker;
    if (!w.gang) return wait_for_block(pc);
    Fiber *f = w.fiber;
    f->site = pc;
    f->polls = 0;
    const uint32_t phase = w.ptx.wide_phase[wide][f->thread];
    if (barrier_of(w, wide).phase == phase) {
        f->state = wide ? State::grid_barrier : State::cluster_barrier;
        w.ptx.at_wide[wide].lanes[f->thread >> 5] |= 1u << (f->thread & 31);
        if (simt_hooks) simt_hooks->arrive(SIMT_PARTIAL_BARRIER, 0, pc);
        suspend(w);
    }
    if (simt_hooks) simt_hooks->wide_waited(wide, phase);
}

}  // namespace simt

using namespace simt;

void simt_wide_arrive(int grid) { arrive(grid, __builtin_return_address(0)); }
void simt_wide_wait(int grid) { wait(grid, __builtin_return_address(0)); }
int simt_is_cooperative(void) { return this_worker->launch->request.cooperative; }

uint32_t simt_cluster_rank(void) { return cluster_rank(*this_worker); }
simt_uint3 simt_cluster_dim(void) { return this_worker->launch->request.cluster; }

void *simt_map_shared(void *p, uint32_t rank) {
    Worker &w = *this_worker, *to = cluster_block(w, rank);
    if (!to)
        stop_kernel(719, __builtin_return_address(0), "block %u of a cluster that has %u", rank, cluster_blocks(w));
    return to->arena + ((char *)p - block_of(w, p).arena);
}

int simt_rank_of_shared(const void *p) {
    Worker &w = *this_worker;
    return (int)cluster_rank(block_of(w, p));
}
