// displaced.c: right numbers in wrong places: rows that hold what belongs to other rows, and columns to other columns.
#include "heuristics.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { NARROWEST = 8, FEWEST_ROWS = 3, WIDEST = 256, MOST_ELEMENTS = 1 << 20 };

typedef struct {
    const lab_symptom *s;
    size_t rows, width;
} table;

static int is_value(const table *t, size_t row, size_t column, size_t of_row, size_t of_column) {
    const double got = t->s->got[row * t->width + column], want = t->s->want[of_row * t->width + of_column];
    return fabs(got - want) < LAB_TOLERANCE / 4;
}

static int is_row(const table *t, size_t row, size_t of_row) {
    double size = 0;
    for (size_t c = 0; c < t->width; c++) {
        if (!is_value(t, row, c, of_row, c)) return 0;
        size += fabs(t->s->want[of_row * t->width + c]);
    }
    return size > t->width * LAB_TOLERANCE * 4;  // zeros belong to nobody
}

// The row whose numbers these are: the nearest one; t->rows: there is none.
static size_t owner(const table *t, size_t row) {
    for (size_t away = 1; away < t->rows; away++) {
        if (row + away < t->rows && is_row(t, row, row + away)) return row + away;
        if (row >= away && is_row(t, row, row - away)) return row - away;
    }
    return t->rows;
}

// A row of attention in which one key has all the weight is the value of that key: other rows have the same numbers.
static int is_a_value(const table *t, size_t row) {
    const lab_op *op = t->s->op;
    if (op->n_tensors < 4 || op->tensors[3][0] != 'V' || op->tensors[3][1]) return 0;
    for (size_t v = 0; v < op->elements(t->s->shape, 3) / t->width; v++) {
        int same = 1;
        for (size_t c = 0; c < t->width && same; c++)
            same = fabs(t->s->got[row * t->width + c] - t->s->in[3][v * t->width + c]) < LAB_TOLERANCE;
        if (same) return 1;
    }
    return 0;
}

static void name_row(const table *t, size_t row, char *text, size_t size) {
    size_t at[4], extent[4];
    lab_place(t->s->op, t->s->shape, row * t->width, at);
    lab_op_extent(t->s->op, t->s->shape, extent);
    int used = 0;
    if (extent[0] > 1) used += snprintf(text + used, size - used, "batch %zu, ", at[0]);
    if (extent[1] > 1) used += snprintf(text + used, size - used, "head %zu, ", at[1]);
    snprintf(text + used, size - used, "row %zu", at[2]);
}

static int explain_rows(const table *t, const lab_sample *bad, char *text, size_t size) {
    size_t from = 0, to = 0;
    int found = 0;
    for (int i = 0; i < bad->n; i++) {
        const size_t of = t->s->shape.seq_kv > 1 && is_a_value(t, bad->row[i]) ? t->rows : owner(t, bad->row[i]);
        if (of == t->rows) continue;
        if (!found++) from = bad->row[i], to = of;
    }
    if (found < 2 || 2 * found < bad->n) return 0;
    char here[64], there[64];
    name_row(t, from, here, sizeof here), name_row(t, to, there, sizeof there);
    snprintf(text, size,
             "matches rows in other places: %s holds what belongs to %s; which row does a thread or loop compute, and "
             "where does it store it?",
             here, there);
    return 1;
}

// The column of all wrong rows whose numbers stand in this one; t->width: there is none, or there are several.
static size_t column_of(const table *t, const lab_sample *bad, size_t column) {
    size_t of = t->width;
    for (size_t c = 0; c < t->width; c++) {
        int all = 1;
        for (int i = 0; i < bad->n && all; i++) all = is_value(t, bad->row[i], column, bad->row[i], c);
        if (all && of < t->width) return t->width;
        if (all) of = c;
    }
    return of;
}

static int is_zero(const table *t, const lab_sample *bad, size_t column) {
    for (int i = 0; i < bad->n; i++)
        if (t->s->got[bad->row[i] * t->width + column] != 0) return 0;
    return 1;
}

// Column x + n y holds what belongs to k x + y, or to k x (again), as far as there are so many.
static int is_law(const size_t of[], size_t width, size_t n, size_t k, int again) {
    size_t moved = 0;
    for (size_t c = 0; c < width; c++) {
        const size_t due = c % n * k + (again ? 0 : c / n);
        if (due < width ? of[c] != due : of[c] != width) return 0;
        moved += due < width && due != c;
    }
    return 4 * moved >= width;
}

static void say_law(const size_t of[], size_t width, char *text, size_t size) {
    for (size_t n = 2; n < width; n++) {
        const size_t steps[] = {width % n ? 0 : width / n, 32, 16, 8, 4, 1};
        for (size_t i = 0; i < 2 * sizeof steps / sizeof *steps; i++) {
            const size_t step = steps[i / 2];
            if (!step || !is_law(of, width, n, step, i % 2)) continue;
            snprintf(text, size, ", so %zu x%s for x + %zu y", step, i % 2 ? "" : " + y", n);
            return;
        }
    }
}

// Groups of n columns, each of which holds what belongs to column `from` of its group.
static size_t group_of(const size_t of[], size_t width, size_t *from) {
    for (size_t n = 2; 2 * n <= width; n++) {
        size_t c = 0;
        while (c < width && of[c] == c / n * n + of[0]) c++;
        if (of[0] < n && c == width) return *from = of[0], n;
    }
    return 0;
}

static int explain_columns(const table *t, const lab_sample *bad, char *text, size_t size) {
    char law[80] = "";
    size_t of[WIDEST], moved = 0, zeros = 0, first = t->width, second = t->width;
    if (t->width > WIDEST || bad->n < FEWEST_ROWS) return 0;
    for (size_t c = 0; c < t->width; c++) {
        of[c] = column_of(t, bad, c);
        if (of[c] == t->width && !is_zero(t, bad, c)) return 0;
        zeros += of[c] == t->width;
        if (of[c] == c || of[c] == t->width) continue;
        moved++;
        if (first == t->width)
            first = c;
        else if (second == t->width)
            second = c;
    }
    say_law(of, t->width, law, sizeof law);
    if (moved < 2 || (moved < zeros && !*law)) return 0;
    const size_t group = group_of(of, t->width, &first);
    if (group)
        snprintf(text, size,
                 "matches columns in other places: in each group of %zu, all hold what belongs to column %zu of the "
                 "group: does one thread store for all, out of numbers of its own?",
                 group, first);
    else
        snprintf(text, size,
                 "matches columns in other places: column %zu holds what belongs to column %zu, and "
                 "%zu what belongs to %zu%s",
                 first, of[first], second, of[second], law);
    return 1;
}

// The only element of the output whose number this is; -1: there is none, or there are several.
static long element_of(const table *t, size_t i) {
    long of = -1;
    for (size_t k = 0; k < t->rows * t->width; k++) {
        if (!(fabs(t->s->got[i] - t->s->want[k]) < 1e-5 * (1 + fabs(t->s->want[k])))) continue;
        if (of >= 0) return -1;
        of = (long)k;
    }
    return of;
}

// Rows and columns are moved: each number is looked for by itself. By chance one of a few thousand fits.
static int explain_elements(const table *t, char *text, size_t size) {
    enum { LOOKED_AT = 24, MOST = 1 << 14 };
    const size_t n = t->rows * t->width;
    int bad = 0, found = 0, used = 0;
    if (n > MOST || t->s->cmp.not_finite) return 0;
    char places[160] = "";
    for (size_t i = 0; i < n && bad < LOOKED_AT; i++) {
        if (!lab_element_bad(t->s, i, 0)) continue;
        const long of = element_of(t, i);
        bad++, found += of >= 0;
        if (of >= 0 && found <= 2)
            used +=
                snprintf(places + used, sizeof places - (size_t)used,
                         "%srow %zu, column %zu holds what belongs to row %ld, "
                         "column %ld",
                         found > 1 ? "; " : "", i / t->width, i % t->width, of / (long)t->width, of % (long)t->width);
    }
    if (bad < LOOKED_AT || 4 * found < 3 * bad) return 0;
    snprintf(text, size, "matches elements in other places: %s", places);
    return 1;
}

int lab_explain_displaced(const lab_symptom *s, char *text, size_t size) {
    const lab_sample bad = lab_sample_finite_bad_rows(s);
    const table t = {s, 0, lab_op_row(s->op, s->shape)};
    table all = t;
    all.rows = s->op->elements(s->shape, 0) / t.width;
    const int product = s->op->n_tensors == 3 && s->op->tensors[0][0] == 'C' && !s->op->tensors[0][1];
    text[0] = 0;
    if (product && lab_explain_product_stored(s, text, size)) return 1;
    if (t.width < NARROWEST || all.rows * t.width > MOST_ELEMENTS) return 0;
    if (product && lab_explain_tile_places(s, text, size)) return 1;
    return (explain_columns(&all, &bad, text, size) || lab_explain_tile_places(s, text, size) ||
            explain_rows(&all, &bad, text, size) ||
            (s->op->n_tensors == 3 && !s->op->probe && explain_elements(&all, text, size))) &&
           lab_guess(s->guesses, text, text, size);
}
