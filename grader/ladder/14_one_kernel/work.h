// work.h: what the blocks of the one kernel know, and how the products of a step are dealt out among them.
#ifndef ONE_KERNEL_WORK_H
#define ONE_KERNEL_WORK_H

#include "../../run/fused.h"
#include "../13_fused_decode/part.h"
#include "../../model/layers.h"
#include "exchange.h"
#include "pack.h"
#include "ring.h"

enum { MOST_UNITS = 4, MOST_PARTS = 16 };  // of a block in one product; of a head

// A model's sizes are constants: a block goes through code that it needs once a layer, so that each instruction counts.
template <int E_, int D_> struct sizes {
    static constexpr int E = E_, D = D_, H = E / D, KX = (E + 127) / 128, NV = D / 32, UNIT = 8 * E;
    static_assert(D % 32 == 0 && D <= 64 && E % D == 0, "a lane has dims 4 (t % 8) + 32 i of a head");
    static constexpr size_t PLACES = 10 * E + (FUSED_BLOCKS + H) * (D + 2);  // of a layer's exchange
};

// A matrix is dealt out in units of 8 columns, to the blocks in turn; the next one begins where this one ended.
struct turns {
    int blocks, next;
    MEMBER int take(int units) {  // this block's first unit; the others are `blocks` apart
        const int first = (int)blockIdx.x - next;
        next += units % blocks;
        if (next >= blocks) next -= blocks;
        return first < 0 ? first + blocks : first;
    }
};

// What is exchanged, for each layer: the places of each kind.
struct exchange {
    word *qkv, *o, *out, *hidden, *proj, *parts;
};
template <class M> DEVICE exchange exchange_of(const attn_step &s, int layer) {
    word *at = s.room + 64 + 2 * FUSED_BLOCKS + layer * M::PLACES;
    return {at, at + 3 * M::E, at + 4 * M::E, at + 5 * M::E, at + 9 * M::E, at + 10 * M::E};
}
DEVICE word *candidates(const attn_step &s) { return s.room + 64; }

// A block's keys: part `part` of head `head`; a chunk of the ring holds `room` keys and their values.
struct share {
    int head, part, parts, begin, end, room;
    bool any;
};
template <int H> DEVICE share share_of(int n) {
    const int parts = min((int)gridDim.x / H, (int)MOST_PARTS);
    const int head = blockIdx.x / parts, part = blockIdx.x % parts;
    return {head, part, parts, n * part / parts, n * (part + 1) / parts, 4 * H, head < H};
}

// ---- The copying thread: all of a step, in order ---------------------------------------------------------------------
DEVICE void copy_matrix(ring &r, turns &t, const float *packed, int units, int parts) {
    for (int unit = t.take(units); unit < units; unit += t.blocks)
        for (int part = 0; part < parts; part++, r.next())
            copy(r, begin(r, r.size), packed + (size_t)(unit * parts + part) * r.size, r.size);
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
    turns t = {(int)gridDim.x, 0};
    for (int layer = 0; layer < s.config.n_layer; layer++) {
        const packed_layer w = packed_at<M::E>(s, layer);
        copy_matrix(r, t, w.qkv, 3 * M::E / 8, 1);
        copy_keys<M>(r, s, mine, layer);
        copy_matrix(r, t, w.out, M::E / 8, 1);
        copy_matrix(r, t, w.fc, M::E / 2, 1);
        copy_matrix(r, t, w.proj, M::E / 8, 4);
    }
    for (int row = 8 * blockIdx.x; row < V;
         row += 8 * gridDim.x, r.next()) {  // of the logits' matrix: its rows are lines
        const int floats = min(8, V - row) * M::E;
        copy(r, begin(r, floats), s.weights.lm_head + (size_t)row * M::E, floats);
    }
}

#endif
