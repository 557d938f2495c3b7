// kept_scores.h: the scores of queries with the keys of their head, which one mistake after another asks for.
#ifndef LAB_KEPT_SCORES_H
#define LAB_KEPT_SCORES_H

#include <math.h>

#include "wrong_rows.h"

typedef struct {
    const float *q, *k;
    int keys;
    double *score;   // [keys]: q . k[j] / sqrt(D), of hidden keys, too
    double *weight;  // [keys]: exp(score - top)
    double top;      // the largest score
} lab_kept_row;

// Of query `query` of the head that r is of; until the rows are freed, or a query 1024 rows away is asked for. NULL: there is
// no memory.
const lab_kept_row *lab_kept_row_of(const lab_wrong_rows *w, const lab_wrong_row *r, int query);
lab_kept_scores *lab_kept_new(void);
void lab_kept_free(lab_kept_scores *kept);

// What weights are multiplied by to be relative to another maximum; 0: it is too far away, and lab_kept_weight tells.
static inline double lab_kept_scale(const lab_kept_row *row, double max) {
    return fabs(row->top - max) < 300 ? exp(row->top - max) : 0;
}

static inline double lab_kept_weight(const lab_kept_row *row, double scale, double max, int j) {
    return scale > 0 ? scale * row->weight[j] : exp(row->score[j] - max);
}

// A softmax that goes on key by key, from {-INFINITY, 0} and D columns of 0 on. v: the key's; NULL: zeros.
typedef struct {
    double max, sum;
} lab_running;

static inline void lab_add_key(lab_running *l, double *o, int D, double score, const float *v) {
    const double m = l->max > score ? l->max : score, keep = m == l->max ? 1 : exp(l->max - m), weight = exp(score - m);
    l->max = m, l->sum = keep * l->sum + weight;
    for (int d = 0; d < D; d++) o[d] = keep * o[d] + (v ? weight * v[d] : 0);
}

static inline int lab_is_sum(const lab_wrong_row *r, const double *o, double sum, int D) {
    for (int d = 0; d < D; d++)
        if (!(fabs(o[d] / sum - r->got[d]) < r->near)) return 0;
    return 1;
}

#endif
