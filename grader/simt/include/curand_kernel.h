// curand_kernel.h: random numbers in kernels, by Philox 4x32-10 (Salmon et al., SC 2011). A state of Philox gives cuRAND's
// integers and uniform numbers, and its normal ones up to the last places. XORWOW (curandState) and MRG32k3a are other
// generators in cuRAND: here their states are Philox's, too, and their numbers not cuRAND's.
#ifndef SIMT_CURAND_KERNEL_H
#define SIMT_CURAND_KERNEL_H

#include "cuda_runtime.h"

struct curandStatePhilox4_32_10 {
    uint4 counter, output;
    uint2 key;
    int taken;                   // of the four numbers in output
    int has_normal, has_double;  // the second one of a pair
    float normal;
    double normal_double;
};
struct curandStateXORWOW : curandStatePhilox4_32_10 {};
struct curandStateMRG32k3a : curandStatePhilox4_32_10 {};
typedef curandStatePhilox4_32_10 curandStatePhilox4_32_10_t;
typedef curandStateXORWOW curandStateXORWOW_t, curandState_t, curandState;
typedef curandStateMRG32k3a curandStateMRG32k3a_t;

namespace simt {

SIMT_INLINE uint4 philox(uint4 c, uint2 key) {
    for (int round = 0; round < 10; round++) {
        uint64_t a = (uint64_t)c.x * 0xD2511F53u, b = (uint64_t)c.z * 0xCD9E8D57u;
        c = {(unsigned)(b >> 32) ^ c.y ^ key.x, (unsigned)b, (unsigned)(a >> 32) ^ c.w ^ key.y, (unsigned)a};
        key.x += 0x9E3779B9u, key.y += 0xBB67AE85u;
    }
    return c;
}

// x in (0, 1]: 0 has no logarithm.
SIMT_INLINE float uniform(unsigned x) { return (float)x * 0x1p-32f + 0x1p-33f; }
SIMT_INLINE double uniform(unsigned x, unsigned y) { return (double)(x ^ (uint64_t)y << 21) * 0x1p-53 + 0x1p-54; }

}  // namespace simt

// Steps the state by n numbers.
SIMT_INLINE void skipahead(unsigned long long n, curandStatePhilox4_32_10 *s) {
    n += (unsigned)s->taken;
    uint64_t low = (s->counter.x | (uint64_t)s->counter.y << 32), sum = low + n / 4;
    if (sum < low && ++s->counter.z == 0) s->counter.w++;
    s->counter.x = (unsigned)sum, s->counter.y = (unsigned)(sum >> 32);
    s->taken = (int)(n % 4);
    s->output = simt::philox(s->counter, s->key);
}

SIMT_INLINE void curand_init(unsigned long long seed, unsigned long long sequence, unsigned long long offset,
                             curandStatePhilox4_32_10 *s) {
    s->key = {(unsigned)seed, (unsigned)(seed >> 32)};
    s->counter = {0, 0, (unsigned)sequence, (unsigned)(sequence >> 32)};
    s->taken = 0, s->has_normal = s->has_double = 0, s->normal = 0, s->normal_double = 0;
    skipahead(offset, s);
}

SIMT_INLINE unsigned curand(curandStatePhilox4_32_10 *s) {
    const uint4 &o = s->output;
    unsigned x = s->taken == 0 ? o.x : s->taken == 1 ? o.y : s->taken == 2 ? o.z : o.w;
    if (++s->taken == 4) skipahead(0, s);
    return x;
}
SIMT_INLINE float curand_uniform(curandStatePhilox4_32_10 *s) { return simt::uniform(curand(s)); }
SIMT_INLINE double curand_uniform_double(curandStatePhilox4_32_10 *s) { return curand(s) * 0x1p-32 + 0x1p-32; }

// Box and Muller: two numbers of the circle give two of the bell.
SIMT_INLINE float2 curand_normal2(curandStatePhilox4_32_10 *s) {
    float u = curand_uniform(s), v = curand_uniform(s), r = sqrtf(-2 * logf(u));
    return {r * sinf(6.2831853f * v), r * cosf(6.2831853f * v)};
}
SIMT_INLINE double2 curand_normal2_double(curandStatePhilox4_32_10 *s) {
    unsigned a = curand(s), b = curand(s), c = curand(s), d = curand(s);
    double r = sqrt(-2 * log(simt::uniform(a, b))), v = 6.283185307179586 * simt::uniform(c, d);
    return {r * sin(v), r * cos(v)};
}
SIMT_INLINE float curand_normal(curandStatePhilox4_32_10 *s) {
    s->has_normal = !s->has_normal;
    if (!s->has_normal) return s->normal;
    float2 pair = curand_normal2(s);
    s->normal = pair.y;
    return pair.x;
}
SIMT_INLINE double curand_normal_double(curandStatePhilox4_32_10 *s) {
    s->has_double = !s->has_double;
    if (!s->has_double) return s->normal_double;
    double2 pair = curand_normal2_double(s);
    s->normal_double = pair.y;
    return pair.x;
}
SIMT_INLINE float curand_log_normal(curandStatePhilox4_32_10 *s, float mean, float deviation) {
    return expf(mean + deviation * curand_normal(s));
}

// Four at a time, as Philox makes them.
SIMT_INLINE uint4 curand4(curandStatePhilox4_32_10 *s) {
    unsigned a = curand(s), b = curand(s), c = curand(s);
    return {a, b, c, curand(s)};
}
SIMT_INLINE float4 curand_uniform4(curandStatePhilox4_32_10 *s) {
    uint4 x = curand4(s);
    return {simt::uniform(x.x), simt::uniform(x.y), simt::uniform(x.z), simt::uniform(x.w)};
}
SIMT_INLINE float4 curand_normal4(curandStatePhilox4_32_10 *s) {
    float2 a = curand_normal2(s), b = curand_normal2(s);
    return {a.x, a.y, b.x, b.y};
}

#include "curand.h"  // as NVIDIA's does

#endif
