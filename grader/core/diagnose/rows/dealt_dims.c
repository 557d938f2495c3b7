// dealt_dims.c: scores of which a thread multiplies some dims of q with others of k, as it takes its share of the two by
// different rules: in turn with the other threads, or side by side.
#include "wrong_rows.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct {
    int threads, width;  // numbers that are taken at once
    int k_in_turn;       // q side by side; otherwise the other way round
    int room;            // a thread has room for as many as 128 dims need, and takes that many side by side
} dealt;

static double score(const lab_wrong_row *r, const dealt *t, int D, int j) {
    const int pieces = D / t->width, n = t->threads, most = 128 / t->width;
    const int own = ((t->room ? most : pieces) + n - 1) / n;
    double sum = 0;
    for (int lane = 0; lane < n; lane++)
        for (int i = 0; i < own; i++) {
            const int turn = i * n + lane, side = lane * own + i;
            if (turn >= pieces || side >= pieces) continue;
            for (int x = 0; x < t->width; x++)
                sum += (double)r->q[(t->k_in_turn ? side : turn) * t->width + x] *
                       r->k[(size_t)j * D + (t->k_in_turn ? turn : side) * t->width + x];
        }
    return sum / sqrt(D);
}

static int matches(const lab_wrong_rows *w, const lab_wrong_row *r, const dealt *t) {
    const int D = w->shape.head_dim;
    double *p = w->scratch;
    for (int j = 0; j < r->seen; j++) p[j] = score(r, t, D, j);
    return lab_row_has_scores(r, D, p);
}

// All that fits: of few dims several do.
int lab_explain_dealt_dims(const lab_wrong_rows *w, char *text, size_t size) {
    static const int widths[] = {4, 1, 2};
    int known = 0;
    for (int i = 0; i < 3 * 5 * 4; i++) {
        const dealt t = {2 << i / 3 % 5, widths[i % 3], i / 15 % 2, i / 30};
        int all = w->n > 1 || w->shape.seq_q == 1;
        for (int k = 0; k < w->n && all; k++) all = matches(w, &w->row[k], &t);
        if (!all || !w->n) continue;
        char said[240];
        snprintf(
            said, sizeof said,
            "matches dims of q and k that are shared out by different rules: of %d threads, thread t has %s t, t + "
            "%d, ... of %s, and takes as many side by side of %s, so that other dims are multiplied",
            t.threads, t.width > 1 ? t.width == 4 ? "float4s" : "float2s" : "numbers", t.threads,
            t.k_in_turn ? "k" : "q", t.k_in_turn ? "q" : "k");
        known = lab_guess(w->guesses, said, text, size);
    }
    return known;
}
