// wgmma.h: one warp's part of a product of a warpgroup. Without a checker it is computed at its instruction (wgmma.cpp), with one
// as late as it may be (products.cpp).
#ifndef SIMT_PTX_RUNTIME_WGMMA_H
#define SIMT_PTX_RUNTIME_WGMMA_H

#include "../runtime.h"
#include "ptx.h"

#include <vector>

#pragma GCC visibility push(hidden)
namespace simt {

struct Product {
    simt_wgmma_kind kind;
    int warp;
    bool in_registers;
    float a[16][32];  // where A is in registers
    uint64_t descriptor_a, descriptor_b;
    const void *pc;
};
typedef uint32_t *const *SumRegisters[32];  // of each lane: where its sums are
typedef std::vector<const char *> Pieces;   // of 16 bytes
constexpr int sums_of_a_warp = 16 * 256;

void read_sums(float *d, const SumRegisters &lanes, const simt_wgmma_kind &kind);
void write_sums(const float *d, const SumRegisters &lanes, const simt_wgmma_kind &kind);
void multiply_add(float *d, const Product &p);
Pieces pieces_of(const Product &p);  // what it reads of shared memory

// products.cpp
void product_later(Worker &w, const Product &p, const SumRegisters &registers);
void products_reset(const Worker &w);  // a new block begins

}  // namespace simt
#pragma GCC visibility pop
#endif
