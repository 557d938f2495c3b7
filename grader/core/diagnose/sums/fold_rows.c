// fold_rows.c: weighted values of attention that are not added up: multiplied, or the largest is kept.
#include "folded.h"
#include "wrong_rows.h"

#include <math.h>
#include <stdlib.h>

typedef struct {
    const lab_wrong_rows *w;
    double *weight[LAB_MOST_ROWS];  // of row i, its softmax
} weighted;

static const lab_wrong_row *row_of(const weighted *x, int i) { return &x->w->row[i / x->w->shape.head_dim]; }

static int terms(const void *of, int i) { return row_of(of, i)->seen; }

static double term(const void *of, int i, int t) {
    const weighted *x = of;
    const int D = x->w->shape.head_dim;
    return x->weight[i / D][t] * row_of(x, i)->v[(size_t)t * D + i % D];
}

static double got(const void *of, int i) { return row_of(of, i)->got[i % ((const weighted *)of)->w->shape.head_dim]; }

int lab_explain_fold_rows(const lab_wrong_rows *w, char *text, size_t size) {
    weighted x = {.w = w};
    int made = w->n > 1;
    for (int i = 0; i < w->n && made; i++) {
        const int n = w->row[i].seen;
        double *p = x.weight[i] = malloc(n * sizeof *p), sum = 0;
        made = p != NULL;
        const double max = made ? lab_row_scores(&w->row[i], w->shape.head_dim, p) : 0;
        for (int j = 0; j < n && made; j++) sum += p[j] = exp(p[j] - max);
        for (int j = 0; j < n && made; j++) p[j] /= sum;
    }
    const lab_fold f = {&x, w->n * w->shape.head_dim, terms, term, got, NULL, "p * v"};
    const int known = made && lab_explain_fold(&f, w->guesses, text, size);
    for (int i = 0; i < w->n; i++) free(x.weight[i]);
    return known;
}
