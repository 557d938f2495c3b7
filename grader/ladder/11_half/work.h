// work.h: what a block of rung 11 does next, and where things lie in its shared memory.
#ifndef WORK_H
#define WORK_H

#include "tma.h"

enum { Bc = 128, STAGES = 2, CALLS = 64 };

template <class H_, int PANELS_, int CONSUMERS_> struct plan {  // PANELS: 64 dims each
    typedef H_ H;
    static constexpr int PANELS = PANELS_, CONSUMERS = CONSUMERS_, THREADS = 128 * (CONSUMERS + 1);
    static constexpr int Br = 64 * CONSUMERS, DP = 64 * PANELS, KV_PANEL = Bc * 128, KV = PANELS * KV_PANEL;
    static constexpr int Q_PANEL = 64 * 128, Q = PANELS * Q_PANEL, HEAD = 1024;  // HEAD: barriers, and room to align
    static constexpr int BYTES = 2 * HEAD + 2 * CONSUMERS * Q + 2 * STAGES * KV;
    static constexpr bool Q_IN_REGISTERS = CONSUMERS == 2;  // three consumers have none to spare
    static constexpr bool TURNS = CONSUMERS == 3;           // two do as well without
    static constexpr int PRODUCER_REGISTERS = CONSUMERS == 2 ? 40 : 32, REGISTERS = CONSUMERS == 2 ? 232 : 160;
};
struct maps {
    CUtensorMap q, k, v, o;
};
struct problem {
    int Sk, shift, blocks, heads, group, items;  // row r sees keys 0 .. r + shift; blocks of Br queries a head
    int end;                                     // of the queries, as a multiple of 64: a consumer's
    float scale;
    unsigned *next;
};
struct item {
    int head, first_q, tiles;
};
struct places {  // in shared memory. [2][CONSUMERS] of Q; [STAGES] of K and of V
    uint64_t *q_full, *q_empty, *k_full, *k_empty, *v_full, *v_empty;
    int *numbers;  // of items, for the consumers; 4, as the producer is never further ahead
    char *q, *k, *v;
};
struct ring {
    int slot = 0, parity = 0;
    __device__ __forceinline__ void next() {
        if (++slot == STAGES) slot = 0, parity ^= 1;
    }
};

// Tiles of keys that rows before `end` see.
DEVICE int tiles_before(const problem &p, int end) { return end > 0 ? (min(p.Sk, end + p.shift) + Bc - 1) / Bc : 0; }

// Causal items take unlike time: the longest first, of a group of heads whose K and V stay in L2 together. Blocks of
// queries end where the queries do: if consumers of one have none, it is that of the first queries, which see the fewest
// keys. (They lie before row 0, where the copy engine reads zeros. It may not write there.)
template <class T> DEVICE item item_of(const problem &p, int number) {
    const int group = number / (p.group * p.blocks), i = number - group * p.group * p.blocks;
    const int heads = min(p.group, p.heads - group * p.group), end = p.end - i / heads * T::Br;
    return {group * p.group + i % heads, end - T::Br, tiles_before(p, end)};
}

// Each block asks once in vain: the count is back at 0 when all have.
static __device__ unsigned next_items[CALLS];

// Some rows do not see all of the tile that begins at key k0. first: the consumer's first row.
DEVICE void mask(float (&s)[64], const problem &p, int first, int k0) {
    if (k0 + Bc <= p.Sk && k0 + Bc - 1 <= first + p.shift) return;
    const int t = threadIdx.x % 128, row = first + t / 32 * 16 + t % 32 / 4;
    UNROLL for (int i = 0; i < 64; i++) {
        const int key = k0 + i / 4 * 8 + t % 4 * 2 + i % 2;
        if (key >= p.Sk || key > row + i % 4 / 2 * 8 + p.shift) s[i] = -INFINITY;
    }
}

#endif
