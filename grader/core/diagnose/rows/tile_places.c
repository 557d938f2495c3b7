// tile_places.c: each thread computes several rows and columns of a tile, a step apart, and stores them side by side, or
// the other way round. All numbers are right, and those of a tile have changed places.
//
//     computed: row x + 16 y of 64, x = thread, y = 0 .. 3        stored: row 4 x + y
#include "heuristics.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { FEWEST = 4, FEWEST_MOVED = 2, MOST_ELEMENTS = 1 << 18, SMALLEST_TILE = 8, LARGEST_TILE = 128 };

// In tiles of so many, place each * x + y holds what belongs to place x + apart * y; each * apart = tile. tile = 1: all
// stand where they belong.
typedef struct {
    size_t tile, each, apart;
} order;

static size_t belongs(const order *o, size_t at) {
    const size_t c = at % o->tile;
    return at - c + c / o->each + c % o->each * o->apart;
}

static int next(order *o) {
    o->each *= 2;
    if (o->each >= o->tile) o->tile = o->tile < SMALLEST_TILE ? SMALLEST_TILE : 2 * o->tile, o->each = 2;
    o->apart = o->tile / o->each;
    return o->tile <= LARGEST_TILE;
}

// What belongs behind the edge is 0, or is not written. Of a matrix smaller than its tile few are left.
static int explains(const lab_symptom *s, const order *rows, const order *columns) {
    const size_t all = s->op->elements(s->shape, 0);
    size_t extent[4], moved = 0, lost = 0;
    lab_op_extent(s->op, s->shape, extent);
    for (size_t i = 0; i < all; i++) {
        const size_t c = i % extent[3], r = i / extent[3] % extent[2];
        const size_t of_c = belongs(columns, c), of_r = belongs(rows, r);
        if (of_c >= extent[3] || of_r >= extent[2]) {
            if (s->got[i] != 0 && !lab_element_bad(s, i, 1)) return 0;
            lost += lab_element_bad(s, i, 0);
            continue;
        }
        if (lab_element_bad(s, i, 1)) continue;  // it went behind the edge
        const double want = s->want[i - r * extent[3] - c + of_r * extent[3] + of_c];
        if (!(fabs(s->got[i] - want) < LAB_TOLERANCE / 4)) return 0;
        moved += (of_c != c || of_r != r) && fabs(want) > 4 * LAB_TOLERANCE && lab_element_bad(s, i, 0);
    }
    return moved >= FEWEST_MOVED && moved + lost >= FEWEST;
}

// Numbers that were written and are wrong: no order explains any others, and each looks at all that were not.
static int fewest_are_wrong(const lab_symptom *s) {
    const size_t all = s->op->elements(s->shape, 0);
    size_t wrong = 0;
    for (size_t i = 0; i < all && wrong < FEWEST_MOVED; i++)
        wrong += lab_element_bad(s, i, 0) && !lab_element_bad(s, i, 1);
    return wrong == FEWEST_MOVED;
}

static void add(const order *o, const char *what, char *text, size_t size) {
    const size_t used = strlen(text);
    if (o->tile > 1)
        snprintf(text + used, size - used,
                 used ? ", and %s %zu x + y what belongs to %s x + %zu y"
                      : "%s %zu x + y holds what belongs to %s x + %zu y",
                 what, o->each, what, o->apart);
}

int lab_explain_tile_places(const lab_symptom *s, char *text, size_t size) {
    int known = 0;
    if (s->op->elements(s->shape, 0) > MOST_ELEMENTS || s->cmp.not_finite > s->cmp.unwritten) return 0;
    if (!fewest_are_wrong(s)) return 0;
    for (order rows = {1, 1, 1}; rows.tile <= LARGEST_TILE; next(&rows))
        for (order columns = {1, 1, 1}; columns.tile <= LARGEST_TILE; next(&columns)) {
            char sentence[240], places[128] = "";
            if ((rows.tile == 1 && columns.tile == 1) || !explains(s, &rows, &columns)) continue;
            add(&rows, "row", places, sizeof places), add(&columns, "column", places, sizeof places);
            snprintf(sentence, sizeof sentence,
                     "matches right numbers in other places of a tile: %s: store each where it was computed for",
                     places);
            known = lab_guess(s->guesses, sentence, text, size);  // small matrices fit several
        }
    return known;
}
