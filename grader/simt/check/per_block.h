// per_block.h: what a file keeps of the running block. It is used like a T, and there is one for each block that runs at the same
// time as others (gang.h): when another block goes on, a pointer turns to that block's. Nothing is copied, for blocks that wait for
// each other in loops take turns a million times.
#ifndef SIMT_CHECK_PER_BLOCK_H
#define SIMT_CHECK_PER_BLOCK_H

#include <cstdint>
#include <vector>

#include "own.h"

#pragma GCC visibility push(hidden)
namespace check {

struct Kept {
    Kept();
    virtual void turn_to(uint32_t rank) = 0;
};

template <class T> struct PerBlock : Kept {
    PerBlock() = default;
    PerBlock(const PerBlock &) = delete;
    PerBlock &operator=(const PerBlock &) = delete;
    operator T &() { return *now; }
    T &operator*() { return *now; }
    T *operator->() { return now; }
    PerBlock &operator=(const T &value) {
        *now = value;
        return *this;
    }
    void turn_to(uint32_t rank) override {
        while (others.size() < rank) others.push_back(new Box());
        now = rank ? &others[rank - 1]->value : &first;
    }

private:
    struct Box : simt::OwnObject {
        T value{};
    };
    T first{}, *now = &first;
    std::vector<Box *, simt::Own<Box *>> others;
};

}  // namespace check
#pragma GCC visibility pop
#endif
