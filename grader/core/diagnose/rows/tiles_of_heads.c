// tiles_of_heads.c: tiles of queries that are cut from the rows of all heads, as if they were one list. A tile that begins in
// one head and ends in another has the keys and values of one of them, which are wrong for the rows of the other.
//
//     rows   | head 0: 0 .. 19 | head 1: 20 .. 39 |         tiles of 16: 0 .. 15, 16 .. 31, 32 .. 39
//     K, V   | of head 0       | 20 .. 31: of head 0; the rest of head 1
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "wrong_rows.h"

enum { FROM_FIRST, FROM_LAST, N_WAYS };

// Of a tile, with K and V of the head of its first query, or of its last one. all: each row sees all keys.
typedef struct {
    int tile, way, all;
} cut;

static int head_of(attn_shape s, cut c, int row) {
    const int first = row / c.tile * c.tile, end = first + c.tile, rows = s.batch * s.heads * s.seq_q;
    return (c.way == FROM_FIRST ? first : (end < rows ? end : rows) - 1) / s.seq_q;
}

static int is_right(const lab_wrong_rows *w, int row) {
    const int D = w->shape.head_dim;
    const long at = (long)(row - (w->row[0].head * w->shape.seq_q + w->row[0].query)) * D;
    for (int d = 0; d < D; d++)
        if (!(fabs(w->row[0].got[at + d] - w->row[0].want[at + d]) < LAB_TOLERANCE)) return 0;
    return 1;
}

// Are just those rows wrong that have another head's keys?
static int are_wrong_by(const lab_wrong_rows *w, cut c) {
    for (int row = 0; row < w->shape.batch * w->shape.heads * w->shape.seq_q; row++)
        if (is_right(w, row) != (head_of(w->shape, c, row) == row / w->shape.seq_q)) return 0;
    return 1;
}

static int row_is(const lab_wrong_rows *w, lab_wrong_row r, cut c) {
    const long other = head_of(w->shape, c, r.head * w->shape.seq_q + r.query) - r.head;
    if (!other || r.keys != w->shape.seq_kv) return 0;
    r.k += other * r.keys * w->shape.head_dim, r.v += other * r.keys * w->shape.head_dim;
    r.seen = c.all ? r.keys : r.seen;
    lab_row_scores(&r, w->shape.head_dim, w->scratch);
    return lab_row_has_scores(&r, w->shape.head_dim, w->scratch);
}

static int fits(const lab_wrong_rows *w, cut c) {
    for (int i = 0; i < w->n; i++)
        if (!row_is(w, w->row[i], c)) return 0;
    return w->n > 0 && are_wrong_by(w, c);
}

int lab_explain_tiles_of_heads(const lab_wrong_rows *w, char *text, size_t size) {
    static const int tiles[] = {16, 32, 64, 128, 256, 8, 4, 2};
    static const char *const of[N_WAYS] = {"first", "last"};
    char sentence[240], aside[240] = "";
    int known = 0;
    if (w->shape.seq_q < 1 || !w->n || w->row[0].keys != w->shape.seq_kv) return 0;
    for (int i = 0; i < (int)(2 * N_WAYS * sizeof tiles / sizeof *tiles); i++) {
        const cut c = {tiles[i / (2 * N_WAYS)], i % N_WAYS, i / N_WAYS % 2};
        if ((c.all && !w->shape.causal) || !fits(w, c)) continue;
        snprintf(sentence, sizeof sentence,
                 "matches tiles of queries that begin in one head and end in another, with K and V of the %s query's "
                 "head for all: cut the rows of each head on their own, its last tile may be narrower (tiles of %d "
                 "queries)",
                 of[c.way], c.tile);
        if (lab_are_enough(w))
            known |= lab_guess(w->guesses, sentence, text, size);
        else
            lab_guess(w->guesses, sentence, aside, sizeof aside);
    }
    return known;
}
