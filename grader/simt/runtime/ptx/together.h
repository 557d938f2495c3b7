// together.h: an instruction that a whole warp executes: the last lane to arrive works for all, on the lanes' operands.
#ifndef SIMT_PTX_TOGETHER_H
#define SIMT_PTX_TOGETHER_H

#include "../runtime.h"

#pragma GCC visibility push(hidden)
namespace simt {

struct Together {
    struct Operands {
        const Together *instruction;
    };
    const char *name;
    void (*run)(Worker &w, int warp, Operands *const *lanes);  // 32 of them
};

// The running lane's part; returns when the instruction has been executed.
void together(Together::Operands *mine, const void *pc);

}  // namespace simt
#pragma GCC visibility pop
#endif
