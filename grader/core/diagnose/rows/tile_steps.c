// tile_steps.c: rows of attention whose walk over the keys goes on by another number of keys than it takes in each step, or
// whose mask compares the place within a tile with what a length leaves over in whole tiles.
#include <stdio.h>

#include "kept_scores.h"

// OWN_TO_LAST: of the tile's last query, too, as nothing else hides what lies behind
typedef enum { WALK, RAGGED_IN_EACH, OWN_IN_EACH, OWN_TO_LAST, N_LAWS } law;

static const int sizes[] = {16, 32, 64, 128, 8, 48, 4, 96, 24, 12, 20, 40};
enum { N_SIZES = sizeof sizes / sizeof *sizes };

int lab_times_walked(int l, int step, int tile) { return l / step + 1 - (l < tile ? 0 : (l - tile) / step + 1); }

// How many of a tile's first keys count by this law, in tiles of `step`; 0: it says nothing of the row.
static int width_of(law l, const lab_wrong_row *r, int step) {
    return l == RAGGED_IN_EACH ? r->keys % step : (r->seen - 1) % step + 1;
}

// *differ: some key does not count once.
static int is_row(const lab_wrong_rows *w, const lab_wrong_row *r, int step, int tile, int end, int D, int *differ) {
    const lab_kept_row *row = lab_kept_row_of(w, r, r->query);
    double sum = 0, *o = w->scratch;
    for (int d = 0; d < D; d++) o[d] = 0;
    for (int j = 0; row && j < end; j++) {
        const int times = lab_times_walked(j, step, tile);
        *differ |= times != 1;
        if (!times) continue;
        sum += times * row->weight[j];
        for (int d = 0; d < D; d++) o[d] += times * row->weight[j] * r->v[(size_t)j * w->shape.head_dim + d];
    }
    return row && lab_is_sum(r, o, sum, D);
}

// *beyond: some row has keys of so many steps that nothing simpler leaves out, or counts twice, the same.
static int holds(const lab_wrong_rows *w, law l, int step, int tile, int *beyond) {
    for (int i = *beyond = 0; i < 2 * w->n; i++) {
        const lab_wrong_row *r = &w->row[i % w->n];
        const int many = l == WALK ? tile : width_of(l, r, step);
        const int of_last = (r->query / tile + 1) * tile + w->shape.seq_kv - w->shape.seq_q;
        const int end = l != OWN_TO_LAST ? r->seen : of_last < r->keys ? of_last : r->keys;
        int differ = 0;
        if (!many || !is_row(w, r, step, many, end, lab_columns_in_turn(w->shape.head_dim, w->n, i), &differ) ||
            !differ)
            return 0;
        *beyond |= r->seen >= (l == WALK ? 3 * step : step + 1);
    }
    return 1;
}

// Br: the lab knows the sizes of tiles, and they are these.
static void say(law l, int step, int tile, int Br, char *text, size_t size) {
    if (l == RAGGED_IN_EACH)
        snprintf(text, size,
                 "matches a mask that hides places c >= seq_kv %% %d in every tile of %d keys: only the last tile is "
                 "narrower. Hide key k0 + c where it is >= seq_kv",
                 step, step);
    else if (l != WALK)
        snprintf(
            text, size,
            "matches a mask that hides places c > last %% %d in every tile of %d keys, where `last` is the last "
            "key that the query sees: only the tile that holds it is cut there. Hide key k0 + c where it is > last",
            step, step);
    else if (Br)
        snprintf(
            text, size,
            "matches a walk over the keys that goes on by Br and takes Bc in each step: it goes on by Bc. Br is the "
            "rows of a tile of queries");
    else
        snprintf(text, size,
                 "matches a walk over the keys that goes on by %d and takes %d in each step: %s. It goes on by as many "
                 "as a step takes",
                 step, tile, tile < step ? "the keys between are left out" : "keys count twice and more");
}

int lab_explain_tile_steps(const lab_wrong_rows *w, char *text, size_t size) {
    int known = 0, beyond;
    if (!lab_are_enough(w)) return 0;
    const int Br = w->row[0].queries, Bc = Br ? w->row[0].tile : 0;
    for (law l = 0; l < (w->shape.causal ? N_LAWS : OWN_TO_LAST); l++)
        for (int n = 0; n < (Bc ? 1 : l == WALK || l == OWN_TO_LAST ? N_SIZES * N_SIZES : N_SIZES); n++) {
            const int step = !Bc         ? sizes[n % N_SIZES]
                             : l == WALK ? Br
                                         : Bc,
                      tile = !Bc                ? sizes[n / N_SIZES]
                             : l == OWN_TO_LAST ? Br
                                                : Bc;
            if ((l == WALK && tile == step) || !holds(w, l, step, tile, &beyond)) continue;
            char sentence[320], aside[320] = "";
            say(l, step, tile, Br == step && Bc == tile, sentence, sizeof sentence);
            lab_guess(w->guesses, sentence, beyond ? text : aside, beyond ? size : sizeof aside);
            known |= beyond;
        }
    return known;
}
