// layouts.c: rows that are right for tensors laid out [B, S, H, D], as many programs have them; the lab has [B, H, S, D].
#include "wrong_rows.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// Which of the tensors are taken for such.
typedef enum { KEYS = 1, VALUES = 2, QUERIES = 4, OUTPUTS = 8 } layout;

// Attention of q to the keys of head h of batch b, which stand side by side or H rows apart.
static int row_matches(const lab_symptom *s, const lab_wrong_rows *w, const lab_wrong_row *r, layout of, const float *q,
                       size_t b, size_t h, int seen) {
    const size_t D = w->shape.head_dim, H = w->shape.heads, Sk = w->shape.seq_kv;
    double *p = w->scratch, *o = p + Sk, max = -INFINITY, sum = 0;
    for (int j = 0; j < seen; j++) {
        const float *k = s->in[2] + (of & KEYS ? (b * Sk + j) * H + h : (b * H + h) * Sk + j) * D;
        p[j] = 0;
        for (size_t c = 0; c < D; c++) p[j] += (double)q[c] * k[c] / sqrt((double)D);
        max = fmax(max, p[j]);
    }
    memset(o, 0, D * sizeof *o);
    for (int j = 0; j < seen; j++) {
        const float *v = s->in[3] + (of & VALUES ? (b * Sk + j) * H + h : (b * H + h) * Sk + j) * D;
        sum += p[j] = exp(p[j] - max);
        for (size_t c = 0; c < D; c++) o[c] += p[j] * v[c];
    }
    for (size_t c = 0; c < D; c++)
        if (!(fabs(o[c] / sum - r->got[c]) < r->near)) return 0;
    return 1;
}

static int fits(const lab_symptom *s, const lab_wrong_rows *w, layout of) {
    const size_t H = w->shape.heads, Sq = w->shape.seq_q;
    for (int i = 0; i < w->n; i++) {
        const lab_wrong_row *r = &w->row[i];
        const size_t head = r->head, query = Sq > 1 ? r->query : 0, place = head * Sq + query;
        const size_t b = of & OUTPUTS ? place / (Sq * H) : head / H, h = of & OUTPUTS ? place % H : head % H;
        const size_t row = of & OUTPUTS ? place / H % Sq : query;
        const float *q =
            s->in[1] + (of & QUERIES ? (b * Sq + row) * H + h : (b * H + h) * Sq + row) * w->shape.head_dim;
        const int seen = of & OUTPUTS && w->shape.causal ? (int)row + 1 + w->shape.seq_kv - w->shape.seq_q : r->keys;
        if (!row_matches(s, w, r, of, q, b, h, of & OUTPUTS ? seen : w->shape.causal ? r->seen : r->keys)) return 0;
    }
    return w->n > 1;
}

int lab_explain_layout(const lab_symptom *s, const lab_wrong_rows *w, char *text, size_t size) {
    static const struct {
        layout of;
        const char *what;
    } tried[] = {{KEYS | VALUES | QUERIES | OUTPUTS, ""},
                 {KEYS | VALUES, "K and V read"},
                 {OUTPUTS, "O stored"},
                 {KEYS | VALUES | QUERIES, "Q, K and V read"},
                 {QUERIES, "Q read"},
                 {QUERIES | OUTPUTS, "Q read, and O stored,"},
                 {KEYS, "K read"},
                 {VALUES, "V read"}};
    if (w->shape.heads < 2) return 0;
    for (size_t i = 0; i < sizeof tried / sizeof *tried; i++) {
        if (!fits(s, w, tried[i].of)) continue;
        snprintf(text, size, "%s%s as [B, S, H, D]: the layout is [B, H, S, D], a head's rows side by side",
                 *tried[i].what ? "matches " : LAB_ALL_OF_TOKENS, tried[i].what);
        return 1;
    }
    return 0;
}
