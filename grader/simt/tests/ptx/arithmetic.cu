// arithmetic.cu: directed rounding and .sat, which change results; products of bytes and of 24 bits.
#include "common.h"

#define TWO(name, instruction)                                                                                         \
    __device__ float name(float a, float b) {                                                                          \
        float d;                                                                                                       \
        asm(instruction " %0, %1, %2;" : "=f"(d) : "f"(a), "f"(b));                                                    \
        return d;                                                                                                      \
    }
TWO(add_rz, "add.rz.f32")
TWO(add_sat, "add.sat.f32")
TWO(sub_rp, "sub.rp.f32")
TWO(mul_rp, "mul.rp.ftz.f32")
TWO(mul_rm_sat, "mul.rm.sat.f32")
TWO(div_rz, "div.rz.f32")

__global__ void floats(float *out) {
    *out++ = add_rz(1, 0x1.8p-24f);
    *out++ = add_sat(0.75f, 0.5f);
    *out++ = add_sat(-3, 1);
    *out++ = sub_rp(1, 0x1p-30f);
    *out++ = mul_rp(1.1f, 1.1f);
    *out++ = mul_rm_sat(1.1f, 1.1f);
    *out++ = div_rz(2, 3);
    float d;
    asm("fma.rn.sat.f32 %0, %1, %2, %3;" : "=f"(d) : "f"(0.75f), "f"(-1.f), "f"(1.f));
    *out++ = d;
    asm("rcp.rm.f32 %0, %1;" : "=f"(d) : "f"(3.f));
    *out++ = d;
    asm("sqrt.rp.f32 %0, %1;" : "=f"(d) : "f"(3.f));
    *out++ = d;
    uint32_t pair;
    asm("add.sat.f16x2 %0, %1, %2;" : "=r"(pair) : "r"(0x3c00c000), "r"(0x38003c00));  // (1, -2) + (0.5, 1)
    *out++ = (float)pair;
    double x;
    asm("add.rz.f64 %0, %1, %2;" : "=d"(x) : "d"(1.0), "d"(0x1.8p-53));
    *out++ = (float)((x - 1) * 0x1p52);
}

__global__ void integers(const int *a, const int *b, int *out) {
    int d, i = (int)threadIdx.x;
    asm("dp4a.s32.s32 %0, %1, %2, %3;" : "=r"(d) : "r"(a[i]), "r"(b[i]), "r"(i));
    out[4 * i] = d;
    asm("dp4a.u32.s32 %0, %1, %2, %3;" : "=r"(d) : "r"(a[i]), "r"(b[i]), "r"(i));
    out[4 * i + 1] = d;
    asm("mad24.lo.s32 %0, %1, %2, %3;" : "=r"(d) : "r"(a[i]), "r"(b[i]), "r"(i));
    out[4 * i + 2] = d;
    asm("sub.sat.s32 %0, %1, %2;" : "=r"(d) : "r"(a[i]), "r"(b[i]));
    out[4 * i + 3] = d;
}

static void expect_integers() {
    int a[32], b[32], h[128];
    for (int i = 0; i < 32; i++) a[i] = (int)(i * 0x91030587u), b[i] = (int)(i * 0x61ff02feu);
    int *out = device_array<int>(128);
    integers<<<1, 32>>>(device_array(32, a), device_array(32, b), out);
    download(h, out, 128);
    for (int i = 0; i < 32; i++) {
        int sum = i, mixed = i;
        for (int k = 0; k < 32; k += 8) {
            sum += (signed char)(a[i] >> k) * (signed char)(b[i] >> k);
            mixed += (unsigned char)(a[i] >> k) * (signed char)(b[i] >> k);
        }
        const long long low = (long long)(int)((unsigned)a[i] << 8) * (int)((unsigned)b[i] << 8) / 65536 + i;
        const long long rest = (long long)a[i] - b[i];
        expect("dp4a", h[4 * i], sum);
        expect("dp4a of mixed signs", h[4 * i + 1], mixed);
        expect("mad24.lo", h[4 * i + 2], (int)(unsigned)low);
        expect("sub.sat", h[4 * i + 3], rest > 0x7fffffff ? 0x7fffffff : rest < -0x80000000ll ? -0x80000000ll : rest);
    }
}

int main() {
    const float wanted[] = {
        1, 1, 0, 1, 0x1.35c292p+0f, 1, 0x1.555554p-1f, 0.25f, 0x1.555554p-2f, 0x1.bb67bp+0f, 0x3c000000, 0};
    float h[12], *out = device_array<float>(12);
    floats<<<1, 1>>>(out);
    download(h, out, 12);
    for (int i = 0; i < 12; i++) expect("rounding or .sat", h[i], wanted[i]);
    expect_integers();
    return finish();
}
