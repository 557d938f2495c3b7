// mbarrier.h: what the copy engine and the scheduler do with mbarriers.
#ifndef SIMT_PTX_MBARRIER_H
#define SIMT_PTX_MBARRIER_H

#include <cstdint>
#include <string>

#pragma GCC visibility push(hidden)
namespace simt {

struct Worker;
void mbarrier_complete_bytes(Worker &w, void *p, uint32_t bytes, const void *pc);
// Nobody can go on: wakes all that wait in a try_wait, which then fails. False when that has been done often, and in vain.
bool mbarrier_give_up(Worker &w);
std::string waits_for(const Worker &w, int thread);  // what a thread waits for at a barrier of some threads

}  // namespace simt
#pragma GCC visibility pop
#endif
