// pooled_max.c: rows whose exponentials are all 0, as what is subtracted is the largest score of several rows: of a tile of
// queries, of a head, of all heads; or those that overflow, too, as it is that of the first row. In exact numbers that
// would be right. Which rows are NaN, or 0, tells.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "wrong_rows.h"

enum { MOST_ROWS = 4096, LEAST = 2 };
static const double IS_0 = -104, HOLDS = -80, OVERFLOWS = 89;  // exp of it, in float

#define BELOW                                                                                                          \
    ": of a row whose scores are all some 100 below it every exponential is 0, and 0 / 0 is NaN. Each row has a "      \
    "maximum of its own"
static const char of_tile[] = "matches one maximum for all rows of a tile of queries" BELOW;
static const char of_head[] = "matches one maximum for all rows of a matrix of scores" BELOW;
static const char of_all[] = "matches one maximum for the rows of all heads" BELOW;

#define OF_FIRST                                                                                                       \
    "matches one maximum for all rows of a matrix of scores, that of its first row: exp overflows in a row with a "    \
    "score some 90 above it, and far below it all is 0 / 0. Each row has a maximum of its own"

// 0 / 0, or what guards against it.
static int is_lost(const lab_symptom *s, size_t row, size_t width) {
    for (size_t i = row * width; i < (row + 1) * width; i++)
        if (isfinite(s->got[i]) && s->got[i] != 0) return 0;
    return 1;
}

// Rows [from, to) have one maximum: are those lost that are far below it, and no others?
static int is_group(const double *own, const char *lost, size_t from, size_t to, int *gone, int *kept) {
    double all = -INFINITY;
    for (size_t r = from; r < to; r++) all = fmax(all, own[r]);
    for (size_t r = from; r < to; r++) {
        const double below = own[r] - all;
        if (!isfinite(own[r]) || (below > IS_0 && below < HOLDS)) continue;
        if ((below <= IS_0) != lost[r]) return 0;
        *gone += lost[r] && own[r] > HOLDS,
            *kept += !lost[r];  // a maximum that begins with 0 would have kept the first
    }
    return 1;
}

static int are_groups(const double *own, const char *lost, size_t rows, size_t length, size_t tile) {
    int gone = 0, kept = 0;
    for (size_t head = 0; head < rows; head += length)
        for (size_t r = head; r < head + length; r += tile)
            if (!is_group(own, lost, r, r + tile < head + length ? r + tile : head + length, &gone, &kept)) return 0;
    return gone >= LEAST && kept > 0;
}

// Every row subtracts the maximum of its head's first one: are those lost that are far above or below it, and no others?
static int are_of_first(const double *own, const char *lost, size_t rows, size_t length) {
    int above = 0, kept = 0;
    for (size_t r = 0; r < rows; r++) {
        const double more = own[r] - own[r - r % length];
        if (!isfinite(more) || (more > IS_0 && more < HOLDS) || (more > -HOLDS && more < OVERFLOWS)) continue;
        if ((more <= IS_0 || more >= OVERFLOWS) != lost[r]) return 0;
        above += more >= OVERFLOWS, kept += !lost[r] && r % length;
    }
    return above >= LEAST && kept > 0;
}

int lab_explain_pooled_max(const lab_symptom *s, double (*largest)(const lab_symptom *s, size_t r), char *text,
                           size_t size) {
    static const size_t usual[] = {4, 8, 16, 32, 64, 128};
    const size_t width = lab_op_row(s->op, s->shape), rows = s->op->elements(s->shape, 0) / width;
    const size_t length = (size_t)s->shape.seq_q, own_tile = s->op == &lab_tiled ? (size_t)s->extra[0] : 0;
    if (rows > MOST_ROWS || s->cmp.unwritten || rows % length) return 0;
    double *own = malloc(rows * sizeof *own);
    char *lost = malloc(rows);
    int known = 0;
    for (size_t r = 0; r < rows && own && lost; r++) own[r] = largest(s, r), lost[r] = (char)is_lost(s, r, width);
    const int ready = own && lost, is_softmax = s->op->n_tensors == 2;
    for (size_t i = 0; i < sizeof usual / sizeof *usual && ready && !is_softmax && !known; i++) {
        const size_t tile = own_tile ? own_tile : usual[i];
        if (tile < length && are_groups(own, lost, rows, length, tile))
            known = lab_guess(s->guesses, of_tile, text, size);
    }
    if (ready && are_groups(own, lost, rows, length, length)) {
        known = lab_guess(s->guesses, of_head, text, size);
        if (own_tile && own_tile >= length) lab_guess(s->guesses, of_tile, text, size);
    }
    if (ready && length > 1 && are_of_first(own, lost, rows, length))
        known = lab_guess(s->guesses, OF_FIRST, text, size);
    if (ready && rows > length && are_groups(own, lost, rows, rows, rows))
        known = lab_guess(s->guesses, of_all, text, size);
    free(own), free(lost);
    return known;
}
