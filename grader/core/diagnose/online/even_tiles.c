// even_tiles.c: tiles of keys that are all as wide: the keys by the number of tiles, rounded down. What is left over is in
// none of them.
#include <math.h>
#include <string.h>

#include "rules_out.h"
#include "wrong_rows.h"

static int least(int a, int b) { return a < b ? a : b; }

// How many of `end` keys are in tiles that are all end / tiles wide, rounded down.
static int in_even_tiles(int end, int Bc) {
    const int tiles = (end + Bc - 1) / Bc;
    return end / tiles * tiles;
}

static int row_is_even(const lab_wrong_rows *w, const lab_wrong_row *r, int Br, int Bc, int *differs) {
    const int D = w->shape.head_dim, last = Br ? least((r->query / Br + 1) * Br, w->shape.seq_q) : r->query + 1;
    const int n = in_even_tiles(w->shape.causal ? last + r->keys - w->shape.seq_q : r->keys, Bc);
    double *score = w->scratch, *o = score + r->keys, l = 0;
    const double m = lab_row_scores(r, D, score);
    memset(o, 0, D * sizeof *o);
    *differs += n < r->seen;
    for (int j = 0; j < least(n, r->seen); j++) {
        const double p = exp(score[j] - m);
        l += p;
        for (int d = 0; d < D; d++) o[d] += p * r->v[(size_t)j * D + d];
    }
    for (int d = 0; d < D; d++)
        if (!(fabs(o[d] / l - r->got[d]) < r->near * (1 + fabs(r->got[d])))) return 0;
    return 1;
}

int lab_explain_even_tiles(const lab_symptom *s, lab_wrong_row (*row)(const lab_symptom *s, size_t r), char *text,
                           size_t size) {
    static const int usual[] = {16, 32, 64, 128};
    lab_wrong_rows w = lab_wrong_rows_of(s, row, 0);
    int known = 0;
    for (int k = 0; k < (w.n && w.row[0].tile ? 1 : 4) && !known; k++)
        for (int by_row = 0; by_row < 2 && !known; by_row++) {
            int fits = w.n > 1, differs = 0;
            for (int i = 0; i < w.n && fits; i++)
                fits = row_is_even(&w, &w.row[i], by_row ? 0 : w.row[i].queries,
                                   w.row[i].tile ? w.row[i].tile : usual[k], &differs);
            if (fits && differs == w.n) known = lab_guess(s->guesses, LAB_EVEN_TILES, text, size);
        }
    lab_wrong_rows_free(&w);
    return known;
}
