// first_rows.c: of each tile of queries the first rows alone are done, and the others are NaN or were never written:
// there is a thread, or a warp, for each of the first rows and none for the rest; or the rows of several overlap.
//
//     tile of 16 rows   | 0 1 2 3 4 5 6 | 7 .. 15 |    4 warps with 4 rows each that begin 1 row apart, and not 4
#include <stdio.h>

#include "heuristics.h"
#include "wrong_rows.h"

enum { LEAST_TILE = 8, LARGEST_TILE = 128, LEAST_ROWS = 4, LONGEST = 300 };

typedef enum { RIGHT, MISSING, OTHER } row_kind;

static row_kind kind_of(const lab_symptom *s, size_t row) {
    const size_t D = s->shape.head_dim;
    size_t bad = 0, missing = 0;
    for (size_t i = row * D; i < (row + 1) * D; i++) {
        const int is_bad = lab_element_bad(s, i, 0);
        bad += is_bad, missing += is_bad && !lab_is_finite(s->got[i]);
    }
    return !bad ? RIGHT : missing == D ? MISSING : OTHER;
}

// Are just those rows missing that are the first one or behind it in their tile?
static int fits(const lab_symptom *s, int tile, int first) {
    const int Sq = s->shape.seq_q, all = s->shape.batch * s->shape.heads * Sq;
    for (int r = 0; r < all; r++)
        if (kind_of(s, r) != (r % Sq % tile < first ? RIGHT : MISSING)) return 0;
    return 1;
}

// The first row of a head that is missing.
static int first_missing(const lab_symptom *s) {
    int row = 0;
    while (row < s->shape.seq_q && kind_of(s, row) == RIGHT) row++;
    return row;
}

// W warps with R rows each that begin one row apart do W + R - 1 of W * R rows. 0: these are not so many.
static int warps_of(int tile, int first) {
    for (int warps = 2; 2 * warps <= tile; warps *= 2)
        if (warps + tile / warps - 1 == first) return warps;
    return 0;
}

static void say(int tile, int first, char sentence[LONGEST]) {
    const int warps = warps_of(tile, first);
    if (warps)
        snprintf(sentence, LONGEST,
                 "matches tiles of %d queries of which the first %d alone are done, as where %d warps (or threads) "
                 "have %d rows each and begin 1 row apart: warp w has the rows from w * %d on, or w, w + %d, ...",
                 tile, first, warps, tile / warps, tile / warps, warps);
    else
        snprintf(sentence, LONGEST,
                 "matches tiles of %d queries of which the first %d alone are done: there is a thread, warp or group "
                 "of threads for each of these, and the rest needs a loop in which each goes on to its next row",
                 tile, first);
}

// Where one tile alone is seen, a number of rows that a tile may have says nothing: the grid may lack a block. And few
// rows may be right by chance.
static int tells(const lab_symptom *s, int tile, int first) {
    return s->shape.seq_q > tile + first || (first >= LEAST_ROWS && first % LEAST_TILE != 0);
}

int lab_explain_first_rows(const lab_symptom *s, char *text, size_t size) {
    const int first = s->shape.seq_q > 1 ? first_missing(s) : 0;
    int known = 0;
    if (first < 1 || first >= s->shape.seq_q) return 0;
    for (int tile = LEAST_TILE; tile <= LARGEST_TILE; tile *= 2) {
        char sentence[LONGEST];
        if (first >= tile || !tells(s, tile, first) || !fits(s, tile, first)) continue;
        say(tile, first, sentence);
        known = lab_guess(s->guesses, sentence, text, size);
    }
    return known;
}
