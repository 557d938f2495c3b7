// plan.h: how rung 9's blocks are laid out, and what all their threads know.
#ifndef SPLIT_KEYS_PLAN_H
#define SPLIT_KEYS_PLAN_H

#include "../hopper.h"

// Bytes are of hi and lo together. PANELS: 64 dims each. STAGES: as many items as fit beside the queries.
// FEW: queries are few, so that both consumers have the same 64, and take the tiles in turn: two results to be joined.
template <int PANELS_, bool FEW_> struct plan {
    static constexpr bool FEW = FEW_;
    static constexpr int PANELS = PANELS_, DP = 64 * PANELS, CONSUMERS = 2, PRODUCERS = 2, THREADS = 512;
    static constexpr int PARTS = FEW ? 2 : 1, Br = 64 * CONSUMERS / PARTS, Bc = 128, Q_PANEL = 64 * 64 * 4,
                         ITEM = Bc * 64 * 4;
    static constexpr int HEAD = 2048, QUERIES = CONSUMERS * PANELS * Q_PANEL;   // HEAD: barriers, m and l
    static constexpr int STAGES = (227 * 1024 - HEAD - 1024 - QUERIES) / ITEM;  // 1024: room to align
    static constexpr int BYTES = HEAD + 1024 + QUERIES + STAGES * ITEM;
};

static constexpr float LOWEST = -1e30f;  // below every score, and finite: a row may see none of a block's keys

struct block {  // what all its threads know
    char *queries, *ring;
    uint64_t *full, *empty;
    const float *Q, *K, *V;  // of this block's head
    float *O;
    float2 *sums;                                      // m and l of a row
    int D, Sq, Sk, first_q, shift, first_tile, tiles;  // row r sees keys 0 .. r + shift, as far as there are
};

#endif
