// transposed.c: square tiles of scores that are written one way round and read the other: row r of a tile has what column
// r should have.
#include "wrong_rows.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// The score of query i with key j, as the tile has it before it is turned round.
static double score_at(const lab_wrong_rows *w, const lab_wrong_row *r, int i, int j) {
    const int D = w->shape.head_dim;
    const float *q = r->q + ((long)i - r->query) * D;
    double score = 0;
    if (j >= r->keys || (w->shape.causal && j > i + w->shape.seq_kv - w->shape.seq_q)) return -INFINITY;
    for (int d = 0; d < D && i < w->shape.seq_q; d++) score += (double)q[d] * r->k[(size_t)j * D + d] / sqrt(D);
    return score;
}

// Key k0 + c gets the score of query i0 + c with key k0 + r, where the row is query i0 + r.
static int is_transposed(const lab_wrong_rows *w, const lab_wrong_row *r, int size) {
    const int D = w->shape.head_dim, i0 = r->query / size * size, at = r->query - i0;
    const int end = w->shape.causal ? i0 + size + w->shape.seq_kv - w->shape.seq_q : r->keys;
    double *o = w->scratch, max = -INFINITY, sum = 0;
    memset(o, 0, D * sizeof *o);
    for (int j = 0; j < r->keys + size && j / size * size < end; j++) {
        const double score = score_at(w, r, i0 + j % size, j / size * size + at);
        if (score == -INFINITY) continue;
        const double m = fmax(max, score), keep = exp(max - m), weight = exp(score - m);
        max = m, sum = keep * sum + weight;
        for (int d = 0; d < D; d++) o[d] = keep * o[d] + (j < r->keys ? weight * r->v[(size_t)j * D + d] : 0);
    }
    for (int d = 0; d < D; d++)
        if (!(fabs(o[d] / sum - r->got[d]) < r->near)) return 0;
    return 1;
}

int lab_explain_transposed(const lab_wrong_rows *w, char *text, size_t size) {
    for (int tile = 8; tile <= 128; tile *= 2) {
        int all = w->n > 1 && w->shape.seq_q > 1;
        for (int i = 0; i < w->n && all; i++) all = is_transposed(w, &w->row[i], tile);
        if (!all) continue;
        snprintf(text, size,
                 "matches a tile of scores (%d x %d) that is transposed: it is written as S[r][c] and read as S[c][r], "
                 "or the other way round",
                 tile, tile);
        return 1;
    }
    return 0;
}
