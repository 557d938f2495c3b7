// part_walks.c: parts of the keys that warps, or groups of threads, go through side by side, each by an online softmax in which
// a step is wrong; then they are joined as they should be.
#include "online_steps.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MOST_DIMS = 256, MOST_KEYS = 4096, MOST_PARTS = 128 };

// side_by_side: part i begins with key i * share, where share is rounded up. Otherwise `round` keys go to each in turn.
typedef struct {
    int parts, side_by_side;
    int round;  // keys that a part takes at a time
    int way;    // of the splits: lab_split_begins
} walk;

static const missed_step steps[] = {NEITHER_RESCALED, O_NOT_RESCALED,     L_NOT_RESCALED,     O_RESCALED_LATE,
                                    L_RESCALED_LATE,  BOTH_RESCALED_LATE, O_RESCALED_TWICE,   L_OF_LAST_TILE,
                                    O_OF_LAST_TILE,   EXP_OF_TILE_MAX,    TILE_MAX_KEPT,      O_OF_TILE_RESCALED,
                                    TILE_RESCALED,    L_OF_TILE_RESCALED, FACTOR_OF_TILE_MAX, BEGUN_ANEW,
                                    FACTOR_RATIO,     FACTOR_INVERSE,     FACTOR_BASE_2,      FACTOR_BASE_E,
                                    L_ADDED,          NEITHER_L_ADDED,    FACTOR_SCALED,      FACTOR_UNSCALED};
enum { N_TRIED = sizeof steps / sizeof *steps };

// The m, l and o of part i of the keys first .. end - 1. Returns how many rounds it has.
static int part_of(online_tile t, const walk *k, int first, int end, int i, missed_step missed, double *m, double *l,
                   double *o) {
    const int share = (end - first + k->parts - 1) / k->parts, step = (k->side_by_side ? 1 : k->parts) * k->round;
    const int begin = first + i * (k->side_by_side ? share : k->round);
    const int stop = k->side_by_side && begin + share < end ? begin + share : end;
    int rounds = 0;
    *m = -INFINITY, *l = 0;
    memset(o, 0, t.columns * sizeof *o);
    for (int j = begin; j < stop; j += step, rounds++) {
        t.from = j, t.to = j + k->round < stop ? j + k->round : stop;
        t.counted = t.to, t.max = -INFINITY;
        for (int x = t.from; x < t.to; x++) {
            const double score = lab_score_of(&t, x);
            if (score > t.max) t.max = score;
        }
        lab_online_step(missed, &t, m, l, o);
    }
    return rounds;
}

static double factor(double m, double top) { return m == -INFINITY ? 0 : exp(m - top); }

// The most rounds that a part of the row has, if the first `columns` of it match; 0: they do not.
static int matches(const lab_wrong_rows *w, const lab_wrong_row *r, int columns, const walk *k, missed_step missed) {
    const int splits = r->parts > 1 ? r->parts : 1;
    const lab_kept_row *row = lab_kept_row_of(w, r, r->query);
    double o[MOST_DIMS] = {0}, part[MOST_DIMS], m, l, sum = 0;
    int most = 0;
    if (!row) return 0;
    for (int s = 0; s < splits; s++) {
        const int first = lab_split_begins(k->way, r->seen, s, splits),
                  end = lab_split_begins(k->way, r->seen, s + 1, splits);
        for (int i = 0; i < k->parts && first < end; i++) {
            const online_tile t = {.step = 1,
                                   .factor = 1,
                                   .score = row->score,
                                   .row = row,
                                   .v = r->v,
                                   .D = w->shape.head_dim,
                                   .columns = columns};
            const int rounds = part_of(t, k, first, end, i, missed, &m, &l, part);
            const double f = factor(m, row->top);
            most = rounds > most ? rounds : most;
            sum += f * l;
            for (int c = 0; c < columns; c++) o[c] += f * part[c];
        }
    }
    for (int c = 0; c < columns; c++)
        if (!(fabs(o[c] / sum - r->got[c]) < r->near * (1 + fabs(r->got[c])))) return 0;
    return most;
}

static int fits_all(const lab_wrong_rows *w, const walk *k, missed_step missed) {
    int all = 1, most = 0;
    for (int i = 0; i < 2 * w->n && all; i++) {
        all = matches(w, &w->row[i % w->n], lab_columns_in_turn(w->shape.head_dim, w->n, i), k, missed);
        most = all > most ? all : most;
    }
    return all && most > 1;
}

// All walks that a step fits: where the maximum seldom grows several do, and none of them is named.
typedef struct {
    walk of;
    int n;
} fitting;

static void try_walk(const lab_wrong_rows *w, const walk *k, fitting fits[N_TRIED]) {
    for (int x = 0; x < N_TRIED; x++)
        if (fits_all(w, k, steps[x]) && fits[x].n++ == 0) fits[x].of = *k;
}

static int say(const lab_wrong_rows *w, int x, const fitting *f, char *text, size_t room) {
    char said[240];
    const int used = snprintf(said, sizeof said, "%s", lab_missed_step[steps[x]]);
    if (used < (int)sizeof said && f->n == 1)
        snprintf(said + used, sizeof said - used,
                 f->of.side_by_side ? " (within each of %d parts of keys that lie side by side, %d at a time)"
                                    : " (within each of %d parts, which take %d keys each in turn)",
                 f->of.parts, f->of.round);
    else if (used < (int)sizeof said)
        snprintf(said + used, sizeof said - used, LAB_SEVERAL_WALKS);
    return lab_guess(w->guesses, said, text, room);
}

static int find(const lab_wrong_rows *w, char *text, size_t room) {
    fitting fits[N_TRIED] = {{{0}, 0}};
    int found = 0;
    for (int way = 0; way < (w->row[0].parts > 1 ? LAB_SPLIT_WAYS : 1); way++)
        for (int side = 0; side < 2; side++)
            for (int parts = 2; parts <= MOST_PARTS; parts *= 2)
                for (int round = 1; round <= 128; round *= 2) try_walk(w, &(walk){parts, side, round, way}, fits);
    for (int x = 0; x < N_TRIED; x++)
        if (fits[x].n) found = say(w, x, &fits[x], text, room);
    return found;
}

int lab_explain_part_walks(const lab_wrong_rows *w, char *text, size_t room) {
    const int D = w->shape.head_dim;
    int ok = lab_are_enough(w) && D <= MOST_DIMS && D > lab_columns_in_turn(D, 1, 0);
    for (int i = 0; i < w->n && ok; i++) ok = w->row[i].seen <= MOST_KEYS;
    return ok && find(w, text, room);
}
