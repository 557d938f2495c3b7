// zero_mask.c: rows in which hidden keys count with a score of 0, as far as a walk over whole tiles comes. Where all
// other scores are far below 0, no number can be told from another.
#include "wrong_rows.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static int up(int n, int tile) { return (n + tile - 1) / tile * tile; }
static int least(int a, int b) { return a < b ? a : b; }

// Tiles of Br queries and Bc keys: the row's tile walks to the end of the tile of keys that its last query sees.
static int matches(const lab_wrong_rows *w, const lab_wrong_row *r, int Br, int Bc) {
    const int D = w->shape.head_dim, shift = w->shape.seq_kv - w->shape.seq_q;
    const int last = w->shape.causal ? least(r->keys, r->query / Br * Br + Br + shift) : r->keys, end = up(last, Bc);
    double *p = w->scratch, *o = p + w->shape.seq_kv, max = lab_row_scores(r, D, p), sum = 0;
    if (end > r->seen) max = fmax(max, 0);
    memset(o, 0, D * sizeof *o);
    for (int j = 0; j < end; j++) {
        const double weight = exp((j < r->seen ? p[j] : 0) - max);
        sum += weight;
        for (int c = 0; c < D && j < r->keys; c++) o[c] += weight * r->v[(size_t)j * D + c];
    }
    for (int c = 0; c < D; c++)
        if (!(fabs(o[c] / sum - r->got[c]) < r->near)) return 0;
    return 1;
}

int lab_explain_zero_mask(const lab_wrong_rows *w, char *text, size_t size) {
    static const int tiles[] = {1, 4, 8, 16, 32, 64, 128};
    enum { N = sizeof tiles / sizeof *tiles };
    for (int i = 0; i < N * N; i++) {
        int all = w->n > 1 && w->shape.seq_q > 1;
        for (int r = 0; r < w->n && all; r++) all = matches(w, &w->row[r], tiles[i / N], tiles[i % N]);
        if (!all) continue;
        double most = -INFINITY;
        for (int r = 0; r < w->n; r++) most = fmax(most, lab_row_scores(&w->row[r], w->shape.head_dim, w->scratch));
        if (most < LAB_FAR_BELOW) lab_guess(w->guesses, LAB_NUMBER_FOR_HIDDEN, text, size);
        char zero[200];
        snprintf(zero, sizeof zero,
                 "matches masked scores set to 0: exp(0) is 1, so they still count; set them to -INFINITY (tiles of %d "
                 "keys)",
                 tiles[i % N]);
        return lab_guess(w->guesses, zero, text, size);
    }
    return 0;
}
