// online.c: the online softmax with one of its steps left out. A wrong row that equals one of these, for one tile size
// in all rows, is explained.
#include "wrong_rows.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// The recurrence, tile by tile: m_new = max(m, tile's max); a = exp(m - m_new); l = a l + sum; O = a O + P V.
typedef enum {
    O_NOT_RESCALED,
    L_NOT_RESCALED,
    NEITHER_RESCALED,
    O_RESCALED_LATE,
    L_RESCALED_LATE,
    O_RESCALED_TWICE,
    L_OF_LAST_TILE,
    O_OF_LAST_TILE,
    O_DIVIDED_EACH_TILE,
    MEAN_OF_TILES,
    OWN_MAX,
    N_STEPS
} missed_step;

static const char *const sentence[N_STEPS] = {
    [O_NOT_RESCALED] = "matches O that is not rescaled by exp(m_old - m_new) when the row maximum grows; l is",
    [L_NOT_RESCALED] = "matches l that is not rescaled by exp(m_old - m_new) when the row maximum grows; O is",
    [NEITHER_RESCALED] = "matches O and l that are not rescaled by exp(m_old - m_new) when the row maximum grows",
    [O_RESCALED_LATE] = "matches O that is rescaled after this tile's P V is added: first rescale, then add",
    [L_RESCALED_LATE] = "matches l that is rescaled after this tile's sum is added: first rescale, then add",
    [O_RESCALED_TWICE] = "matches O that is rescaled twice by exp(m_old - m_new)",
    [L_OF_LAST_TILE] = "matches l of the last tile alone: each tile's sum is added to the rescaled l",
    [O_OF_LAST_TILE] = "matches O of the last tile alone, over the l of all: P V is added to the rescaled O",
    [O_DIVIDED_EACH_TILE] = "matches O that is divided by l after every tile: divide once, after the last",
    [MEAN_OF_TILES] = "matches the plain mean of the parts: a part counts with its weight l exp(m - M)",
    [OWN_MAX] = "matches parts that are added without exp(m - M): each part's O and l are relative to its own maximum",
};

enum { OWN_TILE };  // the row's, where the lab knows it

typedef struct {
    int from, to;
    double max, sum;
    const double *score;
    const float *v;
    int D;
} tile;

// o = keep * o + factor * sum over the tile of exp(s - max) v.
static void add_tile(double *o, double keep, double factor, const tile *t, double max) {
    for (int c = 0; c < t->D; c++) o[c] *= keep;
    for (int j = t->from; j < t->to; j++) {
        const double p = factor * exp(t->score[j] - max);
        for (int c = 0; c < t->D; c++) o[c] += p * t->v[(size_t)j * t->D + c];
    }
}

static void step_of(missed_step missed, const tile *t, double *m, double *l, double *o) {
    const double m_new = missed == MEAN_OF_TILES || missed == OWN_MAX ? t->max : fmax(*m, t->max),
                 a = *m == -INFINITY ? 0 : exp(*m - m_new);
    double sum = 0;
    for (int j = t->from; j < t->to; j++) sum += exp(t->score[j] - m_new);
    const int l_stays = missed == L_NOT_RESCALED || missed == NEITHER_RESCALED || missed == OWN_MAX,
              o_stays = missed == O_NOT_RESCALED || missed == NEITHER_RESCALED || missed == OWN_MAX ||
                        missed == MEAN_OF_TILES;
    *l = missed == L_RESCALED_LATE ? a * (*l + sum) : missed == L_OF_LAST_TILE ? sum : *l * (l_stays ? 1 : a) + sum;
    if (missed == MEAN_OF_TILES)
        add_tile(o, 1, 1 / sum, t, m_new);
    else if (missed == O_RESCALED_LATE)
        add_tile(o, a, a, t, m_new);
    else if (missed == O_OF_LAST_TILE)
        add_tile(o, 0, 1, t, m_new);
    else
        add_tile(o, o_stays ? 1 : missed == O_RESCALED_TWICE ? a * a : a, 1, t, m_new);
    if (missed == O_DIVIDED_EACH_TILE)
        for (int c = 0; c < t->D; c++) o[c] /= *l;
    *m = m_new;
}

static int matches(const lab_wrong_rows *w, const lab_wrong_row *r, int size, missed_step missed) {
    const int D = w->shape.head_dim;
    double *score = w->scratch, *o = score + w->shape.seq_kv, m = -INFINITY, l = 0;
    int tiles = 0;
    if (size == 0 && (size = r->tile) == 0) return 0;
    lab_row_scores(r, D, score);
    memset(o, 0, D * sizeof *o);
    for (int from = 0; from < r->seen; from += size, tiles++) {
        tile t = {from, from + size < r->seen ? from + size : r->seen, -INFINITY, 0, score, r->v, D};
        for (int j = t.from; j < t.to; j++) t.max = fmax(t.max, score[j]);
        step_of(missed, &t, &m, &l, o);
    }
    const double divisor = missed == MEAN_OF_TILES ? tiles : missed == O_DIVIDED_EACH_TILE ? 1 : l;
    for (int c = 0; c < D; c++)
        if (!(fabs(o[c] / divisor - r->got[c]) < LAB_TOLERANCE * (1 + fabs(r->got[c])))) return 0;
    return tiles > 1;
}

int lab_explain_online(const lab_wrong_rows *w, char *text, size_t size) {
    static const int sizes[] = {OWN_TILE, 1, 2, 4, 8, 16, 32, 64, 128, 24, 40, 48, 80, 96, 256};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        for (missed_step missed = 0; missed < N_STEPS; missed++) {
            int all = w->n > 1;
            for (int k = 0; k < w->n && all; k++) all = matches(w, &w->row[k], sizes[i], missed);
            if (!all) continue;
            if (sizes[i] == OWN_TILE || sizes[i] == 1)
                snprintf(text, size, "%s%s", sentence[missed], sizes[i] == 1 ? " (key by key)" : "");
            else
                snprintf(text, size, "%s (tiles of %d keys)", sentence[missed], sizes[i]);
            return 1;
        }
    return 0;
}
