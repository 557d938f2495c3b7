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
    int panels;   // the tiles of a walk are cut into such, and what has no key of the walk is 0
} turned;

// Where the tile of key j begins, and where its keys end.
static int begin_of(const lab_wrong_rows *w, const lab_wrong_row *r, const turned *t, int j, int *end) {
    *end = r->keys;
    if (!t->panels) return j / t->size * t->size;
    const int first = j / r->tile * r->tile, last = r->query / r->queries * r->queries + r->queries;
    const int seen = last + w->shape.seq_kv - w->shape.seq_q;
    if (w->shape.causal && seen < *end) *end = seen;
    if (first + r->tile < *end) *end = first + r->tile;
    return first + (j - first) / t->size * t->size;
}

// What is read as number d of key j: it lies at one place of the tile, and another number has been stored there.
static double read_as(const lab_wrong_rows *w, const lab_wrong_row *r, const turned *t, int j, int d) {
    int end;
    const int D = w->shape.head_dim, begin = begin_of(w, r, t, j, &end), c = j - begin;
    const int at = t->by_dims ? c * D + d : d * t->size + c;
    const int key = begin + (t->by_dims ? at % t->size : at / D), dim = t->by_dims ? at / t->size : at % D;
    return key < end ? (t->of_v ? r->v : r->k)[(size_t)key * D + dim] : 0;
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
    const int walks = w->n && w->row[0].tile > 0 && w->row[0].queries > 0;
    for (int way = walks ? 7 : 3; way >= 0; way--)  // panels first: in whole tiles both fit
        for (int keys = 4; keys <= 128; keys *= 2) {
            const int of_v = way % 4 / 2, by_dims = way % 2;
            const turned t = {keys, of_v, by_dims, way / 4};
            int all = (w->n > 1 || w->shape.seq_q == 1) && (keys > 4 || t.panels);
            for (int i = 0; i < w->n && all; i++) all = matches(w, &w->row[i], &t);
            if (!all || !w->n) continue;
            snprintf(text, size,
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
