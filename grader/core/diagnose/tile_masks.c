// tile_masks.c: masks in tiles of Br x Bc (task 3): an offset, or tiles, that belong to the tile and not to the head.
#include <stdio.h>

#include "pointwise.h"

// What was taken for seq_kv - seq_q: a difference of what belongs to the tile, which changes from tile to tile.
static int explain_offset(const lab_symptom *s, char *text, size_t size) {
    static const char *const names[] = {"nk - nq", "Bc - Br", "nk - seq_q", "seq_kv - nq"};
    const int Sq = s->shape.seq_q, Sk = s->shape.seq_kv, Br = s->extra[0], Bc = s->extra[1];
    for (int way = 0; way < 4 && s->shape.causal && Br > 0 && Bc > 0; way++) {
        int fits = 1;
        for (int n = 0; n < Sq * Sk && fits; n++) {
            const int i = n / Sk, j = n % Sk, i0 = i / Br * Br, j0 = j / Bc * Bc;
            const int nq = Sq - i0 < Br ? Sq - i0 : Br, nk = Sk - j0 < Bc ? Sk - j0 : Bc;
            const int offset[] = {nk - nq, Bc - Br, nk - Sq, Sk - nq};
            fits = s->got[n] == (j > i + offset[way] ? (float)LAB_HIDDEN : s->in[1][n]);
        }
        if (!fits) continue;
        char sentence[200];
        snprintf(sentence, sizeof sentence,
                 "matches %s as the offset of the mask, which %s: it is seq_kv - seq_q, of the whole "
                 "head, in every tile",
                 names[way], way < 2 ? "is made of sizes of a tile" : "mixes a tile with the head");
        return lab_guess(s->guesses, sentence, text, size);
    }
    return 0;
}

// Tiles are hidden whole, by their first key and their first or last query, and nothing within the others.
static int explain_whole_tiles(const lab_symptom *s, char *text, size_t size) {
    static const char sentence[] = "matches a mask that hides whole tiles and nothing within the others: each key "
                                   "j0 + c is compared with each query i0 + r";
    const int Sq = s->shape.seq_q, Sk = s->shape.seq_kv, Br = s->extra[0], Bc = s->extra[1];
    for (int last = 0; last < 2 && Br && Bc; last++) {
        int fits = s->shape.causal, hidden = 0;
        for (int n = 0; n < Sq * Sk && fits; n++) {
            const int i0 = n / Sk / Br * Br, end = i0 + Br < Sq ? i0 + Br : Sq, j0 = n % Sk / Bc * Bc;
            const int hides = j0 > (last ? end - 1 : i0) + Sk - Sq;
            hidden += hides;
            fits = hides ? s->got[n] == (float)LAB_HIDDEN : s->got[n] == s->in[1][n];
        }
        char aside[240] = "";  // where no tile is hidden whole, the same is made by no mask at all
        if (fits && lab_guess(s->guesses, sentence, hidden ? text : aside, hidden ? size : sizeof aside) && hidden)
            return 1;
    }
    return 0;
}

int lab_tile_mask_else(const lab_symptom *s, char *text, size_t size) {
    if (explain_whole_tiles(s, text, size)) return 1;
    if (lab_explain_tile_gate(s, text, size)) return 1;
    const int known = explain_offset(s, text, size);
    return lab_explain_mask(s, "i", "seq_kv - seq_q", text, size) || known;
}
