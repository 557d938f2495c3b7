// picture_rows.c: m and l of each row, as far as shared memory shows them. They lie in registers, which nobody sees. But
// where a score s becomes a probability p in its place, m = s - ln p; and the p of a row say how l grows.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "picture.h"
#include "picture_rows.h"

typedef struct {
    float before, now;
    int phase;  // of the last store
    int stores;
} cell;

static float number(uint32_t bits) {
    float x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

static int region_named(const lab_launch *l, const char *name) {
    for (int r = 0; r < l->n_regions; r++)
        if (!strcmp(l->region[r].name, name)) return r;
    return LAB_NO_REGION;
}

static double input(const lab_launch *l, int region, int word) {
    return number((uint32_t)json_integer_value(json_array_get(l->region[region].before, word)));
}

// m and l of query i over keys 0 .. keys - 1, in double precision.
static void truth(const lab_launch *l, const lab_picture *p, int q, int k, int i, int keys, double *m, double *sum) {
    const attn_shape s = p->shape;
    const int seen = s.causal && i + 1 + s.seq_kv - s.seq_q < keys ? i + 1 + s.seq_kv - s.seq_q : keys;
    double score[1024];
    *m = -INFINITY, *sum = 0;
    for (int j = 0; j < seen && j < 1024; j++) {
        score[j] = 0;
        for (int d = 0; d < s.head_dim; d++)
            score[j] += input(l, q, i * s.head_dim + d) * input(l, k, j * s.head_dim + d);
        score[j] /= sqrt(s.head_dim);
        *m = fmax(*m, score[j]);
    }
    for (int j = 0; j < seen && j < 1024; j++) *sum += exp(score[j] - *m);
}

// 1: the row's m, on which its probabilities agree; their sum in *sum. -1: it sees no key of this tile. 0: it is not seen.
static int row_of(const cell *c, int n, int phase, double *m, double *sum) {
    int votes = 0, stored = 0;
    *sum = 0;
    for (int j = 0; j < n; j++) {
        if (!c[j].stores || c[j].phase != phase || c[j].stores < 2) continue;
        if (!(c[j].now >= 0 && c[j].now <= 1.0001f)) return 0;
        *sum += c[j].now, stored++;
        if (c[j].now < 1e-20f || !isfinite(c[j].before)) continue;
        const double here = c[j].before - log(c[j].now);
        if (votes++ && fabs(here - *m) > 1e-2 * (1 + fabs(*m))) return 0;
        if (votes == 1) *m = here;
    }
    return votes ? 1 : stored && *sum == 0 ? -1 : 0;
}

static int first_row(const lab_launch *l, int q) {
    int first = -1;
    for (int i = 0; i < l->n_seen; i++)
        for (int k = 0; k < l->seen[i].n; k++) {
            const int row = (int)l->seen[i].offset[k] / 4 / l->region[q].columns;
            if (l->seen[i].region == q && (first < 0 || row < first)) first = row;
        }
    return first;
}

// The keys of which this store copies one: one more than the last.
static int keys_of(const lab_launch *l, const lab_seen *s, int k_region) {
    int keys = 0;
    for (int k = 0; k < s->n; k++)
        if (s->source[k] == k_region) {
            const int row = (int)s->source_word[k] / l->region[k_region].columns + 1;
            if (row > keys) keys = row;
        }
    return keys;
}

static void store(cell *cells, const lab_launch *l, const lab_drawn *d, const lab_seen *s) {
    for (int k = 0; k < s->n; k++) {
        const int w = (int)s->offset[k] / 4 - d->first;
        if (w < 0 || w >= d->words) continue;
        cell *c = &cells[w];
        *c = (cell){c->now, number(s->word[k][0]), s->phase, c->phase == s->phase ? c->stores + 1 : 1};
    }
    (void)l;
}

static const lab_drawn *scores_of(const lab_launch *l) {
    for (int i = 0; i < l->n_drawn; i++)
        if (!strcmp(l->drawn[i].name, "shared: computed")) return &l->drawn[i];
    return NULL;
}

static void end_phase(lab_rows *rows, const lab_launch *l, const lab_picture *p, const cell *cells, int pitch, int q,
                      int k, int phase, int keys) {
    lab_rows_tile *t = &rows->tile[rows->n];
    int any = 0;
    *t = (lab_rows_tile){.phase = phase, .keys = keys};
    for (int r = 0; r < rows->rows; r++) {
        double m = NAN, sum = 0, true_m, true_l;
        const lab_row *old = rows->n ? &rows->tile[rows->n - 1].row[r] : NULL;
        lab_row *row = &t->row[r];
        const int seen = row_of(cells + (size_t)r * pitch, pitch, phase, &m, &sum);
        any |= seen == 1;
        row->known = seen == 1 || (seen < 0 && old && old->known);
        if (seen < 0 && old) m = old->m;
        truth(l, p, q, k, rows->first + r, keys, &true_m, &true_l);
        row->m = m, row->sum = sum, row->true_m = true_m, row->true_l = true_l;
        row->l = sum + (old && old->known ? old->l * exp(old->m - m) : 0);
        row->wrong =
            row->known && !(fabs(m - true_m) < 1e-3 * (1 + fabs(true_m)) && fabs(row->l - true_l) < 1e-3 * true_l);
    }
    rows->n += any;
}

void lab_rows_find(lab_rows *rows, const lab_launch *l, const lab_picture *p) {
    const lab_drawn *d = scores_of(l);
    const int q = region_named(l, "Q"), k = region_named(l, "K");
    memset(rows, 0, sizeof *rows);
    if (p->op != &lab_flash || !d || q < 0 || k < 0 || !l->region[q].before || !l->region[k].before) return;
    cell *cells = calloc(d->words + d->pitch, sizeof *cells);
    rows->first = first_row(l, q);
    rows->rows = (d->words + d->pitch - 1) / d->pitch;
    if (rows->rows > p->shape.seq_q - rows->first) rows->rows = p->shape.seq_q - rows->first;
    if (rows->rows > LAB_MOST_ROWS) rows->rows = LAB_MOST_ROWS;
    int phase = 0, keys = 0;
    for (int i = 0; cells && rows->first >= 0 && i <= l->n_seen; i++) {
        const lab_seen *s = i < l->n_seen ? &l->seen[i] : NULL;
        if ((!s || s->phase != phase) && rows->n < LAB_MOST_TILES)
            end_phase(rows, l, p, cells, d->pitch, q, k, phase, keys);
        if (!s) break;
        phase = s->phase;
        if (l->site[s->site].op == LAB_SAW_LOAD) continue;
        const int now = keys_of(l, s, k);
        if (now > keys) keys = now;
        if (s->region == d->region) store(cells, l, d, s);
    }
    free(cells);
}

// ---- The output

int lab_rows_wrong_output(const lab_launch *l, const lab_picture *p, double *max_error) {
    const int o = region_named(l, p->op->tensors[0]);
    const float *in[LAB_MAX_TENSORS] = {NULL};
    const size_t n = p->op->elements(p->shape, 0);
    double *want = malloc(n * sizeof *want), *stored = malloc(n * sizeof *stored);
    int row = -1, ok = want != NULL;
    *max_error = 0;
    for (int t = 1; ok && t < p->op->n_tensors; t++) {
        const int r = region_named(l, p->op->tensors[t]);
        float *x = malloc(p->op->elements(p->shape, t) * sizeof *x);
        ok = x && r >= 0 && l->region[r].before;
        for (size_t i = 0; ok && i < p->op->elements(p->shape, t); i++) x[i] = (float)input(l, r, (int)i);
        in[t] = x;
    }
    ok = ok && stored && o >= 0 && p->op->oracle(p->shape, NULL, in, 0, want);
    // What was stored last: exponentials may lie there first, which are divided later.
    for (size_t i = 0; ok && i < n; i++) stored[i] = want[i];
    for (int i = 0; ok && i < l->n_seen; i++) {
        const lab_seen *s = &l->seen[i];
        if (s->region != o || l->site[s->site].op == LAB_SAW_LOAD) continue;
        for (int k = 0; k < s->n; k++)
            for (int w = 0; w < l->site[s->site].bytes / 4; w++)
                if (s->offset[k] / 4 + w < n) stored[s->offset[k] / 4 + w] = number(s->word[k][w]);
    }
    for (size_t i = 0; ok && i < n; i++) {
        const double error = fabs(stored[i] - want[i]);
        if (!(error < 1e-3) && row < 0) row = (int)(i / l->region[o].columns);
        if (error > *max_error || isnan(error)) *max_error = error;
    }
    free(stored);
    for (int t = 1; t < p->op->n_tensors; t++) free((void *)in[t]);
    free(want);
    return ok ? row : -1;
}
