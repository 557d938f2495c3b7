// wgmma.cu: products of a warpgroup against plain loops: types, shapes, A from registers and from shared memory, rows along K and
// along M or N, every swizzle.
#include "common.h"

// ---- Where an element stands in a tile, by the layouts of the PTX manual. `along_k`: neighbours in memory are neighbours in K.
struct layout {
    int swizzle, along_k, bytes, rows, depth;  // bytes: of an element; rows: of M or N
    // 8 rows (of M or N, or of K) x a span of bytes make a block.
    __host__ __device__ int span() const { return swizzle ? swizzle : 16; }
    __host__ __device__ int blocks() const { return (along_k ? depth : rows) * bytes / span(); }  // side by side
    __host__ __device__ int other() const { return 8 * span() * blocks(); }                      // to the next 8 rows
    __host__ __device__ int offset(int row, int k) const {
        int line = along_k ? row : k, byte = (along_k ? k : row) * bytes;
        int at = line / 8 * other() + byte / span() * 8 * span() + line % 8 * span() + byte % span();
        return swizzle ? at ^ ((at >> 7 & (swizzle / 16 - 1)) << 4) : at;
    }
    __host__ __device__ int size() const { return rows * depth * bytes; }
    // Without a swizzle, and transposed, the manual's two strides change places.
    __device__ uint64_t descriptor(uint32_t address) const {
        uint64_t leading = 8 * span() >> 4, stride = other() >> 4;
        if (!swizzle && !along_k) { uint64_t t = leading; leading = stride, stride = t; }
        uint64_t mode = swizzle == 128 ? 1 : swizzle == 64 ? 2 : swizzle == 32 ? 3 : 0;
        return (uint64_t)((address & 0x3ffff) >> 4) | leading << 16 | stride << 32 | mode << 62;
    }
};

#define D4(i) "+f"(d[i]), "+f"(d[i + 1]), "+f"(d[i + 2]), "+f"(d[i + 3])
#define D16(i) D4(i), D4(i + 4), D4(i + 8), D4(i + 12)
#define LIST4 "{%0, %1, %2, %3}"
#define LIST16 "{%0,%1,%2,%3,%4,%5,%6,%7,%8,%9,%10,%11,%12,%13,%14,%15}"

template <int TA, int TB> __device__ void n8(float *d, uint64_t a, uint64_t b, int add) {
    asm volatile("{.reg .pred p; setp.ne.b32 p, %6, 0;\n"
                 "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 " LIST4 ", %4, %5, p, 1, 1, %7, %8;}"
                 : D4(0)
                 : "l"(a), "l"(b), "r"(add), "n"(TA), "n"(TB));
}
template <int TA, int TB> __device__ void n32(float *d, uint64_t a, uint64_t b, int add) {
    asm volatile("{.reg .pred p; setp.ne.b32 p, %18, 0;\n"
                 "wgmma.mma_async.sync.aligned.m64n32k16.f32.f16.f16 " LIST16 ", %16, %17, p, 1, 1, %19, %20;}"
                 : D16(0)
                 : "l"(a), "l"(b), "r"(add), "n"(TA), "n"(TB));
}
template <int TB> __device__ void n32_registers(float *d, const uint32_t *a, uint64_t b, int add) {
    asm volatile("{.reg .pred p; setp.ne.b32 p, %21, 0;\n"
                 "wgmma.mma_async.sync.aligned.m64n32k16.f32.f16.f16 " LIST16 ", {%16,%17,%18,%19}, %20, p, -1, 1, %22;}"
                 : D16(0)
                 : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "l"(b), "r"(add), "n"(TB));
}
__device__ void n32_tf32(float *d, uint64_t a, uint64_t b, int add) {
    asm volatile("{.reg .pred p; setp.ne.b32 p, %18, 0;\n"
                 "wgmma.mma_async.sync.aligned.m64n32k8.f32.tf32.tf32 " LIST16 ", %16, %17, p, 1, 1;}"
                 : D16(0)
                 : "l"(a), "l"(b), "r"(add));
}
__device__ void n32_tf32_registers(float *d, const uint32_t *a, uint64_t b, int add) {
    asm volatile("{.reg .pred p; setp.ne.b32 p, %21, 0;\n"
                 "wgmma.mma_async.sync.aligned.m64n32k8.f32.tf32.tf32 " LIST16 ", {%16,%17,%18,%19}, %20, p, -1, 1;}"
                 : D16(0)
                 : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "l"(b), "r"(add));
}
__device__ void n32_f16(uint32_t *d, uint64_t a, uint64_t b, int add) {
    asm volatile("{.reg .pred p; setp.ne.b32 p, %10, 0;\n"
                 "wgmma.mma_async.sync.aligned.m64n32k16.f16.f16.f16 {%0,%1,%2,%3,%4,%5,%6,%7}, %8, %9, p, 1, 1, 0, 0;}"
                 : "+r"(d[0]), "+r"(d[1]), "+r"(d[2]), "+r"(d[3]), "+r"(d[4]), "+r"(d[5]), "+r"(d[6]), "+r"(d[7])
                 : "l"(a), "l"(b), "r"(add));
}

enum kind { F16, REGISTERS, TF32, TF32_REGISTERS, SUMS_F16, NARROW };
template <kind K> constexpr bool is_tf32 = K == TF32 || K == TF32_REGISTERS;
template <kind K> constexpr bool in_registers = K == REGISTERS || K == TF32_REGISTERS;  // A, negated

__device__ void fill(char *tile, layout l, int seed, int first = 0, int step = 1) {
    for (int i = threadIdx.x; i < l.rows * l.depth; i += 128) {
        int row = i / l.depth, k = i % l.depth;
        float x = (float)((int)((i + seed) * 2654435761u >> 16 & 15) - 8) * 0.25f;
        if (l.bytes == 4)
            *(float *)(tile + l.offset(row, k)) = x;
        else
            *(__half *)(tile + l.offset(row, k)) = __float2half(x);
    }
}

template <kind KIND, int TA, int TB> __global__ void run(layout la, layout lb, float *out, int n) {
    extern __shared__ __align__(1024) char shared[];
    char *a = shared, *b = shared + 16384;
    fill(a, la, 0), fill(b, lb, 5000);
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    __syncthreads();
    float d[16];
    uint32_t h[8];
    for (int i = 0; i < 16; i++) d[i] = 1;
    for (int i = 0; i < 8; i++) h[i] = 0x3c003c00;
    const int g = threadIdx.x / 4, t = threadIdx.x % 4, row = threadIdx.x / 32 * 16 + threadIdx.x % 32 / 4;
    const int step = is_tf32<KIND> ? 8 : 16;
    asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
    for (int k = 0; k < la.depth; k += step) {
        // The tile's part from k on begins where its first element stands.
        uint64_t A = la.descriptor(shared_address(a) + (la.along_k ? k * la.bytes / la.span() * 8 * la.span() + k * la.bytes % la.span()
                                                                   : k / 8 * la.other()));
        uint64_t B = lb.descriptor(shared_address(b) + (lb.along_k ? k * lb.bytes / lb.span() * 8 * lb.span() + k * lb.bytes % lb.span()
                                                                   : k / 8 * lb.other()));
        if constexpr (KIND == F16) n32<TA, TB>(d, A, B, 1);
        if constexpr (KIND == NARROW) n8<TA, TB>(d, A, B, k > 0);
        if constexpr (KIND == TF32) n32_tf32(d, A, B, 1);
        if constexpr (KIND == SUMS_F16) n32_f16(h, A, B, 1);
        if constexpr (in_registers<KIND>) {
            uint32_t x[4];
            for (int r = 0; r < 4; r++) {
                if (is_tf32<KIND>) {
                    x[r] = *(uint32_t *)(a + la.offset(row + r % 2 * 8, k + t + r / 2 * 4));
                    continue;
                }
                uint16_t lo = *(uint16_t *)(a + la.offset(row + r % 2 * 8, k + 2 * t + r / 2 * 8));
                uint16_t hi = *(uint16_t *)(a + la.offset(row + r % 2 * 8, k + 2 * t + r / 2 * 8 + 1));
                x[r] = lo | (uint32_t)hi << 16;
            }
            asm volatile("wgmma.fence.sync.aligned;" ::: "memory");  // x has been written
            if constexpr (is_tf32<KIND>)
                n32_tf32_registers(d, x, B, 1);
            else
                n32_registers<TB>(d, x, B, 1);
            asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
            asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");  // x is read until then
        }
    }
    asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
    asm volatile("wgmma.wait_group.sync.aligned %0;" ::"n"(0) : "memory");
    for (int i = 0; i < n / 2; i++) {
        float x = KIND == SUMS_F16 ? __half2float(((__half *)h)[i / 4 * 4 + i % 4]) : d[i];
        out[(row + i % 4 / 2 * 8) * n + i / 4 * 8 + 2 * t + i % 2] = x;
    }
    (void)g;
}

template <kind KIND, int TA, int TB> static void test(int swizzle_a, int swizzle_b) {
    const int n = KIND == NARROW ? 8 : 32, bytes = is_tf32<KIND> ? 4 : 2, depth = 128 / bytes;
    layout la = {swizzle_a, !TA, bytes, 64, depth}, lb = {swizzle_b, !TB, bytes, n, depth};
    float *dout = device_array<float>(64 * n), *found = new float[64 * n];
    CHECK(cudaFuncSetAttribute(run<KIND, TA, TB>, cudaFuncAttributeMaxDynamicSharedMemorySize, 32768));
    run<KIND, TA, TB><<<1, 128, 32768>>>(la, lb, dout, n);
    download(found, dout, 64 * n);
    for (int i = 0; i < 64 * n; i++) {
        double sum = KIND == NARROW ? 0 : 1, sign = in_registers<KIND> ? -1 : 1;
        for (int k = 0; k < depth; k++) sum += sign * small_number(i / n * depth + k) * small_number(5000 + i % n * depth + k);
        char name[64];
        snprintf(name, sizeof name, "wgmma %d transposed %d %d swizzled %d %d", KIND, TA, TB, swizzle_a, swizzle_b);
        expect(name, found[i], sum, KIND == SUMS_F16 ? 0.2 : 0);
    }
    delete[] found;
}

int main() {
    const int swizzles[] = {0, 32, 64, 128};
    for (int a : swizzles)
        for (int b : swizzles) {
            test<F16, 0, 0>(a, b), test<TF32, 0, 0>(a, b);
            if (b <= 64) test<F16, 0, 1>(a, b);  // 32 columns are 64 bytes
            if (b <= 64) test<F16, 1, 1>(a, b);
            test<F16, 1, 0>(a, b);
        }
    for (int b : swizzles) test<REGISTERS, 0, 0>(128, b), test<TF32_REGISTERS, 0, 0>(128, b);
    test<REGISTERS, 0, 1>(128, 64), test<SUMS_F16, 0, 0>(128, 128), test<NARROW, 0, 0>(128, 128), test<NARROW, 0, 1>(64, 0);
    return finish();
}
