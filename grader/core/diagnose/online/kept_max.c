// kept_max.c: exponentials that overflow, as what is subtracted is the first score of a row, or the maximum of its first tile
// of keys, for all later ones, too: in exact numbers that would be right. Which rows are NaN or Inf tells.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "wrong_rows.h"

enum { MOST_LOOKED_AT = 400, LEAST = 2 };
static const double OVERFLOWS = 89, HOLDS = 80;  // exp of it, and a sum of such, in float

#define GROWS ": exp overflows where a later score is some 88 larger. "
static const char *const sentence[] = {
    "matches the first score of a row that is subtracted from all" GROWS
    "What is subtracted is the largest of all keys so far",
    "matches the maximum of the first tile of keys that is kept for all later ones" GROWS
    "m grows with each tile, and l and O are multiplied by exp(m_old - m_new)"};

// How many rows are not finite, or are although the largest score would overflow by itself; -1: a row is not as it should.
static int rows_so(const lab_symptom *s, lab_wrong_row (*row)(const lab_symptom *s, size_t r), int first, double *score,
                   int *spared) {
    const int D = s->shape.head_dim;
    const size_t rows = s->op->elements(s->shape, 0) / (size_t)D;
    const size_t step = rows > MOST_LOOKED_AT ? rows / MOST_LOOKED_AT : 1;
    int lost = 0;
    *spared = 0;
    for (size_t r = 0; r < rows; r += step) {
        const lab_wrong_row w = row(s, r);
        double begin = -INFINITY, finite = 1;
        if (w.seen < 1) continue;
        const double all = lab_row_scores(&w, D, score);
        for (int j = 0; j < first && j < w.seen; j++) begin = fmax(begin, score[j]);
        for (int d = 0; d < D; d++) finite = finite && isfinite(s->got[r * D + d]);
        if (all - begin > OVERFLOWS && finite) return -1;
        if (all - begin < HOLDS && !finite) return -1;
        lost += !finite, *spared += finite && all > OVERFLOWS;
    }
    return lost;
}

int lab_explain_kept_max(const lab_symptom *s, lab_wrong_row (*row)(const lab_symptom *s, size_t r), char *text,
                         size_t size) {
    static const int usual[] = {64, 32, 16, 128};
    double *score = malloc((size_t)s->shape.seq_kv * sizeof *score);
    int known = 0, spared;
    for (int i = 0; i < 5 && score && !s->cmp.unwritten; i++) {
        const int own = s->op == &lab_tiled ? s->extra[1] : 0, first = !i ? 1 : own ? own : usual[i - 1];
        if ((own && i > 1) || first >= s->shape.seq_kv) continue;
        if (rows_so(s, row, first, score, &spared) >= LEAST && spared >= LEAST)
            known = lab_guess(s->guesses, sentence[i > 0], text, size);
    }
    free(score);
    return known;
}
