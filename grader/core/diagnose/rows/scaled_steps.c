// scaled_steps.c: scores that are summed up tile by tile along the dims, and scaled in each step, in place of once behind all:
// what the earlier tiles gave is scaled once more for each later one.
#include "wrong_rows.h"

#include <math.h>
#include <stdio.h>

static int matches(const lab_wrong_rows *w, const lab_wrong_row *r, int tile) {
    const int D = w->shape.head_dim;
    const double root = 1 / sqrt(D);
    double *p = w->scratch;
    for (int j = 0; j < r->seen; j++) {
        p[j] = 0;
        for (int d = 0; d < D; d++) {
            p[j] += (double)r->q[d] * r->k[(size_t)j * D + d];
            if (d % tile == tile - 1 || d == D - 1) p[j] *= root;
        }
    }
    return lab_row_has_scores(r, D, p);
}

int lab_explain_scaled_steps(const lab_wrong_rows *w, char *text, size_t size) {
    int known = 0;
    for (int tile = 64; tile >= 1; tile /= 2) {
        int all = w->n > 0 && tile < w->shape.head_dim;
        for (int i = 0; i < w->n && all; i++) all = matches(w, &w->row[i], tile);
        if (!all) continue;
        char said[240];
        snprintf(said, sizeof said,
                 "matches scores that are multiplied by 1/sqrt(D) behind each %d of the D products, so that what was "
                 "summed before is scaled again and again: scale once, behind the whole sum",
                 tile);
        known = lab_guess(w->guesses, said, text, size);
    }
    return known;
}
