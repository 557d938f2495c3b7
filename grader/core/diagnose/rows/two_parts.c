// two_parts.c: the keys of a row in two parts that are joined by a wrong rule, wherever they meet: the tiles that are whole
// and those at the edge, say, with an m, l and O of their own.
#include "join_rules.h"
#include "wrong_rows.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_DIMS = 256, MOST_KEYS = 2048, FIRST_DIMS = 4 };

static const join rules[] = {UNSCALED, MEAN, SUM_OF_OUTPUTS, O_UNSCALED, L_UNSCALED, MAX_AS_WEIGHT, THE_WRONG_WAY};

typedef struct {
    double m, l, o[FIRST_DIMS];
} few;  // of the first dims: they tell of most keys that the parts do not meet there

// The part goes on with a key, forwards or backwards.
static few with_key(few p, const lab_wrong_row *r, double score, int D, int j) {
    const double now = fmax(p.m, score), keep = p.m == -INFINITY ? 0 : exp(p.m - now), w = exp(score - now);
    p.l = keep * p.l + w, p.m = now;
    for (int c = 0; c < FIRST_DIMS; c++) p.o[c] = keep * p.o[c] + w * r->v[(size_t)j * D + c];
    return p;
}

static double sum_up(const lab_wrong_row *r, const double *score, int D, double m, int from, int to, double *o) {
    double l = 0;
    memset(o, 0, D * sizeof *o);
    for (int j = from; j < to; j++) {
        const double w = exp(score[j] - m);
        l += w;
        for (int c = 0; c < D; c++) o[c] += w * r->v[(size_t)j * D + c];
    }
    return l;
}

static int joined(const lab_wrong_row *r, join x, const double m[2], const double l[2], const double *a,
                  const double *b, int dims) {
    double of_o[2], of_l[2], divisor;
    lab_join_factors(x, 2, m, l, of_o, of_l, &divisor);
    const double by = divisor != 0 ? divisor : of_l[0] * l[0] + of_l[1] * l[1];
    for (int c = 0; c < dims; c++)
        if (!(fabs((of_o[0] * a[c] + of_o[1] * b[c]) / by - r->got[c]) < r->near * (1 + fabs(r->got[c])))) return 0;
    return 1;
}

// The first key of the second part, if the row matches; 0: it does not. behind: room for seen + 1.
static int meets_at(const lab_wrong_row *r, join x, const double *score, int D, few *behind) {
    const few none = {.m = -INFINITY};
    few first = none;
    behind[r->seen] = none;
    for (int j = r->seen - 1; j > 0; j--) behind[j] = with_key(behind[j + 1], r, score[j], D, j);
    for (int j = 1; j < r->seen; j++) {
        double a[MOST_DIMS], b[MOST_DIMS];
        first = with_key(first, r, score[j - 1], D, j - 1);
        const double m[2] = {first.m, behind[j].m}, l[2] = {first.l, behind[j].l};
        if (!joined(r, x, m, l, first.o, behind[j].o, FIRST_DIMS)) continue;
        sum_up(r, score, D, m[0], 0, j, a), sum_up(r, score, D, m[1], j, r->seen, b);
        if (joined(r, x, m, l, a, b, D)) return j;
    }
    return 0;
}

static int at_first_row(const lab_wrong_rows *w, join x, few *behind) {
    const int D = w->shape.head_dim;
    int at = 0, found = 1;
    for (int i = 0; i < w->n && found; i++) {
        lab_row_scores(&w->row[i], D, w->scratch);
        found = meets_at(&w->row[i], x, w->scratch, D, behind);
        at = i ? at : found;
    }
    return found ? at : 0;
}

int lab_explain_two_parts(const lab_wrong_rows *w, char *text, size_t size) {
    const int D = w->shape.head_dim;
    int ok = w->n > 1 && D >= 2 * FIRST_DIMS && D <= MOST_DIMS, known = 0;
    for (int i = 0; i < w->n; i++) ok = ok && w->row[i].seen <= MOST_KEYS;
    few *behind = ok ? malloc((w->shape.seq_kv + 1) * sizeof *behind) : NULL;
    for (size_t x = 0; x < sizeof rules / sizeof *rules && behind; x++) {
        const int at = at_first_row(w, rules[x], behind);
        if (!at) continue;
        char said[240];
        const int used = snprintf(said, sizeof said, "%s", lab_join_text(rules[x]));
        if (used < (int)sizeof said)
            snprintf(said + used, sizeof said - used, " (two parts, which meet before key %d in row %d)", at,
                     w->row[0].query);
        known = lab_guess(w->guesses, said, text, size);
    }
    free(behind);
    return known;
}
