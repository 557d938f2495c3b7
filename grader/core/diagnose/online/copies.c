// copies.c: rows in which one key counts more often than once: what is read behind the last key is a key that is there.
#include "wrong_rows.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// How many more times key x counts, for which the row is right; 0: no such number.
static double times_more(const lab_wrong_rows *w, const lab_wrong_row *r, int x) {
    const int D = w->shape.head_dim;
    double *p = w->scratch, *o = p + w->shape.seq_kv, sum = 0, above = 0, below = 0, off = 0;
    const double max = lab_row_scores(r, D, p);
    const float *v = r->v + (size_t)x * D;
    memset(o, 0, D * sizeof *o);
    for (int j = 0; j < r->seen; j++) {
        sum += p[j] = exp(p[j] - max);
        for (int c = 0; c < D; c++) o[c] += p[j] * r->v[(size_t)j * D + c];
    }
    for (int c = 0; c < D; c++) {
        const double a = r->got[c] * sum - o[c], b = p[x] * (v[c] - r->got[c]);
        above += a * b, below += b * b;
    }
    const double n = above / below;
    for (int c = 0; c < D; c++) off = fmax(off, fabs((o[c] + n * p[x] * v[c]) / (sum + n * p[x]) - r->got[c]));
    return below > 0 && n > 0.5 && off < LAB_TOLERANCE ? n : 0;
}

int lab_explain_copies(const lab_wrong_rows *w, char *text, size_t size) {
    for (int last = 1; last >= 0; last--) {
        double times = 0;
        int all = w->n > 1 && !w->shape.causal;
        for (int i = 0; i < w->n && all; i++) {
            const double n = times_more(w, &w->row[i], last ? w->row[i].keys - 1 : 0);
            all = n > 0 && fabs(n - round(n)) < 0.05 * (1 + 0.1 * n) && (i == 0 || round(n) == times);
            times = round(n);
        }
        if (!all) continue;
        snprintf(
            text, size,
            "matches the %s key counted %g more times: the places behind the last key of a ragged tile hold copies "
            "of it; their scores must be -INFINITY",
            last ? "last" : "first", times);
        return 1;
    }
    return 0;
}
