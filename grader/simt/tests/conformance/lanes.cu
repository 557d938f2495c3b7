// lanes.cu: two or four lanes in a word, DPX, and 8-bit floating point.
#include "common.h"
#include <cuda_fp8.h>

__constant__ unsigned values[8] = {0,           0x80ff7f01u, 0x01027fffu, 0xffffffffu,
                                   0x12345678u, 0x80008000u, 0x7f7f8080u, 0xdeadbeefu};

__global__ void lanes(unsigned *out) {
    unsigned a = values[threadIdx.x / 8], b = values[threadIdx.x % 8], *o = out + threadIdx.x * 40;
    o[0] = __vaddss2(a, b), o[1] = __vaddss4(a, b), o[2] = __vaddus2(a, b), o[3] = __vaddus4(a, b);
    o[4] = __vsubss2(a, b), o[5] = __vsubss4(a, b), o[6] = __vsubus2(a, b), o[7] = __vsubus4(a, b);
    o[8] = __vavgs2(a, b), o[9] = __vavgu4(a, b), o[10] = __vhaddu2(a, b), o[11] = __vhaddu4(a, b);
    o[12] = __vabsdiffs2(a, b), o[13] = __vabsdiffu4(a, b), o[14] = __vmaxs2(a, b), o[15] = __vmaxu4(a, b);
    o[16] = __vmins4(a, b), o[17] = __vminu2(a, b), o[18] = __vcmpeq4(a, b), o[19] = __vcmpgts2(a, b);
    o[20] = __vcmpgtu4(a, b), o[21] = __vcmples4(a, b), o[22] = __vsetgeu2(a, b), o[23] = __vsetlts4(a, b);
    o[24] = __vabs2(a), o[25] = __vabs4(a), o[26] = __vabsss4(a), o[27] = __vneg2(a), o[28] = __vnegss4(a);
    o[29] = __vsads2(a, b), o[30] = __vsadu4(a, b), o[31] = __vsads4(a, b), o[32] = __vsadu2(a, b);
    o[33] = (unsigned)__vimax3_s32((int)a, (int)b, -7), o[34] = __vimin3_u32(a, b, 99u),
    o[35] = __viaddmax_s16x2_relu(a, b, a);
    o[36] = __viaddmin_u16x2(a, b, b), o[37] = (unsigned)__vimax_s32_relu((int)a, (int)b);
    bool high, low;
    o[38] = __vibmax_s16x2(a, b, &high, &low);
    o[39] = high * 2 + low;
}

__global__ void small_floats(unsigned *out) {
    const float x[8] = {0.f, -0.f, 3.3f, -1000.f, 0.0021f, 448.f, 463.f, 1e-9f};
    float v = x[threadIdx.x];
    unsigned *o = out + threadIdx.x * 8;
    __nv_fp8_e4m3 a(v);
    __nv_fp8_e5m2 b(v);
    o[0] = a.__x, o[1] = b.__x, o[2] = __float_as_uint((float)a), o[3] = __float_as_uint((float)b);
    o[4] = __nv_cvt_float_to_fp8(v * 1000, __NV_NOSAT, __NV_E4M3),
    o[5] = __nv_cvt_float_to_fp8(v * 1000, __NV_NOSAT, __NV_E5M2);
    o[6] = __nv_cvt_fp8_to_halfraw(a.__x, __NV_E4M3).x, o[7] = __nv_fp8x4_e4m3(make_float4(v, -v, 2 * v, 1)).__x;
}

static void show(const char *name, const unsigned *h, int rows, int columns) {
    printf("%s\n", name);
    for (int i = 0; i < rows * columns; i++) printf("%x%c", h[i], i % columns == columns - 1 ? '\n' : ' ');
}

int main() {
    unsigned *out = device_array<unsigned>(64 * 40), h[64 * 40];
    lanes<<<1, 64>>>(out);
    download(h, out, 64 * 40);
    show("lanes", h, 64, 40);
    small_floats<<<1, 8>>>(out);
    download(h, out, 64);
    show("8-bit floats", h, 8, 8);
}
