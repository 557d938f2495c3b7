// integer.cu: integer intrinsics on a table of awkward values.
#include "common.h"

__constant__ unsigned values[8] = {0, 1, 0x80000000u, 0xffffffffu, 0x12345678u, 0x00ff00ffu, 0x7fffffffu, 0xdeadbeefu};

__global__ void unary(unsigned long long *out) {
    unsigned x = values[threadIdx.x];
    unsigned long long y = (unsigned long long)x << 32 | values[(threadIdx.x + 3) % 8];
    unsigned long long *o = out + threadIdx.x * 12;
    o[0] = __popc(x), o[1] = __popcll(y), o[2] = __clz((int)x), o[3] = __clzll((long long)y), o[4] = __ffs((int)x),
    o[5] = __ffsll((long long)y);
    o[6] = __brev(x), o[7] = __brevll(y), o[8] = (unsigned)__mul24((int)x, 3), o[9] = __umul24(x, x);
    o[10] = (unsigned)max((int)x, -5), o[11] = umin(x, 77u);
}
__global__ void binary(unsigned long long *out) {
    unsigned i = threadIdx.x / 8, j = threadIdx.x % 8, a = values[i], b = values[j];
    unsigned long long la = (unsigned long long)a << 32 | b, lb = (unsigned long long)b << 32 | a;
    unsigned long long *o = out + threadIdx.x * 24;
    o[0] = (unsigned)__mulhi((int)a, (int)b), o[1] = __umulhi(a, b),
    o[2] = (unsigned long long)__mul64hi((long long)la, (long long)lb), o[3] = __umul64hi(la, lb);
    o[4] = __byte_perm(a, b, 0x3715), o[5] = __byte_perm(a, b, b & 0x7777), o[6] = __funnelshift_l(a, b, j * 5),
    o[7] = __funnelshift_r(a, b, j * 5);
    o[8] = __funnelshift_lc(a, b, 40), o[9] = __funnelshift_rc(a, b, 40), o[10] = __sad((int)a, (int)b, 7),
    o[11] = __usad(a, b, 7);
    o[12] = (unsigned)__hadd((int)a, (int)b), o[13] = (unsigned)__rhadd((int)a, (int)b), o[14] = __uhadd(a, b),
    o[15] = __urhadd(a, b);
    o[16] = (unsigned)__dp4a((int)a, (int)b, 100), o[17] = __dp4a(a, b, 100u), o[18] = __vadd4(a, b),
    o[19] = __vsub4(a, b);
    o[20] = __vadd2(a, b), o[21] = __vabsdiffu4(a, b), o[22] = (unsigned)__dp2a_lo((int)a, (int)b, 1),
    o[23] = (unsigned)__dp2a_hi((int)a, (int)b, 1);
}

// Dot products of vectors of bytes and of halves, against the same of their members.
__global__ void dots(int *wrong) {
    const unsigned a = values[threadIdx.x / 8], b = values[threadIdx.x % 8];
    const int s[] = {(signed char)a, (signed char)(a >> 8), (signed char)(a >> 16), (signed char)(a >> 24)};
    const int t[] = {(signed char)b, (signed char)(b >> 8), (signed char)(b >> 16), (signed char)(b >> 24)};
    const char4 x = make_char4(s[0], s[1], s[2], s[3]), y = make_char4(t[0], t[1], t[2], t[3]);
    const uchar4 u = make_uchar4(s[0], s[1], s[2], s[3]), v = make_uchar4(t[0], t[1], t[2], t[3]);
    const short2 h = make_short2(a, a >> 16);
    const ushort2 k = make_ushort2(a, a >> 16);
    int bad = __dp4a(x, y, 5) != 5 + s[0] * t[0] + s[1] * t[1] + s[2] * t[2] + s[3] * t[3];
    bad += __dp4a(u, v, 5u) != 5u + u.x * v.x + u.y * v.y + u.z * v.z + u.w * v.w;
    bad += __dp2a_lo(h, y, 5) != 5 + h.x * t[0] + h.y * t[1];
    bad += __dp2a_hi(h, y, 5) != 5 + h.x * t[2] + h.y * t[3];
    bad += __dp2a_lo(k, v, 5u) != 5u + k.x * v.x + k.y * v.y;
    bad += __dp2a_hi(k, v, 5u) != 5u + k.x * v.z + k.y * v.w;
    bad += __dp2a_hi(a, b, 5u) != __dp2a_hi(k, v, 5u);
    wrong[threadIdx.x] = bad;
}

int main() {
    unsigned long long *out = device_array<unsigned long long>(64 * 24), h[64 * 24];
    unary<<<1, 8>>>(out);
    download(h, out, 96);
    for (int t = 0; t < 8; t++) {
        for (int k = 0; k < 12; k++) printf("%llx ", h[t * 12 + k]);
        printf("\n");
    }
    binary<<<1, 64>>>(out);
    download(h, out, 64 * 24);
    for (int t : {10, 20, 35, 60}) {
        for (int k = 0; k < 24; k++) printf("%llx ", h[t * 24 + k]);
        printf("\n");
    }
    for (int k = 0; k < 24; k++) {
        unsigned long long column[64];
        for (int t = 0; t < 64; t++) column[t] = h[t * 24 + k];
        printf("column %d: %016llx\n", k, hash_of(column, sizeof column));
    }
    int *bad = device_array<int>(64), wrong[64], all = 0;
    dots<<<1, 64>>>(bad);
    download(wrong, bad, 64);
    for (int n : wrong) all += n;
    printf("dot products of vectors: %d wrong\n", all);
    return 0;
}
