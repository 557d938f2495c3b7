// plan.h: how rung 9's blocks are laid out, and what all their threads know.
#ifndef SPLIT_KEYS_PLAN_H
#define SPLIT_KEYS_PLAN_H

#include "../hopper.h"

// Bytes are of hi and lo together. PANELS: 64 dims each, of which the last may have LAST only, in a place as large.
// STAGES: as many items as fit beside queries and mail.
// SPLIT blocks share the keys. FEW: queries are few, so that both consumers have the same 64, and take tiles in turn.
template <int DP_, bool FEW_, int SPLIT_> struct plan {
    static constexpr bool FEW = FEW_;
    static constexpr int DP = DP_, PANELS = (DP + 63) / 64, LAST = DP - 64 * (PANELS - 1);
    static constexpr int SPLIT = SPLIT_, CONSUMERS = 2, PRODUCERS = 2, THREADS = 512;
    static constexpr int SHARERS = FEW ? 2 : 1, Br = 64 * CONSUMERS / SHARERS,
                         Bc = 128;  // consumers that share queries
    static constexpr int Q_PANEL = 64 * 64 * 4, ITEM = Bc * 64 * 4, QUERIES = CONSUMERS * PANELS * Q_PANEL;
    // Producers: LANES have LAST dims of a row; HIGH times STEP rows are a tile.
    static constexpr int LANES = LAST / 4, STEP = 128 * PRODUCERS / LANES, HIGH = Bc / STEP;
    // What is joined in the end: parts of a row; numbers of O that a lane joins, four at a time: SUMS may be more than
    // DP / 2, and the rest are zeros. m and l of the other parts are at HEAD.
    static constexpr int PARTS = SPLIT * SHARERS, N = (DP / 8 + PARTS - 1) / PARTS * 4, SUMS = N * PARTS;
    static constexpr int MAIL = (PARTS - 1) * 512;
    static constexpr int HEAD = 1024 + CONSUMERS * MAIL, FIXED = HEAD + 1024 + QUERIES;        // 1024: room to align
    static constexpr int STAGES = (227 * 1024 - FIXED) / ITEM, BYTES = FIXED + STAGES * ITEM;  // as many as fit
    static_assert(LAST == 16 || LAST == 32 || LAST == 64, "hopper.h has products of these many columns");
    static_assert((PARTS - 1) * N * 512 <= PANELS * Q_PANEL, "the others' O come where a consumer's queries stood");
    static_assert(STAGES >= 2 * PANELS, "a consumer multiplies by V, and the next K, before the other does");
};

static constexpr float LOWEST = -1e30f;  // below every score, and finite: a row may see none of a block's keys

struct block {  // what all its threads know
    char *queries, *ring;
    float4 *mail;
    uint64_t *full, *empty, *mailed;
    const float *Q, *K, *V;                                  // of this block's head
    float *O, scale;                                         // of scores, for exp2
    int D, Sq, Sk, first_q, shift, rank, first_tile, tiles;  // row r sees keys 0 .. r + shift, as far as there are
};

#endif
