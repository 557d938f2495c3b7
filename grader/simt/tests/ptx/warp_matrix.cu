// warp_matrix.cu: wmma.load, wmma.mma and wmma.store of f16, bf16, tf32 and bytes; movmatrix; barriers that count (bar.red); bfind, sad.
#include "common.h"

__global__ void halves(const __half *a, const __half *b, float *c) {  // A by rows, B by columns, C += A B
    uint32_t x[8], y[8];
    float z[8];
    asm volatile("wmma.load.a.sync.aligned.row.m16n16k16.global.f16 {%0,%1,%2,%3,%4,%5,%6,%7}, [%8], 16;"
                 : "=r"(x[0]), "=r"(x[1]), "=r"(x[2]), "=r"(x[3]), "=r"(x[4]), "=r"(x[5]), "=r"(x[6]), "=r"(x[7])
                 : "l"(a)
                 : "memory");
    asm volatile("wmma.load.b.sync.aligned.col.m16n16k16.global.f16 {%0,%1,%2,%3,%4,%5,%6,%7}, [%8], %9;"
                 : "=r"(y[0]), "=r"(y[1]), "=r"(y[2]), "=r"(y[3]), "=r"(y[4]), "=r"(y[5]), "=r"(y[6]), "=r"(y[7])
                 : "l"(b), "r"(16)
                 : "memory");
    asm volatile("wmma.load.c.sync.aligned.row.m16n16k16.global.f32 {%0,%1,%2,%3,%4,%5,%6,%7}, [%8], 16;"
                 : "=f"(z[0]), "=f"(z[1]), "=f"(z[2]), "=f"(z[3]), "=f"(z[4]), "=f"(z[5]), "=f"(z[6]), "=f"(z[7])
                 : "l"(c)
                 : "memory");
    asm volatile("wmma.mma.sync.aligned.row.col.m16n16k16.f32.f32 {%0,%1,%2,%3,%4,%5,%6,%7}, "
                 "{%8,%9,%10,%11,%12,%13,%14,%15}, {%16,%17,%18,%19,%20,%21,%22,%23}, {%0,%1,%2,%3,%4,%5,%6,%7};"
                 : "+f"(z[0]), "+f"(z[1]), "+f"(z[2]), "+f"(z[3]), "+f"(z[4]), "+f"(z[5]), "+f"(z[6]), "+f"(z[7])
                 : "r"(x[0]), "r"(x[1]), "r"(x[2]), "r"(x[3]), "r"(x[4]), "r"(x[5]), "r"(x[6]), "r"(x[7]), "r"(y[0]),
                   "r"(y[1]), "r"(y[2]), "r"(y[3]), "r"(y[4]), "r"(y[5]), "r"(y[6]), "r"(y[7]));
    asm volatile("wmma.store.d.sync.aligned.row.m16n16k16.global.f32 [%0], {%1,%2,%3,%4,%5,%6,%7,%8}, 16;" ::"l"(c),
                 "f"(z[0]), "f"(z[1]), "f"(z[2]), "f"(z[3]), "f"(z[4]), "f"(z[5]), "f"(z[6]), "f"(z[7])
                 : "memory");
}

__global__ void bytes(const int8_t *a, const int8_t *b, int *c) {  // A by rows, B by columns, from shared memory
    __shared__ alignas(128) int8_t left[256], right[256];
    for (int i = threadIdx.x; i < 256; i += 32) left[i] = a[i], right[i] = b[i];
    __syncwarp();
    uint32_t x[2], y[2];
    int z[8] = {};
    asm volatile("wmma.load.a.sync.aligned.row.m16n16k16.shared.s8 {%0,%1}, [%2], 16;"
                 : "=r"(x[0]), "=r"(x[1])
                 : "r"(shared_address(left))
                 : "memory");
    asm volatile("wmma.load.b.sync.aligned.col.m16n16k16.shared.s8 {%0,%1}, [%2], 16;"
                 : "=r"(y[0]), "=r"(y[1])
                 : "r"(shared_address(right))
                 : "memory");
    asm volatile("wmma.mma.sync.aligned.row.col.m16n16k16.s32.s8.s8.s32 {%0,%1,%2,%3,%4,%5,%6,%7}, {%8,%9}, {%10,%11}, "
                 "{%0,%1,%2,%3,%4,%5,%6,%7};"
                 : "+r"(z[0]), "+r"(z[1]), "+r"(z[2]), "+r"(z[3]), "+r"(z[4]), "+r"(z[5]), "+r"(z[6]), "+r"(z[7])
                 : "r"(x[0]), "r"(x[1]), "r"(y[0]), "r"(y[1]));
    asm volatile("wmma.store.d.sync.aligned.row.m16n16k16.global.s32 [%0], {%1,%2,%3,%4,%5,%6,%7,%8}, 16;" ::"l"(c),
                 "r"(z[0]), "r"(z[1]), "r"(z[2]), "r"(z[3]), "r"(z[4]), "r"(z[5]), "r"(z[6]), "r"(z[7])
                 : "memory");
}

__global__ void turned(const uint32_t *from, uint32_t *to) {
    asm volatile("movmatrix.sync.aligned.m8n8.trans.b16 %0, %1;" : "=r"(to[threadIdx.x]) : "r"(from[threadIdx.x]));
}

// Threads 0 to 63 count at barrier 3, all of them at barrier 0.
__global__ void counted(uint32_t *n) {
    const uint32_t t = threadIdx.x;
    uint32_t some = 0, all, any, every;
    if (t < 64)
        asm volatile("{ .reg .pred p; setp.lt.u32 p, %1, 21; bar.red.popc.u32 %0, 3, 64, p; }" : "=r"(some) : "r"(t));
    asm volatile("{ .reg .pred p; setp.gt.u32 p, %1, 90; barrier.cta.red.popc.u32 %0, 0, p; }" : "=r"(all) : "r"(t));
    asm volatile("{ .reg .pred p, q; setp.eq.u32 p, %1, 5; bar.red.or.pred q, 0, p; selp.u32 %0, 1, 0, q; }"
                 : "=r"(any)
                 : "r"(t));
    asm volatile("{ .reg .pred p, q; setp.ne.u32 p, %1, 5; bar.red.and.pred q, 0, p; selp.u32 %0, 1, 0, q; }"
                 : "=r"(every)
                 : "r"(t));
    n[t] = some | all << 8 | any << 16 | every << 24;
}

__global__ void small(const int *x, int *y) {
    const int a = x[threadIdx.x], b = x[threadIdx.x + 32];
    int *to = y + 8 * threadIdx.x;
    asm("bfind.u32 %0, %1;" : "=r"(to[0]) : "r"(a));
    asm("bfind.s32 %0, %1;" : "=r"(to[1]) : "r"(a));
    asm("bfind.shiftamt.u32 %0, %1;" : "=r"(to[2]) : "r"(a));
    asm("sad.s32 %0, %1, %2, %3;" : "=r"(to[3]) : "r"(a), "r"(b), "r"(7));
    asm("slct.s32.s32 %0, %1, %2, %3;" : "=r"(to[4]) : "r"(a), "r"(b), "r"(b));
    float f;
    asm("copysign.f32 %0, %1, %2;" : "=f"(f) : "f"((float)a), "f"(3.5f));
    to[5] = __float_as_int(f);
}

static void test_matrices() {
    __half a[256], b[256];
    int8_t s[256], t[256];
    float c[256], d[256];
    int e[256];
    for (int i = 0; i < 256; i++) {
        a[i] = __float2half(small_number(i)), b[i] = __float2half(small_number(i + 700)), c[i] = small_number(i + 90);
        s[i] = (int8_t)(i * 37), t[i] = (int8_t)(i * 91 + 5);
    }
    float *sums = device_array(256, c);
    int *ints = device_array<int>(256);
    halves<<<1, 32>>>(device_array(256, a), device_array(256, b), sums);
    download(d, sums, 256);
    bytes<<<1, 32>>>(device_array(256, s), device_array(256, t), ints);
    download(e, ints, 256);
    for (int i = 0; i < 256; i++) {
        float want = c[i];
        int wanted = 0;
        for (int k = 0; k < 16; k++) {
            want += __half2float(a[i / 16 * 16 + k]) * __half2float(b[i % 16 * 16 + k]);
            wanted += s[i / 16 * 16 + k] * t[i % 16 * 16 + k];
        }
        expect("wmma f16", d[i], want);
        expect("wmma s8", e[i], wanted);
    }
}

static void test_others() {
    uint32_t m[32], n[128];
    uint16_t from[64], to[64];
    for (int i = 0; i < 64; i++) from[i] = (uint16_t)(i * 1031);
    memcpy(m, from, sizeof m);
    uint32_t *out = device_array<uint32_t>(128);
    turned<<<1, 32>>>(device_array(32, m), out);
    download(m, out, 32);
    memcpy(to, m, sizeof m);
    for (int i = 0; i < 64; i++) expect("movmatrix", to[i], from[i % 8 * 8 + i / 8]);
    counted<<<1, 128>>>(out);
    download(n, out, 128);
    for (int i = 0; i < 128; i++) expect("bar.red", n[i], (i < 64 ? 21 : 0) | 37 << 8 | 1 << 16);
    int x[64], y[256];
    for (int i = 0; i < 64; i++) x[i] = i % 3 == 0 ? -i * 12345 : i * 777 - 1000;
    int *results = device_array<int>(256);
    small<<<1, 32>>>(device_array(64, x), results);
    download(y, results, 256);
    for (int i = 0; i < 32; i++) {
        const int a = x[i], b = x[i + 32], magnitude = a < 0 ? ~a : a;
        expect("bfind.u32", y[8 * i], a ? 31 - __builtin_clz(a) : -1);
        expect("bfind.s32", y[8 * i + 1], magnitude ? 31 - __builtin_clz(magnitude) : -1);
        expect("bfind.shiftamt", y[8 * i + 2], a ? __builtin_clz(a) : -1);
        expect("sad", y[8 * i + 3], std::abs(a - b) + 7);
        expect("slct", y[8 * i + 4], b >= 0 ? a : b);
        float f;
        memcpy(&f, &y[8 * i + 5], 4);
        expect("copysign", f, std::copysign(3.5f, (float)a));
    }
}

int main() {
    test_matrices();
    test_others();
    return finish();
}
