// seen_keys.c: wrong rows that are attention to keys first .. end - 1, and the law by which first and end come about.
#include "heuristics.h"
#include "pointwise.h"
#include "seen_keys.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// The range with that fixed end (its first key is looked for), or that fixed first key; then it ends by `last`.
static lab_key_range range_of(const lab_wrong_rows *w, const lab_wrong_row *r, int from_end, int last) {
    const int D = w->shape.head_dim;
    double *p = w->scratch, *o = p + w->shape.seq_kv, sum = 0;
    lab_wrong_row all = *r;
    all.seen = from_end > last ? from_end : last;
    const double max = lab_row_scores(&all, D, p);
    lab_key_range found = {0, 0, 0};
    memset(o, 0, D * sizeof *o);
    for (int n = 1; n <= (from_end ? from_end : last); n++) {
        const int j = from_end ? from_end - n : n - 1;
        const double weight = exp(p[j] - max);
        sum += weight;
        int matches = sum > 0;
        for (int c = 0; c < D; c++) {
            o[c] += weight * r->v[(size_t)j * D + c];
            matches = matches && fabs(r->got[c] - o[c] / sum) < r->near;
        }
        if (matches && from_end) return (lab_key_range){j, from_end, 0};
        if (!matches && found.end) break;
        if (matches) found = (lab_key_range){0, found.end ? found.end : n, n};
    }
    return found;
}

int lab_key_ranges(const lab_wrong_rows *w, lab_key_direction d, lab_key_range k[LAB_MOST_ROWS]) {
    for (int i = 0; i < w->n; i++) {
        const lab_wrong_row *r = &w->row[i];
        k[i] = range_of(w, r,
                        d == LAB_LAST_SEEN     ? r->seen
                        : d == LAB_LAST_OF_ALL ? r->keys
                                               : 0,
                        d == LAB_TOO_MANY || d == LAB_ANY_FIRST ? r->keys : r->seen);
        if (k[i].end == 0 || (d == LAB_TOO_MANY && k[i].end <= r->seen)) return 0;
    }
    return w->n > 0;
}

// ---- Laws: how many keys a row sees, with tiles of Br queries and Bc keys

static int up(int n, int tile) { return (n + tile - 1) / tile * tile; }
static int least(int a, int b) { return a < b ? a : b; }

enum { LARGEST_TILE = 256 };

typedef enum {
    PLACE_IN_TILE,
    PLACE_IN_TILE_UNSHIFTED,
    END_OF_FIRST_QUERY,
    CUT_AT_FIRST_QUERY,
    CUT_BEFORE_FIRST_QUERY,
    END_WITHOUT_SHIFT,
    END_OF_TILE_OF_FIRST,
    END_OF_SAME_NUMBER,
    END_OF_TURNED_TILE,
    WHOLE_TILES,
    WHOLE_TILES_OF_WALK,
    WHOLE_TILES_SEEN,
    WHOLE_PARTS,
    HIDES_WHOLE_TILES,
    END_AT_SEQ_Q,  // in whole tiles it looks like a lost one
    END_OF_LAST_QUERY,
    HIDES_TILES_OF_WALK,
    HIDES_NOTHING_IN_WALK,
    CORNER_TO_CORNER,
    ROOM_FOR_FEW,
    PLACE_IN_GROUP,
    N_LAWS
} law;

static int by_law(law l, const lab_wrong_rows *w, const lab_wrong_row *r, int Br, int Bc) {
    const int shift = w->shape.seq_kv - w->shape.seq_q, q0 = r->query / Br * Br;
    switch (l) {
    case PLACE_IN_TILE: return least(r->query % Br + 1 + shift, r->keys);
    case PLACE_IN_TILE_UNSHIFTED: return least(r->query % Br + 1, r->keys);
    case END_AT_SEQ_Q: {  // in whole tiles of keys; a causal walk may end with its tile of queries, too
        const int end = w->shape.causal && Br < LARGEST_TILE ? q0 + Br : w->shape.seq_q;
        return least(up(least(end, w->shape.seq_q), Bc), r->seen);
    }
    case WHOLE_TILES: return least(r->keys / Bc * Bc, r->seen);
    case WHOLE_TILES_OF_WALK: return least(least(q0 + Br + shift, r->keys) / Bc * Bc, r->seen);
    case END_OF_FIRST_QUERY: return least(up(q0 + 1 + shift, Bc), r->seen);
    case CUT_AT_FIRST_QUERY: return least(q0 + 1 + shift, r->seen);
    case CUT_BEFORE_FIRST_QUERY: return least(q0 + shift, r->seen);
    case END_WITHOUT_SHIFT: return least(up(q0 + Br, Bc), r->seen);
    case END_OF_TILE_OF_FIRST: return least(up(q0 + 1, Bc), r->seen);
    case END_OF_SAME_NUMBER: return Br == Bc ? 0 : least((r->query / Br + 1) * Bc, r->seen);
    case END_OF_TURNED_TILE: return least(up((up(w->shape.seq_q, Br) - q0) + shift, Bc), r->seen);
    case WHOLE_TILES_SEEN: return up(r->seen, Bc) - Bc;
    case HIDES_WHOLE_TILES: return least(up(r->seen, Bc), r->keys);
    case PLACE_IN_GROUP: return Bc < Br ? least(q0 + r->query % Br % Bc + 1 + shift, r->keys) : 0;
    case ROOM_FOR_FEW: return Bc < r->seen ? Bc : 0;
    case HIDES_TILES_OF_WALK: return least(up(r->seen, Bc), least(q0 + Br + shift, r->keys));
    case HIDES_NOTHING_IN_WALK: return least(up(q0 + Br + shift, Bc), r->keys);
    case END_OF_LAST_QUERY: return least(q0 + Br + shift, r->keys);
    default: return r->parts ? r->seen / r->parts * r->parts : 0;
    }
}

#define HIDES_WHOLE                                                                                                    \
    "matches a mask that hides whole tiles of %d keys: in the tile on the diagonal, too, query i sees keys 0 .. i + "  \
    "(seq_kv - seq_q) and none behind it"
#define RAGGED LAB_LOST_TILE "%d keys)?"

static const struct {
    int causal, rows, keys;  // it is about causal attention; depends on Br; on Bc
    int too_many;            // keys that are hidden are seen
    const char *sentence;
} laws[N_LAWS] = {
    [PLACE_IN_TILE] = {1, 1, 0, 0,
                       "matches a mask that takes a row's place in its tile (of %d rows) for the number of the query: "
                       "query i0 + r sees keys 0 .. i0 + r + (seq_kv - seq_q)"},
    [PLACE_IN_TILE_UNSHIFTED] = {1, 1, 0, 0,
                                 "matches a mask without seq_kv - seq_q that takes a row's place in its tile (of %d "
                                 "rows) for the number of the "
                                 "query: query i0 + r sees keys 0 .. i0 + r + (seq_kv - seq_q)"},
    [END_AT_SEQ_Q] = {0, 1, 1, 0,
                      "matches attention to the first %d keys only: the loop over keys ends at seq_q, not seq_kv"},
    [WHOLE_TILES] = {0, 0, 1, 0, RAGGED},
    [WHOLE_TILES_OF_WALK] = {1, 1, 1, 0, RAGGED},
    [WHOLE_TILES_SEEN] = {0, 0, 1, 0, "matches the last tile of keys that each row sees left out (tiles of %d keys)"},
    [WHOLE_PARTS] =
        {0, 0, 0, 0,
         "matches parts of length / n_splits keys, rounded down: the last keys are in no part (%d); round up"},
    [END_OF_FIRST_QUERY] =
        {1, 1, 1, 0,
         "matches a walk over the keys that ends with what the first query of a tile sees: its last query sees most"},
    [CUT_AT_FIRST_QUERY] = {1, 1, 0, 0,
                            "matches a walk over the keys that ends with the last key that the first query of a tile "
                            "sees: its last query sees most"},
    [CUT_BEFORE_FIRST_QUERY] = {1, 1, 0, 0,
                                "matches a walk over the keys that ends before key i0 + (seq_kv - seq_q), where the "
                                "first query of a tile stands: its last query sees most, up to its own key"},
    [END_WITHOUT_SHIFT] =
        {1, 1, 1, 0,
         "matches a walk over the keys that ends after as many keys as there are queries so far, or queries at all "
         "(tiles of %d): the last query of a tile sees seq_kv - seq_q more"},
    [END_OF_TILE_OF_FIRST] =
        {1, 1, 1, 0,
         "matches a walk over the keys that ends with tile i0 / Bc of them, in which the key of the first query's own "
         "number is: it ends with the tile of the last query's last key, i0 + nq - 1 + (seq_kv - seq_q)"},
    [END_OF_SAME_NUMBER] =
        {1, 1, 1, 0,
         "matches a walk over the keys that ends with tile y of keys for tile y of queries (of %d rows), as where Br = "
         "Bc and seq_q = seq_kv: it ends with the last key that the last query of the tile sees"},
    [END_OF_TURNED_TILE] =
        {1, 1, 1, 0,
         "matches a walk over the keys that ends where that of the tile at the other end does, tile "
         "n - 1 - i for i (tiles of %d rows): where tiles are taken in reverse, the walk ends by the "
         "tile that is worked on, and not by the block's number"},
    [HIDES_WHOLE_TILES] = {1, 0, 1, 1, HIDES_WHOLE},
    [HIDES_TILES_OF_WALK] = {1, 1, 1, 1, HIDES_WHOLE},
    [HIDES_NOTHING_IN_WALK] =
        {1, 1, 1, 1,
         "matches no mask in the tiles that are visited: the walk ends with the tile of the last query's last key, and "
         "in that tile, too, query i sees keys 0 .. i + (seq_kv - seq_q) and none behind it"},
    [END_OF_LAST_QUERY] =
        {1, 1, 0, 1,
         "matches a mask that is the same for all queries of a tile (of %d), that of the last one: query i sees keys "
         "0 .. i + (seq_kv - seq_q)"},
    [CORNER_TO_CORNER] = {1, 0, 0, 0, LAB_FROM_CORNER("seq_kv / seq_q", "i + (seq_kv - seq_q)")},
    [ROOM_FOR_FEW] = {0, 0, 1, 0,
                      "matches attention to the first %d " LAB_HOWEVER_MANY ": no array has room for all, "
                      "so walk over them in tiles"},
    [PLACE_IN_GROUP] = {1, 1, 1, 0,
                        "matches a mask that is the same for each group of %d rows of a tile, that of the first group: "
                        "row r of the tile is query i0 + r, and sees keys 0 .. i0 + r + (seq_kv - seq_q)"},
};

static const int tile_sizes[] = {128, 64, 32, 16, 8, 4, 96, 80, 56, 48, 40, 24, 20, 12, 10, 2, LARGEST_TILE, 1};
enum { N_SIZES = sizeof tile_sizes / sizeof *tile_sizes };

static int holds(law l, const lab_wrong_rows *w, const lab_key_range k[LAB_MOST_ROWS], int Br, int Bc) {
    for (int i = 0; i < w->n; i++)
        if (by_law(l, w, &w->row[i], Br, Bc) < k[i].end || by_law(l, w, &w->row[i], Br, Bc) > k[i].most) return 0;
    return 1;
}

static int from_corner(const lab_wrong_rows *w, const lab_key_range k[LAB_MOST_ROWS]) {
    for (int way = 0; way < LAB_CORNER_WAYS; way++) {
        int n = 0;
        for (; n < w->n; n++) {
            const int end = lab_from_corner(way, w->row[n].query, w->shape.seq_q, w->row[n].keys);
            if (end < k[n].end || end > k[n].most) break;
        }
        if (n == w->n) return 1;
    }
    return 0;
}

// The larger tile of the two says more. The number that the sentence has: of rows, if it depends on them, or of keys.
static int fits(law l, const lab_wrong_rows *w, const lab_key_range k[LAB_MOST_ROWS]) {
    const int rows = w->row[0].queries, keys = w->row[0].tile;
    if (l == CORNER_TO_CORNER) return from_corner(w, k);
    for (int a = rows ? -1 : 0; a < (laws[l].rows ? N_SIZES : 1); a++)
        for (int b = 0; b < (laws[l].keys ? N_SIZES : 1); b++) {
            const int Bc = laws[l].keys && keys && tile_sizes[b] > 1 && l < ROOM_FOR_FEW ? keys : tile_sizes[b];
            const int Br = a < 0 ? rows : tile_sizes[a];
            if ((a >= 0 && laws[l].rows && Br < 4) || (l == ROOM_FOR_FEW && Bc < 16)) continue;
            if (!holds(l, w, k, Br, Bc)) continue;
            if (l == PLACE_IN_GROUP && Bc < 4) continue;
            if (l == WHOLE_TILES_OF_WALK || l == PLACE_IN_GROUP || l == HIDES_TILES_OF_WALK) return Bc;
            return laws[l].rows ? Br : laws[l].keys ? Bc : 1;
        }
    return 0;
}

// Fewer queries than a tile of the claim has: they share a mask, as those in the lanes of a vector do.
static int is_group(const lab_wrong_rows *w, int rows) {
    const int tile = w->row[0].queries < w->shape.seq_q ? w->row[0].queries : w->shape.seq_q;
    return tile && rows && rows < tile;
}

static const char *of_group(law l, const lab_wrong_rows *w, int rows) {
    return l == CUT_AT_FIRST_QUERY && is_group(w, rows)
               ? "matches a mask that is the same for %d queries side by side, that of the first of them: query i sees "
                 "keys 0 .. i + (seq_kv - seq_q)"
               : laws[l].sentence;
}

// Query i sees keys 0 .. i + shift, though the call asks for no mask.
static int is_masked(const lab_wrong_rows *w, const lab_key_range k[LAB_MOST_ROWS], int shift) {
    for (int i = 0; i < w->n; i++) {
        const int end = w->row[i].query + 1 + shift;
        if (end < k[i].end || end > k[i].most) return 0;
    }
    return !w->shape.causal && w->n > 1;
}

static int say_first(const lab_wrong_rows *w, const lab_key_range k[LAB_MOST_ROWS], int too_many, char *text,
                     size_t size) {
    char sentence[320];
    const attn_shape s = w->shape;
    const int masked = !too_many && is_masked(w, k, s.seq_kv - s.seq_q), unshifted = !too_many && is_masked(w, k, 0);
    if (masked) lab_guess(w->guesses, lab_attention_mistakes[LAB_MASK_ALWAYS], text, size);
    if (unshifted) lab_guess(w->guesses, LAB_MASK_OF_NO_SHIFT, text, size);  // of a square both fit: other claims tell
    if (masked || unshifted) return 1;
    for (law l = 0; l < N_LAWS; l++) {
        if (laws[l].too_many != too_many || (laws[l].causal && !s.causal) ||
            (l == END_AT_SEQ_Q && (s.seq_q == s.seq_kv || (s.seq_q == 1 && k[0].end == 1))) ||
            ((l == END_WITHOUT_SHIFT || l == CORNER_TO_CORNER) && s.seq_q == s.seq_kv))
            continue;
        const int tile = fits(l, w, k);
        if (!tile || (l == END_OF_FIRST_QUERY && is_group(w, fits(CUT_AT_FIRST_QUERY, w, k)))) continue;
        if (l == WHOLE_TILES_SEEN && holds(l, w, k, 1, 1)) lab_guess(w->guesses, LAB_LAST_KEY_OF_EACH, text, size);
        if (l == WHOLE_TILES_SEEN && tile == 1) continue;
        snprintf(sentence, sizeof sentence, of_group(l, w, tile),
                 l == END_AT_SEQ_Q  ? k[0].end
                 : l == WHOLE_PARTS ? k[0].end
                                    : tile);
        lab_guess(w->guesses, sentence, text, size);
    }
    if (!*text)
        snprintf(text, size,
                 too_many
                     ? "matches attention to %d keys (row %d, which sees %d): the mask does not hide those behind"
                     : "matches attention to the first %d keys only (row %d, which sees %d): where does the walk end?",
                 k[0].end, w->row[0].query, w->row[0].seen);
    return 1;
}

int lab_explain_seen_keys(const lab_wrong_rows *w, char *text, size_t size) {
    lab_key_range k[LAB_MOST_ROWS];
    if (lab_key_ranges(w, LAB_FIRST_KEYS, k)) return say_first(w, k, 0, text, size);
    if (w->shape.causal && w->n > 1 && lab_key_ranges(w, LAB_TOO_MANY, k)) {
        lab_guess_exchanged_mask(w);
        return say_first(w, k, 1, text, size);
    }
    if (!lab_key_ranges(w, LAB_LAST_SEEN, k)) return lab_explain_turned_mask(w, text, size);
    return lab_explain_last_keys(w, k, text, size);
}
