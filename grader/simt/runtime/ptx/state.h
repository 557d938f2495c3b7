// state.h: what a running block has beyond registers and memory: named barriers, and later what works in the background.
#ifndef SIMT_PTX_STATE_H
#define SIMT_PTX_STATE_H

#include <cstdint>

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
};

struct PtxState {
    NamedBarrier named[16];
    bool any_named;
};

void ptx_reset(Worker &w);  // a new block begins

}  // namespace simt
#pragma GCC visibility pop
#endif
