// beyond.c: rows in which the keys behind the head's last one count, too: the last, narrow tile was taken for a whole one.
// What lies behind is the next head.
#include "wrong_rows.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

// Is the row attention to `total` keys?
static int is_attention_to(const lab_wrong_row *r, int D, int total, double *p) {
    lab_wrong_row all = *r;
    all.seen = total;
    const double max = lab_row_scores(&all, D, p);
    double sum = 0;
    for (int j = 0; j < total; j++) sum += p[j] = exp(p[j] - max);
    for (int c = 0; c < D; c++) {
        double o = 0;
        for (int j = 0; j < total; j++) o += p[j] * r->v[(size_t)j * D + c];
        if (!(fabs(o / sum - r->got[c]) < r->near)) return 0;
    }
    return 1;
}

// Heads that have another one behind them, and rows that see all keys.
static int tells(const lab_wrong_rows *w, const lab_wrong_row *r) {
    return r->head + 1 < w->shape.batch * w->shape.heads && r->seen == r->keys && r->keys == w->shape.seq_kv;
}

int lab_explain_beyond(const lab_wrong_rows *w, char *text, size_t size) {
    static const int tiles[] = {128, 64, 48, 40, 32, 24, 20, 16, 12, 10, 8, 4, 2};
    const int D = w->shape.head_dim, keys = w->shape.seq_kv;
    double *p = malloc(2 * (size_t)keys * sizeof *p);
    int known = 0;
    for (size_t t = 0; p && t < sizeof tiles / sizeof *tiles && !known; t++) {
        const int total = (keys + tiles[t] - 1) / tiles[t] * tiles[t];
        int rows = 0, all = total > keys && total <= 2 * keys;
        for (int i = 0; i < w->n && all; i++)
            if (tells(w, &w->row[i])) all = is_attention_to(&w->row[i], D, total, p), rows++;
        known = all && rows > 1;
        if (known)
            snprintf(text, size,
                     "matches keys behind the last one that are read and counted, too: the last tile has fewer keys, "
                     "no more than seq_kv - j0");
    }
    free(p);
    return known;
}
