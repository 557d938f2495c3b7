// other_l.c: each element of O is its own sum of exp(s - m) V, divided by the l of some other row of its head:
//
//     got[i][d] = O[i][d] / l[j]        whoever stores element (i, d) takes an l of its own, that of row j
#include <math.h>
#include <stdlib.h>

#include "kept_scores.h"

enum { MOST_WORK = 1 << 24, FEWEST_DIMS = 8, FEW_QUERIES = 4 };
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

// Most mistakes turn a sign somewhere, and cost nothing here.
static int keeps_signs(const lab_wrong_rows *w, const lab_wrong_row *r) {
    for (int d = 0; d < w->shape.head_dim; d++)
        if (fabs(r->want[d]) >= TELLS && r->got[d] / r->want[d] <= 0) return 0;
    return 1;
}

static int are_divided(const lab_wrong_rows *w, found *all) {
    const attn_shape s = w->shape;
    const int few = s.seq_q <= FEW_QUERIES;  // so that a quotient is hardly theirs by chance
    int fits =
            w->n >= (few ? 1 : 3) && s.head_dim >= FEWEST_DIMS && (double)s.seq_q * s.seq_kv * s.head_dim <= MOST_WORK,
        head = -1;
    for (int i = 0; i < w->n && fits; i++) fits = keeps_signs(w, &w->row[i]);
    double *l = fits ? malloc(((size_t)s.seq_q + 1) * sizeof *l) : NULL;
    for (int i = 0; i < w->n && l && fits; i++) {
        const lab_wrong_row *r = &w->row[i];
        fits = (r->head == head || sums_of_head(w, r, l)) && is_divided(w, r, l, all);
        head = r->head;
    }
    fits = fits && l;
    free(l);
    return fits && all->others >= FEWEST_DIMS;
}

int lab_explain_other_l(const lab_wrong_rows *w, char *text, size_t size) {
    found all = {0, 0};
    return are_divided(w, &all) && all.changes &&
           lab_guess(w->guesses,
                     "matches O whose elements are divided by the l of other rows, of another one from dim to dim: "
                     "whoever stores an element divides it by the l of its own row, and the element belongs to "
                     "another one",
                     text, size);
}

// Of few queries it is hardly so by chance, and what else is said of the right columns follows.
int lab_explain_other_l_of_few(const lab_wrong_rows *w, char *text, size_t size) {
    return w->shape.seq_q <= FEW_QUERIES && lab_explain_other_l(w, text, size);
}

int lab_explain_other_rows_l(const lab_wrong_rows *w, char *text, size_t size) {
    found all = {0, 0};
    return are_divided(w, &all) && !all.changes &&
           lab_guess(w->guesses, "matches rows of O that are divided by the l of other rows: each row has its own",
                     text, size);
}
