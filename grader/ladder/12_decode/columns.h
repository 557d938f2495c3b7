// columns.h: a warp's part of a head in float16, by the tensor cores. There is one query, and mma.sync multiplies with
// eight columns: the other seven are not idle here. D is 64 or 128.
//
//     S = K q:  A = 16 keys x 16 dims, B = 16 dims x 8 columns         O = V^T p:  A = 16 dims x 16 keys, B = p
//
// A lane (g = lane / 4, j = lane % 4) gives mma numbers of rows g and g + 8 of A. It reads 16 bytes of them at a time, and
// 8 lanes that read together read different banks, though rows lie 128 or 256 bytes apart. Two liberties allow that:
//
//  - S: dims may come in any order, if q's come in the same. Odd keys have their halves of 128 bytes swapped. So they
//    need a q in another order: columns 2 and 3 have it, columns 0 and 1 are for even keys.
//  - O: the lanes of one j have the same keys. Column j has the p of these alone, and zeros for all others. So lanes of
//    another j may read other dims: each of four columns has an order of dims of its own, and put() adds them.
//
// q and p are float32. Each is the sum of two float16, hi and lo, in two columns: they lose nothing. All lanes of a j have
// the same m and l. (An infinite V, times a column's zero, makes other dims of its head NaN.)
#ifndef COLUMNS_H
#define COLUMNS_H

#include "part.h"

DEVICE void mma(float (&d)[4], uint32_t a0, uint32_t a1, uint32_t a2, uint32_t a3, uint32_t b0, uint32_t b1) {
    asm("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
        "{%0, %1, %2, %3};"
        : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
        : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "r"(b0), "r"(b1));
}

template <class P> struct columns {
    static constexpr int D = P::DP, VECTORS = D / 8, TWO = VECTORS / 16;  // of 16 bytes in a row; more than 8 of them?
    uint32_t q[VECTORS / 4][4];
    float m = -1e30f, l = 0, o[8][4] = {};  // o[e]: dim e of the vectors of lanes' rows g and g + 8
    __device__ __forceinline__ columns(const __half *Q, int) {
        const int g = threadIdx.x % 32 / 4, j = threadIdx.x % 4;
        const float scale = 1.44269504f / sqrtf((float)D);  // for exp2
        UNROLL for (int i = 0; i < VECTORS / 4; i++) {
            float x[8];
            unpack(x, (const char *)(Q + 8 * (4 * (i ^ g / 2 % 2) + j)));
            UNROLL for (int e = 0; e < 4; e++) {
                uint32_t hi, lo;
                split(scale * x[2 * e], scale * x[2 * e + 1], hi, lo);
                q[i][e] = g >= 4 ? 0 : g % 2 ? lo : hi;
            }
        }
    }
    __device__ __forceinline__ void add(const char *K, const char *V, int keys, int) {
        UNROLL for (int first = 0; first < P::KEYS; first += 16)
            add16(K + first * D * 2, V + first * D * 2, keys - first);
    }
    __device__ __forceinline__ void add16(const char *K, const char *V, int keys) {
        const int g = threadIdx.x % 32 / 4, j = threadIdx.x % 4;
        float s[2][4] = {};  // two sums: no mma waits for the one before
        UNROLL for (int i = 0; i < VECTORS / 4; i++) {
            const char *at = K + g * D * 2 + (4 * (i ^ g % 2) + j) * 16;
            const uint4 x = *(const uint4 *)at, y = *(const uint4 *)(at + 8 * D * 2);
            mma(s[0], x.x, y.x, x.y, y.y, q[i][0], q[i][1]);
            mma(s[1], x.z, y.z, x.w, y.w, q[i][2], q[i][3]);
        }
        // Key g's score stands in lane 4 g + g % 2, that of key g + 8 beside it. A lane wants those of keys 2j, 2j + 1,
        // 2j + 8, 2j + 9: the ones that it reads of V.
        const float low = s[0][0] + s[0][1] + s[1][0] + s[1][1], high = s[0][2] + s[0][3] + s[1][2] + s[1][3];
        float p[4], top = m;
        UNROLL for (int i = 0; i < 4; i++) {
            const int key = 2 * j + i % 2 + i / 2 * 8;
            p[i] = __shfl_sync(0xffffffff, i < 2 ? low : high, 8 * j + i % 2 * 5);
            if (key >= keys) p[i] = -INFINITY;
            top = fmaxf(top, p[i]);
        }
        UNROLL for (int bit = 1; bit <= 2; bit *= 2) top = fmaxf(top, __shfl_xor_sync(0xffffffff, top, bit));
        if (top > m) {  // all lanes agree
            const float rescale = exp2_approx(m - top);
            m = top, l *= rescale;
            UNROLL for (int e = 0; e < 8; e++) UNROLL for (int i = 0; i < 4; i++) o[e][i] *= rescale;
        }
        UNROLL for (int i = 0; i < 4; i++) p[i] = exp2_approx(p[i] - m), l += p[i];
        uint32_t b[2];
        UNROLL for (int i = 0; i < 2; i++) {
            uint32_t hi, lo;
            split(p[2 * i], p[2 * i + 1], hi, lo);
            b[i] = g == j ? hi : g == j + 4 ? lo : 0;
        }
        uint32_t v[4][TWO + 1][4];  // of a lane's four keys: vectors (g + 2j) % 8, and 8 behind it
        UNROLL for (int i = 0; i < 4; i++) UNROLL for (int two = 0; two <= TWO; two++) {
            const int key = 2 * j + i % 2 + i / 2 * 8;
            uint4 x = {};  // no 0 * NaN
            if (key < keys) x = *(const uint4 *)(V + key * D * 2 + ((g + 2 * j) % 8 + 8 * two) * 16);
            v[i][two][0] = x.x, v[i][two][1] = x.y, v[i][two][2] = x.z, v[i][two][3] = x.w;
        }
        UNROLL for (int e = 0; e < 8; e++) {
            const int pick = e % 2 ? 0x7632 : 0x5410;  // dim e of two keys side by side
            uint32_t a[2][2] = {};
            UNROLL for (int two = 0; two <= TWO; two++) UNROLL for (int i = 0; i < 2; i++) a[two][i] =
                __byte_perm(v[2 * i][two][e / 2], v[2 * i + 1][two][e / 2], pick);
            mma(o[e], a[0][0], a[1][0], a[0][1], a[1][1], b[0], b[1]);
        }
    }
    // The warp's part to shared memory, [D + 4]: m, l, -, -, o. o[e][0] and [1] are of columns 2j and 2j + 1, so of the
    // keys of j' = 2j and 2j + 1 (modulo 4: hi and lo), whose lanes of row g read vector (g + 2j') % 8.
    __device__ __forceinline__ void put(float *to) {
        const int lane = threadIdx.x % 32, g = lane / 4, j = lane % 4;
        UNROLL for (int bit = 1; bit <= 2; bit *= 2) l += __shfl_xor_sync(0xffffffff, l, bit);
        UNROLL for (int e = 0; e < 8; e++) UNROLL for (int two = 0; two <= TWO; two++) {
            float x = o[e][2 * two], y = o[e][2 * two + 1];
            x += __shfl_xor_sync(0xffffffff, x, 2), y += __shfl_xor_sync(0xffffffff, y, 2);  // hi + lo
            x += __shfl_sync(0xffffffff, y, lane + 24);  // j' odd: what stands here two rows before
            x += __shfl_sync(0xffffffff, x, lane + 17);  // j' = 2, 3: four rows before, one lane on
            if (j == 0) to[4 + 8 * (g + 8 * two) + e] = x;
        }
        if (lane == 0) to[0] = m, to[1] = l;
    }
};

#endif
