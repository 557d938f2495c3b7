// tile_pooled.c: all rows of a tile of queries have one state, m, l and O, to which each of them adds: they come out alike.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "wrong_rows.h"

enum { MOST_WORK = 1 << 22, MOST_ROWS = 256 };

static int least(int a, int b) { return a < b ? a : b; }

// o[D] and behind it l: the sums of all rows of r's tile, relative to the largest score.
static int pool(const lab_wrong_rows *w, const lab_wrong_row *r, int Br, double *o) {
    const int D = w->shape.head_dim, first = r->query / Br * Br, end = least(first + Br, w->shape.seq_q);
    double max = -INFINITY;
    memset(o, 0, ((size_t)D + 1) * sizeof *o);
    if (end - first < 2 || end - first > MOST_ROWS || (long)(end - first) * w->shape.seq_kv * D > MOST_WORK) return 0;
    for (int i = first; i < end; i++) {
        lab_wrong_row row = *r;
        row.q = r->q + ((long)i - r->query) * D;
        row.seen = w->shape.causal ? i + w->shape.seq_kv - w->shape.seq_q + 1 : w->shape.seq_kv;
        const double to = fmax(max, lab_row_scores(&row, D, w->scratch)), keep = exp(max - to);
        for (int d = 0; d <= D; d++) o[d] *= keep;
        for (int j = 0; j < row.seen; j++) {
            const double p = exp(w->scratch[j] - to);
            for (int d = 0; d < D; d++) o[d] += p * r->v[(size_t)j * D + d];
            o[D] += p;
        }
        max = to;
    }
    return 1;
}

int lab_explain_tile_pooled(const lab_symptom *s, lab_wrong_row (*row)(const lab_symptom *s, size_t r), char *text,
                            size_t size) {
    static const int usual[] = {32, 64, 16, 128, 8, 4};
    lab_wrong_rows w = lab_wrong_rows_of(s, row, 1);
    const int D = s->shape.head_dim, Br = w.n ? w.row[0].queries : 0;
    double *o = malloc(((size_t)D + 1) * sizeof *o);
    int known = 0;
    for (int k = 0; k < (Br ? 1 : (int)(sizeof usual / sizeof *usual)) && o && w.n > 1 && !known; k++) {
        int fits = 1;
        for (int i = 0; i < w.n && fits; i++) {
            const lab_wrong_row *r = &w.row[i];
            fits = pool(&w, r, Br ? Br : usual[k], o);
            for (int d = 0; d < D && fits; d++) fits = fabs(o[d] / o[D] - r->got[d]) < r->near * (1 + fabs(r->got[d]));
        }
        known = fits && lab_guess(s->guesses,
                                  "matches one m, l and O for all rows of a tile of queries, to which each adds: each "
                                  "row has its own",
                                  text, size);
    }
    free(o);
    lab_wrong_rows_free(&w);
    return known;
}
