// other_l.c: each element of O is its own sum of exp(s - m) V, divided by the l of some other row of its head:
//
//     got[i][d] = O[i][d] / l[j]        whoever stores element (i, d) takes an l of its own, that of row j
#include <math.h>
#include <stdlib.h>

#include "kept_scores.h"

enum { MOST_WORK = 1 << 24, FEWEST_DIMS = 8 };
static const double NEAR = 3e-4, TELLS = 0.05;  // of a quotient; the least |O| that gives one

// l of all rows of r's head, and behind them that of a row that is not there: its scores are 0.
static int sums_of_head(const lab_wrong_rows *w, const lab_wrong_row *r, double *l) {
    const attn_shape s = w->shape;
    for (int i = 0; i < s.seq_q; i++) {
        const lab_kept_row *row = lab_kept_row_of(w, r, i);
        const int seen = s.causal ? i + 1 + s.seq_kv - s.seq_q : s.seq_kv;
        if (!row || seen > row->keys) return 0;
        double top = -INFINITY;
        for (int j = 0; j < seen; j++) top = fmax(top, row->score[j]);
        const double scale = lab_kept_scale(row, top);
        l[i] = 0;
        for (int j = 0; j < seen; j++) l[i] += lab_kept_weight(row, scale, top, j);
    }
    l[s.seq_q] = s.seq_kv;
    return 1;
}

// Is this the l of a row of the head? Of several the first.
static int row_with(const double *l, int n, double value) {
    for (int j = 0; j < n; j++)
        if (fabs(value - l[j]) < NEAR * l[j]) return j;
    return -1;
}

typedef struct {
    int others, changes;  // elements that are divided by another row's; rows in which that is not one row's
} found;

static int is_divided(const lab_wrong_rows *w, const lab_wrong_row *r, const double *l, found *all) {
    int first = -1, told = 0, changes = 0;
    for (int d = 0; d < w->shape.head_dim; d++) {
        const double want = r->want[d], f = r->got[d] / want;
        if (fabs(want) < TELLS) continue;
        const int j = f > 0 ? row_with(l, w->shape.seq_q + 1, l[r->query] / f) : -1;
        if (j < 0) return 0;
        told++, all->others += fabs(f - 1) > 10 * NEAR;
        if (first >= 0 && fabs(l[j] - l[first]) > 10 * NEAR * l[j]) changes = 1;
        if (first < 0) first = j;
    }
    all->changes += changes;
    return told >= FEWEST_DIMS / 2;
}

int lab_explain_other_l(const lab_wrong_rows *w, char *text, size_t size) {
    const attn_shape s = w->shape;
    found all = {0, 0};
    if (w->n < 3 || s.seq_q < 3 || s.head_dim < FEWEST_DIMS || (double)s.seq_q * s.seq_kv * s.head_dim > MOST_WORK)
        return 0;
    double *l = malloc(((size_t)s.seq_q + 1) * sizeof *l);
    int fits = l != NULL, head = -1;
    for (int i = 0; i < w->n && fits; i++) {
        const lab_wrong_row *r = &w->row[i];
        fits = (r->head == head || sums_of_head(w, r, l)) && is_divided(w, r, l, &all);
        head = r->head;
    }
    free(l);
    if (!fits || all.others < FEWEST_DIMS) return 0;
    return lab_guess(w->guesses,
                     all.changes
                         ? "matches O whose elements are divided by the l of other rows, of another one from dim "
                           "to dim: whoever stores an element divides it by the l of its own row, and the "
                           "element belongs to another one"
                         : "matches rows of O that are divided by the l of other rows: each row has its own",
                     text, size);
}
