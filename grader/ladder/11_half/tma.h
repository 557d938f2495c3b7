// tma.h: Hopper's copy engine. One thread says "this box of that tensor to there", and goes on. The engine counts the
// bytes that have arrived at an mbarrier, swizzles as wgmma wants it, and takes zeros for what lies outside the tensor.
//
// The tensor is described once, by the host, in 128 opaque bytes (CUtensorMap): here [heads][rows][dims] of 16 bits, in
// boxes of `rows` rows x 64 dims: one swizzled tile.
#ifndef TMA_H
#define TMA_H

#include <cuda.h>

#include "hopper.h"

DEVICE void arrive_alone(uint64_t *b) {
    asm volatile("mbarrier.arrive.shared.b64 _, [%0];" ::"r"(shared_address(b)) : "memory");
}
DEVICE void tma_load(char *to, const CUtensorMap *map, int dim, int row, int head, uint64_t *b) {
    asm volatile("cp.async.bulk.tensor.3d.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1, {%2, %3, %4}],"
                 " [%5];" ::"r"(shared_address(to)),
                 "l"(map), "r"(dim), "r"(row), "r"(head), "r"(shared_address(b))
                 : "memory");
}
DEVICE void tma_store(const CUtensorMap *map, const char *from, int dim, int row, int head) {
    asm volatile("cp.async.bulk.tensor.3d.global.shared::cta.bulk_group [%0, {%1, %2, %3}], [%4];" ::"l"(map), "r"(dim),
                 "r"(row), "r"(head), "r"(shared_address(from))
                 : "memory");
}
DEVICE void tma_stores_have_read(void) {  // shared memory may be written again
    asm volatile("cp.async.bulk.commit_group;\ncp.async.bulk.wait_group.read 0;" ::: "memory");
}

// The driver's function that writes a map. Found at run time: programs here are not linked with libcuda.
static decltype(&cuTensorMapEncodeTiled) find_encoder(void) {
    void *f = NULL;
    cudaDriverEntryPointQueryResult found;
    cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", &f, 12000, cudaEnableDefault, &found);
    return (decltype(&cuTensorMapEncodeTiled))f;
}

static int write_map(CUtensorMap *map, CUtensorMapDataType type, const void *p, int D, int S, int heads, int rows) {
    static const auto encode = find_encoder();
    const cuuint64_t sizes[3] = {(cuuint64_t)D, (cuuint64_t)S, (cuuint64_t)heads};
    const cuuint64_t strides[2] = {2 * sizes[0], 2 * sizes[0] * sizes[1]};  // bytes, of rows and of heads
    const cuuint32_t box[3] = {64, (cuuint32_t)rows, 1}, step[3] = {1, 1, 1};
    return encode && encode(map, type, 3, (void *)p, sizes, strides, box, step, CU_TENSOR_MAP_INTERLEAVE_NONE,
                            CU_TENSOR_MAP_SWIZZLE_128B, CU_TENSOR_MAP_L2_PROMOTION_L2_256B,
                            CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE) == CUDA_SUCCESS;
}

#endif
