// wgmma.h: the products of rung 11, for float16 and bfloat16. hopper.h draws what lies where.
//
//      scores   S  = Q K^T   Q from a tile or from registers, K a tile [keys][dims]
//      values   O += P V     P from registers, V a tile [keys][dims]: transposed by the instruction
#ifndef WGMMA_H
#define WGMMA_H

#include <cuda_bf16.h>

#include "hopper.h"

#define WGMMA(H, NAME)                                                                                                 \
    DEVICE void scores(H, float(&d)[64], uint64_t a, uint64_t b, int add) {                                            \
        asm volatile("{.reg .pred p; setp.ne.b32 p, %66, 0;\n"                                                         \
                     "wgmma.mma_async.sync.aligned.m64n128k16.f32." NAME "." NAME " " R64                              \
                     "}, %64, %65, p, 1, 1, 0, 0;}"                                                                    \
                     : D32(0), D32(32)                                                                                 \
                     : "l"(a), "l"(b), "r"(add));                                                                      \
    }                                                                                                                  \
    DEVICE void scores(H, float(&d)[64], const uint32_t *a, uint64_t b, int add) {                                     \
        asm volatile("{.reg .pred p; setp.ne.b32 p, %69, 0;\n"                                                         \
                     "wgmma.mma_async.sync.aligned.m64n128k16.f32." NAME "." NAME " " R64                              \
                     "}, {%64,%65,%66,%67}, %68, p, 1, 1, 0;}"                                                         \
                     : D32(0), D32(32)                                                                                 \
                     : A4(a), "l"(b), "r"(add));                                                                       \
    }                                                                                                                  \
    DEVICE void values(H, float(&d)[32], const uint32_t *a, uint64_t b) {                                              \
        asm volatile("wgmma.mma_async.sync.aligned.m64n64k16.f32." NAME "." NAME " " R32                               \
                     "}, {%32,%33,%34,%35}, %36, 1, 1, 1, 1;"                                                          \
                     : D32(0)                                                                                          \
                     : A4(a), "l"(b));                                                                                 \
    }                                                                                                                  \
    DEVICE void values(H, float(&d)[64], const uint32_t *a, uint64_t b) {                                              \
        asm volatile("wgmma.mma_async.sync.aligned.m64n128k16.f32." NAME "." NAME " " R64                              \
                     "}, {%64,%65,%66,%67}, %68, 1, 1, 1, 1;"                                                          \
                     : D32(0), D32(32)                                                                                 \
                     : A4(a), "l"(b));                                                                                 \
    }
WGMMA(__half, "f16")
WGMMA(__nv_bfloat16, "bf16")

// Two float32 as two neighbours of 16 bits.
DEVICE uint32_t pack(__half, float x, float y) {
    const __half2 h = __floats2half2_rn(x, y);
    return *(const uint32_t *)&h;
}
DEVICE uint32_t pack(__nv_bfloat16, float x, float y) {
    const __nv_bfloat162 h = __floats2bfloat162_rn(x, y);
    return *(const uint32_t *)&h;
}
template <class H> DEVICE void pack(H h, uint32_t (&to)[32], const float (&s)[64]) {
    UNROLL for (int i = 0; i < 32; i++) to[i] = pack(h, s[2 * i], s[2 * i + 1]);
}

// 16 rows of this warp, dims d .. d + 15 of a tile, as A in registers.
DEVICE void load_fragment(uint32_t *to, const char *tile, int d) {
    const int row = threadIdx.x % 128 / 32 * 16 + threadIdx.x % 16, col = d * 2 + threadIdx.x % 32 / 16 * 16;
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];"
                 : "=r"(to[0]), "=r"(to[1]), "=r"(to[2]), "=r"(to[3])
                 : "r"(shared_address(tile + row * 128 + (col ^ row % 8 * 16))));
}

// The online softmax, lazily: m may stay 8 behind the maximum, in log2, so that weights reach 256. In most tiles no
// lane asks another, and nothing is rescaled. s: 64 rows x 128 keys. m, l, rescale: of a lane's two rows. Returns
// whether O is to be rescaled, the same for all lanes of a warp.
DEVICE bool softmax(float (&s)[64], float (&m)[2], float (&l)[2], float (&rescale)[2], float scale) {
    float top[2];
    largest(s, top, scale);
    const bool raise = __any_sync(0xffffffff, top[0] > m[0] + 8 || top[1] > m[1] + 8);
    if (raise) UNROLL for (int r = 0; r < 2; r++) {
            UNROLL for (int bit = 1; bit <= 2; bit *= 2) top[r] =
                fmaxf(top[r], __shfl_xor_sync(0xffffffff, top[r], bit));
            top[r] = fmaxf(m[r], top[r]);
            rescale[r] = exp2_approx(m[r] - top[r]);
            m[r] = top[r], l[r] *= rescale[r];
        }
    UNROLL for (int r = 0; r < 2; r++) {
        float a = 0, b = 0;
        UNROLL for (int i = 2 * r; i < 64; i += 4) {
            s[i] = exp2_approx(s[i] * scale - m[r]), s[i + 1] = exp2_approx(s[i + 1] * scale - m[r]);
            a += s[i], b += s[i + 1];
        }
        l[r] += a + b;
    }
    return raise;
}

#endif
