// landed_masks.c: rows of attention under a mask that chooses the right pairs of query and key, and stores -INFINITY where
// the scores of other pairs lie.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "heuristics.h"
#include "kept_scores.h"

typedef struct {
    size_t head, row, column;  // steps in memory
    const char *says;
} place;

// 1 where such a mask stores -INFINITY, in the scores of all heads; NULL: there is no memory.
static char *hidden_by(attn_shape s, const place *p) {
    const size_t heads = (size_t)s.batch * s.heads, n = heads * s.seq_q * s.seq_kv;
    char *hidden = calloc(n ? n : 1, 1);
    for (size_t h = 0; h < heads && hidden; h++)
        for (int i = 0; i < s.seq_q; i++)
            for (int j = i + 1 + s.seq_kv - s.seq_q; j < s.seq_kv; j++) {
                const size_t at = h * p->head + i * p->row + j * p->column;
                if (at < n) hidden[at] = 1;
            }
    return hidden;
}

static int is_row(const lab_wrong_rows *w, const lab_wrong_row *r, const char *hidden, int D) {
    const lab_kept_row *row = lab_kept_row_of(w, r, r->query);
    double sum = 0, *o = w->scratch;
    for (int d = 0; d < D; d++) o[d] = 0;
    for (int j = 0; row && j < r->keys; j++) {
        if (hidden[j]) continue;
        sum += row->weight[j];
        for (int d = 0; d < D; d++) o[d] += row->weight[j] * r->v[(size_t)j * w->shape.head_dim + d];
    }
    return lab_is_sum(r, o, sum, D);
}

// r->head counts the heads of all sequences.
static int all_match(const lab_wrong_rows *w, const lab_wrong_row row[], int n, const char *hidden) {
    const attn_shape s = w->shape;
    for (int i = 0; i < 2 * n; i++) {
        const lab_wrong_row *r = &row[i % n];
        const size_t at = ((size_t)r->head * s.seq_q + r->query) * s.seq_kv;
        if (!is_row(w, r, hidden + at, lab_columns_in_turn(s.head_dim, n, i))) return 0;
    }
    return n > 0;
}

// Rows that are right speak, too.
int lab_explain_landed_mask(const lab_symptom *s, const lab_wrong_rows *w,
                            lab_wrong_row (*row)(const lab_symptom *s, size_t r), char *text, size_t size) {
    const size_t Sq = s->shape.seq_q, Sk = s->shape.seq_kv;
    const place ways[] = {
        {Sq * Sk, 1, Sq, "S[j * seq_q + i], as if each key had a row"},
        {Sq * Sk, 1, Sk, "S[j * seq_kv + i], with query and key exchanged"},
        {Sq * Sk, Sq, 1, "S[i * seq_q + j], as if a row had seq_q scores"},
        {Sq * Sq, Sk, 1, "the scores of head h from S[h * seq_q * seq_q] on: a head has seq_q * seq_kv"},
        {Sk * Sk, Sk, 1, "the scores of head h from S[h * seq_kv * seq_kv] on: a head has seq_q * seq_kv"}};
    lab_wrong_row rows[LAB_MOST_ROWS + LAB_SAMPLES];
    int n = 0, known = 0;
    if (!s->shape.causal || !lab_are_enough(w)) return 0;
    for (; n < w->n; n++) rows[n] = w->row[n];
    const lab_sample right = lab_sample_right_rows(s);
    for (int i = 0; i < right.n; i++) {
        rows[n] = row(s, right.row[i]);
        rows[n].got = s->got + right.row[i] * s->shape.head_dim, rows[n++].near = LAB_TOLERANCE;
    }
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        char said[320];
        char *hidden = hidden_by(s->shape, &ways[i]);
        const int fits = hidden && all_match(w, rows, n, hidden);
        free(hidden);
        if (!fits) continue;
        snprintf(said, sizeof said, LAB_LANDED_MASK "%s: of a head, query i and key j are at S[i * seq_kv + j]",
                 ways[i].says);
        known = lab_guess(w->guesses, said, text, size);
    }
    return known;
}
