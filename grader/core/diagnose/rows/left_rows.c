// left_rows.c: rows of 0 that are left over behind whole groups of rows: four at a time are done, and nobody does the rest.
#include <stdio.h>

#include "heuristics.h"
#include "wrong_rows.h"

enum { RIGHT, ZERO, OTHER };

static int kind_of(const lab_symptom *s, size_t row) {
    const size_t D = s->shape.head_dim;
    int bad = 0, zero = 1;
    for (size_t d = row * D; d < (row + 1) * D; d++) bad |= lab_element_bad(s, d, 0), zero &= s->got[d] == 0;
    return !bad ? RIGHT : zero ? ZERO : OTHER;
}

typedef struct {
    int fits, right;  // just those rows are 0; some others are right
    int within;       // a tile has whole groups and such rows
} rest;

// Rows n / group * group .. n - 1 of each tile, of n rows.
static rest rest_of(const lab_symptom *s, int tile, int group) {
    const int Sq = s->shape.seq_q, all = s->shape.batch * s->shape.heads * Sq;
    rest found = {0, 0, 0};
    for (int r = 0; r < all; r++) {
        const int i = r % Sq, first = i / tile * tile, n = Sq - first < tile ? Sq - first : tile;
        const int left = i - first >= n / group * group;
        if (kind_of(s, r) != (left ? ZERO : RIGHT)) return found;
        found.right |= !left, found.within |= left && n > group;
    }
    found.fits = found.right;
    return found;
}

int lab_explain_left_rows(const lab_symptom *s, int tile, char *text, size_t size) {
    static const char *const groups[] = {"", "2", "4", "2 or 4", "8", "2 or 8", "4 or 8", "2, 4 or 8"};
    const int own = tile < 1, rows = own || tile > s->shape.seq_q ? s->shape.seq_q : tile;
    int fits = 0, within = 0;
    char sentence[240];
    if (s->cmp.unwritten || s->cmp.not_finite) return 0;
    for (int i = 0, group = 2; group <= LAB_WHOLE_GROUP; i++, group *= 2) {
        const rest r = rest_of(s, rows, group);
        fits |= r.fits;
        if (r.fits && r.within && !own) within |= 1 << i;  // of tiles of its own, a stage may leave out the last one
    }
    snprintf(sentence, sizeof sentence, LAB_LEFT_ROWS);
    if (within)
        snprintf(sentence, sizeof sentence,
                 LAB_LEFT_ROWS " (whole groups of %s rows are done: is there a loop behind them for the rows that are "
                               "left over?)",
                 groups[within]);
    return fits && lab_guess(s->guesses, sentence, text, size);
}
