// online.c: the online softmax with one of its steps left out. A wrong row that equals one of these, for one tile size
// in all rows, is explained.
#include "online_steps.h"
#include "online_tiles.h"
#include "wrong_rows.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

const char *lab_of_first_tile(int k, int v) {
    return lab_missed_step[k && v ? KV_OF_FIRST_TILE : k ? K_OF_FIRST_TILE : V_OF_FIRST_TILE];
}

const char *lab_every_second_tile(void) { return lab_missed_step[EVERY_SECOND]; }

enum { LARGEST_TILE = 256 };

// Of a tile, what is left out behind whole groups is lost to l, too.
static void leave_rest_out(missed_step missed, online_tile *t) {
    if (missed != REST_LEFT_4 && missed != REST_LEFT_8 && missed != REST_LEFT_16) return;
    t->counted -= (t->counted - t->from) % lab_group_of(missed);
    if (t->to > t->counted) t->to = t->counted;
}

// What tiles that are hidden as a whole, and visited all the same, add to l.
static double of_hidden_tiles(missed_step missed, const lab_wrong_row *r, int size, int end, const double *score,
                              double m) {
    double sum = 0;
    for (int j = (r->seen + size - 1) / size * size; j < r->keys && j < (end + size - 1) / size * size; j++)
        sum += missed == L_OF_COUNTS ? 1 : missed == L_OF_HIDDEN ? exp(score[j] - m) : 0;
    return sum;
}

// How many tiles the row has, if it matches; 0: it does not.
// Br: a tile of so many queries visits all keys that its last one sees, and a row its hidden keys, too; 0: it does not.
// columns: of the output, from 0 on, that are looked at.
static int columns_match(const lab_wrong_rows *w, const lab_wrong_row *r, division d, int size, missed_step missed,
                         int Br, int columns) {
    const lab_kept_row *row = lab_kept_row_of(w, r, r->query);
    double *o = w->scratch, m = -INFINITY, l = 0;
    int tiles = 0;
    if (d == OWN_TILES && size == 0)
        size = r->tile;  // otherwise, size is a number of parts to try
    else if (d == OWN_TILES)
        size = r->parts ? 0 : (r->seen + size - 1) / size;
    else if (d == OWN_PARTS)
        size = size == 0 ? r->parts : r->parts ? 0 : size;
    if (!row || size == 0 || (lab_is_by_places(missed) && !Br)) return 0;
    memset(o, 0, columns * sizeof *o);
    online_tile t = {.score = row->score, .row = row, .v = r->v, .D = w->shape.head_dim, .columns = columns};
    const int last = r->seen - 1 - r->query % (Br ? Br : 1) + (Br ? Br : 1), end = last < r->keys ? last : r->keys;
    for (int i = 0; lab_tile_at(r, d, size, missed, Br ? end : r->seen, r->query % (Br ? Br : 1), i, &t); i++) {
        const int cut = lab_counts_whole_tiles(missed) ? r->keys : end;
        if (Br) t.counted = t.from + size < cut ? t.from + size : cut;
        leave_rest_out(missed, &t);
        if (t.from < t.to) lab_online_step(missed, &t, &m, &l, o), tiles++;
        if ((missed == FIRST_TWICE && i == 0) || (missed == LAST_TWICE && t.to == r->seen))
            lab_online_step(missed, &t, &m, &l, o);
    }
    for (int i = (r->seen + size - 1) / size; Br && lab_divides_each_tile(missed) && i < (end + size - 1) / size; i++) {
        for (int c = 0; c < columns; c++) o[c] /= l;
        tiles++;
    }
    if (Br && lab_is_late(missed) && (r->seen + size - 1) / size < (end + size - 1) / size)
        lab_rescale_late(missed, &t, &l, o);
    if (Br) l += of_hidden_tiles(missed, r, size, end, row->score, m);
    const double divisor = lab_online_divisor(missed, l, tiles);
    for (int c = 0; c < columns; c++)
        if (!(fabs(o[c] / divisor - r->got[c]) < r->near * (1 + fabs(r->got[c])))) return 0;
    return tiles;
}

static int matches(const lab_wrong_rows *w, const lab_wrong_row *r, division d, int size, missed_step missed, int Br) {
    const int D = w->shape.head_dim, few = lab_columns_in_turn(D, 1, 0);
    return columns_match(w, r, d, size, missed, Br, few) ? columns_match(w, r, d, size, missed, Br, D) : 0;
}

// Two divisions of one tile look like many a mistake, but where it is known that there is one tile.
static int shows_in_one_tile(missed_step missed, int known_tiles) {
    if (lab_is_by_places(missed) || missed == O_DIVIDED_AND_AT_END || missed == DIVIDED_SO_FAR_AND_AT_END)
        return known_tiles;
    return lab_group_of(missed) || missed == L_OF_SCORES || missed == L_OF_DISTANCES || missed == L_OF_COUNTS ||
           missed == L_OF_HIDDEN || missed == ONE_PART || missed == M_L_SWAPPED || missed == MAX_SO_FAR ||
           missed == RAISED_WITHIN || lab_at_each_key(missed);
}

// Is it a mistake that the size of a tile has to do with?
static int depends_on_size(missed_step missed) {
    return !lab_group_of(missed) && missed != L_OF_SCORES && missed != L_OF_DISTANCES;
}

static void say(division d, int size, missed_step missed, char *text, size_t room) {
    if (d == TILES && size == 1 && missed == O_OF_LAST_TILE)
        snprintf(text, room,
                 "matches O of the last key alone: O is set to 0 once, before the first key is added to it");
    else if (d == TILES && size == 1 && missed == FIRST_TWICE)
        snprintf(
            text, room,
            "matches a first key that is counted twice: a walk whose m, l and O begin with it goes on from the next");
    else if (d == TILES && size == 1 && (missed == V_OF_FIRST_TILE || missed == KV_OF_FIRST_TILE))
        snprintf(
            text, room,  // the weights of one value add up to 1, whichever they are
            "matches the value of the first key in every output: V of key j begins at row j, and the walk over the "
            "keys goes on behind the first one");
    else if (d == OF_WALK)
        snprintf(text, room, "%s (%d parts of the keys that a tile of queries visits)", lab_missed_step[missed], size);
    else if (d == INTERLEAVED)
        snprintf(text, room, "%s (%d parts, part i has the keys i, i + %d, ...)", lab_missed_step[missed], size, size);
    else if (d == TILES && size > 1 && depends_on_size(missed))
        snprintf(text, room, "%s (tiles of %d keys)", lab_missed_step[missed], size);
    else
        snprintf(text, room, "%s%s", lab_missed_step[missed],
                 d == TILES && depends_on_size(missed) ? " (key by key)" : "");
}

// Is the mistake one of those that parts can have which are computed side by side?
static int is_of_parts(missed_step missed) {
    return missed == MEAN_OF_TILES || missed == OWN_MAX || missed == ONE_PART || missed == M_L_SWAPPED;
}

// Groups of keys within the row's own tiles. Where these are not known, their sizes are multiples of a group's, so that
// it makes no difference.
static int is_by_groups(division d, int size) {
    return (d == OWN_TILES && size == 0) || (d == TILES && size == LARGEST_TILE);
}

// Does the mistake explain all rows, with that division?
static int fits_all(const lab_wrong_rows *w, division d, int size, missed_step missed) {
    const int hidden =
        w->shape.causal && (d == OF_WALK || ((d == TILES || d == OWN_TILES) && lab_depends_on_end(missed)));
    const int queries[] = {0, w->row[0].queries, 16, 32, 64, 128, w->shape.seq_q + w->shape.seq_kv};
    int fits = 0;
    for (int b = 0; b < (hidden ? 7 : 1) && !fits; b++) {
        fits = !b || queries[b];
        int most = 0;
        for (int k = 0; k < w->n && fits; k++) {
            fits = matches(w, &w->row[k], d, size, missed, queries[b]);
            most = fits > most ? fits : most;
        }
        fits = fits && (most > 1 || shows_in_one_tile(missed, d == OWN_TILES && !size));
    }
    return fits;
}

// Do tiles of another, larger size explain them as well? Where a row has few keys behind the last whole tile, they may.
static int fits_larger(const lab_wrong_rows *w, int size, missed_step missed) {
    for (int larger = 2 * size; larger <= LARGEST_TILE; larger *= 2)
        if (fits_all(w, TILES, larger, missed)) return 1;
    return 0;
}

// Whatever fits beside it: of other claims the parts are no tiles.
static int explain_parts_of_walk(const lab_wrong_rows *w, char *text, size_t room) {
    int known = 0;
    for (int size = 2; size <= 4 && w->n > 1 && w->shape.seq_q > 1; size++)
        if (fits_all(w, OF_WALK, size, MEAN_OF_TILES)) {
            char sentence[320];
            say(OF_WALK, size, MEAN_OF_TILES, sentence, sizeof sentence);
            known = lab_guess(w->guesses, sentence, text, room);
        }
    return known;
}

// Where r + (seq_kv - seq_q) is never less than the last place of a tile, the same is made by no mask within tiles.
static int hides_nothing(const lab_wrong_rows *w, division d, int size, missed_step missed) {
    const int tile = size ? size : w->row[0].tile, shift = w->shape.seq_kv - w->shape.seq_q;
    return (d == TILES || (d == OWN_TILES && !size)) && lab_is_by_shifted_places(missed) &&
           missed != MASK_BY_PLACES_SHIFTED_TO_END && tile && shift >= tile - 1;
}

// Parts of one key have l = 1 each, and the sum of those is how many keys there are: divisor.c says so.
static int divides_by_keys(const lab_wrong_rows *w) {
    for (int i = 0; i < w->n; i++) {
        const lab_wrong_row *r = &w->row[i];
        const lab_kept_row *row = lab_kept_row_of(w, r, r->query);
        double max = -INFINITY, l = 0;
        for (int j = 0; row && j < r->seen; j++) max = fmax(max, row->score[j]);
        for (int j = 0; row && j < r->seen; j++) l += exp(row->score[j] - max);
        for (int c = 0; c < w->shape.head_dim; c++)
            if (!row || !(fabs(r->got[c] - r->want[c] * l / r->seen) < r->near)) return 0;
    }
    return w->n > 1;
}

// Of a division, all that fits: where the maximum never grows, several mistakes look the same.
int lab_explain_online(const lab_wrong_rows *w, char *text, size_t room) {
    const int by_keys = divides_by_keys(w);
    int known = 0;
    static const struct {
        division d;
        int size;
    } tried[] = {{OWN_TILES, 0},   {OWN_PARTS, 0},   {TILES, 1},        {TILES, 2},
                 {TILES, 4},       {TILES, 8},       {TILES, 16},       {TILES, 32},
                 {TILES, 64},      {TILES, 128},     {TILES, 24},       {TILES, 40},
                 {TILES, 48},      {TILES, 80},      {TILES, 96},       {TILES, LARGEST_TILE},
                 {TILES, 56},      {OWN_TILES, 8},   {OWN_TILES, 16},   {OWN_TILES, 32},
                 {OWN_TILES, 64},  {OWN_TILES, 4},   {OWN_PARTS, 8},    {OWN_PARTS, 16},
                 {OWN_PARTS, 32},  {OWN_PARTS, 64},  {OWN_PARTS, 4},    {INTERLEAVED, 2},
                 {INTERLEAVED, 4}, {INTERLEAVED, 8}, {INTERLEAVED, 16}, {INTERLEAVED, 32}};
    for (size_t i = 0; i < sizeof tried / sizeof *tried && !known; i++)
        for (missed_step missed = 0; missed < N_STEPS; missed++) {
            int all =
                w->n > 1 && (tried[i].d != INTERLEAVED ? missed != ONE_PART : is_of_parts(missed)) &&
                (w->shape.seq_q == 1 || tried[i].size == 0 || (tried[i].d != OWN_TILES && tried[i].d != OWN_PARTS)) &&
                !(tried[i].d == TILES && tried[i].size == 1 && lab_takes_tiles_sum(missed)) &&
                !(tried[i].d == TILES && tried[i].size == 1 && by_keys) &&
                (!(lab_is_by_column(missed) || lab_is_by_places(missed)) ||
                 (w->shape.causal && tried[i].d != OWN_PARTS)) &&
                (!lab_group_of(missed) || is_by_groups(tried[i].d, tried[i].size));
            if (!all || !fits_all(w, tried[i].d, tried[i].size, missed)) continue;
            char sentence_of_it[320];
            if (hides_nothing(w, tried[i].d, tried[i].size, missed))
                snprintf(sentence_of_it, sizeof sentence_of_it, "%s", lab_tiles_seen_whole);
            else if (tried[i].d == TILES && tried[i].size > 1 && fits_larger(w, tried[i].size, missed))
                snprintf(sentence_of_it, sizeof sentence_of_it, "%s", lab_missed_step[missed]);
            else
                say(tried[i].d, tried[i].size, missed, sentence_of_it, sizeof sentence_of_it);
            known = lab_guess(w->guesses, sentence_of_it, text, room);
        }
    return explain_parts_of_walk(w, text, room) || known;
}

// Nothing is added to O where there are fewer keys than a whole group has: this fits, too, and other claims tell.
void lab_guess_few_keys(const lab_symptom *s) {
    static const missed_step left[] = {O_REST_LEFT_4, O_REST_LEFT_8, O_REST_LEFT_16};
    char aside[240] = "";
    for (size_t i = 0; i < s->op->elements(s->shape, 0); i++)
        if (s->got[i] != 0) return;
    for (int i = 0; i < 3; i++)
        if (lab_group_of(left[i]) > s->shape.seq_kv)
            lab_guess(s->guesses, lab_missed_step[left[i]], aside, sizeof aside);
    if (s->shape.seq_kv != 1) return;
    lab_guess(s->guesses, LAB_WITHOUT_FIRST_KEY, aside, sizeof aside);
    lab_guess(s->guesses, LAB_LAST_KEY_OF_EACH, aside, sizeof aside);
}
