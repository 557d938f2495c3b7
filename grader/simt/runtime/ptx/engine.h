// engine.h: the copy engine (TMA). A copy is under way from its instruction on; when its bytes move is for the engine to decide.
#ifndef SIMT_PTX_ENGINE_H
#define SIMT_PTX_ENGINE_H

#include <cstdint>

#include "tensor_map.h"

#pragma GCC visibility push(hidden)
namespace simt {

struct Worker;

enum class CopyKind : uint8_t { bulk_load, bulk_store, tensor_load, tensor_store };
enum class Reduction : uint8_t { none, add, min, max, bit_and, bit_or, bit_xor };

struct BulkCopy {
    CopyKind kind;
    Reduction reduction;
    uint8_t reduction_type;  // simt_type
    int thread, group;
    uint64_t id;
    char *to;
    const char *from;  // of a store: where its bytes come from
    uint32_t bytes;
    void *mbarrier;  // of a load
    TensorMap map;
    int32_t at[5];
    const void *pc;
};

bool engine_step(Worker &w);    // nobody else can go on: do one copy. False: there is none
void engine_finish(Worker &w);  // the block is over
// Does what happens in the background happen late: at the wait, or when no thread can go on? Early: at once.
bool happens_late(Worker &w);

}  // namespace simt
#pragma GCC visibility pop
#endif
