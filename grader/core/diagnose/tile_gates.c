// tile_gates.c: masks in tiles of Br x Bc (task 3) that look at some tiles alone, by where those begin or end. Within them
// keys are hidden by their own numbers, or by their places in the tile.
#include <stdio.h>

#include "pointwise.h"

typedef struct {
    int i0, j0, nq, nk;  // a tile
    int Br, Bc, Sq, Sk;
} tile;

// Which tiles are looked at. shift = seq_kv - seq_q.
// Where seq_q = seq_kv several are the same: the plainest comes first.
typedef enum {
    FROM_I0,
    FROM_DIAGONAL,
    BEHIND_I0,
    BEHIND_DIAGONAL,
    ON_I0,
    ON_DIAGONAL,
    LAST_QUERY,
    LAST_TILE,
    N_GATES
} gate;

static const char *const gate_text[N_GATES] = {
    [FROM_DIAGONAL] = "passes over tiles with j0 < i0 + (seq_kv - seq_q), through which the diagonal may go, too",
    [BEHIND_DIAGONAL] = "passes over tiles with j0 <= i0 + (seq_kv - seq_q), through which the diagonal may go, too",
    [FROM_I0] = "passes over tiles with j0 < i0, through which the diagonal may go, too",
    [BEHIND_I0] = "passes over tiles with j0 <= i0, through which the diagonal may go, too",
    [ON_DIAGONAL] = "looks at tiles with j0 = i0 + (seq_kv - seq_q) alone: the diagonal goes through others, too",
    [ON_I0] = "looks at tiles with j0 = i0 alone: the diagonal goes through others, too",
    [LAST_QUERY] = "passes over tiles that the last query sees to the end: the queries before it see less",
    [LAST_TILE] = "looks at the last tile of keys alone: the diagonal goes through others, too",
};

static int looked_at(gate g, const tile *t) {
    const int shift = t->Sk - t->Sq;
    switch (g) {
    case FROM_DIAGONAL: return t->j0 >= t->i0 + shift;
    case BEHIND_DIAGONAL: return t->j0 > t->i0 + shift;
    case FROM_I0: return t->j0 >= t->i0;
    case BEHIND_I0: return t->j0 > t->i0;
    case ON_DIAGONAL: return t->j0 == t->i0 + shift;
    case ON_I0: return t->j0 == t->i0;
    case LAST_QUERY: return t->j0 + t->nk - 1 > t->i0 + t->nq - 1 + shift;
    default: return t->j0 + t->nk == t->Sk;
    }
}

// What is hidden in those.
typedef enum { OWN_KEYS, PLACES, PLACES_SHIFTED, N_RULES } rule;

static const char *const rule_text[N_RULES] = {"", ", and hides c > r in the others",
                                               ", and hides c > r + (seq_kv - seq_q) in the others"};

static int hides(gate g, rule of, const tile *t, int r, int c) {
    const int shift = t->Sk - t->Sq;
    if (!looked_at(g, t)) return 0;
    return of == OWN_KEYS ? t->j0 + c > t->i0 + r + shift : c > r + (of == PLACES ? 0 : shift);
}

static tile tile_of(const lab_symptom *s, int n) {
    tile t = {.Br = s->extra[0], .Bc = s->extra[1], .Sq = s->shape.seq_q, .Sk = s->shape.seq_kv};
    t.i0 = n / t.Sk / t.Br * t.Br, t.j0 = n % t.Sk / t.Bc * t.Bc;
    t.nq = t.Sq - t.i0 < t.Br ? t.Sq - t.i0 : t.Br, t.nk = t.Sk - t.j0 < t.Bc ? t.Sk - t.j0 : t.Bc;
    return t;
}

// *any: something is hidden. Where nothing is, no mask at all does the same.
static int fits(const lab_symptom *s, gate g, rule of, int *any) {
    const int all = s->shape.seq_q * s->shape.seq_kv;
    for (int n = *any = 0; n < all; n++) {
        const tile t = tile_of(s, n);
        const int hidden = hides(g, of, &t, n / t.Sk - t.i0, n % t.Sk - t.j0);
        if (s->got[n] != (hidden ? (float)LAB_HIDDEN : s->in[1][n])) return 0;
        *any |= hidden;
    }
    return 1;
}

int lab_explain_tile_gate(const lab_symptom *s, char *text, size_t size) {
    int known = 0, any;
    if (!s->shape.causal || s->extra[0] < 1 || s->extra[1] < 1) return 0;
    for (gate g = 0; g < N_GATES; g++)
        for (rule of = 0; of < N_RULES; of++) {
            char sentence[320], aside[320] = "";
            if (!fits(s, g, of, &any) || (of == PLACES_SHIFTED && s->shape.seq_q == s->shape.seq_kv)) continue;
            snprintf(sentence, sizeof sentence,
                     "matches a mask that %s%s. In each tile hide j0 + c > i0 + r + (seq_kv - seq_q)", gate_text[g],
                     rule_text[of]);
            known |= lab_guess(s->guesses, sentence, any ? text : aside, any ? size : sizeof aside) && any;
        }
    return known;
}
