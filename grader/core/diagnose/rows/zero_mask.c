// zero_mask.c: rows in which hidden keys count with a score of 0, as far as a walk over whole tiles comes. Where all
// other scores are far below 0, no number can be told from another. Or they are taken out of the row sum again.
#include "wrong_rows.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static int up(int n, int tile) { return (n + tile - 1) / tile * tile; }
static int least(int a, int b) { return a < b ? a : b; }

typedef enum { AS_IT_IS, TOP_LEFT, ONE_LESS, N_MASKS } mask;  // which keys are hidden
static const char *const beside[N_MASKS] = {
    "", ". And the mask is aligned top-left: with seq_q < seq_kv query i must see keys 0 .. i + (seq_kv - seq_q)",
    ". And each query sees its own key, too: hidden is j > i + (seq_kv - seq_q)"};

// taken_out: of the row sum, and not of the output. Tiles of Br queries and Bc keys: the row's tile walks to the end of the tile of keys that its last query sees.
static int matches(const lab_wrong_rows *w, const lab_wrong_row *r, int Br, int Bc, mask hides, int taken_out) {
    const int seen = hides == TOP_LEFT ? least(r->query + 1, r->seen) : hides == ONE_LESS ? r->seen - 1 : r->seen;
    const int D = w->shape.head_dim, shift = w->shape.seq_kv - w->shape.seq_q;
    const int last = w->shape.causal ? least(r->keys, r->query / Br * Br + Br + shift) : r->keys, end = up(last, Bc);
    double *p = w->scratch, *o = p + w->shape.seq_kv, max = end > seen ? 0 : -INFINITY, sum = 0;
    lab_row_scores(r, D, p);
    for (int j = 0; j < seen; j++) max = fmax(max, p[j]);
    memset(o, 0, D * sizeof *o);
    for (int j = 0; j < end; j++) {
        const double weight = exp((j < seen ? p[j] : 0) - max);
        sum += taken_out && j >= seen ? 0 : weight;
        for (int c = 0; c < D && j < r->keys; c++) o[c] += weight * r->v[(size_t)j * D + c];
    }
    for (int c = 0; c < D; c++)
        if (!(fabs(o[c] / sum - r->got[c]) < r->near)) return 0;
    return 1;
}

int lab_explain_zero_mask(const lab_wrong_rows *w, char *text, size_t size) {
    static const int tiles[] = {1, 4, 8, 16, 32, 64, 128};
    enum { N = sizeof tiles / sizeof *tiles };
    const int masks = w->shape.causal ? N_MASKS : 1;
    for (int i = 0; i < N * N * masks; i++) {
        const mask hides = i / (N * N);
        const int Br = tiles[i / N % N], Bc = tiles[i % N];
        int all = w->n > 1 && w->shape.seq_q > 1;
        for (int r = 0; r < w->n && all; r++) all = matches(w, &w->row[r], Br, Bc, hides, 0);
        int out = !all && !hides && w->shape.causal && w->n > 1 && w->shape.seq_q > 1;
        for (int r = 0; r < w->n && out; r++) out = matches(w, &w->row[r], Br, Bc, hides, 1);
        if (out)
            return lab_guess(
                w->guesses,
                "matches hidden keys with a score of 0, which are taken out of the row sum and are still in "
                "the output: with -INFINITY as their score they are in neither",
                text, size);
        if (!all) continue;
        double most = -INFINITY;
        for (int r = 0; r < w->n; r++) most = fmax(most, lab_row_scores(&w->row[r], w->shape.head_dim, w->scratch));
        if (most < LAB_FAR_BELOW && !hides) lab_guess(w->guesses, LAB_NUMBER_FOR_HIDDEN, text, size);
        char zero[360];
        snprintf(zero, sizeof zero,
                 "matches masked scores set to 0: exp(0) is 1, so they still count; set them to -INFINITY (tiles of %d "
                 "keys)%s",
                 Bc, beside[hides]);
        return lab_guess(w->guesses, zero, text, size);
    }
    return 0;
}
