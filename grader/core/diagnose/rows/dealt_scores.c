// dealt_scores.c: each thread computes several scores of a tile, those of rows and keys a step apart, and stores them
// side by side, or the other way round: the scores are right, and lie where others belong.
//
//     computed: query y + 16 a, key x + 8 b        stored: row 2 y + a, column 4 x + b
#include "kept_scores.h"

#include <math.h>
#include <string.h>

enum { SMALLEST_TILE = 8, LARGEST_TILE = 128 };

// In tiles of so many, place each x + y holds what belongs to place x + tile / each y. tile = 1: all lie where they
// belong.
typedef struct {
    int tile, each;
} order;

static int belongs(const order *o, int at) {
    const int c = at % o->tile;
    return at - c + c / o->each + c % o->each * (o->tile / o->each);
}

static void next(order *o) {
    o->each *= 2;
    if (o->each >= o->tile) o->tile = o->tile < SMALLEST_TILE ? SMALLEST_TILE : 2 * o->tile, o->each = 2;
}

// Whose mask it is: that of the score, that of the place where it lies, or both, one after the other.
typedef enum { OF_SCORE, OF_PLACE, OF_BOTH, N_MASKS } masked;

typedef struct {
    order rows, keys;
    masked by;
} dealt;

static int is_dealt(const lab_wrong_rows *w, const lab_wrong_row *r, const dealt *t, int D) {
    const int i = belongs(&t->rows, r->query), tile = t->keys.tile, shift = w->shape.seq_kv - w->shape.seq_q;
    const int end = t->by != OF_SCORE ? r->seen : (r->keys + tile - 1) / tile * tile;
    const lab_kept_row *row = i < w->shape.seq_q ? lab_kept_row_of(w, r, i) : NULL;
    double *o = w->scratch;
    lab_running l = {-INFINITY, 0};
    memset(o, 0, D * sizeof *o);
    for (int j = 0; j < end; j++) {
        const int key = belongs(&t->keys, j);
        if (t->by != OF_PLACE && (key >= r->keys || (w->shape.causal && key > i + shift))) continue;
        const double score = row && key < r->keys ? row->score[key] : 0;  // behind the edge there are zeros
        lab_add_key(&l, o, D, score, j < r->keys ? r->v + (size_t)j * w->shape.head_dim : NULL);
    }
    return lab_is_sum(r, o, l.sum, D);
}

static int all_dealt(const lab_wrong_rows *w, const dealt *t) {
    for (int i = 0; i < 2 * w->n; i++)
        if (!is_dealt(w, &w->row[i % w->n], t, lab_columns_in_turn(w->shape.head_dim, w->n, i))) return 0;
    return 1;
}

// Of one key many a mistake gives the same numbers.
int lab_explain_dealt_scores(const lab_wrong_rows *w, char *text, size_t size) {
    if (!lab_are_enough(w) || w->shape.seq_kv == 1) return 0;
    for (int by = 0; by < N_MASKS; by++)
        for (order rows = {1, 1}; rows.tile <= LARGEST_TILE; next(&rows))
            for (order keys = {1, 1}; keys.tile <= LARGEST_TILE; next(&keys))
                if (all_dealt(w, &(dealt){rows, keys, (masked)by}))
                    return lab_guess(
                        w->guesses,
                        "matches scores that lie in other places of their tile: a thread computes those of "
                        "rows (or keys) y, y + n, y + 2 n, ... and stores them side by side, or the other "
                        "way round: compute, mask and store by the same numbers",
                        text, size);
    return 0;
}
