// casts.cu: bit casts, and conversions in all rounding modes, with saturation.
#include "common.h"

const int count = 40;
__constant__ float floats[10] = {0.0f, -0.5f, 0.5f, 1.5f, 2.5f, -2.5f, 3e9f, -3e9f, 1e20f, -1e20f};

__global__ void from_float(long long *out) {
    float f = threadIdx.x < 10 ? floats[threadIdx.x]
                               : __int_as_float(threadIdx.x == 10   ? 0x40f00000
                                                : threadIdx.x == 11 ? 0x7f800000
                                                                    : 0x00000001);
    double d = (double)f * 1.25;
    long long *o = out + threadIdx.x * count;
    int n = 0;
    o[n++] = __float2int_rn(f), o[n++] = __float2int_rz(f), o[n++] = __float2int_rd(f), o[n++] = __float2int_ru(f);
    o[n++] = __float2uint_rn(f), o[n++] = __float2uint_rz(f), o[n++] = __float2uint_rd(f), o[n++] = __float2uint_ru(f);
    o[n++] = __float2ll_rn(f), o[n++] = __float2ll_rz(f), o[n++] = __float2ll_rd(f), o[n++] = __float2ll_ru(f);
    o[n++] = (long long)__float2ull_rn(f), o[n++] = (long long)__float2ull_rz(f);
    o[n++] = __double2int_rn(d), o[n++] = __double2int_rz(d), o[n++] = __double2int_rd(d), o[n++] = __double2int_ru(d);
    o[n++] = __double2uint_rn(d), o[n++] = __double2uint_rz(d), o[n++] = __double2ll_rn(d), o[n++] = __double2ll_rd(d);
    o[n++] = __float_as_int(__double2float_rn(d)), o[n++] = __float_as_int(__double2float_rz(d / 3)),
    o[n++] = __float_as_int(__double2float_rd(d / 3));
    o[n++] = __float_as_int(__double2float_ru(d / 3)), o[n++] = __double_as_longlong(d), o[n++] = __double2hiint(d),
    o[n++] = __double2loint(d / 3);
}
__global__ void from_integer(long long *out) {
    int i = 0x7fffff81 - (int)threadIdx.x * 0x0fedcba9;
    long long l = ((long long)i << 31) + 0x1234567;
    long long *o = out + threadIdx.x * count;
    int n = 0;
    o[n++] = __float_as_int(__int2float_rn(i)), o[n++] = __float_as_int(__int2float_rz(i)),
    o[n++] = __float_as_int(__int2float_rd(i)), o[n++] = __float_as_int(__int2float_ru(i));
    o[n++] = __float_as_int(__uint2float_rn((unsigned)i)), o[n++] = __float_as_int(__uint2float_rz((unsigned)i));
    o[n++] = __float_as_int(__ll2float_rn(l)), o[n++] = __float_as_int(__ll2float_rd(l)),
    o[n++] = __float_as_int(__ull2float_rn((unsigned long long)l));
    o[n++] = __double_as_longlong(__int2double_rn(i)), o[n++] = __double_as_longlong(__ll2double_rn(l)),
    o[n++] = __double_as_longlong(__ll2double_ru(l));
    o[n++] = __double_as_longlong(__hiloint2double(i, 5)),
    o[n++] = __float_as_uint(__uint_as_float((unsigned)i & 0x7f7fffff));
}

int main() {
    long long *out = device_array<long long>(16 * count), h[16 * count];
    from_float<<<1, 13>>>(out);
    download(h, out, 13 * count);
    for (int t = 0; t < 13; t++) {
        for (int k = 0; k < 29; k++) printf("%llx ", h[t * count + k]);
        printf("\n");
    }
    from_integer<<<1, 16>>>(out);
    download(h, out, 16 * count);
    for (int t = 0; t < 16; t++) {
        for (int k = 0; k < 14; k++) printf("%llx ", h[t * count + k]);
        printf("\n");
    }
    return 0;
}
