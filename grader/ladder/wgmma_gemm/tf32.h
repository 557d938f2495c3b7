// tf32.h: wgmma with TF32, 64 rows of X times a tile Y, 8 deep. hopper.h draws what lies where, in float16; of float32
// a row of 128 bytes holds 32, and TF32 is a float32 of which the tensor core reads the upper 19 bits.
//
// X comes from registers. A lane 4g + t has of 64 x 8, in its warp's 16 rows
//
//      a[0]: row g, k = t      a[1]: row g + 8, k = t      a[2], a[3]: the same with k = t + 4
//
// Y is a tile [rows][k] in shared memory; of TF32 the instruction takes no other order.
#ifndef TF32_H
#define TF32_H

#include "../hopper.h"

// d = X Y^T, or d += X Y^T.
DEVICE void wgmma_tf32(float (&d)[64], const uint32_t *a, uint64_t y, int add) {
    asm volatile("{.reg .pred p; setp.ne.b32 p, %69, 0;\n"
                 "wgmma.mma_async.sync.aligned.m64n128k8.f32.tf32.tf32 " R64 "}, {%64,%65,%66,%67}, %68, p, 1, 1;}"
                 : D32(0), D32(32)
                 : A4(a), "l"(y), "r"(add));
}
DEVICE void wgmma_tf32(float (&d)[32], const uint32_t *a, uint64_t y, int add) {
    asm volatile("{.reg .pred p; setp.ne.b32 p, %37, 0;\n"
                 "wgmma.mma_async.sync.aligned.m64n64k8.f32.tf32.tf32 " R32 "}, {%32,%33,%34,%35}, %36, p, 1, 1;}"
                 : D32(0)
                 : A4(a), "l"(y), "r"(add));
}

// What a tensor core does not read of x, exactly: x = (upper 19 bits of x) + rest(x).
DEVICE float rest(float x) { return x - __uint_as_float(__float_as_uint(x) & 0xffffe000); }

// ---- 64 rows of X, 32 deep, into registers: a[4i ..] for step i of 8. at: the lane's place, the same in all tiles.
// From a tile [64 rows][32 k], swizzled: 8 x 4 float32 are what ldmatrix calls 8 x 8 of 16 bits.
DEVICE int place_in_rows(void) {
    const int row = threadIdx.x % 128 / 32 * 16 + threadIdx.x % 16, half = threadIdx.x % 32 / 16 * 16;
    return row * 128 + (half ^ row % 8 * 16);
}
DEVICE void load_rows(uint32_t (&a)[16], const char *tile, int at) {
    UNROLL for (int i = 0; i < 4; i++) asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];" :
                                                    "=r"(a[4 * i]), "=r"(a[4 * i + 1]), "=r"(a[4 * i + 2]),
                                                    "=r"(a[4 * i + 3]) : "r"(shared_address(tile + (at ^ 32 * i))));
}
// From two tiles [32 k][32 rows], swizzled, side by side: neighbours in memory are neighbouring rows. Which row of X
// is row g of a product is free, as long as its sums are stored there. Let g and g + 8 be neighbours, which one load
// brings, and 0 .. 3 and 4 .. 7 stand so that 16 lanes, 4 g x 4 k, read from all 32 banks:
//
//      g            0     1     2       3       4     5     6       7
//      row of X     0, 1  2, 3  16, 17  18, 19  4, 5  6, 7  20, 21  22, 23       + 8 in warps 1 and 3, + 32 in 2 and 3
DEVICE int row_in_columns(void) {
    const int warp = threadIdx.x % 128 / 32, g = threadIdx.x % 32 / 4;
    return warp / 2 * 32 + warp % 2 * 8 + g / 2 % 2 * 16 + g / 4 * 4 + g % 2 * 2;
}
DEVICE int place_in_columns(void) {
    const int row = row_in_columns(), k = threadIdx.x % 4;
    return row / 32 * 4096 + k * 128 + (row % 32 * 4 ^ k * 16);
}
DEVICE void load_columns(uint32_t (&a)[16], const char *tiles, int at) {
    UNROLL for (int i = 0; i < 8; i++) {  // k of 4i and the lane's own: i's last bit swizzles, too
        const uint2 x = *(const uint2 *)(tiles + (at ^ i % 2 * 64) + i * 512);
        a[2 * i] = x.x, a[2 * i + 1] = x.y;
    }
}

#endif
