// tile_shared.c: the online softmax of a tile of queries in which what is done for a row is done to all: O is multiplied by
// the factors of all rows of the tile, or one l has the sums of all.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "wrong_rows.h"

typedef enum {
    O_BY_ALL,
    BOTH_BY_ALL,
    L_BY_ALL,
    ONE_L_BY_EACH,  // of one l: multiplied by the factor of each row, and then each adds its sum
    ONE_L_BY_FIRST,
    ONE_L_BY_LAST,
    ONE_L_KEPT,
    N_SHARED
} shared;

#define BY_ALL " multiplied by the factors of all rows of the tile, one after the other: a row has one of its own"
static const char *const sentence_of[N_SHARED] = {
    [O_BY_ALL] = "matches O of each row" BY_ALL,
    [BOTH_BY_ALL] = "matches O and l of each row" BY_ALL,
    [L_BY_ALL] = "matches l of each row" BY_ALL,
    [ONE_L_BY_EACH] = LAB_ONE_L_OF_TILE,
    [ONE_L_BY_FIRST] = LAB_ONE_L_OF_TILE,
    [ONE_L_BY_LAST] = LAB_ONE_L_OF_TILE,
    [ONE_L_KEPT] = LAB_ONE_L_OF_TILE,
};

enum { MOST_WORK = 1 << 22, MOST_ROWS = 256, MOST_STEPS = 256 };

// Of each tile of keys: the factor of row r, the product of those of all rows, the first and the last one's, and their sums.
typedef struct {
    int steps;
    double own[MOST_STEPS], sum[MOST_STEPS], max[MOST_STEPS];
    double all[MOST_STEPS], first[MOST_STEPS], last[MOST_STEPS], sums[MOST_STEPS];
} history;

static int least(int a, int b) { return a < b ? a : b; }

static int record(const lab_wrong_rows *w, const lab_wrong_row *r, int Br, int Bc, history *h) {
    const int D = w->shape.head_dim, first = r->query / Br * Br, end = least(first + Br, w->shape.seq_q);
    const int most = w->shape.causal ? end + w->shape.seq_kv - w->shape.seq_q : w->shape.seq_kv;
    h->steps = (most + Bc - 1) / Bc;
    if (end - first < 2 || end - first > MOST_ROWS || h->steps > MOST_STEPS) return 0;
    if ((long)(end - first) * most * D > MOST_WORK) return 0;
    for (int t = 0; t < h->steps; t++) h->all[t] = 1, h->sums[t] = 0;
    for (int i = first; i < end; i++) {
        lab_wrong_row row = *r;
        double m = -INFINITY;
        row.q = r->q + ((long)i - r->query) * D;
        row.seen = w->shape.causal ? i + w->shape.seq_kv - w->shape.seq_q + 1 : w->shape.seq_kv;
        lab_row_scores(&row, D, w->scratch);
        for (int t = 0; t < h->steps; t++) {
            const int to = least((t + 1) * Bc, row.seen);
            double max = m, sum = 0;
            for (int j = t * Bc; j < to; j++) max = fmax(max, w->scratch[j]);
            for (int j = t * Bc; j < to; j++) sum += exp(w->scratch[j] - max);
            const double factor = exp(m - max);
            m = max, h->all[t] *= factor, h->sums[t] += sum;
            if (i == first) h->first[t] = factor;
            if (i == end - 1) h->last[t] = factor;
            if (i == r->query) h->own[t] = factor, h->sum[t] = sum, h->max[t] = max;
        }
    }
    return 1;
}

static int row_is(const lab_wrong_rows *w, const lab_wrong_row *r, int Bc, const history *h, shared x) {
    const int D = w->shape.head_dim;
    double *score = w->scratch, *o = score + r->keys, l = 0;
    lab_row_scores(r, D, score);
    memset(o, 0, D * sizeof *o);
    for (int t = 0; t < h->steps; t++) {
        const double keep = x == O_BY_ALL || x == BOTH_BY_ALL ? h->all[t] : h->own[t];
        for (int d = 0; d < D; d++) o[d] *= keep;
        for (int j = t * Bc; j < least((t + 1) * Bc, r->seen); j++) {
            const double p = exp(score[j] - h->max[t]);
            for (int d = 0; d < D; d++) o[d] += p * r->v[(size_t)j * D + d];
        }
        const double of_l[N_SHARED] = {h->own[t], h->all[t], h->all[t], h->all[t], h->first[t], h->last[t], t ? 1 : 0};
        l = l * of_l[x] + (x < ONE_L_BY_EACH ? h->sum[t] : h->sums[t]);
    }
    for (int d = 0; d < D; d++)
        if (!(fabs(o[d] / l - r->got[d]) < r->near * (1 + fabs(r->got[d])))) return 0;
    return 1;
}

static int explain_tile(const lab_wrong_rows *w, int Br, int Bc, history *h, char *text, size_t size) {
    int fits[N_SHARED], known = 0;
    for (int x = 0; x < N_SHARED; x++) fits[x] = w->n > 1 && (x >= ONE_L_BY_EACH || Bc < w->shape.seq_kv);
    for (int i = 0; i < w->n; i++) {
        int left = 0;
        if (!record(w, &w->row[i], Br, Bc, h)) return 0;
        for (int x = 0; x < N_SHARED; x++) left += fits[x] = fits[x] && row_is(w, &w->row[i], Bc, h, x);
        if (!left) return 0;
    }
    for (int x = 0; x < N_SHARED; x++)
        if (fits[x]) known = lab_guess(w->guesses, sentence_of[x], text, size);
    return known;
}

int lab_explain_tile_shared(const lab_symptom *s, lab_wrong_row (*row)(const lab_symptom *s, size_t r), char *text,
                            size_t size) {
    static const int usual[] = {32, 64, 16, 128};
    lab_wrong_rows w = lab_wrong_rows_of(s, row, 1);
    history *h = malloc(sizeof *h);
    const int Br = w.n ? w.row[0].queries : 0, Bc = w.n ? w.row[0].tile : 0;
    int known = 0;
    for (int i = 0; i < (Br ? 1 : 4) && h && !known; i++)
        for (int k = 0; k < (Bc ? 1 : 4) && !known; k++)
            known = explain_tile(&w, Br ? Br : usual[i], Bc ? Bc : usual[k], h, text, size);
    free(h);
    lab_wrong_rows_free(&w);
    return known;
}
