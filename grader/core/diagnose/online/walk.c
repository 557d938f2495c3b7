// walk.c: attention in tiles whose keys or values are taken from elsewhere: a pointer that moves by another step.
#include "walk.h"
#include "wrong_rows.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef enum { RIGHT, IN_ELEMENTS, FIRST_TILE, ADDED_UP, ONE_BEHIND, ONE_AHEAD, QUERIES, N_PLACES } place;

typedef struct {
    place k, v;
    int first, step;   // the first tile's keys begin there, and each further tile so far on
    int skips, lacks;  // so many keys at the beginning of each tile are left out; and at its end
    int by_walk;       // the last tile ends where the walk does, not with the last key
    int tiles;         // so many tiles, and no more; 0: all
    int own_end;       // a causal walk ends with the number of the tile's last query, whatever Sk - Sq is
} walking;

enum { MOST_KEYS = 1024 };      // where the tile is not known
enum { OWN = -1, QUERY = -2 };  // in place of first: the tile that holds the tile's own queries; these themselves

// From the head's first key to the tile's, in elements. i0: the first query of the tile of queries.
static long begin_of(place p, int tile, int i0, int j0, int Bc, int D) {
    switch (p) {
    case IN_ELEMENTS: return j0;
    case FIRST_TILE: return 0;
    case ADDED_UP: return (long)Bc * D * tile * (tile + 1) / 2;
    case ONE_BEHIND: return (long)(tile ? j0 - Bc : 0) * D;
    case ONE_AHEAD: return (long)(j0 + Bc) * D;
    case QUERIES: return (long)i0 * D;
    default: return (long)j0 * D;
    }
}

// How many numbers K and V have from a head's first on: rows from i0 on may be those of the next head.
static long room_of(const lab_symptom *s, walking w, size_t head) {
    const long own = (long)s->shape.seq_kv * s->shape.head_dim;
    return w.k == QUERIES || w.v == QUERIES ? (long)(lab_elements_kv(s->shape) - head) : own;
}

// Row r as it comes out; 0 where it depends on what lies outside of the head.
LAB_WIDE
static int row_of(const lab_symptom *s, size_t r, walking w, double *o) {
    const attn_shape z = s->shape;
    const int Br = s->extra[0], Bc = s->extra[1], D = z.head_dim, Sk = z.seq_kv, i = (int)(r % z.seq_q);
    const int past = Sk - z.seq_q, last = z.causal ? i + past : Sk - 1, tile_end = (i / Br + 1) * Br;
    const int end = !z.causal ? Sk : (tile_end < z.seq_q ? tile_end : z.seq_q) + (w.own_end ? 0 : past);
    const size_t head = r / z.seq_q * Sk * D;
    const float *q = s->in[1] + r * D, *K = s->in[2] + head, *V = s->in[3] + head;
    const long room = room_of(s, w, head);
    double m = -INFINITY, l = 0;
    for (int d = 0; d < D; d++) o[d] = 0;
    const int own = i / Br * Br;
    const int first = w.first == OWN ? own / Bc * Bc : w.first == QUERY ? own : w.first, all = w.tiles ? w.tiles : Sk;
    for (int j0 = first, tile = w.first ? 1 : 0, n = 0; j0 < end && n < all; j0 += w.step, tile++, n++)
        for (int c = w.skips, n = (w.by_walk ? end : Sk) - j0; c < (n < Bc ? n : Bc) - w.lacks && j0 + c <= last; c++) {
            const long k = begin_of(w.k, tile, own, j0, Bc, D) + (long)c * D,
                       v = begin_of(w.v, tile, own, j0, Bc, D) + (long)c * D;
            if (k + D > room || v + D > room) {
                // Perhaps the walk ends there; but tiles 0 and 1 alone are where they should be.
                if ((w.k == ADDED_UP || w.v == ADDED_UP) && tile > 2) break;
                return 0;
            }
            const double score = lab_dot(q, K + k, D) / sqrt(D);
            const double max = fmax(m, score), alpha = exp(m - max), p = exp(score - max);
            l = l * alpha + p, m = max;
            for (int d = 0; d < D; d++) o[d] = o[d] * alpha + p * V[v + d];
        }
    for (int d = 0; d < D; d++) o[d] /= l;
    return 1;
}

// Are these rows what the walk gives? *known: of so many it is known.
static int gives(const lab_symptom *s, const lab_sample *rows, walking w, int *known) {
    const int D = s->shape.head_dim;
    double *o = malloc(D * sizeof *o);
    int same = o != NULL;
    *known = 0;
    for (int i = 0; i < rows->n && same; i++) {
        if (!row_of(s, rows->row[i], w, o)) continue;
        ++*known;
        for (int d = 0; d < D && same; d++)
            same = fabs(s->got[rows->row[i] * D + d] - o[d]) < LAB_TOLERANCE * (1 + fabs(o[d]));
    }
    free(o);
    return same;
}

// The wrong rows, and those that are right, too: a walk is the same for all.
static int fits(const lab_symptom *s, const lab_sample *bad, walking w) {
    int known, of_right;
    if (!gives(s, bad, w, &known) || known < 2 || 4 * known < bad->n) return 0;
    const lab_sample right = lab_sample_right_rows(s);
    return gives(s, &right, w, &of_right);
}

static const char *const places[N_PLACES] = {
    [RIGHT] = "K + j0 * D",
    [IN_ELEMENTS] = "%s + j0: rows are D long, so it is %s + j0 * D",
    [FIRST_TILE] = "%s in each tile: it is %s + j0 * D",
    [ADDED_UP] = "%s + j0 * D added to what it was, tile after tile: count from %s itself",
    [ONE_BEHIND] = "%s of the tile before: it is %s + j0 * D",
    [QUERIES] = "%s + i0 * D, where the queries begin: it is %s + j0 * D",
    [ONE_AHEAD] = "%s of the tile after: it is %s + j0 * D",
};

static int try_places(const lab_symptom *s, const lab_sample *bad, char *text, size_t size) {
    char what[160], sentence[240];
    int found = 0;  // several places are one where there is one tile of queries
    for (int place = 1; place < N_PLACES; place++)
        for (int which = 1; which < 4; which++) {
            const walking w = {.k = which & 1 ? place : RIGHT, .v = which & 2 ? place : RIGHT, .step = s->extra[1]};
            if (!fits(s, bad, w)) continue;
            const char *tensor = which == 2 ? "V" : "K";
            snprintf(what, sizeof what, places[place], tensor, tensor);
            snprintf(sentence, sizeof sentence, "matches t.%s = %s%s", tensor, what, which == 3 ? "; V, too" : "");
            found |= lab_guess(s->guesses, sentence, text, size);
            if (place == FIRST_TILE) lab_guess(s->guesses, lab_of_first_tile(which & 1, which & 2), text, size);
        }
    return found;
}

// A walk that begins, or ends, where the tile's own queries do. Where Sq = Sk only its beginning is wrong.
static int explain_queries(const lab_symptom *s, const lab_sample *bad, char *text, size_t size) {
    const int Bc = s->extra[1];
    int found =
        fits(s, bad, (walking){.first = QUERY, .step = Bc}) &&
        lab_guess(s->guesses, "matches a walk that begins with key i0, of the tile's own queries: j0 must start at 0",
                  text, size);
    for (int by_walk = 0; by_walk < 2; by_walk++)
        if (fits(s, bad, (walking){.first = QUERY, .step = Bc, .by_walk = by_walk, .own_end = 1}))
            return lab_guess(
                       s->guesses,
                       "matches a walk over the keys with the numbers of the tile's own queries, i0 .. i0 + nq - 1, "
                       "alone: it must start at 0, and end with the last key that the last query sees",
                       text, size) ||
                   found;
    return found;
}

// Br x Bc = extra.
static int explain_tiles(const lab_symptom *s, char *text, size_t size) {
    const int Br = s->extra[0], Bc = s->extra[1], Sk = s->shape.seq_kv;
    const lab_sample bad = lab_sample_finite_bad_rows(s);
    char sentence[240];
    if (Br < 1 || Bc < 1) return 0;
    for (int i = 0; i < 3; i++) {
        const int end = i > 0;
        if (!fits(s, &bad, (walking){.step = Bc, .skips = !end, .lacks = end, .by_walk = i == 1})) continue;
        snprintf(sentence, sizeof sentence, "matches the %s key of each tile of keys left out", end ? "last" : "first");
        return lab_guess(s->guesses, sentence, text, size);
    }
    if (Bc >= Sk) return 0;
    const int queries = explain_queries(s, &bad, text, size);  // of a square in square tiles others fit as well
    // Of tiles that are all the first one the last may be whole: then both are the same.
    const int first_alone =
        fits(s, &bad, (walking){.step = Bc, .tiles = 1}) &&
        lab_guess(s->guesses, "matches a walk that ends after the first tile of keys: j0 = 0, Bc, 2 Bc, ...", text,
                  size);
    // So may every second tile.
    const int second =
        fits(s, &bad, (walking){.step = 2 * Bc}) && lab_guess(s->guesses, lab_every_second_tile(), text, size);
    if (try_places(s, &bad, text, size) || first_alone || second) return 1;
    if (fits(s, &bad, (walking){.first = Bc, .step = Bc}))
        return lab_guess(s->guesses, "matches a walk that leaves out the first tile of keys: j0 must start at 0", text,
                         size);
    if (fits(s, &bad, (walking){.first = OWN, .step = Bc}))
        return lab_guess(s->guesses,
                         "matches a walk that begins at the tile's own queries, i0: each query sees the keys before "
                         "it, too, from 0 on",
                         text, size);
    if (queries) return 1;
    const int steps[] = {1, Br, Bc - 1, Bc + 1};
    for (int i = 0; i < 4; i++) {
        if (steps[i] == Bc || steps[i] < 1 || !fits(s, &bad, (walking){.step = steps[i]})) continue;
        snprintf(sentence, sizeof sentence, "matches tiles of keys that begin every %d keys%s: they are Bc = %d apart",
                 steps[i], steps[i] == Br ? " (Br)" : "", Bc);
        return lab_guess(s->guesses, sentence, text, size);
    }
    return 0;
}

int lab_explain_walk(const lab_symptom *s, char *text, size_t size) {
    const int Bc = s->extra[1], Sk = s->shape.seq_kv;
    if (explain_tiles(s, text, size)) return 1;
    if (Bc < 1 || Bc >= Sk || Sk % Bc == 0 || !s->op->probe) return 0;
    if (2 * s->cmp.not_finite <= s->op->elements(s->shape, 0)) return 0;
    return snprintf(text, size,
                    "rows are NaN, and the last tile of keys is narrow: nk is %d there, seq_kv - j0, "
                    "and not Bc",
                    Sk % Bc) > 0;
}

static const int usual[] = {16, 32, 64, 8, 128};

int lab_explain_own_keys(const lab_symptom *s, char *text, size_t size) {
    enum { USUAL = sizeof usual / sizeof *usual };
    const int Br = s->extra[0], Bc = s->extra[1];
    const lab_sample bad = lab_sample_finite_bad_rows(s);
    lab_symptom tiled = *s;
    if (!s->shape.causal || s->shape.seq_kv > MOST_KEYS || (Bc > 0 && Bc < s->shape.seq_kv)) return 0;
    for (int i = 0; i < USUAL * USUAL; i++) {
        tiled.extra[0] = Br > 0 ? Br : usual[i / USUAL], tiled.extra[1] = Bc > 0 ? Bc : usual[i % USUAL];
        if (explain_queries(&tiled, &bad, text, size)) return 1;
    }
    return 0;
}

// Tiles of the student's own choice: of the usual sizes.
int lab_explain_some_walk(const lab_symptom *s, char *text, size_t size) {
    char sentence[240] = "";
    lab_symptom tiled = *s;
    tiled.guesses = NULL;
    if (s->extra[1] > 0 || s->shape.seq_kv > MOST_KEYS) return 0;
    for (size_t i = 0; i < sizeof usual / sizeof *usual; i++) {
        if (usual[i] >= s->shape.seq_kv) continue;
        tiled.extra[0] = tiled.extra[1] = usual[i];
        if (!explain_tiles(&tiled, sentence, sizeof sentence)) continue;
        const size_t used = strlen(sentence);
        snprintf(sentence + used, sizeof sentence - used, " (tiles of %d keys)", usual[i]);
        return lab_guess(s->guesses, sentence, text, size);
    }
    return 0;
}
