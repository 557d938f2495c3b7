// online.c: the online softmax with one of its steps left out. A wrong row that equals one of these, for one tile size
// in all rows, is explained.
#include "wrong_rows.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// The recurrence, tile by tile: m_new = max(m, tile's max); a = exp(m - m_new); l = a l + sum; O = a O + P V.
typedef enum {
    O_NOT_RESCALED,
    L_NOT_RESCALED,
    NEITHER_RESCALED,
    O_RESCALED_LATE,
    L_RESCALED_LATE,
    O_RESCALED_TWICE,
    L_OF_LAST_TILE,
    O_OF_LAST_TILE,
    O_DIVIDED_EACH_TILE,
    MEAN_OF_TILES,
    OWN_MAX,
    EXP_OF_TILE_MAX,
    TILE_MAX_KEPT,
    K_OF_FIRST_TILE,
    V_OF_FIRST_TILE,
    KV_OF_FIRST_TILE,
    MASK_BY_COLUMN,
    ONE_PART,
    M_L_SWAPPED,
    N_STEPS
} missed_step;

static const char *const sentence[N_STEPS] = {
    [O_NOT_RESCALED] = "matches O that is not rescaled by exp(m_old - m_new) when the row maximum grows, while l is",
    [L_NOT_RESCALED] = "matches l that is not rescaled by exp(m_old - m_new) when the row maximum grows, while O is",
    [NEITHER_RESCALED] = "matches O and l that are not rescaled by exp(m_old - m_new) when the row maximum grows",
    [O_RESCALED_LATE] = "matches O that is rescaled after this tile's P V is added: first rescale, then add",
    [L_RESCALED_LATE] = "matches l that is rescaled after this tile's sum is added: first rescale, then add",
    [O_RESCALED_TWICE] = "matches O that is rescaled twice by exp(m_old - m_new)",
    [L_OF_LAST_TILE] = "matches l of the last tile alone: each tile's sum is added to the rescaled l",
    [O_OF_LAST_TILE] = "matches O of the last tile alone, over the l of all: P V is added to the rescaled O",
    [O_DIVIDED_EACH_TILE] = "matches O that is divided by l after every tile: divide once, after the last",
    [MEAN_OF_TILES] = "matches the plain mean of the parts: a part counts with its weight l exp(m - M)",
    [EXP_OF_TILE_MAX] = "matches exp(s - the tile's own max) under an l and O that are relative to the row max so far",
    [TILE_MAX_KEPT] =
        "matches the tile's own max kept as m for the next tile, while l and O are relative to the max of all tiles so "
        "far: keep m_new",
    [K_OF_FIRST_TILE] = "matches the keys of the first tile read for every tile: K of the tile begins at row j0",
    [V_OF_FIRST_TILE] = "matches the values of the first tile read for every tile: V of the tile begins at row j0",
    [KV_OF_FIRST_TILE] = "matches K and V of the first tile read for every tile: the tile begins at row j0",
    [MASK_BY_COLUMN] =
        "matches a mask that takes a key's place in its tile for the number of the key: key j0 + c, where j0 is the "
        "tile's own",
    [ONE_PART] = "matches the keys of the first part alone: the parts of the others are not added",
    [M_L_SWAPPED] =
        "matches parts whose m and l are swapped where they are joined: the place of one is read as the other",
    [OWN_MAX] = "matches parts that are added without exp(m - M): each part's O and l are relative to its own maximum",
};

const char *lab_of_first_tile(int k, int v) {
    return sentence[k && v ? KV_OF_FIRST_TILE : k ? K_OF_FIRST_TILE : V_OF_FIRST_TILE];
}

// How the keys fall into tiles, or into the parts of warps and blocks.
typedef enum {
    TILES,        // size keys side by side
    OWN_TILES,    // as many as the row says
    OWN_PARTS,    // part i of n has the keys from length i / n on
    INTERLEAVED,  // part i of `size` has the keys i, i + size, i + 2 size, ...
} division;

typedef struct {
    int from, to, step;
    double max;
    const double *score;
    const float *v;
    int D;
    int k_back, v_back;  // rows that K, V are read too early
} tile;

static double score_of(const tile *t, int j) { return t->score[j - t->k_back]; }

// o = keep * o + factor * sum over the tile of exp(s - max) v.
static void add_tile(double *o, double keep, double factor, const tile *t, double max) {
    for (int c = 0; c < t->D; c++) o[c] *= keep;
    for (int j = t->from; j < t->to; j += t->step) {
        const double p = factor * exp(score_of(t, j) - max);
        for (int c = 0; c < t->D; c++) o[c] += p * t->v[(size_t)(j - t->v_back) * t->D + c];
    }
}

static double own_sum(const tile *t) {
    double sum = 0;
    for (int j = t->from; j < t->to; j += t->step) sum += exp(score_of(t, j) - t->max);
    return sum;
}

static void step_of(missed_step missed, const tile *t, double *m, double *l, double *o) {
    const double m_new = missed == MEAN_OF_TILES || missed == OWN_MAX ? t->max : fmax(*m, t->max),
                 a = *m == -INFINITY ? 0 : exp(*m - m_new), own = missed == EXP_OF_TILE_MAX ? t->max : m_new;
    double sum = 0;
    for (int j = t->from; j < t->to; j += t->step) sum += exp(score_of(t, j) - own);
    if (missed == M_L_SWAPPED) {  // the parts of m_i, l_i and O_i: O = sum of exp(l_i - max l) O_i over that of m_i
        const double max = fmax(*m, own_sum(t)), keep = exp(*m - max), factor = exp(own_sum(t) - max);
        add_tile(o, keep, factor, t, t->max);
        *l = keep * *l + factor * t->max, *m = max;
        return;
    }
    const int l_stays = missed == L_NOT_RESCALED || missed == NEITHER_RESCALED || missed == OWN_MAX,
              o_stays = missed == O_NOT_RESCALED || missed == NEITHER_RESCALED || missed == OWN_MAX ||
                        missed == MEAN_OF_TILES;
    *l = missed == L_RESCALED_LATE ? a * (*l + sum) : missed == L_OF_LAST_TILE ? sum : *l * (l_stays ? 1 : a) + sum;
    if (missed == MEAN_OF_TILES)
        add_tile(o, 1, 1 / sum, t, m_new);
    else if (missed == O_RESCALED_LATE)
        add_tile(o, a, a, t, m_new);
    else if (missed == O_OF_LAST_TILE)
        add_tile(o, 0, 1, t, m_new);
    else
        add_tile(o, o_stays ? 1 : missed == O_RESCALED_TWICE ? a * a : a, 1, t, own);
    if (missed == O_DIVIDED_EACH_TILE)
        for (int c = 0; c < t->D; c++) o[c] /= *l;
    *m = missed == TILE_MAX_KEPT ? t->max : m_new;
}

// Tile i. Returns 0 behind the last one.
static int tile_at(const lab_wrong_row *r, division d, int size, missed_step missed, int i, tile *t) {
    const int end = r->seen;
    t->step = 1;
    switch (d) {
    case OWN_PARTS:
        t->from = (int)((long)end * i / size), t->to = (int)((long)end * (i + 1) / size);
        if (i >= size) return 0;
        break;
    case INTERLEAVED:
        t->from = i, t->to = end, t->step = size;
        if (i >= size || i >= end || (missed == ONE_PART && i)) return 0;
        break;
    default:
        t->from = i * size, t->to = t->from + size < end ? t->from + size : end;
        if (t->from >= end) return 0;
        if (missed == MASK_BY_COLUMN) {
            t->to = t->from + size < r->keys ? t->from + size : r->keys;
            if (t->to - t->from > r->seen) t->to = t->from + r->seen;
        }
    }
    t->k_back = missed == K_OF_FIRST_TILE || missed == KV_OF_FIRST_TILE ? t->from : 0;
    t->v_back = missed == V_OF_FIRST_TILE || missed == KV_OF_FIRST_TILE ? t->from : 0;
    t->max = -INFINITY;
    for (int j = t->from; j < t->to; j += t->step) t->max = fmax(t->max, score_of(t, j));
    return 1;
}

// Br: a tile of so many queries visits all keys that its last one sees, and a row its hidden tiles, too; 0: it does not.
static int matches(const lab_wrong_rows *w, const lab_wrong_row *r, division d, int size, missed_step missed, int Br) {
    const int D = w->shape.head_dim;
    double *score = w->scratch, *o = score + w->shape.seq_kv, m = -INFINITY, l = 0;
    int tiles = 0;
    lab_wrong_row all = *r;
    if (d == OWN_TILES && size == 0)
        size = r->tile;  // otherwise, size is a number of parts to try
    else if (d == OWN_TILES)
        size = r->parts ? 0 : (r->seen + size - 1) / size;
    else if (d == OWN_PARTS)
        size = size == 0 ? r->parts : r->parts ? 0 : size;
    if (size == 0) return 0;
    all.seen = r->keys;
    lab_row_scores(&all, D, score);
    memset(o, 0, D * sizeof *o);
    tile t = {.score = score, .v = r->v, .D = D};
    for (int i = 0; tile_at(r, d, size, missed, i, &t); i++)
        if (t.from < t.to) step_of(missed, &t, &m, &l, o), tiles++;
    const int last = r->seen - 1 - r->query % (Br ? Br : 1) + (Br ? Br : 1), end = last < r->keys ? last : r->keys;
    for (int i = (r->seen + size - 1) / size; Br && i < (end + size - 1) / size; i++, tiles++)
        for (int c = 0; c < D; c++) o[c] /= l;
    const double divisor = missed == MEAN_OF_TILES ? tiles : missed == O_DIVIDED_EACH_TILE ? 1 : l;
    for (int c = 0; c < D; c++)
        if (!(fabs(o[c] / divisor - r->got[c]) < r->near * (1 + fabs(r->got[c])))) return 0;
    return tiles > 1 || missed == ONE_PART || missed == M_L_SWAPPED;
}

static void say(division d, int size, missed_step missed, char *text, size_t room) {
    if (d == INTERLEAVED)
        snprintf(text, room, "%s (%d parts, part i has the keys i, i + %d, ...)", sentence[missed], size, size);
    else if (d == TILES && size > 1)
        snprintf(text, room, "%s (tiles of %d keys)", sentence[missed], size);
    else
        snprintf(text, room, "%s%s", sentence[missed], d == TILES ? " (key by key)" : "");
}

// Is the mistake one of those that parts can have which are computed side by side?
static int is_of_parts(missed_step missed) {
    return missed == MEAN_OF_TILES || missed == OWN_MAX || missed == ONE_PART || missed == M_L_SWAPPED;
}

// Of a division, all that fits: where the maximum never grows, several mistakes look the same.
int lab_explain_online(const lab_wrong_rows *w, char *text, size_t room) {
    int known = 0;
    static const struct {
        division d;
        int size;
    } tried[] = {{OWN_TILES, 0},    {OWN_PARTS, 0},   {TILES, 1},       {TILES, 2},       {TILES, 4},
                 {TILES, 8},        {TILES, 16},      {TILES, 32},      {TILES, 64},      {TILES, 128},
                 {TILES, 24},       {TILES, 40},      {TILES, 48},      {TILES, 80},      {TILES, 96},
                 {TILES, 256},      {TILES, 56},      {OWN_TILES, 8},   {OWN_TILES, 16},  {OWN_TILES, 32},
                 {OWN_TILES, 64},   {OWN_TILES, 4},   {OWN_PARTS, 8},   {OWN_PARTS, 16},  {OWN_PARTS, 32},
                 {OWN_PARTS, 64},   {OWN_PARTS, 4},   {INTERLEAVED, 2}, {INTERLEAVED, 4}, {INTERLEAVED, 8},
                 {INTERLEAVED, 16}, {INTERLEAVED, 32}};
    for (size_t i = 0; i < sizeof tried / sizeof *tried && !known; i++)
        for (missed_step missed = 0; missed < N_STEPS; missed++) {
            int all =
                w->n > 1 && (tried[i].d != INTERLEAVED ? missed != ONE_PART : is_of_parts(missed)) &&
                (w->shape.seq_q == 1 || tried[i].size == 0 || (tried[i].d != OWN_TILES && tried[i].d != OWN_PARTS)) &&
                (missed != MASK_BY_COLUMN || (w->shape.causal && tried[i].d != OWN_PARTS));
            const int hidden = w->shape.causal && missed == O_DIVIDED_EACH_TILE && tried[i].d == TILES;
            int fits = 0;
            for (int Br = 0; Br <= (hidden ? 128 : 0) && all && !fits; Br = Br ? 2 * Br : 16) {
                fits = 1;
                for (int k = 0; k < w->n && fits; k++)
                    fits = matches(w, &w->row[k], tried[i].d, tried[i].size, missed, Br);
            }
            if (!fits) continue;
            char sentence_of_it[320];
            say(tried[i].d, tried[i].size, missed, sentence_of_it, sizeof sentence_of_it);
            known = lab_guess(w->guesses, sentence_of_it, text, room);
        }
    return known;
}
