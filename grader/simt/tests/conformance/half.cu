// half.cu: __half: conversions of all bit patterns and many floats, arithmetic, comparisons, functions, pairs.
#include "common.h"
#include <cuda_fp16.h>

typedef __half T;
typedef __half2 T2;

// A mixture of ordinary, tiny, huge and special values.
__device__ float sample(unsigned i) {
    unsigned x = i * 2654435761u;
    x ^= x >> 15;
    if (i % 4 == 0) return __uint_as_float(x);                                        // any bits
    if (i % 4 == 1) return __uint_as_float((x & 0x807fffffu) | (96 + x % 64) << 23);  // around 1, small
    return (float)(int)(x % 4000) / (1 + i % 64) - 20.0f;
}
__device__ unsigned short bits(T h) { return __half_as_ushort(h); }
__device__ T operand(unsigned i) { return __float2half_rn(sample(i)); }

// Is h the value, or one of its two neighbours?
__device__ unsigned short near(T h, float value) {
    int got = bits(h), want = bits(__float2half_rn(value));
    return value != value ? (float)h != (float)h : abs(got - want) <= 1;
}

__global__ void to_float(unsigned *out) {
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = __float_as_uint(__half2float(__ushort_as_half((unsigned short)i)));
    if ((out[i] & 0x7fffffffu) > 0x7f800000u) out[i] = 0x7fc00000u;  // any NaN
}
__global__ void from_float(unsigned short *out) {
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    float f = sample(i);
    out[i * 5 + 0] = bits(__float2half_rn(f)), out[i * 5 + 1] = bits(__float2half_rz(f)),
                out[i * 5 + 2] = bits(__float2half_rd(f));
    out[i * 5 + 3] = bits(__float2half_ru(f)), out[i * 5 + 4] = bits(__double2half((double)f * 1.0000001));
    for (int k = 0; k < 5; k++)
        if (f != f) out[i * 5 + k] = 0;
}
__global__ void arithmetic(unsigned short *out) {
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    T a = operand(i), b = operand(i + 77777), c = operand(i + 1234567);
    unsigned short *o = out + i * 12;
    o[0] = bits(__hadd_rn(a, b)), o[1] = bits(__hsub_rn(a, b)), o[2] = bits(__hmul_rn(a, b)),
    o[3] = near(__hdiv(a, b), (float)a / (float)b), o[4] = bits(__hfma(a, b, c));
    o[5] = bits(__hmax(a, b)), o[6] = bits(__hmin(a, b)), o[7] = bits(__hneg(a)), o[8] = bits(__habs(a)),
    o[9] = near(hsqrt(__habs(a)), sqrtf(fabsf((float)a)));
    o[10] = (unsigned short)(__heq(a, b) | __hne(a, b) << 1 | __hlt(a, b) << 2 | __hle(a, b) << 3 | __hgt(a, b) << 4 |
                             __hge(a, b) << 5 | __hltu(a, b) << 6 | __hisnan(a) << 7 | (__hisinf(a) != 0) << 8);
    o[11] = bits(__hadd_sat(a, b));
    for (int k = 0; k < 12; k++)
        if (k != 3 && k != 9 && k != 10 && (o[k] & 0x7fff) > 0x7c00) o[k] = 0x7fff;  // any NaN
}
__global__ void integers(long long *out) {
    unsigned i = threadIdx.x;
    T a = __float2half_rn((float)((int)i * 37 % 101 - 50) + 0.5f * (i % 4));
    long long *o = out + i * 12;
    o[0] = __half2int_rn(a), o[1] = __half2int_rz(a), o[2] = __half2int_rd(a), o[3] = __half2int_ru(a),
    o[4] = __half2short_rn(a), o[5] = __half2ll_rn(a);
    int v = (int)i * 1021 - 9999;
    o[6] = bits(__int2half_rn(v)), o[7] = bits(__int2half_rz(v)), o[8] = bits(__int2half_rd(v)),
    o[9] = bits(__int2half_ru(v));
    o[10] = bits(__ushort2half_rn((unsigned short)v)), o[11] = (int)a;
}
__global__ void pairs(float *results) {
    float out[24];
    T2 a = __floats2half2_rn(1.5f, -2.0f), b = __float2half2_rn(3.0f),
       c = __halves2half2(__low2half(a), __high2half(b));
    T2 f = __hfma2(a, b, c), s = a * b + c - b;
    float2 v = __half22float2(f);
    int k = 0;
    out[k++] = v.x, out[k++] = v.y, out[k++] = __low2float(s), out[k++] = __high2float(s);
    out[k++] = __low2float(__hadd2(a, b)), out[k++] = __high2float(__hmul2(a, b)),
    out[k++] = __low2float(__lowhigh2highlow(a)), out[k++] = __low2float(__hmax2(a, b));
    out[k++] = __hbgt2(b, a), out[k++] = __hbeq2(a, a), out[k++] = __low2float(__hlt2(a, b)),
    out[k++] = (float)__hgt2_mask(a, b);
    out[k++] = __low2float(__half2half2(__low2half(a))), out[k++] = __high2float(__lows2half2(a, b)),
    out[k++] = __high2float(__habs2(a)), out[k++] = __low2float(__h2div(b, a));
    T x = 2.5f, y = x;
    x += y, x *= y, y = -y, ++y;
    out[k++] = x, out[k++] = y, out[k++] = x > y, out[k++] = x == x, out[k++] = (float)(x / y);
    out[k++] = __half2float(__shfl_xor_sync(0xffffffffu, T((float)threadIdx.x), 1)),
    out[k++] = __high2float(__shfl_sync(0xffffffffu, a, 3));
    if (threadIdx.x == 0)
        for (int i = 0; i < k; i++) results[i] = out[i];
}
__global__ void functions(float *error) {
    float x = 0.1f + threadIdx.x * 0.07f, worst = 0;
    T a = __float2half_rn(x);
    x = __half2float(a);
    float got[] = {(float)hexp(a),   (float)hexp2(a), (float)hlog(a),  (float)hlog2(a),
                   (float)hrsqrt(a), (float)hrcp(a),  (float)hsin(a),  (float)hcos(a),
                   (float)hfloor(a), (float)hceil(a), (float)hrint(a), (float)htrunc(a)};
    float want[] = {expf(x), exp2f(x), logf(x),   log2f(x), rsqrtf(x), 1 / x,
                    sinf(x), cosf(x),  floorf(x), ceilf(x), rintf(x),  truncf(x)};
    for (int k = 0; k < 12; k++) worst = fmaxf(worst, fabsf(got[k] - want[k]) / fmaxf(1.0f, fabsf(want[k])));
    error[threadIdx.x] = worst;
}
__global__ void sums(T *out, T2 *out2) {
    atomicAdd(out + threadIdx.x % 2, __float2half_rn(0.5f));
    atomicAdd(out2, __floats2half2_rn(1.0f, -2.0f));
}

int main() {
    unsigned *f = device_array<unsigned>(65536);
    static unsigned hf[65536];
    to_float<<<256, 256>>>(f);
    download(hf, f, 65536);
    printf("all values to float: %016llx\n", hash_of(hf, sizeof hf));
    const int n = 1 << 16;
    unsigned short *s = device_array<unsigned short>(n * 12), *h = (unsigned short *)malloc(n * 12 * 2),
                   *column = (unsigned short *)malloc(n * 2);
    from_float<<<n / 256, 256>>>(s);
    download(h, s, n * 5);
    const char *modes[] = {"rn", "rz", "rd", "ru", "double"};
    for (int k = 0; k < 5; k++) {
        for (int i = 0; i < n; i++) column[i] = h[i * 5 + k];
        printf("from float, %s: %016llx\n", modes[k], hash_of(column, n * 2));
    }
    arithmetic<<<n / 256, 256>>>(s);
    download(h, s, n * 12);
    const char *names[] = {"add", "sub", "mul", "div", "fma", "max", "min", "neg", "abs", "sqrt", "compare", "add_sat"};
    for (int k = 0; k < 12; k++) {
        for (int i = 0; i < n; i++) column[i] = h[i * 12 + k];
        printf("%s: %016llx\n", names[k], hash_of(column, n * 2));
    }
    long long *l = device_array<long long>(64 * 12), hl[64 * 12];
    integers<<<1, 64>>>(l);
    download(hl, l, 64 * 12);
    printf("integers: %016llx; of thread 9:", hash_of(hl, sizeof hl));
    for (int k = 0; k < 12; k++) printf(" %lld", hl[9 * 12 + k]);
    float *o = device_array<float>(32), ho[32];
    pairs<<<1, 32>>>(o);
    download(ho, o, 23);
    printf("\npairs:");
    for (int k = 0; k < 21; k++) printf(" %g", ho[k]);
    printf(" and %g\n", ho[22]);
    functions<<<1, 32>>>(o);
    download(ho, o, 32);
    float worst = 0;
    for (float e : ho) worst = e > worst ? e : worst;
    printf("functions %s\n", worst < 0.0011f ? "ok" : "off");
    T *t = device_array<T>(2), ht[2];
    T2 *t2 = device_array<T2>(1), ht2;
    sums<<<2, 32>>>(t, t2);
    download(ht, t, 2), download(&ht2, t2, 1);
    printf("atomic sums: %g %g %g %g\n", __half2float(ht[0]), __half2float(ht[1]), __low2float(ht2), __high2float(ht2));
    printf("host: %g %g\n", __half2float(__float2half(0.1f)), (float)(T(1.0f) + T(2.0f)));
    return 0;
}
