// work.h: what the blocks of the one kernel know, and how the products of a step are dealt out among them.
#ifndef ONE_KERNEL_WORK_H
#define ONE_KERNEL_WORK_H

#include "../../run/fused.h"
#include "../13_fused_decode/part.h"
#include "../../model/layers.h"
#include "exchange.h"
#include "pack.h"
#include "ring.h"

enum { MOST_UNITS = 4, CLUSTER = 8 };  // units of a block in one product; blocks that share a head
// Of W_out, W_fc and W_proj: units for a block that does not attend. It has no keys and no part of W_qkv.
enum { IDLE_OUT = 4, IDLE_FC = 4, IDLE_PROJ = 1 };

// A model's sizes are constants: a block goes through code that it needs once a layer, so that each instruction counts.
template <int E_, int D_> struct sizes {
    static constexpr int E = E_, D = D_, H = E / D, KX = (E + 127) / 128, NV = D / 32, UNIT = 8 * E;
    static_assert(D % 32 == 0 && D <= 64 && E % D == 0, "a lane has dims 4 (t % 8) + 32 i of a head");
    static constexpr int SLICE = D / CLUSTER;                   // dims of a head that a block joins
    static constexpr int NEAR = 3 * D + CLUSTER * (SLICE + 2);  // words of a cluster's exchange: q k v, parts
    static constexpr size_t PLACES = 7 * E;                     // of a layer's exchange
};

// The units of 8 columns that a block has of a matrix.
struct deal {
    int first, apart, n;
};
// W_qkv goes to the blocks that attend, each cluster the columns of its head. They also have the keys; so the others have
// more of the next matrices. What is left goes to those that attend in turn; the next one begins where this one ended.
struct turns {
    int busy, idle, next;                    // blocks that attend, and others
    MEMBER deal take(int units, int each) {  // each: for the others
        const int given = min(units, each * idle), mine = (int)blockIdx.x - busy, rest = units - given;
        if (mine >= 0) return {mine, idle, max(0, given - mine + idle - 1) / idle};
        const int at = mine + busy - next, from = at < 0 ? at + busy : at;
        next = (next + rest) % busy;
        return {given + from, busy, max(0, rest - from + busy - 1) / busy};
    }
};
template <class M> DEVICE turns turns_of() { return {CLUSTER * M::H, (int)gridDim.x - CLUSTER * M::H, 0}; }

// What is exchanged, for each layer: the places of each kind.
struct exchange {
    word *o, *out, *hidden, *proj;
};
template <class M> DEVICE exchange exchange_of(const attn_step &s, int layer) {
    word *at = s.room + 64 + 2 * FUSED_BLOCKS + layer * M::PLACES;
    return {at, at + M::E, at + 2 * M::E, at + 6 * M::E};
}
DEVICE word *candidates(const attn_step &s) { return s.room + 64; }

// A block's keys: those of head `head` that its place in the cluster says; a chunk of the ring holds `room` keys and their
// values.
struct share {
    int head, rank, begin, end, room;
    bool any;
};
template <int H> DEVICE share share_of(int n) {
    const int head = blockIdx.x / CLUSTER, rank = blockIdx.x % CLUSTER;
    return {head, rank, n * rank / CLUSTER, n * (rank + 1) / CLUSTER, 4 * H, head < H};
}
template <class M> DEVICE deal deal_qkv(const share &mine) {  // a unit of its head's q, k and v each
    return {mine.head * (M::D / 8) + mine.rank, M::E / 8, mine.any && mine.rank < M::D / 8 ? 3 : 0};
}

// ---- The copying thread: all of a step, in order ---------------------------------------------------------------------
DEVICE void copy_matrix(ring &r, deal d, const float *packed, int parts) {
    for (int k = 0; k < d.n; k++)
        for (int part = 0; part < parts; part++, r.next())
            copy(r, begin(r, r.size), packed + (size_t)((d.first + k * d.apart) * parts + part) * r.size, r.size);
}

template <class M> DEVICE void copy_keys(ring &r, const attn_step &s, const share &mine, int layer) {
    const size_t head = ((size_t)layer * M::H + mine.head) * s.max_seq * M::D;
    for (int first = mine.begin; mine.any && first < mine.end; first += mine.room, r.next()) {
        const int floats = min(mine.room, mine.end - first) * M::D;
        float *to = begin(r, 2 * floats);
        copy(r, to, s.K + head + (size_t)first * M::D, floats);
        copy(r, to + mine.room * M::D, s.V + head + (size_t)first * M::D, floats);
    }
}

template <class M> DEVICE void copy_step(const attn_step &s, ring r, int n) {
    const int V = s.config.vocab_size;
    const share mine = share_of<M::H>(n);
    turns t = turns_of<M>();
    for (int layer = 0; layer < s.config.n_layer; layer++) {
        const packed_layer w = packed_at<M::E>(s, layer);
        copy_matrix(r, deal_qkv<M>(mine), w.qkv, 1);
        copy_keys<M>(r, s, mine, layer);
        copy_matrix(r, t.take(M::E / 8, IDLE_OUT), w.out, 1);
        copy_matrix(r, t.take(M::E / 2, IDLE_FC), w.fc, 1);
        copy_matrix(r, t.take(M::E / 8, IDLE_PROJ), w.proj, 4);
    }
    r.ahead = 2;  // nobody exchanges numbers by then
    for (int row = 8 * blockIdx.x; row < V;
         row += 8 * gridDim.x, r.next()) {  // of the logits' matrix: its rows are lines
        const int floats = min(8, V - row) * M::E;
        copy(r, begin(r, floats), s.weights.lm_head + (size_t)row * M::E, floats);
    }
}

#endif
