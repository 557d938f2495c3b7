// parts.c: a row whose parts are right, of tiles, warps or blocks, and which are joined with wrong weights. The weights are
// fitted; then they are compared with what known mistakes give.
#include "part_weights.h"
#include "reductions.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef enum { TILED, SHARES, INTERLEAVED } division;

// In which of `size` parts, or tiles of `size` keys, key j is; a part i of n begins with key seen * i / n.
static int part_of(division d, int size, int seen, int j) {
    if (d == TILED) return j / size;
    if (d == INTERLEAVED) return j % size;
    int i = (int)((long)j * size / seen);
    while ((long)seen * (i + 1) / size <= j) i++;
    return i;
}

// size 0: as the row says.
static int divide(const lab_wrong_rows *w, const lab_wrong_row *r, division d, int size, lab_parts *a) {
    const int D = w->shape.head_dim;
    int place[256];
    if (!size) size = d == TILED ? r->tile : r->parts;
    if (!size) return 0;
    memset(a, 0, sizeof *a), memset(place, -1, sizeof place);
    lab_row_scores(r, D, w->scratch);
    for (int pass = 0; pass < 2; pass++)
        for (int j = 0; j < r->seen; j++) {
            const int part = part_of(d, size, r->seen, j);
            if (part >= 256) return 0;
            if (place[part] < 0) {
                if (a->n == LAB_MOST_PARTS || a->n * 3 > D) return 0;
                place[part] = a->n, a->which[a->n] = part, a->m[a->n++] = -INFINITY;
            }
            const int i = place[part];
            if (pass == 0) {
                a->m[i] = fmax(a->m[i], w->scratch[j]);
                continue;
            }
            const double p = exp(w->scratch[j] - a->m[i]);
            a->l[i] += p;
            for (int c = 0; c < D; c++) a->o[i][c] += p * r->v[(size_t)j * D + c];
        }
    a->top = -INFINITY;
    for (int i = 0; i < a->n; i++) a->top = fmax(a->top, a->m[i]);
    for (int i = 0; i < a->n; i++) {
        a->sum += a->l[i] * exp(a->m[i] - a->top);
        for (int c = 0; c < D; c++) a->o[i][c] /= a->l[i];
    }
    return a->n > 1 && r->seen >= 4 * a->n;  // parts of one key fit whatever weights there are
}

// Least squares by the normal equations. Returns whether the row is a sum of its parts, whatever their weights.
static int fit(const lab_wrong_row *r, int D, lab_parts *a) {
    double g[LAB_MOST_PARTS * (LAB_MOST_PARTS + 1)];
    for (int i = 0; i < a->n; i++)
        for (int j = 0; j <= a->n; j++) {
            double *sum = &g[i * (a->n + 1) + j];
            *sum = 0;
            for (int c = 0; c < D; c++) *sum += a->o[i][c] * (j < a->n ? a->o[j][c] : r->got[c]);
        }
    if (!lab_solve(a->n, g, a->w)) return 0;
    double most = 0;
    for (int i = 0; i < a->n; i++) most = fmax(most, fabs(a->w[i]));
    if (most < 0.01) return 0;
    for (int c = 0; c < D; c++) {
        double sum = 0, size = 0;
        for (int i = 0; i < a->n; i++) sum += a->w[i] * a->o[i][c], size += fabs(a->w[i] * a->o[i][c]);
        if (!(fabs(sum - r->got[c]) < LAB_TOLERANCE / 4 * (1 + size))) return 0;
    }
    return 1;
}

// ---- In words

static const char *const sentence[N_MISTAKES] = {
    [O_KEPT] = "matches parts whose O is added without its factor exp(m - M), while l has it",
    [L_KEPT] = LAB_L_KEPT,
    [WITHOUT_L] =
        "matches parts that are weighted by exp(m - M) alone: a part that is divided by its l counts l exp(m - M)",
    [L_TWICE] = "matches parts that are divided by their own l before they are joined, and by the whole l after it",
    [LOG_AS_WEIGHT] = "matches parts that are weighted by L = log(l) + m itself: the weight is exp(L - max L)",
    [ADDED] = "matches the outputs of the parts added as they are: a part counts with its share of the row sum",
    [ONE_ALONE] = "matches one part alone: the others are not added",
    [MAX_OF_HALF] =
        "matches a maximum over the first half of the parts alone: what is subtracted is the maximum of all "
        "parts, the same in each",
    [MAX_OF_FIRST] = "matches the maximum of the first part taken for that of all: what is subtracted is the same in "
                     "each part, the maximum of all",
    [UNEVEN] = "matches keys that do not count once each",
    [UNKNOWN] =
        "perhaps each part of the keys is right, and they are joined with wrong weights: a part counts l exp(m - M), "
        "over the sum of that",
};

static int fits(const lab_wrong_rows *w, division d, int size, int may_be[N_MISTAKES]) {
    for (lab_part_mistake x = 0; x < N_MISTAKES; x++) may_be[x] = 1;
    for (int i = 0; i < w->n; i++) {
        static _Thread_local lab_parts a;
        if (!divide(w, &w->row[i], d, size, &a) || !fit(&w->row[i], w->shape.head_dim, &a)) return 0;
        for (lab_part_mistake x = 0; x < N_MISTAKES; x++) may_be[x] &= lab_parts_are(x, &a);
    }
    return w->n > 0 && !may_be[RIGHT];
}

static void name_parts(division d, int size, int splits, char *text, size_t room) {
    if (!size)
        snprintf(text, room, d == TILED && !splits ? " (one part a tile)" : " (one part a split)");
    else if (d == TILED)
        snprintf(text, room, size == 1 ? " (key by key)" : " (tiles of %d keys)", size);
    else
        snprintf(text, room, d == SHARES ? " (%d parts)" : " (%d parts, part i has the keys i, i + %d, ...)", size,
                 size);
}

// The first part of the first row with another weight than it should have.
static void say_first(const lab_wrong_rows *w, division d, int size, char *text, size_t room) {
    static _Thread_local lab_parts a;
    if (!divide(w, &w->row[0], d, size, &a) || !fit(&w->row[0], w->shape.head_dim, &a)) return;
    for (int i = 0; i < a.n; i++) {
        if (fabs(a.w[i] - lab_part_weight(RIGHT, &a, i)) < 0.01) continue;
        snprintf(text, room, ": in row %d, part %d counts %.3g, and %.3g is right", w->row[0].query, a.which[i] + 1,
                 a.w[i], lab_part_weight(RIGHT, &a, i));
        return;
    }
}

static void say_times(int count, char *text, size_t size) {
    if (count > 1)
        snprintf(text, size, "%d times", count);
    else
        snprintf(text, size, "%s", count ? "once" : "not at all");
}

// The first part that counts more or less often than the first one.
static void say_uneven(const lab_wrong_rows *w, division d, int size, char *text, size_t room) {
    static _Thread_local lab_parts a;
    int i = 1;
    if (!divide(w, &w->row[0], d, size, &a) || !fit(&w->row[0], w->shape.head_dim, &a)) return;
    while (i < a.n - 1 && lab_part_times(&a, i) == lab_part_times(&a, 0)) i++;
    text += strlen(text) - 1, room--;  // the bracket of name_parts
    char first[24], other[24];
    say_times(lab_part_times(&a, 0), first, sizeof first), say_times(lab_part_times(&a, i), other, sizeof other);
    snprintf(text, room, ": part %d counts %s, part %d %s)", a.which[0], first, a.which[i], other);
}

int lab_explain_parts(const lab_wrong_rows *w, char *text, size_t room) {
    static const struct {
        division d;
        int size;
    } tried[] = {{TILED, 0},       {SHARES, 0},      {INTERLEAVED, 0}, {TILED, 128},      {TILED, 64}, {TILED, 32},
                 {TILED, 16},      {TILED, 256},     {SHARES, 8},      {SHARES, 16},      {SHARES, 4}, {TILED, 8},
                 {INTERLEAVED, 4}, {INTERLEAVED, 8}, {INTERLEAVED, 2}, {INTERLEAVED, 16}, {TILED, 4}};
    if (w->shape.head_dim > 256) return 0;
    for (int named = 1; named >= 0; named--)  // what has a name goes before what has none
        for (size_t i = 0; i < sizeof tried / sizeof *tried; i++) {
            int may_be[N_MISTAKES];
            if (!fits(w, tried[i].d, tried[i].size, may_be)) continue;
            for (lab_part_mistake x = RIGHT + 1; x < (named ? UNKNOWN : N_MISTAKES); x++) {
                if (!may_be[x]) continue;
                const int used = snprintf(text, room, "%s", sentence[x]);
                if (used < (int)room) name_parts(tried[i].d, tried[i].size, w->row[0].parts, text + used, room - used);
                if (x == UNEVEN) say_uneven(w, tried[i].d, tried[i].size, text, room - strlen(text));
                if (x == UNKNOWN) say_first(w, tried[i].d, tried[i].size, text + strlen(text), room - strlen(text));
                return 1;
            }
        }
    return 0;
}
