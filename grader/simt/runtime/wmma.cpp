// wmma.cpp: warp matrices, 16x16x16. Lane l owns row l / 2, columns 8 (l % 2) to 8 (l % 2) + 7 of every tile, whatever its
// kind (CUDA leaves the mapping open). The last lane to arrive multiplies for the whole warp, in float.
#include "../include/simt/half_bits.h"
#include "runtime.h"

namespace simt {

constexpr int tile = 16, per_lane = 8;

static size_t element_size(simt_type type) { return type == SIMT_F32 || type == SIMT_I32 ? 4 : 2; }

static float get(const void *p, simt_type type, size_t i) {
    switch (type) {
    case SIMT_F32: return ((const float *)p)[i];
    case SIMT_F16: return half_to_float(((const uint16_t *)p)[i]);
    default: return bfloat16_to_float(((const uint16_t *)p)[i]);
    }
}

static void put(void *p, simt_type type, size_t i, float value) {
    switch (type) {
    case SIMT_F32: ((float *)p)[i] = value; break;
    case SIMT_F16: ((uint16_t *)p)[i] = float_to_half(value); break;
    default: ((uint16_t *)p)[i] = float_to_bfloat16(value); break;
    }
}

// Where lane `lane`'s element e stands in a matrix of leading dimension ld.
static size_t offset(int lane, int e, unsigned ld, bool column_major) {
    size_t row = (size_t)(lane / 2), column = (size_t)(lane % 2 * per_lane + e);
    return column_major ? column * ld + row : row * ld + column;
}

static void move(bool load, void *elements, void *p, unsigned ld, simt_type type, bool column_major, const void *pc) {
    int lane = this_worker->fiber->thread & 31;
    size_t size = element_size(type), boundary = type == SIMT_F32 ? 4 : 8;
    if ((uintptr_t)p % 16 || ld % boundary)
        stop_kernel(716, pc, "wmma: address %p or leading dimension %u: both must be multiples of 16 bytes", p, ld);
    int step = column_major ? 1 : per_lane;  // row-major: a lane's elements are contiguous
    for (int e = 0; e < per_lane; e += step) {
        char *memory = (char *)p + offset(lane, e, ld, column_major) * size;
        if (simt_hooks)
            for (size_t i = 0; i < (size_t)step * size; i += step == 1 ? size : 16)
                simt_hooks->access(memory + i, step == 1 ? size : 16, load ? SIMT_LOAD : SIMT_STORE, pc);
        char *mine = (char *)elements + (size_t)e * size;
        __builtin_memcpy(load ? mine : memory, load ? memory : mine, (size_t)step * size);
    }
}

void wmma_multiply(Worker &w, int warp, uint32_t mask) {
    Fiber *lanes = &w.fibers[(size_t)warp * 32];
    if (mask != ~0u) stop_kernel(719, lanes[__builtin_ctz(mask)].site, "wmma::mma_sync needs all 32 lanes of the warp");
    if (simt_hooks) simt_hooks->tensor_flops(2 * tile * tile * tile);
    float a[tile][tile], b[tile][tile], d[tile][tile];
    for (int lane = 0; lane < 32; lane++) {
        const simt_wmma_operands &o = *(const simt_wmma_operands *)(uintptr_t)lanes[lane].value;
        for (int e = 0; e < per_lane; e++) {
            int row = lane / 2, column = lane % 2 * per_lane + e;
            a[row][column] = get(o.a, o.ab, (size_t)e);
            b[row][column] = get(o.b, o.ab, (size_t)e);
            d[row][column] = get(o.c, o.acc_c, (size_t)e);
        }
    }
    for (int i = 0; i < tile; i++)
        for (int k = 0; k < tile; k++)
            for (int j = 0; j < tile; j++) d[i][j] += a[i][k] * b[k][j];
    for (int lane = 0; lane < 32; lane++) {
        const simt_wmma_operands &o = *(const simt_wmma_operands *)(uintptr_t)lanes[lane].value;
        for (int e = 0; e < per_lane; e++) put(o.d, o.acc_d, (size_t)e, d[lane / 2][lane % 2 * per_lane + e]);
    }
}

}  // namespace simt

using namespace simt;

void simt_wmma_load(void *elements, const void *p, unsigned ld, simt_type type, int column_major) {
    move(true, elements, (void *)p, ld, type, column_major, __builtin_return_address(0));
}

void simt_wmma_store(void *p, const void *elements, unsigned ld, simt_type type, int column_major) {
    move(false, (void *)elements, p, ld, type, column_major, __builtin_return_address(0));
}
