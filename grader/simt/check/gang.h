// gang.h: blocks that run at the same time, those of a cluster or of a cooperative launch. One OS thread runs them by turns; what
// the checker knows of one block is put aside while another one runs.
//
//     thread number in the gang:   | block 0: span numbers | block 1 | block 2 ...      (run.first = rank * span)
#ifndef SIMT_CHECK_GANG_H
#define SIMT_CHECK_GANG_H

#include "order.h"

#pragma GCC visibility push(hidden)
namespace check {

constexpr uint32_t MOST_GANG_THREADS = 1 << 16, MOST_GANG_BLOCKS = 512;  // more run unchecked

bool gang_fits(uint32_t blocks, uint32_t threads);
void gang_begins(uint32_t blocks, uint32_t cluster_blocks);
void gang_ends();
void gang_enters(uint32_t rank);
// wide: 0 the cluster's barrier, 1 the grid's. phase: how often it has opened.
void gang_arrives(int wide, uint32_t phase);
void gang_waited(int wide, uint32_t phase);
void gang_exits(int thread, uint32_t cluster_phase, uint32_t grid_phase);
// What one of these has waited for, all have.
void gang_lanes_met(int warp, uint32_t lanes);
void gang_threads_met();  // of the block
bool same_cluster(uint32_t id);
uint32_t cluster_size();               // blocks
uint32_t cluster_first();              // its first thread's number
const char *gang_advice(bool shared);  // what orders two blocks that run at the same time

}  // namespace check
#pragma GCC visibility pop
#endif
