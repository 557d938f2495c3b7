// wgmma.cpp: products of a warpgroup, 64 rows of A times a tile B. Each of its 4 warps computes its own 16 rows; of these a lane
// holds, of D, registers 4j + c: row lane / 4 + 8 (c / 2), column 8j + 2 (lane % 4) + c % 2; of A what mma.m16n8k16 wants.
//
// Tiles in shared memory are named by descriptors:
//
//     bits 0..13 address   16..29 leading stride   32..45 other stride (all / 16)   62..63 swizzle: 0 none, 1 128, 2 64, 3 32 bytes
//
// A tile is made of blocks. With a swizzle of W bytes a block is 8 rows of W bytes; without, 8 rows of 16 bytes. Rows go along
// M or N, or, transposed, along K:
//
//                     rows along m           transposed: rows along k, each has neighbouring m's
//     W bytes         m / 8 * other          k / 8 * other + m / (W / 2) * leading
//     no swizzle      m / 8 * other + k / 8 * leading        m / 8 * other + k / 8 * leading
#include "wgmma.h"

#include "../../include/simt/half_bits.h"
#include "matrix.h"
#include "tensor_map.h"
#include "together.h"

#include <cstring>
#include <memory>

namespace simt {

namespace {
struct Operands : Together::Operands {
    uint32_t *const *d;
    const uint32_t *a;
    uint64_t descriptor_a, descriptor_b;
    const simt_wgmma_kind *kind;
};

struct Tile {
    uint32_t address, leading, other, swizzle;
    explicit Tile(uint64_t descriptor)
        : address((uint32_t)(descriptor & 0x3fff) << 4), leading((uint32_t)(descriptor >> 16 & 0x3fff) << 4),
          other((uint32_t)(descriptor >> 32 & 0x3fff) << 4), swizzle((uint32_t)(descriptor >> 62)) {
        swizzle = swizzle ? 256u >> swizzle : 0;  // 1: 128, 2: 64, 3: 32
    }
    // Of a piece of 16 bytes: row m, byte `at` of its K; or, transposed, row k, byte `at` of its M.
    uint32_t piece(uint32_t row, uint32_t at, bool transposed) const {
        if (!swizzle)
            return transposed ? address + at / 16 * other + row / 8 * leading + row % 8 * 16
                              : address + row / 8 * other + at / 16 * leading + row % 8 * 16;
        uint32_t linear =
            row / 8 * other + row % 8 * swizzle + at % swizzle + (transposed ? at / swizzle * leading : 0);
        if (!transposed) linear += at - at % swizzle;  // K of one instruction fits into a row of 32 bytes or more
        return (uint32_t)swizzled(address + linear, (int)swizzle);
    }
};
}  // namespace

static uint32_t bytes_of(simt_matrix_type type) {
    return type == SIMT_MATRIX_TF32 ? 4 : type == SIMT_MATRIX_S8 || type == SIMT_MATRIX_U8 ? 1 : 2;
}

// f(piece of 16 bytes, row, k) for rows [first, first + rows) of the tile: (row, k) is its first element, row counted from `first`.
template <class F>
static void for_each_piece(int first, int rows, int k_count, uint64_t descriptor, simt_matrix_type type,
                           bool transposed, const void *pc, F f) {
    const Tile tile(descriptor);
    const uint32_t size = bytes_of(type), per_piece = 16 / size;
    const int outer = transposed ? k_count : rows, inner = transposed ? rows : k_count;
    for (int block = 0; block < outer; block += 8)  // a core matrix: 8 pieces
        for (int j = 0; j < inner; j += (int)per_piece)
            for (int i = block; i < block + 8; i++) {
                uint32_t row = (uint32_t)(transposed ? i : first + i),
                         at = (uint32_t)(transposed ? first + j : j) * size;
                f(shared_window(tile.piece(row, at, transposed), pc), transposed ? j : i, transposed ? i : j);
            }
}

// x[row * row_step + k * k_step] = element (row, k) of the tile.
static void read_tile(float *x, int first, int rows, int k_count, int row_step, int k_step, uint64_t descriptor,
                      simt_matrix_type type, bool transposed, bool negate, const void *pc) {
    const uint32_t size = bytes_of(type), per_piece = 16 / size;
    for_each_piece(first, rows, k_count, descriptor, type, transposed, pc, [&](const char *piece, int row, int k) {
        float *to = x + row * row_step + k * k_step;
        for (uint32_t e = 0; e < per_piece; e++, to += transposed ? row_step : k_step) {
            uint32_t word = 0;
            memcpy(&word, piece + e * size, size);
            float value = matrix_element(word, 0, type);
            *to = negate ? -value : value;
        }
    });
}

// The rows of a swizzled tile that one XOR moves are 8: where these begin, a tile must begin, too.
static void check_descriptor(uint64_t descriptor, const char *which, const void *pc) {
    const Tile tile(descriptor);
    if (!(descriptor >> 49 & 7) && tile.address & (7 * tile.swizzle))
        stop_kernel(716, pc,
                    "wgmma's tile %s begins at 0x%x of shared memory: with a swizzle of %u bytes it must begin at a "
                    "multiple of %u, or less than %u bytes behind one",
                    which, tile.address, tile.swizzle, 8 * tile.swizzle, tile.swizzle);
}

// A of one warp from its lanes' registers.
static void read_registers(float (&a)[16][32], Together::Operands *const *lanes, const simt_wgmma_kind &kind) {
    const int per = 4 / (int)bytes_of(kind.a), registers = kind.k / (4 * per);
    for (int lane = 0; lane < 32; lane++) {
        const Operands &mine = *(const Operands *)lanes[lane];
        for (int r = 0; r < 2 * registers; r++)
            for (int i = 0; i < per; i++) {
                float x = matrix_element(mine.a[r], i, kind.a);
                a[lane / 4 + 8 * (r % 2)][per * (lane % 4 + 4 * (r / 2)) + i] = kind.negate_a ? -x : x;
            }
    }
}

#if defined __x86_64__ && !defined __clang__
__attribute__((target_clones("default", "arch=x86-64-v3", "arch=x86-64-v4")))
#endif
static void
multiply(float *d, const float (&a)[16][32], const float *b, int n, int k_count) {
    for (int row = 0; row < 16; row++)
        for (int k = 0; k < k_count; k++) {
            const float x = a[row][k];
            float *to = d + row * 256;
            const float *from = b + k * 256;
            for (int column = 0; column < n; column++) to[column] += x * from[column];
        }
}

static float get(uint32_t word, int half, simt_matrix_type type) {
    return type == SIMT_MATRIX_F32 ? bits_float(word) : half_to_float((uint16_t)(word >> 16 * half));
}

// Between a warp's registers and d: 16 rows of 256.
void read_sums(float *d, const SumRegisters &lanes, const simt_wgmma_kind &kind) {
    for (int lane = 0; lane < 32; lane++) {
        uint32_t *const *mine = lanes[lane];
        float *to = d + lane / 4 * 256 + lane % 4 * 2;
        for (int j = 0; j < kind.n / 8; j++)
            for (int c = 0; c < 4; c++)
                to[c / 2 * 8 * 256 + 8 * j + c % 2] = kind.d == SIMT_MATRIX_F32
                                                          ? get(*mine[4 * j + c], 0, kind.d)
                                                          : get(*mine[2 * j + c / 2], c % 2, kind.d);
    }
}

void write_sums(const float *d, const SumRegisters &lanes, const simt_wgmma_kind &kind) {
    for (int lane = 0; lane < 32; lane++) {
        uint32_t *const *mine = lanes[lane];
        const float *from = d + lane / 4 * 256 + lane % 4 * 2;
        for (int j = 0; j < kind.n / 8; j++)
            for (int half = 0; half < 2; half++) {
                const float *pair = from + half * 8 * 256 + 8 * j;
                if (kind.d == SIMT_MATRIX_F32) {
                    *mine[4 * j + 2 * half] = float_bits(pair[0]), *mine[4 * j + 2 * half + 1] = float_bits(pair[1]);
                } else {
                    *mine[2 * j + half] = float_to_half(pair[0]) | (uint32_t)float_to_half(pair[1]) << 16;
                }
            }
    }
}

// Not thread_local: a library that is loaded late has little room for that. Not on the fiber's stack, either.
void multiply_add(float *d, const Product &p) {
    const simt_wgmma_kind &kind = p.kind;
    const std::unique_ptr<float[]> b(new float[32 * 256]);
    float a[16][32];
    if (!p.in_registers)
        read_tile(a[0], p.warp % 4 * 16, 16, kind.k, 32, 1, p.descriptor_a, kind.a, kind.transposed_a, kind.negate_a,
                  p.pc);
    read_tile(b.get(), 0, kind.n, kind.k, 1, 256, p.descriptor_b, kind.b, kind.transposed_b, kind.negate_b, p.pc);
    if (!kind.add) memset(d, 0, sums_of_a_warp * sizeof *d);
    multiply(d, p.in_registers ? p.a : a, b.get(), kind.n, kind.k);
}

Pieces pieces_of(const Product &p) {
    Pieces all;
    auto keep = [&](const char *piece, int, int) { all.push_back(piece); };
    const simt_wgmma_kind &kind = p.kind;
    if (!p.in_registers)
        for_each_piece(p.warp % 4 * 16, 16, kind.k, p.descriptor_a, kind.a, kind.transposed_a, p.pc, keep);
    for_each_piece(0, kind.n, kind.k, p.descriptor_b, kind.b, kind.transposed_b, p.pc, keep);
    return all;
}

static void run(Worker &w, int warp, Together::Operands *const *lanes) {
    const Operands &first = *(const Operands *)lanes[0];
    Product p;
    p.kind = *first.kind, p.warp = warp, p.in_registers = first.a;
    p.descriptor_a = first.descriptor_a, p.descriptor_b = first.descriptor_b;
    p.pc = w.fibers[(size_t)warp * 32].site;
    if (first.a)
        read_registers(p.a, lanes, p.kind);
    else
        check_descriptor(p.descriptor_a, "A", p.pc);
    check_descriptor(p.descriptor_b, "B", p.pc);
    SumRegisters registers;
    for (int lane = 0; lane < 32; lane++) registers[lane] = ((const Operands *)lanes[lane])->d;
    if (simt_hooks) return product_later(w, p, registers);
    const std::unique_ptr<float[]> d(new float[sums_of_a_warp]);
    if (p.kind.add) read_sums(d.get(), registers, p.kind);
    multiply_add(d.get(), p);
    write_sums(d.get(), registers, p.kind);
}

}  // namespace simt

using namespace simt;

void simt_wgmma(uint32_t *const *d, const uint32_t *a, uint64_t descriptor_a, uint64_t descriptor_b,
                const simt_wgmma_kind *kind) {
    static const Together wgmma = {"wgmma.mma_async", run};
    Operands mine = {{&wgmma}, d, a, descriptor_a, descriptor_b, kind};
    together(&mine, __builtin_return_address(0));
}
