// gated_masks.c: rows of attention under a mask that looks at some tiles alone (../tile_gates.c), whatever the sizes of
// tiles. All tiles are walked over, or those up to the last key that the tile of queries sees, or, of tile y of queries,
// tiles 0 .. y.
#include "tile_gates.h"

#include <math.h>

#include "kept_scores.h"

enum { MOST = LAB_MOST_ROWS + LAB_SAMPLES };

typedef enum { TO_END, TO_LAST_TILE, TO_LAST_KEY, TO_NUMBER, N_WALKS } walk;

typedef struct {
    lab_gate gate;
    lab_gate_rule rule;
    walk walk;
    int Br, Bc;
} candidate;

static int end_of(const candidate *m, const lab_wrong_row *r, int shift) {
    const int y = r->query / m->Br, last = (y + 1) * m->Br + shift;
    const int end = m->walk == TO_END        ? r->keys
                    : m->walk == TO_NUMBER   ? (y + 1) * m->Bc
                    : m->walk == TO_LAST_KEY ? last
                                             : (last + m->Bc - 1) / m->Bc * m->Bc;
    return end < r->keys ? end : r->keys;
}

// *hidden: how many keys the mask hides, in all rows so far.
static int is_row(const lab_wrong_rows *w, const lab_wrong_row *r, const candidate *m, int D, int *hidden) {
    const lab_kept_row *row = lab_kept_row_of(w, r, r->query);
    const int end = end_of(m, r, w->shape.seq_kv - w->shape.seq_q);
    double sum = 0, *o = w->scratch;
    for (int d = 0; d < D; d++) o[d] = 0;
    for (int j = 0; row && j < end; j++) {
        const lab_tile t = lab_tile_of(w->shape, m->Br, m->Bc, r->query, j);
        if (lab_gate_hides(m->gate, m->rule, &t, r->query - t.i0, j - t.j0)) {
            ++*hidden;
            continue;
        }
        sum += row->weight[j];
        for (int d = 0; d < D; d++) o[d] += row->weight[j] * r->v[(size_t)j * w->shape.head_dim + d];
    }
    return lab_is_sum(r, o, sum, D);
}

typedef enum { NO_MATCH, AS_NO_MASK, MATCH } outcome;  // AS_NO_MASK: it hides nothing here

static outcome all_match(const lab_wrong_rows *w, const lab_wrong_row row[], int n, const candidate *m) {
    int hidden = 0;
    for (int i = 0; i < 2 * n; i++)
        if (!is_row(w, &row[i % n], m, lab_columns_in_turn(w->shape.head_dim, n, i), &hidden)) return NO_MATCH;
    return hidden ? MATCH : AS_NO_MASK;
}

// Of any tiles, where the lab does not know them. Then most that hides nothing says nothing: there are too many such rules,
// and one tile for all hides nothing by each. But places with seq_kv - seq_q hide nothing wherever that is large.
static outcome some_match(const lab_wrong_rows *w, const lab_wrong_row row[], int n, candidate m) {
    static const int sizes[] = {16, 32, 64, 128, 8, 48, 4, 96, 24};
    enum { N = sizeof sizes / sizeof *sizes };
    const int known = row->queries && row->tile;
    for (int i = 0; i < (known ? 1 : N * N); i++) {
        m.Br = known ? row->queries : sizes[i / N], m.Bc = known ? row->tile : sizes[i % N];
        const outcome o = all_match(w, row, n, &m);
        const int several = m.rule == LAB_PLACES_SHIFTED && m.Br < w->shape.seq_q && m.Bc < w->shape.seq_kv;
        if (o == MATCH || (o && (known || several))) return o;
    }
    return NO_MATCH;
}

// Rows that are right speak, too.
int lab_explain_gated_mask(const lab_symptom *s, const lab_wrong_rows *w,
                           lab_wrong_row (*row)(const lab_symptom *s, size_t r), char *text, size_t size) {
    const lab_sample right = lab_sample_right_rows(s);
    lab_wrong_row rows[MOST];
    int n = 0, known = 0;
    if (!s->shape.causal || !lab_are_enough(w)) return 0;
    for (; n < w->n; n++) rows[n] = w->row[n];
    for (int i = 0; i < right.n; i++) {
        rows[n] = row(s, right.row[i]);
        rows[n].got = s->got + right.row[i] * s->shape.head_dim, rows[n++].near = LAB_TOLERANCE;
    }
    for (candidate m = {0}; m.gate < LAB_N_GATES; m.gate++)
        for (m.rule = 0; m.rule < LAB_N_GATE_RULES; m.rule++)
            for (m.walk = 0; m.walk < N_WALKS; m.walk++) {
                char said[320], aside[320] = "";
                const int by_number = m.walk == TO_NUMBER;
                const outcome o = by_number && m.gate != LAB_ON_NUMBER ? NO_MATCH : some_match(w, rows, n, m);
                if (!o) continue;
                lab_gate_sentence(m.gate, m.rule, by_number ? ", a walk that ends there" : "", said, sizeof said);
                lab_guess(w->guesses, said, o == MATCH ? text : aside, o == MATCH ? size : sizeof aside);
                known |= o == MATCH;
            }
    return known;
}
