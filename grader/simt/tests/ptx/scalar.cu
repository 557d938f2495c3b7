// scalar.cu: arithmetic, bits, conversions, predicates, branches and special registers.
#include "common.h"

enum { SLOTS = 64 };

__device__ uint32_t select_larger(int a, int b) {
    uint32_t d;
    asm("{\n\t.reg .pred p;\n\t"
        "setp.gt.s32 p, %1, %2;  // a comment\n\t"
        "selp.b32 %0, %1, %2, p;\n}"
        : "=r"(d)
        : "r"(a), "r"(b));
    return d;
}

// Instructions with two results: in_range of a shuffle, p|q of setp, with and without a third predicate, d|p of match.all.
__device__ uint32_t two_results(uint32_t lane) {
    uint32_t from, ok, less, not_less, odd_less, odd_not_less, mask, same;
    asm volatile("{.reg .pred p; shfl.sync.up.b32 %0|p, %2, 3, 0, 0xffffffff; selp.u32 %1, 1, 0, p;}"
                 : "=r"(from), "=r"(ok)
                 : "r"(lane * 10));
    asm volatile("{.reg .pred p, q; setp.lt.u32 p|q, %2, 7; selp.u32 %0, 1, 0, p; selp.u32 %1, 1, 0, q;}"
                 : "=r"(less), "=r"(not_less)
                 : "r"(lane));
    asm volatile("{.reg .pred p, q, r; setp.ne.u32 r, %3, 0; setp.lt.and.u32 p|q, %2, 7, r;"
                 " selp.u32 %0, 1, 0, p; selp.u32 %1, 1, 0, q;}"
                 : "=r"(odd_less), "=r"(odd_not_less)
                 : "r"(lane), "r"(lane % 2));
    asm volatile("{.reg .pred p; match.all.sync.b32 %0|p, %2, 0xffffffff; selp.u32 %1, 1, 0, p;}"
                 : "=r"(mask), "=r"(same)
                 : "r"(lane / 64));
    return from | ok << 9 | less << 10 | not_less << 11 | odd_less << 12 | odd_not_less << 13 | same << 14 |
           (mask == ~0u) << 15;
}
__global__ void two_results_of_all_lanes(uint32_t *out) { out[threadIdx.x] = two_results(threadIdx.x); }

static void expect_two_results() {
    uint32_t *out, h[32];
    cudaMalloc(&out, sizeof h);
    two_results_of_all_lanes<<<1, 32>>>(out);
    cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost);
    for (uint32_t lane = 0; lane < 32; lane++) {
        const bool less = lane < 7, odd = lane % 2;
        expect("two results", h[lane],
               (lane < 3 ? lane : lane - 3) * 10 | (lane >= 3) << 9 | less << 10 | !less << 11 | (less && odd) << 12 |
                   (!less && odd) << 13 | 3 << 14);
    }
}

__device__ uint32_t count_down(uint32_t n) {  // a loop within one statement
    uint32_t steps;
    asm volatile("{ .reg .pred %%done; .reg .b32 left, n<2>;\n"
                 "mov.u32 left, %1; mov.u32 n1, 0;\n"
                 "again_%=:\n"
                 "setp.eq.u32 %%done, left, 0;\n"
                 "@%%done bra END_%=;\n"
                 "sub.u32 left, left, 1; add.u32 n1, n1, 2;\n"
                 "bra.uni again_%=;\n"
                 "END_%=:\n"
                 "mov.u32 %0, n1; }"
                 : "=r"(steps)
                 : "r"(n));
    return steps;
}

template <int N> __device__ int add_constant(int x) {
    asm("add.s32 %0, %0, %1;" : "+r"(x) : "n"(N));
    return x;
}

// Sums, differences and products of 128 bits, in words of 32, beside those of the compiler.
__global__ void words(uint32_t *wrong) {
    typedef unsigned __int128 wide;
    uint32_t seed = threadIdx.x + 1;
    for (int i = 0; i < 50; i++) {
        uint32_t a[4], b[4], s[4], d[4], p[4];
        for (int k = 0; k < 8; k++) {
            seed = seed * 1664525 + 1013904223;
            const uint32_t x = seed >> 30 == 0 ? 0u : seed >> 30 == 1 ? ~0u : seed ^ seed << 16;
            if (k < 4)
                a[k] = x;
            else
                b[k - 4] = x;
        }
        asm volatile("add.cc.u32 %0, %4, %8; addc.cc.u32 %1, %5, %9; addc.cc.u32 %2, %6, %10; addc.u32 %3, %7, %11;"
                     : "=&r"(s[0]), "=&r"(s[1]), "=&r"(s[2]), "=&r"(s[3])
                     : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]), "r"(b[2]), "r"(b[3]));
        asm volatile("sub.cc.u32 %0, %4, %8; subc.cc.u32 %1, %5, %9; subc.cc.u32 %2, %6, %10; subc.u32 %3, %7, %11;"
                     : "=&r"(d[0]), "=&r"(d[1]), "=&r"(d[2]), "=&r"(d[3])
                     : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]), "r"(b[2]), "r"(b[3]));
        asm volatile(
            "mul.lo.u32 %0, %4, %6; mul.hi.u32 %1, %4, %6; mad.lo.cc.u32 %1, %5, %6, %1; madc.hi.u32 %2, %5, %6, 0;\n"
            "mad.lo.cc.u32 %1, %4, %7, %1; madc.hi.cc.u32 %2, %4, %7, %2; addc.u32 %3, 0, 0;\n"
            "mad.lo.cc.u32 %2, %5, %7, %2; madc.hi.u32 %3, %5, %7, %3;"
            : "=&r"(p[0]), "=&r"(p[1]), "=&r"(p[2]), "=&r"(p[3])
            : "r"(a[0]), "r"(a[1]), "r"(b[0]), "r"(b[1]));
        const wide x = (wide)a[3] << 96 | (wide)a[2] << 64 | (wide)a[1] << 32 | a[0],
                   y = (wide)b[3] << 96 | (wide)b[2] << 64 | (wide)b[1] << 32 | b[0],
                   product = (wide)(uint64_t)x * (uint64_t)y;
        for (int k = 0; k < 4; k++)
            if (s[k] != (uint32_t)((x + y) >> 32 * k) || d[k] != (uint32_t)((x - y) >> 32 * k) ||
                p[k] != (uint32_t)(product >> 32 * k))
                atomicAdd(wrong, 1u);
    }
}

static void expect_words() {
    uint32_t *wrong, n = 1;
    cudaMalloc(&wrong, 4);
    cudaMemset(wrong, 0, 4);
    words<<<2, 64>>>(wrong);
    cudaMemcpy(&n, wrong, 4, cudaMemcpyDeviceToHost);
    expect("words of carry chains that are wrong", n, 0);
}

__global__ void run(uint32_t *u, float *f, uint64_t *l) {
    const uint32_t lane = threadIdx.x;
    uint32_t x, y;
    if (lane != 5) return;
    asm volatile("mov.u32 %0, %%laneid;" : "=r"(u[0]));
    u[1] = select_larger(-3, 7), u[2] = select_larger(9, -2);
    u[3] = count_down(21);
    u[4] = (uint32_t)add_constant<-12>(40);
    asm("prmt.b32 %0, %1, %2, 0x5410;" : "=r"(u[5]) : "r"(0x11112222u), "r"(0x33334444u));
    asm("lop3.b32 %0, %1, %2, %3, 0x96;" : "=r"(u[6]) : "r"(0xf0f0f0f0u), "r"(0xff00ff00u), "r"(0x12345678u));
    asm("bfe.u32 %0, %1, 8, 12;" : "=r"(u[7]) : "r"(0xabcdef01u));
    asm("bfe.s32 %0, %1, 8, 12;" : "=r"(u[8]) : "r"(0xabcdef01u));
    asm("bfi.b32 %0, %1, %2, 4, 8;" : "=r"(u[9]) : "r"(0xffu), "r"(0x12345678u));
    asm("shf.l.wrap.b32 %0, %1, %2, 8;" : "=r"(u[10]) : "r"(0x11223344u), "r"(0x55667788u));
    asm("mad.lo.s32 %0, %1, %2, %3;" : "=r"(u[11]) : "r"(-5), "r"(7), "r"(3));
    asm("mul.hi.u32 %0, %1, %2;" : "=r"(u[12]) : "r"(0xffffffffu), "r"(0x80000000u));
    asm("mul.wide.u32 %0, %1, %2;" : "=l"(l[0]) : "r"(0xffffffffu), "r"(0xfffffffeu));
    asm("mov.b64 {%0, %1}, %2;" : "=r"(x), "=r"(y) : "l"(0x0123456789abcdefull));
    u[13] = x, u[14] = y;
    asm("mov.b64 %0, {%1, %2};" : "=l"(l[1]) : "r"(7u), "r"(9u));
    asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(f[0]) : "f"(3.5f));
    asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(f[1]) : "f"(8.f));
    asm("fma.rn.f32 %0, %1, %2, 0f40000000;" : "=f"(f[2]) : "f"(3.f), "f"(5.f));
    asm("max.NaN.f32 %0, %1, %2;" : "=f"(f[3]) : "f"(3.f), "f"(5.f));
    asm("cvt.rna.tf32.f32 %0, %1;" : "=r"(u[15]) : "f"(1.00048828125f));
    asm("cvt.rn.f16x2.f32 %0, %1, %2;" : "=r"(u[16]) : "f"(1.5f), "f"(-2.f));
    asm("cvt.rn.bf16x2.f32 %0, %1, %2;" : "=r"(u[17]) : "f"(1.5f), "f"(-2.f));
    asm("cvt.rni.s32.f32 %0, %1;" : "=r"(u[18]) : "f"(-2.5f));
    asm("cvt.rzi.u32.f32 %0, %1;" : "=r"(u[19]) : "f"(3.99f));
    uint16_t h;
    asm("{.reg .b16 low, high; mov.b32 {low, high}, %1; mov.b16 %0, high;}" : "=h"(h) : "r"(u[16]));
    u[20] = h;
    asm("fma.rn.f16x2 %0, %1, %1, %1;" : "=r"(u[21]) : "r"(0x3c004000u));  // 1, 2
    asm("add.u32 %0, %1, 1; xor.b32 %0, %0, 255;" : "=&r"(x) : "r"(16));
    u[22] = x;
    asm("clz.b32 %0, %1;" : "=r"(u[23]) : "r"(0x00010000u));
    asm("mov.u32 %0, %%lanemask_lt;" : "=r"(u[24]));
    asm("mov.u32 %0, %%ntid.x;" : "=r"(u[25]));
    asm("{.reg .pred p, q; setp.lt.f32 p, %1, %2; setp.ge.and.s32 q, %3, 4, p; selp.u32 %0, 1, 0, q;}"
        : "=r"(u[26])
        : "f"(1.f), "f"(2.f), "r"(4));
}

int main() {
    uint32_t *du = device_array<uint32_t>(SLOTS), u[SLOTS];
    float *df = device_array<float>(SLOTS), f[SLOTS];
    uint64_t *dl = device_array<uint64_t>(SLOTS), l[SLOTS];
    run<<<1, 32>>>(du, df, dl);
    download(u, du, SLOTS), download(f, df, SLOTS), download(l, dl, SLOTS);
    const uint32_t wanted[] = {5,
                               7,
                               9,
                               42,
                               28,
                               0x44442222 /* prmt */,
                               0xf0f0f0f0 ^ 0xff00ff00 ^ 0x12345678,
                               0xdef,
                               0xfffffdef,
                               0x12345ff8,
                               0x66778811,
                               (uint32_t)-32,
                               0x7fffffff,
                               0x89abcdef,
                               0x01234567,
                               0x3f801000 + 0x1000,
                               0x3e00c000,
                               0x3fc0c000,
                               (uint32_t)-2,
                               3,
                               0x3e00,
                               0x40004600,
                               17 ^ 255,
                               15,
                               31,
                               32,
                               1};
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++) {
        char name[16];
        snprintf(name, sizeof name, "u[%zu]", i);
        expect(name, u[i], wanted[i]);
    }
    expect("ex2", f[0], std::exp2(3.5), 1e-5);
    expect("rcp", f[1], 0.125, 1e-7);
    expect("fma", f[2], 17);
    expect("max", f[3], 5);
    expect("mul.wide", (double)(l[0] >> 32), (double)(0xffffffffull * 0xfffffffeull >> 32));
    expect("mov.b64", l[1] == (9ull << 32 | 7), 1);
    expect_two_results();
    expect_words();
    return finish();
}
