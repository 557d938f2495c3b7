// wrong_rows.c: wrong rows of attention: which keys and which columns are in them.
#include "wrong_rows.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

lab_wrong_rows lab_wrong_rows_of(const lab_symptom *s, lab_wrong_row (*row)(const lab_symptom *s, size_t r)) {
    const lab_sample bad = lab_sample_bad_rows(s);
    const size_t D = s->shape.head_dim;
    lab_wrong_rows w = {.n = 0, .shape = s->shape};
    w.scratch = malloc(2 * (s->shape.seq_kv + D) * sizeof *w.scratch);
    for (int i = 0; w.scratch && i < bad.n && w.n < LAB_MOST_ROWS; i++) {
        lab_wrong_row r = row(s, bad.row[i]);
        int finite = r.seen > 0;
        r.got = s->got + bad.row[i] * D, r.want = s->want + bad.row[i] * D;
        for (size_t c = 0; c < D; c++) finite = finite && lab_is_finite(r.got[c]);
        if (finite) w.row[w.n++] = r;
    }
    return w;
}

void lab_wrong_rows_free(lab_wrong_rows *w) {
    free(w->scratch);
    w->scratch = NULL;
}

double lab_row_scores(const lab_wrong_row *r, int D, double *p) {
    double max = -INFINITY;
    for (int j = 0; j < r->seen; j++) {
        p[j] = 0;
        for (int c = 0; c < D; c++) p[j] += (double)r->q[c] * r->k[(size_t)j * D + c] / sqrt(D);
        max = fmax(max, p[j]);
    }
    return max;
}

// ---- Fewer keys

// How many of the row's first keys (step +1) or last keys (step -1) alone explain the row: 1 .. seen - 1, or 0.
static int partial_keys(const lab_wrong_rows *w, const lab_wrong_row *r, int step) {
    const int D = w->shape.head_dim;
    double *p = w->scratch, *o = p + w->shape.seq_kv, sum = 0;
    const double max = lab_row_scores(r, D, p);
    memset(o, 0, D * sizeof *o);
    for (int n = 1; n < r->seen; n++) {
        const int j = step > 0 ? n - 1 : r->seen - n;
        const double weight = exp(p[j] - max);
        sum += weight;
        int matches = sum > 0;
        for (int c = 0; c < D; c++) {
            o[c] += weight * r->v[(size_t)j * D + c];
            matches = matches && fabs(r->got[c] - o[c] / sum) < LAB_TOLERANCE;
        }
        if (matches) return n;
    }
    return 0;
}

// The rows of a tile that count from the tile's first row: n = query mod Br + 1 + (seq_kv - seq_q). Returns Br, or 0.
static int forgotten_offset(const lab_wrong_rows *w, const int n[LAB_MOST_ROWS]) {
    const int more = w->shape.seq_kv - w->shape.seq_q + 1;
    for (int Br = 128; Br >= 4; Br -= 4) {
        int fits = w->shape.causal;
        for (int i = 0; i < w->n && fits; i++) fits = n[i] == w->row[i].query % Br + more;
        if (fits) return Br;
    }
    return 0;
}

static void say_first_keys(const lab_wrong_rows *w, const int n[LAB_MOST_ROWS], char *text, size_t size) {
    const attn_shape s = w->shape;
    const int Br = forgotten_offset(w, n);
    int all_same = 1;
    for (int i = 1; i < w->n; i++) all_same = all_same && n[i] == n[0];
    if (Br)
        snprintf(text, size,
                 "matches a mask that takes a row's place in its tile (of %d rows) for the number of the query: query "
                 "i0 + r sees keys 0 .. i0 + r + (seq_kv - seq_q)",
                 Br);
    else if (all_same && n[0] == s.seq_q && s.seq_q != s.seq_kv && s.seq_q > 1)
        snprintf(text, size,
                 "matches attention to the first %d keys only: the loop over keys ends at seq_q, not seq_kv", n[0]);
    else
        snprintf(text, size,
                 "matches attention to the first %d keys only (row %d): is the last, ragged tile of keys visited?",
                 n[0], w->row[0].query);
}

int lab_explain_partial_keys(const lab_wrong_rows *w, char *text, size_t size) {
    for (int step = 1; step >= -1; step -= 2) {
        int n[LAB_MOST_ROWS], all = w->n > 0;
        for (int i = 0; i < w->n && all; i++) all = (n[i] = partial_keys(w, &w->row[i], step)) > 0;
        if (!all) continue;
        if (step > 0)
            say_first_keys(w, n, text, size);
        else
            snprintf(text, size, "matches attention to the last %d keys only (row %d): what earlier tiles gave is lost",
                     n[0], w->row[0].query);
        return 1;
    }
    return 0;
}

// ---- Columns

static int right_at(const lab_wrong_row *r, int c) { return fabs(r->got[c] - r->want[c]) < LAB_TOLERANCE; }

static int by_value(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static int is_permuted(const lab_wrong_rows *w, const lab_wrong_row *r) {
    const int D = w->shape.head_dim;
    double *a = w->scratch, *b = a + D;
    for (int c = 0; c < D; c++) a[c] = r->got[c], b[c] = r->want[c];
    qsort(a, D, sizeof *a, by_value);
    qsort(b, D, sizeof *b, by_value);
    for (int c = 0; c < D; c++)
        if (!(fabs(a[c] - b[c]) < LAB_TOLERANCE)) return 0;
    return 1;
}

int lab_explain_columns(const lab_wrong_rows *w, char *text, size_t size) {
    const int D = w->shape.head_dim;
    int permuted = w->n > 0, step = 0;
    for (int i = 0; i < w->n; i++) permuted = permuted && is_permuted(w, &w->row[i]);
    if (permuted) {
        snprintf(text, size, "holds the right numbers of each row in other columns: look at the index of a column");
        return 1;
    }
    for (int s = 2; s <= 32 && !step; s *= 2) {  // only columns 0, s, 2 s, ... are right
        int fits = w->n > 1 && D > s;
        for (int i = 0; i < w->n && fits; i++)
            for (int c = 0; c < D && fits; c++)
                fits = c % s ? !right_at(&w->row[i], c) || c % s > 1 : right_at(&w->row[i], c);
        if (fits) step = s;
    }
    if (!step) return 0;
    snprintf(text, size,
             "only columns 0, %d, %d, ... are right: one of %d threads has the whole sum, the others do not", step,
             2 * step, step);
    return 1;
}

int lab_explain_rows(const lab_wrong_rows *w, char *text, size_t size) {
    return lab_explain_partial_keys(w, text, size) || lab_explain_extra_keys(w, text, size) ||
           lab_explain_constant(w, text, size) || lab_explain_online(w, text, size) ||
           lab_explain_scale(w, text, size) || lab_explain_columns(w, text, size);
}
