// wrong_rows.c: wrong rows of attention, and which of their columns are right.
#include "kept_scores.h"
#include "other_weights.h"
#include "row_sums.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// A row in which one key has all the weight looks the same under many mistakes.
static int one_key_rules(const lab_wrong_row *r, int D, double *p) {
    const double max = lab_row_scores(r, D, p);
    double sum = 0;
    for (int j = 0; j < r->seen; j++) sum += exp(p[j] - max);
    return sum < 1.3;
}

// A row of zeros is what many mistakes end in.
static int is_zero(const lab_wrong_row *r, int D) {
    double got = 0, want = 0;
    for (int c = 0; c < D; c++) got = fmax(got, fabs(r->got[c])), want = fmax(want, fabs(r->want[c]));
    return got < 1e-6 * want;
}

// Nearer than the right row is: where a row is hardly wrong, much else is within the tolerance of it, too.
static double near_enough(const lab_wrong_row *r, size_t D) {
    double off = 0;
    for (size_t c = 0; c < D; c++) off = fmax(off, fabs(r->got[c] - r->want[c]));
    return fmin(LAB_TOLERANCE, off / 4);
}

lab_wrong_rows lab_wrong_rows_of(const lab_symptom *s, lab_wrong_row (*row)(const lab_symptom *s, size_t r),
                                 int telling) {
    const lab_sample bad = lab_sample_bad_rows(s);
    const size_t D = s->shape.head_dim;
    lab_wrong_rows w = {
        .n = 0, .shape = s->shape, .guesses = s->guesses, .on_cpu = s->op == &lab_sdpa || s->op == &lab_tiled};
    w.scratch = malloc(2 * (s->shape.seq_kv + D) * sizeof *w.scratch), w.kept = lab_kept_new();
    for (int i = 0; w.scratch && i < bad.n && w.n < LAB_MOST_ROWS; i++) {
        lab_wrong_row r = row(s, bad.row[i]);
        int finite = r.seen > 0;
        r.got = s->got + bad.row[i] * D, r.want = s->want + bad.row[i] * D;
        for (size_t c = 0; c < D; c++) finite = finite && lab_is_finite(r.got[c]);
        if (finite && !(telling && (is_zero(&r, (int)D) || one_key_rules(&r, (int)D, w.scratch)))) {
            r.near = near_enough(&r, D);
            w.row[w.n++] = r;
        }
    }
    return w;
}

lab_sample lab_telling_rows(const lab_symptom *s, const lab_sample *bad,
                            lab_wrong_row (*row)(const lab_symptom *s, size_t r)) {
    lab_sample telling = {.n = 0};
    double *p = malloc((s->shape.seq_kv + 1) * sizeof *p);
    for (int i = 0; p && i < bad->n; i++) {
        lab_wrong_row r = row(s, bad->row[i]);
        r.got = s->got + bad->row[i] * s->shape.head_dim, r.want = s->want + bad->row[i] * s->shape.head_dim;
        if (r.seen > 0 && !is_zero(&r, s->shape.head_dim) && !one_key_rules(&r, s->shape.head_dim, p))
            telling.row[telling.n++] = bad->row[i];
    }
    free(p);
    if (telling.n < 2 && bad->n > telling.n) telling.n = 0;
    return telling;
}

void lab_wrong_rows_free(lab_wrong_rows *w) {
    free(w->scratch), lab_kept_free(w->kept);
    w->scratch = NULL, w->kept = NULL;
}

int lab_are_enough(const lab_wrong_rows *w) {
    double off = 0;
    for (int c = 0; c < w->shape.head_dim && w->n; c++) off = fmax(off, fabs(w->row[0].got[c] - w->row[0].want[c]));
    return w->n > 1 || (w->shape.head_dim >= 16 && off > 50 * LAB_TOLERANCE);
}

LAB_WIDE
double lab_row_scores(const lab_wrong_row *r, int D, double *p) {
    const double root = 1 / sqrt(D);
    double max = -INFINITY;
    for (int j = 0; j < r->seen; j++) {
        p[j] = root * lab_dot(r->q, r->k + (size_t)j * D, D);
        max = p[j] > max ? p[j] : max;
    }
    return max;
}

void lab_row_by_scores(const lab_wrong_row *r, int D, double *p, double *o) {
    double max = -INFINITY, sum = 0;
    for (int j = 0; j < r->seen; j++) max = fmax(max, p[j]);
    memset(o, 0, D * sizeof *o);
    for (int j = 0; j < r->seen; j++) {
        sum += p[j] = exp(p[j] - max);
        for (int c = 0; c < D; c++) o[c] += p[j] * r->v[(size_t)j * D + c];
    }
    for (int c = 0; c < D; c++) o[c] /= sum;
}

int lab_row_has_scores(const lab_wrong_row *r, int D, double *p) {
    double max = -INFINITY, sum = 0;
    for (int j = 0; j < r->seen; j++) max = fmax(max, p[j]);
    for (int j = 0; j < r->seen; j++) sum += p[j] = exp(p[j] - max);
    for (int d = 0; d < D; d++) {
        double o = 0;
        for (int j = 0; j < r->seen; j++) o += p[j] / sum * r->v[(size_t)j * D + d];
        if (!(fabs(o - r->got[d]) < r->near)) return 0;
    }
    return 1;
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

// Are the columns of lanes 0 .. lanes - 1 of 32 right for scores that are summed over the dims of these lanes alone?
static int lanes_alone(const lab_wrong_rows *w, const lab_wrong_row *r, int lanes) {
    const int D = w->shape.head_dim;
    const double root = 1 / sqrt(D);
    double *p = w->scratch, *o = p + w->shape.seq_kv;
    for (int j = 0; j < r->seen; j++) {
        p[j] = 0;
        for (int c = 0; c < D; c++)
            if (c % 32 < lanes) p[j] += root * r->q[c] * r->k[(size_t)j * D + c];
    }
    lab_row_by_scores(r, D, p, o);
    for (int c = 0; c < D; c++)
        if (c % 32 < lanes && !(fabs(o[c] - r->got[c]) < r->near)) return 0;
    return 1;
}

int lab_explain_lanes(const lab_wrong_rows *w, char *text, size_t size) {
    for (int lanes = 16; lanes >= 1; lanes /= 2) {
        int all = w->n > 1 && w->shape.head_dim > lanes;
        for (int i = 0; i < w->n && all; i++) all = lanes_alone(w, &w->row[i], lanes);
        if (!all) continue;
        lab_guess_own_dims(w);
        snprintf(
            text, size,
            "matches scores that are summed over %d of 32 lanes alone: the steps of the shuffle are 16, 8, 4, 2 and 1",
            lanes);
        return 1;
    }
    return 0;
}

// Does each column hold the sum of the right ones up to it?
static int columns_run_on(const lab_wrong_rows *w) {
    for (int i = 0; i < w->n; i++) {
        double sum = 0;
        for (int c = 0; c < w->shape.head_dim; c++) {
            sum += w->row[i].want[c];
            if (!(fabs(w->row[i].got[c] - sum) < w->row[i].near * (1 + fabs(sum)))) return 0;
        }
    }
    return w->n > 1;
}

int lab_explain_columns(const lab_wrong_rows *w, char *text, size_t size) {
    const int D = w->shape.head_dim;
    if (columns_run_on(w)) {
        snprintf(text, size,
                 "matches a sum over the keys that goes on from one column to the next: set it to 0 for each");
        return 1;
    }
    int permuted = w->n > 0, step = 0;
    for (int i = 0; i < w->n; i++) permuted = permuted && is_permuted(w, &w->row[i]);
    if (permuted) {
        snprintf(text, size, "holds the right numbers of each row in other columns: look at the index of a column");
        return 1;
    }
    for (int s = 8; s < D; s++) {  // columns that repeat
        int fits = w->n > 0 && (s % 32 == 0 || D % s == 0);
        for (int i = 0; i < w->n && fits; i++)
            for (int c = 0; c < D && fits; c++) fits = fabs(w->row[i].got[c] - w->row[i].want[c % s]) < LAB_TOLERANCE;
        if (!fits) continue;
        snprintf(
            text, size,
            "matches columns from %d on that repeat columns 0 .. %d: a thread with several dims, or a later thread, "
            "takes the first ones of V again",
            s, s - 1);
        return 1;
    }
    for (int s = 2; s <= 32 && !step; s *= 2) {  // only columns 0, s, 2 s, ... are right
        int fits = w->n > 1 && D > s, between = 0;
        for (int i = 0; i < w->n && fits; i++)
            for (int c = 0; c < D && fits; c++) {
                fits = c % s ? !right_at(&w->row[i], c) || c % s > 1 : right_at(&w->row[i], c);
                between += c % s == s / 2 ? 1 - 2 * right_at(&w->row[i], c) : 0;
            }
        if (fits && between > 0) step = s;  // columns s / 2, 3 s / 2, ... are wrong, or it is half as many threads
    }
    if (!step) return 0;
    snprintf(
        text, size,
        "only columns 0, %d, %d, ... are right, which one of %d threads makes: do the others have the whole sum, and "
        "read the same numbers?",
        step, 2 * step, step);
    return 1;
}

void lab_guess_one_key(const lab_symptom *s, lab_wrong_row (*row)(const lab_symptom *s, size_t r)) {
    if (s->shape.seq_kv != 1 || s->shape.seq_q != 1) return;
    lab_wrong_rows rows = lab_wrong_rows_of(s, row, 0);
    lab_guess_addresses_of_one_key(s, &rows);
    char sentence[320] = "", text[320] = "";
    if (lab_explain_own_scores(&rows, sentence, sizeof sentence)) lab_guess(s->guesses, sentence, text, sizeof text);
    lab_wrong_rows_free(&rows);
}

int lab_explain_rows(const lab_symptom *s, lab_wrong_row (*row)(const lab_symptom *s, size_t r), char *text,
                     size_t size) {
    static const struct {
        int (*explain)(const lab_wrong_rows *, char *, size_t);
        int by_keys;  // it asks which keys a row has: rows in which one key has all the weight do not tell
    } all[] = {{lab_explain_other_l_of_few, 0}, {lab_explain_fold_rows, 0},     {lab_explain_seen_keys, 1},
               {lab_explain_extra_keys, 0},     {lab_explain_masked_late, 0},   {lab_explain_constant, 0},
               {lab_explain_online, 1},         {lab_explain_divisor, 0},       {lab_explain_own_outputs, 0},
               {lab_explain_scale, 1},          {lab_explain_hidden_score, 1},  {lab_explain_transposed, 1},
               {lab_explain_lanes, 1},          {lab_explain_columns, 0},       {lab_explain_zero_mask, 1},
               {lab_explain_beyond, 1},         {lab_explain_part_joins, 1},    {lab_explain_part_walks, 1},
               {lab_explain_two_parts, 1},      {lab_explain_other_weights, 1}, {lab_explain_tiles_of_heads, 0},
               {lab_explain_head_before, 1},    {lab_explain_approximated, 1},  {lab_explain_scaled_steps, 1},
               {lab_explain_lane_dims, 1},      {lab_explain_copies, 1}},
      last[] = {{lab_explain_other_rows_l, 1},   {lab_explain_own_scores, 0},    {lab_explain_dealt_rows, 1},
                {lab_explain_dealt_scores, 0},   {lab_explain_turned_tiles, 0},  {lab_explain_exchanged, 0},
                {lab_explain_dealt_dims, 0},     {lab_explain_shuffled_dims, 0}, {lab_explain_rows_added, 1},
                {lab_explain_dims, 1},           {lab_explain_neighbours, 1},    {lab_explain_other_l, 0},
                {lab_explain_joined_dims, 1},    {lab_explain_reductions, 1},    {lab_explain_zero_keys, 1},
                {lab_explain_hidden_weights, 1}, {lab_explain_key_counts, 1},    {lab_explain_summed_scores, 1},
                {lab_explain_grouped_scores, 1}, {lab_explain_unscored, 1},      {lab_explain_parts, 1}};
    lab_wrong_rows rows[2] = {lab_wrong_rows_of(s, row, 0), lab_wrong_rows_of(s, row, 1)};
    int known = lab_explain_one_sum(s, &rows[0], row, text, size);
    if (rows[1].n < 2 && rows[0].n > rows[1].n) rows[1].n = 0;
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        char sentence[320] = "";
        if (all[i].explain(&rows[all[i].by_keys], sentence, sizeof sentence))
            known = lab_guess(s->guesses, sentence, text, size);
    }
    known |= lab_explain_gated_mask(s, &rows[1], row, text, size);
    known |= lab_explain_tile_steps(&rows[1], text, size);
    known |= lab_explain_landed_mask(s, &rows[1], row, text, size);
    lab_guess_own_key(&rows[0]), lab_guess_one_key(s, row);
    char sentence[320] = "";
    if (lab_explain_addresses(s, &rows[1], sentence, sizeof sentence) ||
        lab_explain_layout(s, &rows[1], sentence, sizeof sentence) ||
        (!known && lab_explain_carried(s, &rows[1], sentence, sizeof sentence)))
        known = lab_guess(s->guesses, sentence, text, size);
    const int of_splits = known && rows[0].n && rows[0].row[0].parts;  // of many keys much else comes near
    *sentence = 0;
    if (of_splits && lab_explain_own_scores(&rows[0], sentence, sizeof sentence))
        lab_guess(s->guesses, sentence, text, size);
    for (size_t i = 0; i < sizeof last / sizeof *last && !known; i++) {  // they cost more
        *sentence = 0;
        if (last[i].explain(&rows[last[i].by_keys], sentence, sizeof sentence))
            known = lab_guess(s->guesses, sentence, text, size);
    }
    for (int i = 0; i < 2; i++) lab_wrong_rows_free(&rows[i]);
    return known;
}
