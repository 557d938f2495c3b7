// wmma.cpp: warp matrices. Lane l owns elements l n to l n + n - 1 of every tile of 32 n elements, counted row by row, whatever
// its kind (CUDA leaves the mapping open). The last lane to arrive multiplies for the whole warp: in float, of doubles in
// double, of integers in int.
#include <algorithm>
#include <limits>

#include "../include/simt/half_bits.h"
#include "runtime.h"

namespace simt {

constexpr int most_elements = 512;  // of 32 x 16

static size_t element_size(simt_type type) {
    switch (type) {
    case SIMT_S8:
    case SIMT_U8: return 1;
    case SIMT_F16:
    case SIMT_BF16: return 2;
    case SIMT_F64: return 8;
    default: return 4;
    }
}

template <class Sum> static Sum get(const void *p, simt_type type, size_t i) {
    switch (type) {
    case SIMT_F64: return (Sum)((const double *)p)[i];
    case SIMT_F32: return (Sum)((const float *)p)[i];
    case SIMT_F16: return (Sum)half_to_float(((const uint16_t *)p)[i]);
    case SIMT_BF16: return (Sum)bfloat16_to_float(((const uint16_t *)p)[i]);
    case SIMT_S8: return (Sum)((const int8_t *)p)[i];
    case SIMT_U8: return (Sum)((const uint8_t *)p)[i];
    case SIMT_TF32: {  // the unit does not look at the other 13 bits
        uint32_t bits = ((const uint32_t *)p)[i] & ~(uint32_t)0x1fff;
        float value;
        memcpy(&value, &bits, sizeof value);
        return (Sum)value;
    }
    default: return (Sum)((const int32_t *)p)[i];
    }
}

template <class Sum> static void put(void *p, simt_type type, size_t i, Sum value) {
    switch (type) {
    case SIMT_F64: ((double *)p)[i] = (double)value; break;
    case SIMT_F32: ((float *)p)[i] = (float)value; break;
    case SIMT_F16: ((uint16_t *)p)[i] = float_to_half((float)value); break;
    default: ((int32_t *)p)[i] = (int32_t)value; break;
    }
}

// Memory of a lane's elements that lie beside each other goes in accesses of 16 bytes at most.
static void move(bool load, void *elements, void *p, unsigned ld, simt_wmma_tile tile, const void *pc) {
    int lane = this_worker->fiber->thread & 31, own = tile.rows * tile.columns / 32;
    size_t size = element_size(tile.type);
    size_t line = std::min<size_t>(16, size * (size_t)(tile.column_major ? tile.rows : tile.columns));
    if ((uintptr_t)p % line || ld * size % line)
        stop_kernel(716, pc, "wmma: address %p or leading dimension %u: both must be multiples of %zu bytes", p, ld,
                    line);
    int step = tile.column_major ? 1 : std::min(own, tile.columns);
    for (int e = 0; e < own; e += step) {
        size_t row = (size_t)((lane * own + e) / tile.columns), column = (size_t)((lane * own + e) % tile.columns);
        size_t bytes = (size_t)step * size, piece = std::min<size_t>(bytes, 16);
        char *memory = (char *)p + (tile.column_major ? column * ld + row : row * ld + column) * size;
        for (size_t i = 0; simt_hooks && i < bytes; i += piece)
            simt_hooks->access(memory + i, piece, load ? SIMT_LOAD : SIMT_STORE, pc);
        char *mine = (char *)elements + (size_t)e * size;
        __builtin_memcpy(load ? mine : memory, load ? memory : mine, bytes);
    }
}

// Sums of ints wrap or, where asked for, stay at the largest.
template <class Sum> static Sum add_product(Sum sum, Sum a, Sum b, bool saturate) {
    if constexpr (std::is_same_v<Sum, int64_t>) {
        typedef std::numeric_limits<int32_t> limits;
        sum += a * b;
        return saturate ? std::clamp<Sum>(sum, limits::min(), limits::max()) : (Sum)(int32_t)sum;
    }
    return sum + a * b;
}

template <class Sum> static void multiply(Fiber *lanes, const simt_wmma_operands &shape) {
    int m = shape.m, n = shape.n, k = shape.k;
    Sum a[most_elements], b[most_elements], d[most_elements];
    for (int lane = 0; lane < 32; lane++) {
        const simt_wmma_operands &o = *(const simt_wmma_operands *)(uintptr_t)lanes[lane].value;
        for (int own = m * k / 32, e = 0; e < own; e++) a[lane * own + e] = get<Sum>(o.a, o.type_a, (size_t)e);
        for (int own = k * n / 32, e = 0; e < own; e++) b[lane * own + e] = get<Sum>(o.b, o.type_b, (size_t)e);
        for (int own = m * n / 32, e = 0; e < own; e++) d[lane * own + e] = get<Sum>(o.c, o.type_c, (size_t)e);
    }
    for (int i = 0; i < m; i++)
        for (int l = 0; l < k; l++)
            for (int j = 0; j < n; j++)
                d[i * n + j] = add_product(d[i * n + j], a[i * k + l], b[l * n + j], shape.saturate);
    for (int lane = 0; lane < 32; lane++) {
        const simt_wmma_operands &o = *(const simt_wmma_operands *)(uintptr_t)lanes[lane].value;
        for (int own = m * n / 32, e = 0; e < own; e++) put(o.d, o.type_d, (size_t)e, d[lane * own + e]);
    }
}

void wmma_multiply(Worker &w, int warp, uint32_t mask) {
    Fiber *lanes = &w.fibers[(size_t)warp * 32];
    if (mask != ~0u) stop_kernel(719, lanes[__builtin_ctz(mask)].site, "wmma::mma_sync needs all 32 lanes of the warp");
    const simt_wmma_operands &o = *(const simt_wmma_operands *)(uintptr_t)lanes[0].value;
    bool integers = o.type_d == SIMT_I32;
    if (simt_hooks && !integers) simt_hooks->tensor_flops((uint64_t)(2 * o.m * o.n * o.k));
    if (integers)
        multiply<int64_t>(lanes, o);
    else if (o.type_d == SIMT_F64)
        multiply<double>(lanes, o);
    else
        multiply<float>(lanes, o);
}

}  // namespace simt

using namespace simt;

void simt_wmma_load(void *elements, const void *p, unsigned ld, simt_wmma_tile tile) {
    move(true, elements, (void *)p, ld, tile, __builtin_return_address(0));
}

void simt_wmma_store(void *p, const void *elements, unsigned ld, simt_wmma_tile tile) {
    move(false, (void *)elements, p, ld, tile, __builtin_return_address(0));
}
