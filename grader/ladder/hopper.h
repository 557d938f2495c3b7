// hopper.h: what devices of compute capability 9.0 can do and CUDA C++ has no words for: mbarriers, wgmma.
//
// wgmma multiplies 64 rows of A with a tile B. A warpgroup (4 warps) issues it, the tensor cores work on their own, and
// the warpgroup waits for them later. A lane holds of the result, 64 rows x N columns,
//
//      d[4j + c]   in row lane / 4 + 8 (c / 2) of its warp's 16, and in column 8j + 2 (lane % 4) + c % 2
//
// and of A, where that is in registers, neighbours in the same order: d of one product, packed in twos, is A of the
// next. B, and A where it is not in registers, is a tile in shared memory: rows of 64 float16, 128 bytes, whose 16-byte
// pieces are swizzled, so that 8 rows of one column lie in different banks:
//
//      row r:   piece 0 ^ r % 8   piece 1 ^ r % 8   ...   piece 7 ^ r % 8       a tile begins at a multiple of 1024
#ifndef HOPPER_H
#define HOPPER_H

#include "rung.h"

// Device code for compute capability 9.0: under nvcc only in the pass for it, under simt in its one pass.
#if defined(__CUDA_ARCH_FEAT_SM90_ALL) || defined(__SIMT__)
#define HOPPER 1
#endif

// The number of this warpgroup in its block. It is the same for all of a warp, which the compiler does not see in
// threadIdx, but in a shuffle: then what follows from it (turns, places, descriptors) is computed once a warp, in the
// uniform registers that wgmma takes descriptors from.
DEVICE int warpgroup() { return __shfl_sync(0xffffffff, threadIdx.x / 128, 0); }

// ---- barriers
DEVICE uint32_t shared_address(const void *p) { return (uint32_t)__cvta_generic_to_shared(p); }
DEVICE void init(uint64_t *b, int arrivals) {
    asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(shared_address(b)), "r"(arrivals));
}
DEVICE void arrive(uint64_t *b) {  // once a warp, when all its lanes are done
    __syncwarp();
    if (threadIdx.x % 32 == 0) asm volatile("mbarrier.arrive.shared.b64 _, [%0];" ::"r"(shared_address(b)) : "memory");
}
DEVICE void wait(uint64_t *b, int parity) {
    asm volatile("{.reg .pred done;\n"
                 "again: mbarrier.try_wait.parity.shared.b64 done, [%0], %1;\n"
                 "@!done bra again;}" ::"r"(shared_address(b)),
                 "r"(parity)
                 : "memory");
}
DEVICE void expect_bytes(uint64_t *b, int bytes) {  // one arrival, and so many bytes more until the barrier opens
    asm volatile("mbarrier.arrive.expect_tx.shared.b64 _, [%0], %1;" ::"r"(shared_address(b)), "r"(bytes) : "memory");
}
DEVICE void named_sync(int id, int n) { asm volatile("bar.sync %0, %1;" ::"r"(id), "r"(n) : "memory"); }
DEVICE void named_arrive(int id, int n) { asm volatile("bar.arrive %0, %1;" ::"r"(id), "r"(n) : "memory"); }
// Ordinary stores become visible to wgmma, which reads shared memory on another way.
DEVICE void fence_for_wgmma() { asm volatile("fence.proxy.async.shared::cta;" ::: "memory"); }

// ---- one kernel after the other
// A kernel that is launched with this attribute gets its places while the one before it ends, and so begins sooner.
static inline cudaLaunchAttribute overlap(void) {
    cudaLaunchAttribute a = {};
    a.id = cudaLaunchAttributeProgrammaticStreamSerialization, a.val.programmaticStreamSerializationAllowed = 1;
    return a;
}
// All of its threads call this before they read or write global memory: then the kernel before has ended.
DEVICE void wait_for_last_kernel() {
#ifdef HOPPER
    cudaTriggerProgrammaticLaunchCompletion();  // the next one may have its places, too
    cudaGridDependencySynchronize();
#endif
}

// ---- tiles
// Four float32 into a swizzled tile of hi, and into one of lo that stands lo_offset bytes behind.
DEVICE void store_split(char *tile, int lo_offset, int row, int col, float4 x) {
    char *at = tile + row * 128 + (col * 2 ^ row % 8 * 16);
    uint2 hi, lo;
    split(x.x, x.y, hi.x, lo.x), split(x.z, x.w, hi.y, lo.y);
    *(uint2 *)at = hi, *(uint2 *)(at + lo_offset) = lo;
}

// Splits src [rows][D] into panels [ROWS][64], by N threads. Where they are larger, they get zeros. All loads are on their
// way before the first is waited for.
template <int ROWS, int PANELS, int N>
DEVICE void load_split(char *tile, const float *src, int rows, int D, int thread) {
    constexpr int EACH = ROWS * PANELS * 16 / N;
    float4 x[EACH];
    UNROLL for (int i = 0; i < EACH; i++) {
        const int row = (thread + i * N) / (PANELS * 16), col = (thread + i * N) % (PANELS * 16) * 4;
        x[i] = make_float4(0, 0, 0, 0);
        if (row < rows && col < D) x[i] = *(const float4 *)(src + (size_t)row * D + col);
    }
    UNROLL for (int i = 0; i < EACH; i++) {
        const int row = (thread + i * N) / (PANELS * 16), col = (thread + i * N) % (PANELS * 16) * 4;
        store_split(tile + col / 64 * ROWS * 256, ROWS * 128, row, col % 64, x[i]);
    }
}

// ---- wgmma: 64 rows times n columns, 16 deep. B, or A and B, by descriptor.
DEVICE uint64_t descriptor(const char *tile) {  // 128-byte swizzle; 1024 bytes from 8 rows to the next 8
    return (uint64_t)1 << 62 | (uint64_t)(1024 >> 4) << 32 | shared_address(tile) >> 4;
}
DEVICE void wgmma_begin() { asm volatile("wgmma.fence.sync.aligned;" ::: "memory"); }
DEVICE void wgmma_commit() { asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory"); }
template <int LEFT, int N> DEVICE void wgmma_wait(float (&d)[N]) {  // until only LEFT commits are under way
    asm volatile("wgmma.wait_group.sync.aligned %0;" ::"n"(LEFT) : "memory");
    UNROLL for (int i = 0; i < N; i++) asm volatile("" : "+f"(d[i])::"memory");  // no use of d moves before the wait
}
// N neighbours of an array in registers, as an array.
template <int N> using floats = float[N];
template <int N> DEVICE floats<N> &registers_at(float *d) { return *(floats<N> *)d; }
#define D4(i) "+f"(d[i]), "+f"(d[i + 1]), "+f"(d[i + 2]), "+f"(d[i + 3])
#define D16(i) D4(i), D4(i + 4), D4(i + 8), D4(i + 12)
#define D32(i) D16(i), D16(i + 16)
#define R8 "{%0,%1,%2,%3,%4,%5,%6,%7"
#define R16 R8 ",%8,%9,%10,%11,%12,%13,%14,%15"
#define R24 R16 ",%16,%17,%18,%19,%20,%21,%22,%23"
#define R32 R24 ",%24,%25,%26,%27,%28,%29,%30,%31"
#define R64                                                                                                            \
    R32 ",%32,%33,%34,%35,%36,%37,%38,%39,%40,%41,%42,%43,%44,%45,%46,%47,%48,%49,%50,%51,%52,%53,%54,%55,"            \
        "%56,%57,%58,%59,%60,%61,%62,%63"
DEVICE void wgmma(float (&d)[64], uint64_t a, uint64_t b, int add) {  // d = A B^T, or d += A B^T
    asm volatile("{.reg .pred p; setp.ne.b32 p, %66, 0;\n"
                 "wgmma.mma_async.sync.aligned.m64n128k16.f32.f16.f16 " R64 "}, %64, %65, p, 1, 1, 0, 0;}"
                 : D32(0), D32(32)
                 : "l"(a), "l"(b), "r"(add));
}
// d += A B, A in registers, and B of 16, 32, 48 or 64 columns.
#define A4(a) "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3])
DEVICE void wgmma(float (&d)[8], const uint32_t *a, uint64_t b) {
    asm volatile("wgmma.mma_async.sync.aligned.m64n16k16.f32.f16.f16 " R8 "}, {%8,%9,%10,%11}, %12, 1, 1, 1, 1;"
                 : D4(0), D4(4)
                 : A4(a), "l"(b));
}
DEVICE void wgmma(float (&d)[16], const uint32_t *a, uint64_t b) {
    asm volatile("wgmma.mma_async.sync.aligned.m64n32k16.f32.f16.f16 " R16 "}, {%16,%17,%18,%19}, %20, 1, 1, 1, 1;"
                 : D16(0)
                 : A4(a), "l"(b));
}
DEVICE void wgmma(float (&d)[24], const uint32_t *a, uint64_t b) {
    asm volatile("wgmma.mma_async.sync.aligned.m64n48k16.f32.f16.f16 " R24 "}, {%24,%25,%26,%27}, %28, 1, 1, 1, 1;"
                 : D16(0), D4(16), D4(20)
                 : A4(a), "l"(b));
}
DEVICE void wgmma(float (&d)[32], const uint32_t *a, uint64_t b) {
    asm volatile("wgmma.mma_async.sync.aligned.m64n64k16.f32.f16.f16 " R32 "}, {%32,%33,%34,%35}, %36, 1, 1, 1, 1;"
                 : D32(0)
                 : A4(a), "l"(b));
}

// ---- between the products
// The online softmax, and P split. s: 64 rows x 128 keys. o: 64 rows x 2N dims. m, l: of a lane's two rows.
// O / l is right for every m, as long as no weight is too large for float16. So m need not be the maximum: it is raised
// only where a score lies far above it. In most tiles nobody asks other lanes, and nothing is rescaled.
DEVICE void largest(const float (&s)[64], float (&top)[2], float scale) {  // of what this lane has
    UNROLL for (int r = 0; r < 2; r++) {
        float x[4];
        UNROLL for (int i = 0; i < 4; i++) x[i] = fmaxf(s[2 * r + 4 * i], s[2 * r + 4 * i + 1]);
        UNROLL for (int i = 4; i < 16; i++) x[i % 4] = fmaxf(x[i % 4], fmaxf(s[2 * r + 4 * i], s[2 * r + 4 * i + 1]));
        top[r] = scale * fmaxf(fmaxf(x[0], x[1]), fmaxf(x[2], x[3]));
    }
}
template <int N> DEVICE void raise_maximum(float (&top)[2], float (&o)[N], float (&m)[2], float (&l)[2]) {
    UNROLL for (int r = 0; r < 2; r++) {
        UNROLL for (int bit = 1; bit <= 2; bit *= 2) top[r] = fmaxf(top[r], __shfl_xor_sync(0xffffffff, top[r], bit));
        top[r] = fmaxf(m[r], top[r]);
        const float rescale = exp2_approx(m[r] - top[r]);
        m[r] = top[r], l[r] *= rescale;
        UNROLL for (int i = 0; i < N; i++) if (i % 4 / 2 == r) o[i] *= rescale;
    }
}
DEVICE void weigh(const float (&s)[64], const float (&m)[2], float (&sum)[2], uint32_t (&hi)[32], uint32_t (&lo)[32],
                  float scale) {
    UNROLL for (int i = 0; i < 32; i++) {
        const int r = i % 2;  // fmaf: where this runs twice, the compiler would keep 64 products from the first time
        const float x = exp2_approx(fmaf(s[2 * i], scale, -m[r])), y = exp2_approx(fmaf(s[2 * i + 1], scale, -m[r]));
        sum[r] += x, sum[r] += y;
        split(x, y, hi[i], lo[i]);
    }
}
template <int N>
DEVICE void softmax(float (&s)[64], float (&o)[N], float (&m)[2], float (&l)[2], uint32_t (&hi)[32], uint32_t (&lo)[32],
                    float scale) {
    float top[2];
    largest(s, top, scale);
    if (__any_sync(0xffffffff, top[0] > m[0] + 14 || top[1] > m[1] + 14)) raise_maximum(top, o, m, l);  // up to 2^14
    weigh(s, m, l, hi, lo, scale);
}
#endif
