// layouts.c: rows that are right for tensors laid out [B, S, H, D], as many programs have them; the lab has [B, H, S, D].
#include "wrong_rows.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// Attention of q to the keys of head h of batch b, which stand H rows apart.
static int row_matches(const lab_symptom *s, const lab_wrong_rows *w, const lab_wrong_row *r, const float *q, size_t b,
                       size_t h, int seen) {
    const size_t D = w->shape.head_dim, H = w->shape.heads, Sk = w->shape.seq_kv;
    double *p = w->scratch, *o = p + Sk, max = -INFINITY, sum = 0;
    for (int j = 0; j < seen; j++) {
        const float *k = s->in[2] + ((b * Sk + j) * H + h) * D;
        p[j] = 0;
        for (size_t c = 0; c < D; c++) p[j] += (double)q[c] * k[c] / sqrt((double)D);
        max = fmax(max, p[j]);
    }
    memset(o, 0, D * sizeof *o);
    for (int j = 0; j < seen; j++) {
        const float *v = s->in[3] + ((b * Sk + j) * H + h) * D;
        sum += p[j] = exp(p[j] - max);
        for (size_t c = 0; c < D; c++) o[c] += p[j] * v[c];
    }
    for (size_t c = 0; c < D; c++)
        if (!(fabs(o[c] / sum - r->got[c]) < r->near)) return 0;
    return 1;
}

// all: Q and O are read and written so, too. Otherwise K and V alone.
static int fits(const lab_symptom *s, const lab_wrong_rows *w, int all) {
    const size_t H = w->shape.heads, Sq = w->shape.seq_q;
    for (int i = 0; i < w->n; i++) {
        const lab_wrong_row *r = &w->row[i];
        const size_t head = r->head, query = Sq > 1 ? r->query : 0, row = head * Sq + query;
        const size_t b = all ? row / (Sq * H) : head / H, h = all ? row % H : head % H;
        const int moved = all ? (int)(row / H % Sq) : (int)query;
        const int seen = w->shape.causal ? moved + 1 + w->shape.seq_kv - w->shape.seq_q : r->keys;
        if (!row_matches(s, w, r, s->in[1] + row * w->shape.head_dim, b, h, seen)) return 0;
    }
    return w->n > 1;
}

int lab_explain_layout(const lab_symptom *s, const lab_wrong_rows *w, char *text, size_t size) {
    if (w->shape.heads < 2) return 0;
    for (int all = 1; all >= 0; all--) {
        if (!fits(s, w, all)) continue;
        snprintf(text, size, "matches %s read as [B, S, H, D]: the layout is [B, H, S, D], a head's rows side by side",
                 all ? "tensors" : "K and V");
        return 1;
    }
    return 0;
}
