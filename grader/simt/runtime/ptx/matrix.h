// matrix.h: numbers inside of 32-bit registers, for mma and wgmma.
#ifndef SIMT_PTX_RUNTIME_MATRIX_H
#define SIMT_PTX_RUNTIME_MATRIX_H

#include "../../include/simt/half_bits.h"
#include "ptx.h"

#pragma GCC visibility push(hidden)
#pragma GCC visibility push(hidden)
namespace simt {

// window.cpp: where an address of 32 bits is in this block's shared memory. Stops the kernel where it is nowhere.
char *shared_window(uint32_t address, const void *pc);

// Element i of a register. Of tf32 the tensor core reads 19 bits.
inline float matrix_element(uint32_t word, int i, simt_matrix_type type) {
    switch (type) {
    case SIMT_MATRIX_TF32: return bits_float(word & ~(uint32_t)0x1fff);
    case SIMT_MATRIX_F16: return half_to_float((uint16_t)(word >> 16 * i));
    case SIMT_MATRIX_BF16: return bfloat16_to_float((uint16_t)(word >> 16 * i));
    default: return bits_float(word);
    }
}

}  // namespace simt
#pragma GCC visibility pop
#pragma GCC visibility pop
#endif
