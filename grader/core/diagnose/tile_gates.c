// tile_gates.c: masks in tiles of Br x Bc that look at some tiles alone, by where those begin or end. Within them keys
// are hidden by their own numbers, or by their places in the tile. Here that of task 3; rows/gated_masks.c has those of
// whole attention.
#include "tile_gates.h"

#include <stdio.h>

#include "pointwise.h"

static const char *const gate_text[LAB_N_GATES] = {
    [LAB_FROM_DIAGONAL] = "passes over tiles with j0 < i0 + (seq_kv - seq_q), through which the diagonal may go, too",
    [LAB_BEHIND_DIAGONAL] =
        "passes over tiles with j0 <= i0 + (seq_kv - seq_q), through which the diagonal may go, too",
    [LAB_FROM_I0] = "passes over tiles with j0 < i0, through which the diagonal may go, too",
    [LAB_BEHIND_I0] = "passes over tiles with j0 <= i0, through which the diagonal may go, too",
    [LAB_ON_DIAGONAL] = "looks at tiles with j0 = i0 + (seq_kv - seq_q) alone: the diagonal goes through others, too",
    [LAB_ON_I0] = "looks at tiles with j0 = i0 alone: the diagonal goes through others, too",
    [LAB_ON_NUMBER] = "looks at tile y of keys alone for tile y of queries, as where Br = Bc, seq_q = seq_kv",
    [LAB_LAST_QUERY] = "passes over tiles that the last query sees to the end: the queries before it see less",
    [LAB_LAST_TILE] = "looks at the last tile of keys alone: the diagonal goes through others, too",
};

static int looked_at(lab_gate g, const lab_tile *t) {
    const int shift = t->Sk - t->Sq;
    switch (g) {
    case LAB_FROM_DIAGONAL: return t->j0 >= t->i0 + shift;
    case LAB_BEHIND_DIAGONAL: return t->j0 > t->i0 + shift;
    case LAB_FROM_I0: return t->j0 >= t->i0;
    case LAB_BEHIND_I0: return t->j0 > t->i0;
    case LAB_ON_DIAGONAL: return t->j0 == t->i0 + shift;
    case LAB_ON_I0: return t->j0 == t->i0;
    case LAB_ON_NUMBER: return t->j0 / t->Bc == t->i0 / t->Br;
    case LAB_LAST_QUERY: return t->j0 + t->nk - 1 > t->i0 + t->nq - 1 + shift;
    default: return t->j0 + t->nk == t->Sk;
    }
}

static const char *const rule_text[LAB_N_GATE_RULES] = {"", ", and hides c > r where it looks",
                                                        ", and hides c > r + (seq_kv - seq_q) where it looks",
                                                        ", and hides c > i0 + r + (seq_kv - seq_q) where it looks",
                                                        ", and hides j0 + c > r + (seq_kv - seq_q) where it looks"};

int lab_gate_hides(lab_gate g, lab_gate_rule of, const lab_tile *t, int r, int c) {
    const int shift = t->Sk - t->Sq;
    if (!looked_at(g, t)) return 0;
    const int key = of == LAB_OWN_KEYS || of == LAB_QUERY_PLACES ? t->j0 + c : c;
    const int query = of == LAB_OWN_KEYS || of == LAB_KEY_PLACES ? t->i0 + r : r;
    return key > query + (of == LAB_PLACES ? 0 : shift);
}

void lab_gate_sentence(lab_gate g, lab_gate_rule of, const char *walk, char *text, size_t size) {
    snprintf(text, size, "matches a mask that %s%s%s. In each tile hide j0 + c > i0 + r + (seq_kv - seq_q)",
             gate_text[g], rule_text[of], walk);
}

lab_tile lab_tile_of(attn_shape s, int Br, int Bc, int i, int j) {
    lab_tile t = {.Br = Br, .Bc = Bc, .Sq = s.seq_q, .Sk = s.seq_kv};
    t.i0 = i / Br * Br, t.j0 = j / Bc * Bc;
    t.nq = t.Sq - t.i0 < t.Br ? t.Sq - t.i0 : t.Br, t.nk = t.Sk - t.j0 < t.Bc ? t.Sk - t.j0 : t.Bc;
    return t;
}

// *any: something is hidden. Where nothing is, no mask at all does the same.
static int fits(const lab_symptom *s, lab_gate g, lab_gate_rule of, int *any) {
    const int all = s->shape.seq_q * s->shape.seq_kv;
    for (int n = *any = 0; n < all; n++) {
        const lab_tile t = lab_tile_of(s->shape, s->extra[0], s->extra[1], n / s->shape.seq_kv, n % s->shape.seq_kv);
        const int hidden = lab_gate_hides(g, of, &t, n / t.Sk - t.i0, n % t.Sk - t.j0);
        if (s->got[n] != (hidden ? (float)LAB_HIDDEN : s->in[1][n])) return 0;
        *any |= hidden;
    }
    return 1;
}

int lab_explain_tile_gate(const lab_symptom *s, char *text, size_t size) {
    int known = 0, any;
    if (!s->shape.causal || s->extra[0] < 1 || s->extra[1] < 1) return 0;
    for (lab_gate g = 0; g < LAB_N_GATES; g++)
        for (lab_gate_rule of = 0; of < LAB_N_GATE_RULES; of++) {
            char sentence[320], aside[320] = "";
            if (!fits(s, g, of, &any) || (of == LAB_PLACES_SHIFTED && s->shape.seq_q == s->shape.seq_kv)) continue;
            lab_gate_sentence(g, of, "", sentence, sizeof sentence);
            known |= lab_guess(s->guesses, sentence, any ? text : aside, any ? size : sizeof aside) && any;
        }
    return known;
}
