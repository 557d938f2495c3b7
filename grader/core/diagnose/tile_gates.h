// tile_gates.h: masks in tiles of Br x Bc that look at some tiles alone.
#ifndef LAB_TILE_GATES_H
#define LAB_TILE_GATES_H

#include <stddef.h>

#include "shape.h"

typedef struct {
    int i0, j0, nq, nk;  // a tile
    int Br, Bc, Sq, Sk;
} lab_tile;

lab_tile lab_tile_of(attn_shape s, int Br, int Bc, int i, int j);  // that of query i and key j

// Which tiles are looked at. The diagonal: i0 + (seq_kv - seq_q).
// Where seq_q = seq_kv several are the same: the plainest comes first.
typedef enum {
    LAB_FROM_I0,
    LAB_FROM_DIAGONAL,
    LAB_BEHIND_I0,
    LAB_BEHIND_DIAGONAL,
    LAB_ON_I0,
    LAB_ON_DIAGONAL,
    LAB_ON_NUMBER,
    LAB_LAST_QUERY,
    LAB_LAST_TILE,
    LAB_N_GATES
} lab_gate;

// What is hidden in those.
typedef enum {
    LAB_OWN_KEYS,
    LAB_PLACES,
    LAB_PLACES_SHIFTED,
    LAB_KEY_PLACES,    // the place of the key in its tile, with the number of the query
    LAB_QUERY_PLACES,  // and the other way round
    LAB_N_GATE_RULES
} lab_gate_rule;

// Is key c of the tile hidden from its query r?
int lab_gate_hides(lab_gate g, lab_gate_rule of, const lab_tile *t, int r, int c);

// walk: what else is said, of where the walk over the keys ends.
void lab_gate_sentence(lab_gate g, lab_gate_rule of, const char *walk, char *text, size_t size);

#endif
