// warp.cpp: collectives of one warp: __syncwarp, shuffles, votes, match, reductions, __activemask.
//
// A lane leaves its operands in its fiber and waits. The last lane of the mask to arrive computes everybody's result and
// makes all of them ready. Lanes that have returned from the kernel are not waited for (as on GPUs since Volta).
#include "ptx/together.h"
#include "runtime.h"

#include <algorithm>
#include <cstring>

namespace simt {

static const char *name_of(int op) {
    static const char *const names[] = {"__syncwarp",        "__shfl_sync",       "__shfl_up_sync",
                                        "__shfl_down_sync",  "__shfl_xor_sync",   "__ballot_sync (or any, all)",
                                        "__match_any_sync",  "__match_all_sync",  "__reduce_add_sync",
                                        "__reduce_min_sync", "__reduce_max_sync", "__reduce_min_sync",
                                        "__reduce_max_sync", "__reduce_and_sync", "__reduce_or_sync",
                                        "__reduce_xor_sync", "wmma::mma_sync"};
    return names[op];
}

static const Together::Operands *operands_of(const Fiber &f) { return (const Together::Operands *)(uintptr_t)f.value; }

// Where `f` waits.
static const char *name_of(const Fiber &f) {
    return f.op == SIMT_TOGETHER ? operands_of(f)->instruction->name : name_of(f.op);
}

// An instruction of the whole warp (ptx/together.h).
static void run_together(Worker &w, int warp, uint32_t mask, const Fiber *lanes) {
    const Fiber &first = lanes[__builtin_ctz(mask)];
    const Together *instruction = operands_of(first)->instruction;
    Together::Operands *operands[32];
    if (mask != ~0u) stop_kernel(719, first.site, "%s needs all 32 lanes of the warp", instruction->name);
    for (int i = 0; i < 32; i++) {
        operands[i] = const_cast<Together::Operands *>(operands_of(lanes[i]));
        if (operands[i]->instruction != instruction)
            stop_kernel(719, lanes[i].site, "lanes of one warp execute different instructions: %s at %s, %s here",
                        instruction->name, where(first.site).c_str(), name_of(lanes[i]));
    }
    instruction->run(w, warp, operands);
}

// The lane that `lane` reads from; -1 for its own value.
static int source_lane(const Fiber &f, int lane) {
    int width = f.width, first = lane & ~(width - 1), a = f.argument;
    switch (f.op) {
    case SIMT_SHFL: return first + (a & (width - 1));
    case SIMT_SHFL_UP: return lane - a < first ? -1 : lane - a;
    case SIMT_SHFL_DOWN: return lane + a >= first + width ? -1 : lane + a;
    default: return (lane ^ a) >= first + width ? -1 : lane ^ a;  // a lane above the own segment: own value
    }
}

static uint32_t combine(int op, uint32_t x, uint32_t y) {
    switch (op) {
    case SIMT_REDUCE_ADD: return x + y;
    case SIMT_REDUCE_MIN_S: return (uint32_t)std::min((int32_t)x, (int32_t)y);
    case SIMT_REDUCE_MAX_S: return (uint32_t)std::max((int32_t)x, (int32_t)y);
    case SIMT_REDUCE_MIN_U: return std::min(x, y);
    case SIMT_REDUCE_MAX_U: return std::max(x, y);
    case SIMT_REDUCE_AND: return x & y;
    case SIMT_REDUCE_OR: return x | y;
    default: return x ^ y;
    }
}

static void shuffle(Fiber *lanes, int warp, uint32_t mask) {
    for (uint32_t m = mask; m; m &= m - 1) {
        int lane = __builtin_ctz(m), source = source_lane(lanes[lane], lane);
        bool takes_part = source < 0 || (source < 32 && mask >> source & 1);
        Fiber &f = lanes[lane];
        f.result = source < 0 ? f.value : takes_part ? lanes[source].value : SIMT_ABSENT_OF((unsigned)lane);
        if (!takes_part && simt_hooks)
            simt_hooks->no_source(warp, lane, source, source < 32 && f.mask >> source & 1, (simt_warp_op)f.op,
                                  f.argument, f.site);
    }
}

// Shuffles, votes and reductions take a turn of the same wires for each 4 bytes as shared memory does: 32 votes make a number.
static void tell_exchange(const Fiber *lanes, uint32_t mask) {
    uint64_t all = 0;
    for (uint32_t m = mask; m; m &= m - 1) all |= lanes[__builtin_ctz(m)].value;
    simt_hooks->broadcasts(all >> 32 ? 2 : 1);
}

static void vote(Fiber *lanes, uint32_t mask) {
    uint32_t ballot = 0;
    for (uint32_t m = mask; m; m &= m - 1)
        if (lanes[__builtin_ctz(m)].value) ballot |= m & -m;
    for (uint32_t m = mask; m; m &= m - 1) lanes[__builtin_ctz(m)].result = ballot;
}

static void match(Fiber *lanes, uint32_t mask, bool all) {
    for (uint32_t m = mask; m; m &= m - 1) {
        Fiber &f = lanes[__builtin_ctz(m)];
        uint32_t same = 0;
        for (uint32_t o = mask; o; o &= o - 1)
            if (lanes[__builtin_ctz(o)].value == f.value) same |= o & -o;
        f.result = !all ? same : same == mask ? (uint64_t)1 << 32 | mask : 0;
    }
}

static void reduce(Fiber *lanes, uint32_t mask, int op) {
    uint32_t total = (uint32_t)lanes[__builtin_ctz(mask)].value;
    for (uint32_t m = mask & (mask - 1); m; m &= m - 1)
        total = combine(op, total, (uint32_t)lanes[__builtin_ctz(m)].value);
    for (uint32_t m = mask; m; m &= m - 1) lanes[__builtin_ctz(m)].result = total;
}

// All lanes of `mask` wait with the same mask. Gives each its result.
static void compute(Worker &w, int warp, uint32_t mask) {
    Fiber *lanes = &w.fibers[(size_t)warp * 32];
    Fiber &first = lanes[__builtin_ctz(mask)];
    int op = first.op;
    for (uint32_t m = mask; m; m &= m - 1) {
        Fiber &f = lanes[__builtin_ctz(m)];
        if (f.op != op)
            stop_kernel(719, f.site, "lanes of one warp wait for each other in different operations: %s at %s, %s here",
                        name_of(first), where(first.site).c_str(), name_of(f));
    }
    if (op == SIMT_SYNCWARP)
        ;
    else if (op <= SIMT_SHFL_XOR)
        shuffle(lanes, warp, mask);
    else if (op == SIMT_BALLOT)
        vote(lanes, mask);
    else if (op == SIMT_MATCH_ANY || op == SIMT_MATCH_ALL)
        match(lanes, mask, op == SIMT_MATCH_ALL);
    else if (op == SIMT_WMMA)
        wmma_multiply(w, warp, mask);
    else if (op == SIMT_TOGETHER)
        run_together(w, warp, mask, lanes);
    else
        reduce(lanes, mask, op);
    if (simt_hooks && op != SIMT_SYNCWARP && op != SIMT_WMMA && op != SIMT_TOGETHER) tell_exchange(lanes, mask);
    if (simt_hooks)
        simt_hooks->barrier(op == SIMT_SYNCWARP ? SIMT_WARP_BARRIER : SIMT_WARP_EXCHANGE, warp, mask, first.site);
    w.waiting[warp] &= ~mask;
}

// Have all live lanes of the mask that `f` waits for arrived?
static bool complete(Worker &w, int warp, const Fiber &f) {
    uint32_t need = f.mask & w.alive[warp];
    if ((w.waiting[warp] & need) != need) return false;
    for (uint32_t m = need; m; m &= m - 1)
        if (w.fibers[(size_t)warp * 32 + (size_t)__builtin_ctz(m)].mask != f.mask) return false;
    return true;
}

void complete_after_exit(Worker &w, int warp) {
    for (uint32_t m = w.waiting[warp]; m; m = w.waiting[warp] & m & (m - 1)) {
        Fiber &f = w.fibers[(size_t)warp * 32 + (size_t)__builtin_ctz(m)];
        if (complete(w, warp, f)) {
            uint32_t mask = f.mask & w.alive[warp];
            compute(w, warp, mask);
            make_ready(w, warp, mask);
        }
    }
}

bool release_converged(Worker &w, int warp) {
    Fiber *lanes = &w.fibers[(size_t)warp * 32];
    if (!w.converging[warp]) return false;
    const Fiber &first = lanes[__builtin_ctz(w.converging[warp])];
    const void *site = first.site;
    uint32_t together = 0;
    for (uint32_t m = w.converging[warp]; m; m &= m - 1)
        if (lanes[__builtin_ctz(m)].value == first.value) together |= m & -m;
    for (uint32_t m = together; m; m &= m - 1) lanes[__builtin_ctz(m)].result = together;
    w.converging[warp] &= ~together;
    if (simt_hooks) simt_hooks->barrier(SIMT_WARP_EXCHANGE, warp, together, site);
    make_ready(w, warp, together);
    return true;
}

static uint64_t collective(Worker &w, int op, uint32_t mask, uint64_t value, int argument, int width,
                           const void *site) {
    Fiber *f = w.fiber;
    int warp = f->thread >> 5, lane = f->thread & 31;
    f->site = site;
    f->polls = 0;
    if (!(mask >> lane & 1))
        stop_kernel(719, site, "%s with mask 0x%08x, which does not name the calling lane %d", name_of(op), mask, lane);
    f->op = (uint8_t)op;
    f->mask = mask;
    f->value = value;
    f->argument = argument;
    f->width = (uint16_t)width;
    w.waiting[warp] |= 1u << lane;
    if (simt_hooks) simt_hooks->arrive(op == SIMT_SYNCWARP ? SIMT_WARP_BARRIER : SIMT_WARP_EXCHANGE, mask, site);
    if (complete(w, warp, *f)) {
        uint32_t all = mask & w.alive[warp];
        compute(w, warp, all);
        make_ready(w, warp, all);
        if (w.order == Order::random) give_way(w);
        return f->result;
    }
    f->state = State::warp_collective;
    suspend(w);
    return f->result;
}

void together(Together::Operands *mine, const void *pc) {
    collective(*this_worker, SIMT_TOGETHER, ~0u, (uint64_t)(uintptr_t)mine, 0, 32, pc);
}

}  // namespace simt

using namespace simt;

// simt_warp, from switch_*.S, which adds where the student calls it.
uint64_t simt_warp_step(simt_warp_op op, uint32_t mask, uint64_t value, int argument, int width, const void *site) {
    return collective(*this_worker, op, mask, value, argument, width, site);
}

void simt_wmma_mma(const simt_wmma_operands *mine) {
    collective(*this_worker, SIMT_WMMA, ~0u, (uint64_t)(uintptr_t)mine, 0, 32, __builtin_return_address(0));
}

uint32_t simt_activemask(const char *file, int line) {
    Worker &w = *this_worker;
    Fiber *f = w.fiber;
    f->value = (uint64_t)(uintptr_t)file * 65536 + (uint64_t)line;
    f->site = __builtin_return_address(0);
    f->state = State::converging;
    w.converging[f->thread >> 5] |= 1u << (f->thread & 31);
    if (simt_hooks) simt_hooks->arrive(SIMT_WARP_EXCHANGE, 1u << (f->thread & 31), f->site);
    suspend(w);
    return (uint32_t)f->result;
}
