// summed_scores.c: a warp whose lanes share several keys, some lanes each, and whose sum over the lanes reaches further than
// those of one key: all keys of a round get the sum of their scores. Keys that are not there add 0.
#include "wrong_rows.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_KEYS = 4096, MOST_SPLITS = 64, MOST_DIMS = 256, FIRST_DIMS = 4 };

// `keys` keys that lie `step` apart are added up, from the beginning of a split on.
typedef struct {
    int keys, step, splits, way;
} round_of;

// summed[j] for the keys first .. end - 1.
static void add_up(round_of a, const double *score, int first, int end, double *summed) {
    const int all = a.keys * a.step;
    for (int from = first; from < end; from += all)
        for (int i = 0; i < a.step; i++) {
            double sum = 0;
            for (int j = from + i; j < end && j < from + all; j += a.step) sum += score[j];
            for (int j = from + i; j < end && j < from + all; j += a.step) summed[j] = sum;
        }
}

static int row_fits(const lab_wrong_row *r, int D, int dims, round_of a, const double *score, double *summed) {
    double o[MOST_DIMS] = {0}, max = -INFINITY, l = 0;
    const int splits = r->parts ? r->parts : a.splits;
    for (int s = 0; s < splits; s++)
        add_up(a, score, lab_split_begins(a.way, r->seen, s, splits), lab_split_begins(a.way, r->seen, s + 1, splits),
               summed);
    for (int j = 0; j < r->seen; j++) max = fmax(max, summed[j]);
    for (int j = 0; j < r->seen; j++) {
        const double w = exp(summed[j] - max);
        l += w;
        for (int c = 0; c < dims; c++) o[c] += w * r->v[(size_t)j * D + c];
    }
    for (int c = 0; c < dims; c++)
        if (!(fabs(o[c] / l - r->got[c]) < r->near * (1 + fabs(r->got[c])))) return 0;
    return 1;
}

static int all_fit(const lab_wrong_rows *w, double *const score[], round_of a, double *summed) {
    const int D = w->shape.head_dim, few = D < FIRST_DIMS ? D : FIRST_DIMS;
    for (int dims = few; dims; dims = dims < D ? D : 0)  // a few dims tell of most rounds that it is another one
        for (int i = 0; i < w->n; i++)
            if (!row_fits(&w->row[i], D, dims, a, score[i], summed)) return 0;
    return 1;
}

static int try_rounds(const lab_wrong_rows *w, double *const score[], int splits, int way, double *summed, char *text,
                      size_t size) {
    for (int keys = 2; keys <= 32; keys *= 2)
        for (int step = 1; step <= 16; step *= 2) {
            if (!all_fit(w, score, (round_of){keys, step, splits, way}, summed)) continue;
            snprintf(
                text, size,
                "matches scores that are added up over several keys of a warp: a key's sum goes over the lanes that "
                "share it alone, so the first distance of the shuffles is half their number (%d keys)",
                keys);
            return 1;
        }
    return 0;
}

int lab_explain_summed_scores(const lab_wrong_rows *w, char *text, size_t size) {
    double *score[LAB_MOST_ROWS] = {NULL}, *summed = malloc(MOST_KEYS * sizeof *summed);
    int ok = summed && lab_are_enough(w) && w->shape.head_dim <= MOST_DIMS, found = 0;
    for (int i = 0; i < w->n && ok; i++) {
        ok = w->row[i].seen > 1 && w->row[i].seen <= MOST_KEYS && w->row[i].parts <= MOST_SPLITS;
        ok = ok && (score[i] = malloc(w->row[i].seen * sizeof **score));
        if (ok) lab_row_scores(&w->row[i], w->shape.head_dim, score[i]);
    }
    const int most = w->n && (w->shape.seq_q > 1 || w->row[0].parts) ? 1 : MOST_SPLITS / 2;  // the student's number
    for (int splits = 1; splits <= most && ok && !found; splits++)
        for (int way = 0; way < (splits > 1 || w->row[0].parts > 1 ? LAB_SPLIT_WAYS : 1) && !found; way++)
            found = try_rounds(w, score, splits, way, summed, text, size);
    for (int i = 0; i < w->n; i++) free(score[i]);
    free(summed);
    return found;
}
