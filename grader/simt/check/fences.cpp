// fences.cpp: order between blocks (and between warps, without a barrier) by fence and atomic, as in the pattern
// "the last block reduces":  write; __threadfence(); atomicAdd(ticket)   ->   atomicAdd(ticket); read.
//
// A fence of thread t takes a snapshot of all that happens before it: t's own past, its warp's as far as known, its
// block's before the last barrier, and the tokens that t holds. An atomic on `a` by a thread that comes after fences
// makes a token of their snapshots and leaves it at `a`; every later atomic on `a` takes the tokens lying there.
// Barriers hand tokens on. An event is ordered when a token that the running thread holds covers it.
#include "gang.h"

#include <algorithm>
#include <cstring>
#include <set>
#include <unordered_map>

namespace check {

typedef std::set<uint32_t> Tokens;
namespace {
struct Snapshot {
    int thread, scope;
    uint32_t stamp, interval;     // before these: the thread's own past, and the block's
    std::vector<uint32_t> lanes;  // up to these: its warp's; empty where that adds nothing to the block's
    Tokens held;
};
struct Token {
    uint32_t block;
    int scope;
    Event made;  // when, and by whom
    std::vector<Snapshot> fences;
};
}  // namespace

bool fences_used;
static std::vector<uint32_t> block_begins;          // of this launch's blocks, to find an event's block
static std::vector<Token> tokens;                   // of this launch
static std::vector<std::vector<uint32_t>> made_by;  // the tokens of each block
static std::unordered_map<uintptr_t, Tokens> left;  // at addresses
static PerBlock<std::vector<Snapshot>> fences;      // the last one of each thread
static PerBlock<int[MAX_THREADS]> fence_of;         // where in `fences`, plus 1
static PerBlock<Tokens> held_by_block;
static PerBlock<Tokens[MAX_THREADS]> held;
static bool any_held;
static struct {
    int thread;
    size_t fences;
    uint32_t stamp, now;
    uint32_t token;
} last;  // the token made last

static uint32_t this_block() { return (uint32_t)block_begins.size() - run.blocks + run.rank; }

void fence_begin_launch() {
    fences_used = any_held = false;
    block_begins.clear(), tokens.clear(), made_by.clear(), left.clear();
    last = {-1, 0, 0, 0, 0};
}

void fence_begin_block() {
    for (uint32_t i = 0; !run.rank && i < run.blocks; i++)
        block_begins.push_back(hb->block_begin), made_by.emplace_back();
    if (!fences->empty()) memset(*fence_of, 0, sizeof *fence_of);
    fences->clear(), held_by_block->clear();
    for (Tokens &h : *held) h.clear();
    last.thread = -1;
}

static void add(Tokens &to, const Tokens &from) { to.insert(from.begin(), from.end()); }

// Up to which stamp thread's past includes that of each lane of its warp.
static std::vector<uint32_t> known_lanes(int thread) {
    int warp = thread / WARP;
    if (hb->full[warp] <= hb->interval && !hb->partial[warp]) return {};
    std::vector<uint32_t> lanes(WARP, hb->full[warp] ? hb->full[warp] - 1 : 0);
    for (int l = 0; l < WARP && hb->partial[warp]; l++) lanes[l] = std::max(lanes[l], hb->known[thread][l]);
    return lanes;
}

void fence(int thread, int scope) {
    fences_used = true;
    Snapshot s{(int)run.first + thread, scope, 0, hb->interval, known_lanes(thread), held_by_block};
    add(s.held, held[thread]);
    s.stamp = order_tick(thread);
    int &at = fence_of[thread];
    if (at && (*fences)[at - 1].scope <= scope) {
        (*fences)[at - 1] = s;
    } else {
        fences->push_back(s);
        at = (int)fences->size();
    }
}

// The fences that happen before what the running thread does now, as one token. -1: none.
static int make_token() {
    if (last.thread == (int)run.id() && last.fences == fences->size() && last.now == hb->now) return (int)last.token;
    Token t{this_block(), 0, {hb->stamp, 0, (uint16_t)run.id()}, {}};
    for (const Snapshot &f : *fences) {
        Event at{f.stamp, 0, (uint16_t)f.thread};
        if (f.thread != (int)run.id() && at.stamp >= hb->interval && !ordered_in_interval(at)) continue;
        t.fences.push_back(f);
        t.scope = std::max(t.scope, f.scope);
    }
    if (t.fences.empty()) return -1;
    made_by[t.block].push_back((uint32_t)tokens.size());
    tokens.push_back(t);
    last = {(int)run.id(), fences->size(), hb->stamp, hb->now, (uint32_t)tokens.size() - 1};
    return (int)last.token;
}

void fence_sync(uintptr_t a, bool acquire, bool release) {
    if (acquire) {
        auto found = left.find(a);
        if (found != left.end()) {
            add(held[run.thread], found->second);
            any_held = true;
        }
    }
    int token = release && !fences->empty() ? make_token() : -1;
    if (token < 0) return;
    Tokens &here = left[a];
    here.insert((uint32_t)token);
    for (const Snapshot &f : tokens[token].fences) add(here, f.held);
}

void fence_barrier(simt_barrier_kind kind, int warp, uint32_t mask) {
    if (!any_held) return;
    Tokens all;
    if (kind == SIMT_BLOCK_BARRIER) {
        for (Tokens &h : *held) add(held_by_block, h), h.clear();
        return;
    }
    for (uint32_t m = mask; m; m &= m - 1) add(all, held[warp * WARP + __builtin_ctz(m)]);
    for (uint32_t m = mask; m; m &= m - 1) held[warp * WARP + __builtin_ctz(m)] = all;
}

static bool covers(const Snapshot &f, Event e) {
    if (e.stamp < f.interval) return true;
    if ((int)e.thread == f.thread) return e.stamp < f.stamp;
    return (int)e.thread / WARP == f.thread / WARP && !f.lanes.empty() && e.stamp <= f.lanes[e.thread % WARP];
}

static bool covered_by(const Tokens &held_tokens, uint32_t block, Event e) {
    bool here = block == this_block();  // within the running block a fence of block scope is enough
    for (uint32_t id : made_by[block]) {
        const Token &t = tokens[id];
        if (!held_tokens.count(id) || (t.scope == 0 && !here)) continue;
        if (e.thread == t.made.thread && e.stamp <= t.made.stamp && site_by_id(e.site)->kind == ATOMIC) return true;
        for (const Snapshot &f : t.fences)
            if ((f.scope > 0 || here) && covers(f, e)) return true;
    }
    return false;
}

bool fence_orders(Event e) {
    if (!any_held || e.stamp == PENDING) return false;
    auto after = std::upper_bound(block_begins.begin(), block_begins.end(), e.stamp);
    uint32_t block = (uint32_t)(after - block_begins.begin()) - run.blocks + e.thread / run.span;
    return covered_by(held[run.thread], block, e) || covered_by(held_by_block, block, e);
}

}  // namespace check
