// layouts.c: rows that are right for tensors of another layout: [B, S, H, D], as many programs have them, or [B, H, D, S],
// column by column; the lab has [B, H, S, D].
#include "wrong_rows.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// Which of the tensors are taken for such.
typedef enum { KEYS = 1, VALUES = 2, QUERIES = 4, OUTPUTS = 8 } layout;

// Where a head's numbers lie, from one row to the next, and from one dim to the next.
typedef struct {
    size_t begin, row, dim;
} view;

static view view_of(attn_shape shape, int taken, int by_columns, size_t b, size_t h, size_t rows) {
    const size_t H = (size_t)shape.heads, D = (size_t)shape.head_dim;
    if (taken && !by_columns) return (view){(b * rows * H + h) * D, H * D, 1};
    return (view){(b * H + h) * rows * D, taken ? 1 : D, taken ? rows : 1};
}

// Attention of a row of head h of batch b, into w->scratch: its output is returned.
static const double *attend(const lab_symptom *s, const lab_wrong_rows *w, layout of, int by_columns, size_t b,
                            size_t h, size_t row, int seen) {
    const size_t D = w->shape.head_dim, Sk = w->shape.seq_kv;
    const view q = view_of(w->shape, of & QUERIES, by_columns, b, h, w->shape.seq_q),
               k = view_of(w->shape, of & KEYS, by_columns, b, h, Sk),
               v = view_of(w->shape, of & VALUES, by_columns, b, h, Sk);
    double *p = w->scratch, *o = p + Sk, max = -INFINITY, sum = 0;
    for (int j = 0; j < seen; j++) {
        p[j] = 0;
        for (size_t c = 0; c < D; c++)
            p[j] += (double)s->in[1][q.begin + row * q.row + c * q.dim] * s->in[2][k.begin + j * k.row + c * k.dim] /
                    sqrt((double)D);
        max = fmax(max, p[j]);
    }
    memset(o, 0, D * sizeof *o);
    for (int j = 0; j < seen; j++) {
        sum += p[j] = exp(p[j] - max);
        for (size_t c = 0; c < D; c++) o[c] += p[j] * s->in[3][v.begin + j * v.row + c * v.dim];
    }
    for (size_t c = 0; c < D; c++) o[c] /= sum;
    return o;
}

// A row of an output that is stored column by column has a number of another query in each place.
static int columns_match(const lab_symptom *s, const lab_wrong_rows *w, const lab_wrong_row *r, layout of, size_t b,
                         size_t h) {
    const size_t D = w->shape.head_dim, Sq = w->shape.seq_q;
    for (size_t c = 0; c < D; c++) {
        const size_t place = (size_t)r->query * D + c, row = place % Sq;
        const int seen = w->shape.causal ? (int)row + 1 + w->shape.seq_kv - w->shape.seq_q : r->keys;
        if (!(fabs(attend(s, w, of, 1, b, h, row, seen)[place / Sq] - r->got[c]) < r->near)) return 0;
    }
    return 1;
}

static int row_matches(const lab_symptom *s, const lab_wrong_rows *w, const lab_wrong_row *r, layout of,
                       int by_columns) {
    const size_t H = w->shape.heads, Sq = w->shape.seq_q, D = w->shape.head_dim;
    const size_t head = r->head, query = Sq > 1 ? r->query : 0, place = head * Sq + query;
    if (of & OUTPUTS && by_columns) return columns_match(s, w, r, of, head / H, head % H);
    const size_t b = of & OUTPUTS ? place / (Sq * H) : head / H, h = of & OUTPUTS ? place % H : head % H;
    const size_t row = of & OUTPUTS ? place / H % Sq : query;
    const int moved = of & OUTPUTS && w->shape.causal ? (int)row + 1 + w->shape.seq_kv - w->shape.seq_q : r->keys;
    const double *o = attend(s, w, of, by_columns, b, h, row,
                             of & OUTPUTS      ? moved
                             : w->shape.causal ? r->seen
                                               : r->keys);
    for (size_t c = 0; c < D; c++)
        if (!(fabs(o[c] - r->got[c]) < r->near)) return 0;
    return 1;
}

static int fits(const lab_symptom *s, const lab_wrong_rows *w, layout of, int by_columns) {
    for (int i = 0; i < w->n; i++)
        if (!row_matches(s, w, &w->row[i], of, by_columns)) return 0;
    return w->n > 1;
}

// One query, or one key: its tensor is the same either way, so that several layouts fit, and other claims tell which.
static int is_one_row(const lab_wrong_rows *w) { return w->shape.seq_q == 1 || w->shape.seq_kv == 1; }

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
                 {VALUES | OUTPUTS, "V read, and O stored,"},
                 {KEYS, "K read"},
                 {VALUES, "V read"},
                 {QUERIES | KEYS, "Q and K read"}};
    char none[2] = "x";
    int found = 0;
    for (int by_columns = w->shape.heads < 2; by_columns < 2 && !found; by_columns++)
        for (size_t i = 0; i < sizeof tried / sizeof *tried && (!found || is_one_row(w)); i++) {
            char sentence[240];
            if (!fits(s, w, tried[i].of, by_columns)) continue;
            if (by_columns)
                snprintf(sentence, sizeof sentence, "matches %s as [B, H, D, S], column by column" LAB_OTHER_LAYOUT,
                         *tried[i].what ? tried[i].what : "all tensors");
            else
                snprintf(sentence, sizeof sentence, "%s%s as [B, S, H, D]" LAB_OTHER_LAYOUT,
                         *tried[i].what ? "matches " : LAB_ALL_OF_TOKENS, tried[i].what);
            if (found++) {
                lab_guess(s->guesses, sentence, none, sizeof none);
                continue;
            }
            snprintf(text, size, "%s", sentence);
        }
    return found > 0;
}
