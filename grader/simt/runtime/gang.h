// gang.h: blocks that run at the same time: those of a cluster, or all of a cooperative launch. One OS thread runs them: a block
// goes on until none of its threads can, then the next.
#ifndef SIMT_GANG_H
#define SIMT_GANG_H

#include <cstdint>
#include <vector>

#include "abi.h"

#pragma GCC visibility push(hidden)
namespace simt {

struct Worker;
struct Launch;

// A barrier of several blocks. A thread arrives, and later waits until all live threads have arrived.
struct WideBarrier {
    uint32_t arrived = 0, phase = 0;
};

struct Gang {
    std::vector<Worker *> blocks;  // cluster by cluster
    uint32_t cluster_size = 1;     // blocks
    WideBarrier grid;
    std::vector<WideBarrier> clusters;
};

// What cudaLaunchKernelEx and its like say before simt_launch.
struct GangRequest {
    simt_uint3 cluster{1, 1, 1};
    bool cooperative = false;
};

uint32_t gang_size(const Launch &l);                    // 1: blocks run one by one
void run_gang(Worker &w, const Launch &l, uint64_t n);  // the n-th gang of the launch

// Another block of the gang goes on, until this one's turn comes again. False: no block can go on.
bool leave_block(Worker &w);
void all_gave_way(Worker &w);  // each thread of the block has, or could have
void thread_left(Worker &w);   // a thread has returned: do the others wait at a wide barrier for it?
// In the gang (or alone) the block whose shared memory holds p; this one where none does.
Worker &block_of(Worker &w, const void *p);
Worker *cluster_block(Worker &w, uint32_t rank);  // of this block's cluster; null: there is none
uint32_t cluster_rank(const Worker &w);
uint32_t cluster_blocks(const Worker &w);

}  // namespace simt
#pragma GCC visibility pop
#endif
