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

// Of query `query` of the head that r is of; until the rows are freed, or a query 1024 rows away is asked for. NULL: no memory.
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

#endif
