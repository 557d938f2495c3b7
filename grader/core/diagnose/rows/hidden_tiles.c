// hidden_tiles.c: NaN in just those rows for which a whole tile of keys is hidden: with the maximum of that tile alone,
// -INFINITY, exp(-INFINITY - (-INFINITY)) is NaN. Or in those whose scores lie in a tile that is hidden as a whole,
// and that nobody stores.
#include "heuristics.h"

#include <stdio.h>

// Row i of a block of br queries visits a tile of bc keys of which it sees none.
static int has_hidden_tile(attn_shape s, int i, int br, int bc) {
    const int shift = s.seq_kv - s.seq_q, last = i / br * br + br, end = (last < s.seq_q ? last : s.seq_q) + shift;
    const int stop = end < s.seq_kv ? end : s.seq_kv;
    return (i + shift) / bc < (stop + bc - 1) / bc - 1;
}

static int is_nan_row(const lab_symptom *s, size_t row) {
    const float *x = s->got + row * s->shape.head_dim;
    int nan = 0;
    for (int d = 0; d < s->shape.head_dim; d++) nan += x[d] != x[d];
    return nan == s->shape.head_dim;
}

static int fits(const lab_symptom *s, int br, int bc) {
    const attn_shape p = s->shape;
    int with = 0, without = 0;
    for (size_t row = 0; row < (size_t)p.batch * p.heads * p.seq_q; row++) {
        const int due = has_hidden_tile(p, (int)(row % p.seq_q), br, bc);
        if (due != is_nan_row(s, row)) return 0;
        with += due, without += !due;
    }
    return with > 1 && without > 1;
}

int lab_explain_hidden_tile(const lab_symptom *s, char *text, size_t size) {
    static const int tiles[] = {8, 16, 32, 64, 128};
    const int own = s->op == &lab_tiled && s->extra[0] > 0 && s->extra[1] > 0;
    if (!s->shape.causal || !s->cmp.not_finite) return 0;
    for (int r = 0; r < (own ? 1 : 5); r++)
        for (int c = 0; c < (own ? 1 : 5); c++)
            if (own ? fits(s, s->extra[0], s->extra[1]) : fits(s, tiles[r], tiles[c])) {
                snprintf(text, size,
                         "matches NaN in the rows for which a whole tile of keys is hidden: its maximum is -INFINITY, "
                         "and exp(-INFINITY - (-INFINITY)) is NaN. m_new is the larger of m_old and the tile's "
                         "maximum: while it is -INFINITY, nothing is added");
                return lab_guess(s->guesses, text, text, size);
            }
    return 0;
}

// A tile of br x bc scores in the rows of row i is hidden from all of them.
static int has_skipped_tile(attn_shape s, int i, int br, int bc) {
    const int sees = i / br * br + br - 1 + s.seq_kv - s.seq_q;
    return (s.seq_kv - 1) / bc * bc > sees;
}

int lab_explain_skipped_tile(const lab_symptom *s, char *text, size_t size) {
    static const int tiles[] = {16, 32, 64, 128};
    const attn_shape p = s->shape;
    for (int r = 0; r < 4 && p.causal; r++)
        for (int c = 0; c < 4; c++) {
            int fit = 1, with = 0, without = 0;
            for (size_t row = 0; row < (size_t)p.batch * p.heads * p.seq_q && fit; row++) {
                const int due = has_skipped_tile(p, (int)(row % p.seq_q), tiles[r], tiles[c]);
                fit = due == is_nan_row(s, row), with += due, without += !due;
            }
            if (!fit || !with || !without) continue;
            snprintf(text, size,
                     "matches tiles of scores that nobody stores where the mask hides all of them: the softmax reads "
                     "them, and they have to hold -INFINITY");
            return lab_guess(s->guesses, text, text, size);
        }
    return 0;
}
