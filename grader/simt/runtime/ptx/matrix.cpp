// matrix.cpp: ldmatrix, stmatrix, mma.sync. Lane 4g + t of a warp holds, of an 8 x 8 matrix of halves, elements 2t and 2t + 1
// of row g; mma's operands are such pieces side by side:
//
//     A, 16 rows:  register r has rows g + 8 (r % 2), and of a row P neighbours from column P (t + 4 (r / 2)) on
//     B, 8 columns: register r has column g, rows P (t + 4 r) ...              P: elements of 32 bits, tf32 1, f16 2, s8 4
//     C and D:     registers 0, 1: row g, columns 2t, 2t + 1;  2, 3: row g + 8
//
// m8n8k16, of bytes, is the upper half of m16n8k16: each operand has its even registers of A, its first two of C and D.
// Products of f16, bf16 and tf32 are exact in float; sums are rounded to float one after another, from k = 0 on. A GPU's tensor
// core adds 4 to 16 products at once and cuts off low bits: results differ in the last places.
#include "matrix.h"

#include "../../include/simt/half_bits.h"
#include "together.h"

#include <cstring>

namespace simt {

namespace {
struct Move : Together::Operands {
    uint32_t *registers;
    char *row;
    int count;
    bool transposed, load;
};
struct Multiply : Together::Operands {
    uint32_t *d;
    const uint32_t *a, *b, *c;
    simt_mma_kind kind;
};
}  // namespace

// Both ways: element e of lane's register i is element (row, column) of matrix i.
static void move_matrices(Worker &, int, Together::Operands *const *lanes) {
    const Move &first = *(const Move *)lanes[0];
    for (int i = 0; i < first.count; i++)
        for (int lane = 0; lane < 32; lane++)
            for (int e = 0; e < 2; e++) {
                const Move &mine = *(const Move *)lanes[lane];
                int row = lane / 4, column = lane % 4 * 2 + e;
                if (first.transposed) std::swap(row, column);
                char *memory = ((const Move *)lanes[8 * i + row])->row + 2 * column,
                     *here = (char *)(mine.registers + i);
                if (first.load)
                    memcpy(here + 2 * e, memory, 2);
                else
                    memcpy(memory, here + 2 * e, 2);
            }
}

static void multiply_integers(Together::Operands *const *lanes, const simt_mma_kind &kind) {
    auto element = [](uint32_t word, int i, simt_matrix_type type) {
        uint8_t byte = (uint8_t)(word >> 8 * i);
        return type == SIMT_MATRIX_S8 ? (int)(int8_t)byte : (int)byte;
    };
    for (int lane = 0; lane < 32; lane++)
        for (int e = 0; e < kind.m / 4; e++) {
            const Multiply &mine = *(const Multiply *)lanes[lane];
            uint32_t sum = mine.c[e];
            int column = lane % 4 * 2 + e % 2;
            for (int k = 0; k < kind.k; k++) {
                const Multiply &left = *(const Multiply *)lanes[lane / 4 * 4 + k % 16 / 4];
                const Multiply &top = *(const Multiply *)lanes[column * 4 + k % 16 / 4];
                sum += (uint32_t)(element(left.a[k / 16 * (kind.m / 8) + e / 2], k % 4, kind.a) *
                                  element(top.b[k / 16], k % 4, kind.b));
            }
            mine.d[e] = sum;
        }
}

static void multiply_reals(Together::Operands *const *lanes, const simt_mma_kind &kind) {
    float a[16][16], b[16][8], d[16][8];
    const int per_register = kind.a == SIMT_MATRIX_TF32 ? 1 : 2, registers = kind.k / (4 * per_register);
    for (int lane = 0; lane < 32; lane++) {
        const Multiply &mine = *(const Multiply *)lanes[lane];
        int g = lane / 4, t = lane % 4;
        for (int r = 0; r < 2 * registers; r++)
            for (int i = 0; i < per_register; i++)
                a[g + 8 * (r % 2)][per_register * (t + 4 * (r / 2)) + i] = matrix_element(mine.a[r], i, kind.a);
        for (int r = 0; r < registers; r++)
            for (int i = 0; i < per_register; i++)
                b[per_register * (t + 4 * r) + i][g] = matrix_element(mine.b[r], i, kind.b);
        for (int e = 0; e < 4; e++)
            d[g + 8 * (e / 2)][2 * t + e % 2] =
                kind.c == SIMT_MATRIX_F32 ? bits_float(mine.c[e]) : matrix_element(mine.c[e / 2], e % 2, kind.c);
    }
    for (int row = 0; row < 16; row++)
        for (int k = 0; k < kind.k; k++)
            for (int column = 0; column < 8; column++) d[row][column] += a[row][k] * b[k][column];
    for (int lane = 0; lane < 32; lane++) {
        const Multiply &mine = *(const Multiply *)lanes[lane];
        const float *rows[2] = {d[lane / 4] + lane % 4 * 2, d[lane / 4 + 8] + lane % 4 * 2};
        for (int half = 0; half < 2; half++)
            if (kind.d == SIMT_MATRIX_F32)
                memcpy(mine.d + 2 * half, rows[half], 8);
            else
                mine.d[half] = float_to_half(rows[half][0]) | (uint32_t)float_to_half(rows[half][1]) << 16;
    }
}

static void multiply(Worker &, int, Together::Operands *const *lanes) {
    const simt_mma_kind &kind = ((const Multiply *)lanes[0])->kind;
    if (simt_hooks) simt_hooks->tensor_flops(2 * 8 * (uint64_t)(kind.m * kind.k));
    if (kind.a == SIMT_MATRIX_S8 || kind.a == SIMT_MATRIX_U8)
        multiply_integers(lanes, kind);
    else
        multiply_reals(lanes, kind);
}

static void move(uint32_t *registers, int count, bool transposed, char *row, bool load, const void *pc) {
    static const Together loading = {"ldmatrix", move_matrices}, storing = {"stmatrix", move_matrices};
    int lane = this_worker->fiber->thread & 31;
    if (lane < 8 * count) {
        if ((uintptr_t)row % 16)
            stop_kernel(716, pc, "%s: the address %p of a row is no multiple of 16 bytes",
                        load ? "ldmatrix" : "stmatrix", row);
        if (simt_hooks) simt_hooks->access(row, 16, load ? SIMT_LOAD : SIMT_STORE, pc);
    }
    Move mine = {{load ? &loading : &storing}, registers, row, count, transposed, load};
    together(&mine, pc);
}

}  // namespace simt

using namespace simt;

void simt_ldmatrix(uint32_t *to, int count, int transposed, const void *row) {
    move(to, count, transposed, (char *)row, true, __builtin_return_address(0));
}

void simt_stmatrix(const uint32_t *from, int count, int transposed, void *row) {
    move((uint32_t *)from, count, transposed, (char *)row, false, __builtin_return_address(0));
}

void simt_mma(uint32_t *d, const uint32_t *a, const uint32_t *b, const uint32_t *c, simt_mma_kind kind) {
    static const Together mma = {"mma.sync", multiply};
    Multiply mine = {{&mma}, d, a, b, c, kind};
    together(&mine, __builtin_return_address(0));
}
