// finish.h: what is made of a product's sums: Q, K and V of the heads, or gelu, split, or sums of a part of the depth.
#ifndef SPLIT_ONCE_FINISH_H
#define SPLIT_ONCE_FINISH_H

#include "../hopper.h"

namespace split_once {

template <int BN_> struct tile {
    static constexpr int BN = BN_, BM = 128, BK = 32, CONSUMERS = 2, THREADS = 128 * (1 + CONSUMERS);
    static constexpr int X = 128 * BM, W = 128 * BN, PLACE = X + W;                            // bytes
    static constexpr int PLACES = (226 * 1024 - 1024) / PLACE, BYTES = 1024 + PLACES * PLACE;  // 1024: room to align
    // Cycles of a step: of the tensor cores, or of shared memory, 128 bytes each, whichever takes longer.
    static constexpr int PRODUCTS = 6 * BN, MOVES = 4 * BN + 320, CYCLES = PRODUCTS > MOVES ? PRODUCTS : MOVES;
    static constexpr int STRIDE = BN + 8;  // floats, of a row of sums: 4 rows of 4 pairs are in all 32 banks
};

enum what_for { HEADS, GELU, PARTS };

struct product {
    const char *X, *W;       // split: [rows][n_in], [n_out][n_in]
    const float *scale, *b;  // of each column: what its sums are to be multiplied with; bias
    int rows, n_in, n_out;
    int pairs, cols, parts;  // of tiles: pairs of rows', columns'; blocks that share the depth
    char *split;             // GELU: [rows][n_out]
    float *sums[4];          // PARTS: [rows][n_out] each
    float *Q, *K, *V;        // HEADS: Q [heads][rows][D]; K, V: the cache, [heads][max_seq][D]
    int *lengths, D, max_seq;
    unsigned by_D;  // 2^20 / D, rounded up: e / D is e by_D / 2^20
};

// x / (1 + exp(-2u)) is 0.5 x (1 + tanh u).
DEVICE float gelu_of(float x) {
    const float u = 0.7978845608f * (x + 0.044715f * x * x * x);
    return x * reciprocal(1 + exp2_approx(-2 * 1.44269504f * u));
}

// Where hi of column col stands, of row `row`; lo stands 64 bytes from there, forward or back.
DEVICE char *split_at(char *split, int rows, int row, int col) {
    return split + 128 * ((size_t)(col / 32) * rows + row) + (col % 32 * 2 ^ row % 8 * 16);
}
DEVICE char *lo_of(char *hi) { return (char *)((uintptr_t)hi ^ 64); }
DEVICE void store_split4(char *split, int rows, int row, int col, float4 x) {
    uint2 hi, lo;
    ::split(x.x, x.y, hi.x, lo.x), ::split(x.z, x.w, hi.y, lo.y);
    char *to = split_at(split, rows, row, col);
    *(uint2 *)to = hi, *(uint2 *)lo_of(to) = lo;
}
DEVICE float4 load4(const float *p) { return __ldg((const float4 *)p); }

// A warp's 16 rows go through shared memory, [16][STRIDE]: so each lane has neighbours, and a warp writes whole lines.
template <class T> DEVICE void lay_out(float *to, const float (&sum)[T::BN / 2]) {
    const int lane = threadIdx.x % 32;
    UNROLL for (int r = 0; r < 2; r++) UNROLL for (int j = 0; j < T::BN / 8; j++) *
        (float2 *)(to + (lane / 4 + 8 * r) * T::STRIDE + 8 * j + lane % 4 * 2) =
        make_float2(sum[4 * j + 2 * r], sum[4 * j + 2 * r + 1]);
    __syncwarp();  // all of the warp's sums stand before any lane reads others'
}

template <what_for USE> DEVICE void store(const product &p, int row, int col, int part, float4 x) {
    if (USE == PARTS) *(float4 *)(p.sums[part] + (size_t)row * p.n_out + col) = x;
    if (USE == GELU)
        store_split4(p.split, p.rows, row, col, make_float4(gelu_of(x.x), gelu_of(x.y), gelu_of(x.z), gelu_of(x.w)));
    if (USE != HEADS) return;
    const int E = p.n_out / 3, which = (col >= E) + (col >= 2 * E), e = col - which * E;
    const int head = e * p.by_D >> 20, seqs = which ? p.max_seq : p.rows;
    *(float4 *)((which == 0 ? p.Q : which == 1 ? p.K : p.V) + ((size_t)head * seqs + row) * p.D + e - head * p.D) = x;
}

// from: what lay_out has left, of rows `top` .. top + 15. All loads of a turn are on their way before its first store.
template <class T, what_for USE> DEVICE void finish(const product &p, const float *from, int top, int col0, int part) {
    constexpr int LANES = T::BN / 4, AHEAD = 6;
    static_assert(16 * LANES % (32 * AHEAD) == 0, "every turn is whole");
    for (int first = threadIdx.x % 32; first < 16 * LANES; first += 32 * AHEAD) {
        float4 x[AHEAD];
        UNROLL for (int a = 0; a < AHEAD; a++) {
            const int i = first + 32 * a, at = i % LANES * 4, col = min(col0 + at, p.n_out - 4);
            const float4 y = *(const float4 *)(from + i / LANES * T::STRIDE + at), s = load4(p.scale + col);
            const float4 b = USE == PARTS ? make_float4(0, 0, 0, 0) : load4(p.b + col);
            x[a] = make_float4(fmaf(y.x, s.x, b.x), fmaf(y.y, s.y, b.y), fmaf(y.z, s.z, b.z), fmaf(y.w, s.w, b.w));
        }
        UNROLL for (int a = 0; a < AHEAD; a++) {
            const int i = first + 32 * a, row = top + i / LANES, col = col0 + i % LANES * 4;
            if (row < p.rows && col < p.n_out) store<USE>(p, row, col, part, x[a]);
        }
    }
}

}  // namespace split_once
#endif
