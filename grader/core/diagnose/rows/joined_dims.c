// joined_dims.c: what threads add up, as if it were parts of one sum, though each of them has another dim of O.
#include "reductions.h"

#include <math.h>
#include <stdio.h>

// The dim that thread t has in the register in which its neighbour has dim c: in turn, or side by side.
static int dim_of(int side, int lanes, int D, int c, int t) {
    return side ? t * (D / lanes) + c % (D / lanes) : c - c % lanes + t;
}

static int dims_match(const lab_wrong_rows *w, const lab_wrong_row *r, int own_keys, int lanes, int side) {
    const int D = w->shape.head_dim;
    double *p = w->scratch, *o = p + w->shape.seq_kv, sum = 0;
    const double max = lab_row_scores(r, D, p);
    for (int j = 0; j < r->seen; j++) sum += p[j] = exp(p[j] - max);
    for (int c = 0; c < D; c++) {
        o[c] = 0;
        for (int j = 0; own_keys && j < r->seen; j++) {
            const int d = dim_of(side, lanes, D, c, j % lanes);
            if (d < D) o[c] += p[j] / sum * r->v[(size_t)j * D + d];
        }
        for (int t = 0; !own_keys && t < lanes; t++) {
            const int d = dim_of(side, lanes, D, c, t);
            if (d < D) o[c] += r->want[d];
        }
        if (!lab_is_near(o[c], r->got[c])) return 0;
    }
    return lab_is_closer(r, o, D);
}

int lab_explain_joined_dims(const lab_wrong_rows *w, char *text, size_t size) {
    if (!w->n) return 0;
    for (int i = 0; i < 4; i++)
        for (int lanes = 2; lanes <= 32; lanes *= 2) {
            int all = (w->n > 1 || w->shape.seq_q == 1) && (i < 2 || w->shape.head_dim % lanes == 0);
            for (int k = 0; k < w->n && all; k++) all = dims_match(w, &w->row[k], i % 2 == 0, lanes, i / 2);
            if (!all) continue;
            snprintf(text, size,
                     i % 2 ? "matches dims of O that %d threads add up: each of them has another dim, and has all keys "
                             "for it already"
                           : "matches keys of P V that %d threads share, and what they have added up, though each of "
                             "them has another dim: a thread takes all keys for its own dims",
                     lanes);
            return 1;
        }
    return 0;
}
