// tensor_map.h: what cuTensorMapEncodeTiled writes into a CUtensorMap's 128 bytes, and how a box of the tensor lies in memory.
#ifndef SIMT_PTX_TENSOR_MAP_H
#define SIMT_PTX_TENSOR_MAP_H

#include <cstdint>

#pragma GCC visibility push(hidden)
namespace simt {

struct TensorMap {
    static constexpr uint32_t mark = 0x50414d54;  // "TMAP"
    uint32_t magic;
    uint8_t rank, element_bytes, swizzle /* 0, 32, 64, 128 bytes */, nan_fill;
    char *base;
    uint64_t size[5];   // elements, innermost first
    uint64_t pitch[4];  // bytes from one element of dimension i + 1 to the next
    uint16_t box[5];
    uint8_t step[5], type;

    // Elements of the box in dimension i.
    uint32_t extent(int i) const { return ((uint32_t)box[i] + step[i] - 1) / step[i]; }
    uint32_t box_bytes() const {
        uint32_t n = element_bytes;
        for (int i = 0; i < rank; i++) n *= extent(i);
        return n;
    }
};
static_assert(sizeof(TensorMap) <= 128, "a CUtensorMap has 128 bytes");

// In shared memory the 16-byte pieces of a row change places, so that a column's pieces lie in different banks: bits 4 to 6 of the
// address are XORed with as many of bits 7 to 9 as the swizzle has.
inline uintptr_t swizzled(uintptr_t address, int swizzle_bytes) {
    uintptr_t mask = (uintptr_t)(swizzle_bytes / 16) - 1;  // 128: 7, 64: 3, 32: 1
    return swizzle_bytes ? address ^ ((address >> 7 & mask) << 4) : address;
}

}  // namespace simt
#pragma GCC visibility pop
#endif
