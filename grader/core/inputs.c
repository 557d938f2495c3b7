// inputs.c: a keyed hash for seeds, a counter-based generator for elements.
#include "inputs.h"

#include <math.h>
#include <string.h>

static uint64_t rotl(uint64_t x, int n) { return x << n | x >> (64 - n); }

static void sip_round(uint64_t v[4]) {
    v[0] += v[1], v[2] += v[3], v[1] = rotl(v[1], 13), v[3] = rotl(v[3], 16);
    v[1] ^= v[0], v[3] ^= v[2], v[0] = rotl(v[0], 32);
    v[2] += v[1], v[0] += v[3], v[1] = rotl(v[1], 17), v[3] = rotl(v[3], 21);
    v[1] ^= v[2], v[3] ^= v[0], v[2] = rotl(v[2], 32);
}

static void sip_absorb(uint64_t v[4], uint64_t word) {
    v[3] ^= word;
    sip_round(v);
    sip_round(v);
    v[0] ^= word;
}

// SipHash-2-4 (Aumasson and Bernstein 2012) over 64-bit words; the key is the seed and a fixed second half.
uint64_t lab_key(uint64_t seed, const char *name, unsigned tensor, unsigned round) {
    const uint64_t k0 = seed, k1 = 0x6174746e2d6c6162;  // "attn-lab"
    uint64_t v[4] = {k0 ^ 0x736f6d6570736575, k1 ^ 0x646f72616e646f6d, k0 ^ 0x6c7967656e657261,
                     k1 ^ 0x7465646279746573};

    size_t length = strlen(name);
    for (size_t i = 0; i < length; i++) sip_absorb(v, (unsigned char)name[i]);
    sip_absorb(v, (uint64_t)tensor << 32 | round);
    sip_absorb(v, (uint64_t)(length + 1) << 56);
    v[2] ^= 0xff;
    for (int i = 0; i < 4; i++) sip_round(v);
    return v[0] ^ v[1] ^ v[2] ^ v[3];
}

// SplitMix64's output function (Steele, Lea and Flood 2014) applied to a counter.
uint64_t lab_bits(uint64_t key, uint64_t index) {
    uint64_t z = key + (index + 1) * 0x9e3779b97f4a7c15;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
    z = (z ^ z >> 27) * 0x94d049bb133111eb;
    return z ^ z >> 31;
}

// The sum of 12 uniform 16-bit numbers has mean 12 * 65535 / 2 and a standard deviation of 65536. Its distance to the
// mean is an integer below 2^19, so the division by 2^16 is exact.
static float normal(uint64_t key, uint64_t index) {
    int32_t sum = 0;
    for (int word = 0; word < 3; word++) {
        uint64_t bits = lab_bits(key, 3 * index + word);
        for (int i = 0; i < 4; i++) sum += (int32_t)(bits >> 16 * i & 0xffff);
    }
    return (float)(sum - 12 * 65535 / 2) / 65536.0f;
}

void lab_fill(float *x, size_t n, size_t row, lab_input_kind kind, uint64_t key) {
    const float scale = kind == LAB_LARGE ? 16.0f : kind == LAB_SCORES ? 4.0f : 1.0f;
    for (size_t i = 0; i < n; i++) x[i] = normal(key, i) * scale;
    for (size_t i = 0; kind == LAB_OFFSET && i < n; i++) x[i] += i / row % 2 ? -1000.0f : 1000.0f;
    for (size_t i = 0; kind == LAB_OFFSET && i < n; i++)  // a maximum that leaves out an end of the row
        if ((i / row % 8 == 6 && i % row == row - 1) || (i / row % 8 == 7 && i % row == 0)) x[i] += LAB_OFFSET_PEAK;
    for (size_t i = 0; kind == LAB_SCORES && i < n; i++) {
        const int begins_masked = row > 2 && i / row % 8 == 5;  // its third is finite
        if (begins_masked && i % row < 3 ? i % row < 2 : i % row && (lab_bits(~key, i) & 3) == 0) x[i] = -INFINITY;
    }
}

void lab_fill_far_below_0(float *x, size_t n, int query, uint64_t key) {
    for (size_t i = 0; i < n; i++) x[i] = normal(~key, i) + (query ? 6.0f : -6.0f);
}

// The sum of two uniform 16-bit numbers has mean 65535 and a standard deviation of 65536 / sqrt(6).
static float quick(uint32_t b) { return (float)((int32_t)((b & 0xffff) + (b >> 16)) - 65535) * LAB_QUICK_SCALE; }

void lab_fill_quick(float *x, size_t n, uint64_t key, uint64_t first) {
    size_t i = 0;
    if (first & 1 && n) x[i++] = quick((uint32_t)(lab_bits(key, first >> 1) >> 32));
    for (; i < n; i += 2) {
        const uint64_t b = lab_bits(key, (first + i) >> 1);
        x[i] = quick((uint32_t)b);
        if (i + 1 < n) x[i + 1] = quick((uint32_t)(b >> 32));
    }
}

float lab_fresh(uint64_t key, uint32_t seen, uint32_t set, int tensor, uint64_t j) {
    const uint64_t of_set = lab_bits(key, (uint64_t)seen << 32 | set);
    return quick((uint32_t)lab_bits(of_set + tensor, j));
}

uint64_t lab_digest(const float *x, size_t n, uint64_t key) {
    uint64_t sum = 0;
    for (size_t i = 0; i < n; i++) {
        uint32_t b;
        memcpy(&b, x + i, sizeof b);
        sum += lab_bits(key, (uint64_t)b << 32 | i);
    }
    return sum;
}
