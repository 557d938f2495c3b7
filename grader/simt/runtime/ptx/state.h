// state.h: what a running block has beyond registers and memory: barriers with names, threads that wait for mbarriers, copies
// under way.
#ifndef SIMT_PTX_STATE_H
#define SIMT_PTX_STATE_H

#include <cstdint>
#include <vector>

#include "../own.h"
#include "engine.h"

#pragma GCC visibility push(hidden)
namespace simt {

struct Worker;

// Lanes of each warp.
struct ThreadSet {
    uint32_t lanes[32];
};

struct NamedBarrier {
    uint32_t expected, arrived;  // threads; expected 0: nobody is here
    ThreadSet waiting;
    const void *first;  // the instruction that said how many
    bool round;         // changes whenever it opens
    uint32_t trues;     // of bar.red: threads whose predicate holds
};

struct PtxState {
    NamedBarrier named[16];
    ThreadSet at_mbarrier;
    int waiters;  // threads in at_mbarrier
    uint64_t progress,
        progress_then;             // what has happened at mbarriers and in the engine; ... when threads last gave up
    int given_up;                  // times in a row
    ThreadSet at_wide[2];          // threads that wait for the cluster, and for the grid
    uint32_t wide_phase[2][1024];  // in which they have arrived
    int bulk_group[1024];          // of each thread: groups of bulk stores committed
    std::vector<BulkCopy, Own<BulkCopy>> copies;
    bool touched;  // anything of the above in this block
};

void ptx_reset(Worker &w);  // a new block begins

}  // namespace simt
#pragma GCC visibility pop
#endif
