// turned_tiles.c: a tile of K or V that is stored with a row of D numbers for each key, and read as if it had a row for each
// dim, or the other way round.
#include "wrong_rows.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct {
    int size;     // keys of a tile
    int of_v;     // V; otherwise K
    int by_dims;  // stored with a row for each dim
} turned;

// What is read as number d of key j: it lies at one place of the tile, and another number has been stored there.
static double read_as(const lab_wrong_rows *w, const lab_wrong_row *r, const turned *t, int j, int d) {
    const int D = w->shape.head_dim, begin = j / t->size * t->size, c = j - begin;
    const int at = t->by_dims ? c * D + d : d * t->size + c;
    const int key = begin + (t->by_dims ? at % t->size : at / D), dim = t->by_dims ? at / t->size : at % D;
    return key < r->keys ? (t->of_v ? r->v : r->k)[(size_t)key * D + dim] : 0;
}

static int matches(const lab_wrong_rows *w, const lab_wrong_row *r, const turned *t) {
    const int D = w->shape.head_dim;
    double *p = w->scratch, *o = p + w->shape.seq_kv, max = -INFINITY, sum = 0;
    if (t->of_v) max = lab_row_scores(r, D, p);
    for (int j = 0; j < r->seen && !t->of_v; j++) {
        p[j] = 0;
        for (int d = 0; d < D; d++) p[j] += r->q[d] * read_as(w, r, t, j, d) / sqrt(D);
        max = fmax(max, p[j]);
    }
    for (int j = 0; j < r->seen; j++) sum += p[j] = exp(p[j] - max);
    for (int d = 0; d < D; d++) {
        o[d] = 0;
        for (int j = 0; j < r->seen; j++)
            o[d] += p[j] / sum * (t->of_v ? read_as(w, r, t, j, d) : r->v[(size_t)j * D + d]);
        if (!(fabs(o[d] - r->got[d]) < r->near)) return 0;
    }
    return 1;
}

int lab_explain_turned_tiles(const lab_wrong_rows *w, char *text, size_t size) {
    for (int of_v = 1; of_v >= 0; of_v--)
        for (int by_dims = 0; by_dims < 2; by_dims++)
            for (int keys = 8; keys <= 128; keys *= 2) {
                const turned t = {keys, of_v, by_dims};
                int all = w->n > 1 || w->shape.seq_q == 1;
                for (int i = 0; i < w->n && all; i++) all = matches(w, &w->row[i], &t);
                if (!all || !w->n) continue;
                snprintf(
                    text, size,
                    by_dims
                        ? "matches a tile of %s (%d keys) that is stored with a row for each dim, and read as if it "
                          "had a row for each key"
                        : "matches a tile of %s (%d keys) that is stored with a row for each key, and read as if it "
                          "had a row for each dim",
                    of_v ? "V" : "K", keys);
                return 1;
            }
    return 0;
}
