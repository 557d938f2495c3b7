// kept_scores.c: the scores of queries with the keys of their head, computed once.
#include "kept_scores.h"

#include <stdint.h>
#include <stdlib.h>

enum { SLOTS = 1024 };

struct lab_kept_scores {
    lab_kept_row row[SLOTS];
};

lab_kept_scores *lab_kept_new(void) { return calloc(1, sizeof(lab_kept_scores)); }

void lab_kept_free(lab_kept_scores *kept) {
    for (int i = 0; kept && i < SLOTS; i++) free(kept->row[i].score);
    free(kept);
}

LAB_WIDE
static void fill(lab_kept_row *row, int D) {
    const double root = 1 / sqrt(D);
    row->top = -INFINITY;
    for (int j = 0; j < row->keys; j++) {
        row->score[j] = root * lab_dot(row->q, row->k + (size_t)j * D, D);
        row->top = row->score[j] > row->top ? row->score[j] : row->top;
    }
    for (int j = 0; j < row->keys; j++) row->weight[j] = exp(row->score[j] - row->top);
}

const lab_kept_row *lab_kept_row_of(const lab_wrong_rows *w, const lab_wrong_row *r, int query) {
    const int D = w->shape.head_dim;
    const float *q = r->q + ((long)query - r->query) * D;
    lab_kept_row *row = w->kept ? &w->kept->row[(uintptr_t)q / sizeof *q / D % SLOTS] : NULL;
    if (!row || (row->score && row->q == q && row->k == r->k && row->keys == r->keys)) return row;
    free(row->score);
    *row = (lab_kept_row){.q = q, .k = r->k, .keys = r->keys, .score = malloc(2 * (r->keys + 1) * sizeof(double))};
    if (!row->score) return NULL;
    row->weight = row->score + r->keys;
    fill(row, D);
    return row;
}
