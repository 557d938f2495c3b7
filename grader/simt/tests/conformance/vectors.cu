// vectors.cu: sizes and alignments of the vector types, construction, wide loads and stores.
#include "common.h"

#define SHOW(T) printf(#T " %d %d\n", (int)sizeof(T), (int)alignof(T))

__global__ void copy4(const float *in, float *out) {
    reinterpret_cast<float4 *>(out)[threadIdx.x] = reinterpret_cast<const float4 *>(in)[threadIdx.x];
}
__global__ void swizzle(const int4 *in, int4 *out, const double2 *din, double2 *dout) {
    int4 v = in[threadIdx.x];
    out[threadIdx.x] = make_int4(v.w, v.z, v.y, v.x);
    double2 d = __ldg(&din[threadIdx.x]);
    d.x += d.y;
    dout[threadIdx.x] = d;
}
__global__ void small(uchar4 *c, short2 *s, float3 *f, char3 *b) {
    c[threadIdx.x] = make_uchar4(threadIdx.x, threadIdx.x + 1, 254, 255);
    s[threadIdx.x] = make_short2(-(int)threadIdx.x, 7);
    f[threadIdx.x] = make_float3(threadIdx.x, 0.5f, -1.0f);
    b[threadIdx.x] = make_char3(threadIdx.x, -1, -2);
}

int main() {
    SHOW(char1);
    SHOW(char2);
    SHOW(char3);
    SHOW(char4);
    SHOW(uchar2);
    SHOW(uchar4);
    SHOW(short2);
    SHOW(short3);
    SHOW(short4);
    SHOW(ushort4);
    SHOW(int1);
    SHOW(int2);
    SHOW(int3);
    SHOW(int4);
    SHOW(uint2);
    SHOW(uint3);
    SHOW(uint4);
    SHOW(float1);
    SHOW(float2);
    SHOW(float3);
    SHOW(float4);
    SHOW(long2);
    SHOW(longlong2);
    SHOW(ulonglong2);
    SHOW(double1);
    SHOW(double2);
    SHOW(double3);
    SHOW(dim3);

    float h[128], g[128] = {0};
    for (int i = 0; i < 128; i++) h[i] = (float)i * 0.25f;
    float *in = upload(h, 128), *out = device_array<float>(128);
    copy4<<<1, 32>>>(in, out);
    download(g, out, 128);
    printf("float4 copy: %s\n", memcmp(g, h, sizeof g) ? "differs" : "same");

    int4 a[4], b[4];
    double2 d[4], e[4];
    for (int i = 0; i < 4; i++) a[i] = make_int4(i, 10 * i, 100 * i, 1000 * i), d[i] = make_double2(i, 0.125);
    int4 *db = device_array<int4>(4);
    double2 *de = device_array<double2>(4);
    swizzle<<<1, 4>>>(upload(a, 4), db, upload(d, 4), de);
    download(b, db, 4);
    download(e, de, 4);
    printf("int4 %d %d %d %d, double2 %g %g\n", b[3].x, b[3].y, b[3].z, b[3].w, e[3].x, e[3].y);

    uchar4 *c = device_array<uchar4>(4), hc[4];
    short2 *s = device_array<short2>(4), hs[4];
    float3 *f = device_array<float3>(4), hf[4];
    char3 *t = device_array<char3>(4), ht[4];
    small<<<1, 4>>>(c, s, f, t);
    download(hc, c, 4), download(hs, s, 4), download(hf, f, 4), download(ht, t, 4);
    printf("uchar4 %d %d %d %d short2 %d %d float3 %g %g %g char3 %d %d %d\n", hc[2].x, hc[2].y, hc[2].z, hc[2].w,
           hs[3].x, hs[3].y, hf[1].x, hf[1].y, hf[1].z, ht[3].x, ht[3].y, ht[3].z);
    float4 zero = {}, some = {1.0f, 2.0f}, v = make_float4(1, 2, 3, 4), w = v;
    w.y = some.y + zero.w;
    printf("host: %g %g %g %g\n", w.x, w.y, w.z, w.w);
    dim3 x(3), y = dim3(4, 5);
    printf("dim3 %u %u %u, %u %u %u\n", x.x, x.y, x.z, y.x, y.y, y.z);
    return 0;
}
