// plan.h: how rung 9's blocks are laid out, and what all their threads know.
#ifndef SPLIT_KEYS_PLAN_H
#define SPLIT_KEYS_PLAN_H

#include "../hopper.h"

// Bytes are of hi and lo together. PANELS: 64 dims each, of which the last may have LAST only, in a place as large.
// STAGES: as many items as fit beside the queries. SHARED: blocks of a cluster have the same queries. FEW: so do both
// consumers of a block, who take tiles in turn. How many blocks, is said at launch (struct sharing): a kernel for each
// number would be seven for each DP in place of three, with the same loops. Unless it is HALVINGS.
enum { AT_LAUNCH = -1 };
template <int DP_, bool SHARED_, bool FEW_, int HALVINGS_ = AT_LAUNCH> struct plan {
    static constexpr bool SHARED = SHARED_, FEW = FEW_;
    static constexpr int HALVINGS = SHARED ? HALVINGS_ : 0;
    static constexpr int DP = DP_, PANELS = (DP + 63) / 64, LAST = DP - 64 * (PANELS - 1), SUMS = DP / 2;
    static constexpr int CONSUMERS = 2, PRODUCERS = 2, THREADS = 512, Bc = 128;
    static constexpr int Q_PANEL = 64 * 64 * 4, ITEM = Bc * 64 * 4, QUERIES = CONSUMERS * PANELS * Q_PANEL;
    // Producers: LANES have CHUNK dims of a row; HIGH times STEP rows are a tile.
    static constexpr int CHUNK = LAST == 48 ? 16 : LAST, LANES = CHUNK / 4, STEP = 128 * PRODUCERS / LANES;
    static constexpr int HIGH = Bc / STEP;
    static constexpr int HEAD = 1024, FIXED = HEAD + 1024 + QUERIES;                           // 1024: room to align
    static constexpr int STAGES = (227 * 1024 - FIXED) / ITEM, BYTES = FIXED + STAGES * ITEM;  // as many as fit
    static_assert(LAST % 16 == 0, "hopper.h has products of 16, 32, 48 and 64 columns");
    // A consumer multiplies by V, and the next K, before the other does. And where consumers take tiles in turn, the
    // second one's first K is in the first round of places: asked for the second, a barrier without any says yes.
    static_assert(STAGES > 2 * PANELS, "more than a tile");
};

// 2^halvings blocks share the keys. So a row has 2^(halvings + few) parts, each by another warpgroup. All are powers of
// two: no division at run time.
struct sharing {
    int halvings, few;
    __host__ __device__ int doublings() const { return halvings + few; }  // of parts
    __host__ __device__ int in_blocks(int rows) const { return (rows + (128 >> few) - 1) >> (7 - few); }
    int groups(const attn_shape &s) const { return s.batch * s.heads * in_blocks(s.seq_q); }  // of the same queries
    int blocks(const attn_shape &s) const { return groups(s) << halvings; }
};

// What is joined in the end: numbers of O that a lane joins, four at a time: all parts' together may be more than a row
// has, and the rest are zeros.
template <class T> __host__ __device__ constexpr int share(int doublings) {
    return ((T::DP / 8 + (1 << doublings) - 1) >> doublings) * 4;
}

static constexpr float LOWEST = -1e30f;  // below every score, and finite: a row may see none of a block's keys

struct block {  // what all its threads know
    char *queries, *ring;
    uint64_t *full, *empty, *mailed;
    const float *Q, *K, *V;  // of this block's head
    float *O, scale;         // of scores, for exp2
    sharing by;
    int D, Sq, Sk, first_q, shift;        // row r sees keys 0 .. r + shift, as far as there are
    int rank, of_all, first_tile, tiles;  // of all tiles that its queries see, this block has some
};
// The first of the tiles that block `rank` of a cluster has, of of_all.
DEVICE int first_tile(const block &b, int rank) { return b.of_all * rank >> b.by.halvings; }

struct call {
    float *O;
    const float *Q, *K, *V;
    attn_shape shape;
    cudaStream_t stream;
};

// How the host says all this.
template <class T> struct launch_of {
    cudaLaunchConfig_t config = {};
    cudaLaunchAttribute with[2] = {overlap()};
    launch_of(const attn_shape &s, sharing by, cudaStream_t stream) {
        with[1].id = cudaLaunchAttributeClusterDimension, with[1].val.clusterDim = {1u << by.halvings, 1, 1};
        config.gridDim = dim3(by.blocks(s)), config.blockDim = dim3(T::THREADS), config.dynamicSmemBytes = T::BYTES;
        config.stream = stream, config.attrs = with, config.numAttrs = 1 + (by.halvings > 0);
    }
};

#endif
