// unit_explain_walks.c: tiles that begin with the key of their number, masks that take places in tiles for keys or
// queries or look at some tiles alone, and the keys of a walk in parts that are averaged. grader/core:
// diagnose/online.c, online_tiles.c, seen_keys.c, gated_masks.c.
#include "unit.h"

#include <math.h>
#include <string.h>

#include "rules_out.h"
#include "symptom.h"

enum { D = 24, BR = 16, BC = 8, MOST = 64 };
static const attn_shape FULL = {1, 2, 20, 45, D, 0}, CAUSAL = {1, 2, 33, 45, D, 1};

// A sum of weights and of weighted values that goes on with keys.
typedef struct {
    double l, o[D];
} sums;

static void add_key(sums *t, const float *q, const float *k, const float *v) {
    double dot = 0;
    for (int d = 0; d < D; d++) dot += q[d] * k[d];
    const double p = exp(dot / sqrt(D));
    t->l += p;
    for (int d = 0; d < D; d++) t->o[d] += p * v[d];
}

// Where the walk of the query's tile ends, and how many keys the query sees.
static int end_of(attn_shape s, int i) {
    const int last = i / BR * BR + BR;
    return s.causal ? (last < s.seq_q ? last : s.seq_q) + s.seq_kv - s.seq_q : s.seq_kv;
}
static int seen_by(attn_shape s, int i) { return s.causal ? i + 1 + s.seq_kv - s.seq_q : s.seq_kv; }

static void begin_tiles(const lab_op *op, attn_shape s) {
    begin(op, s);
    wrong.extra[0] = BR, wrong.extra[1] = BC;
}

// of & 1: K of tile t begins with key t, & 2: V, & 4: the mask takes the key for that one, too.
static void by_number(const lab_op *op, attn_shape s, int of) {
    begin_tiles(op, s);
    for (int r = 0; r < s.heads * s.seq_q; r++) {
        const int i = r % s.seq_q, end = end_of(s, i);
        const float *k = wrong.in[2] + r / s.seq_q * s.seq_kv * D, *v = wrong.in[3] + r / s.seq_q * s.seq_kv * D;
        sums all = {0};
        for (int j = 0; j < end; j++) {
            const int n = j / BC + j % BC;
            if ((of & 4 ? n : j) < seen_by(s, i))
                add_key(&all, wrong.in[1] + r * D, k + (of & 1 ? n : j) * D, v + (of & 2 ? n : j) * D);
        }
        for (int d = 0; d < D; d++) wrong.got[r * D + d] = (float)(all.o[d] / all.l);
    }
}

// Each tile of queries meets the keys i0 .. i0 + nq - 1 alone.
static void a_walk_over_the_queries_own_numbers_is_named(void **state) {
    (void)state;
    const attn_shape s = CAUSAL;
    begin_tiles(&lab_tiled, s);
    for (int r = 0; r < s.heads * s.seq_q; r++) {
        const int i = r % s.seq_q, first = i / BR * BR, end = first + BR < s.seq_q ? first + BR : s.seq_q;
        const float *k = wrong.in[2] + r / s.seq_q * s.seq_kv * D, *v = wrong.in[3] + r / s.seq_q * s.seq_kv * D;
        sums all = {0};
        for (int j = first; j < end && j < seen_by(s, i); j++) add_key(&all, wrong.in[1] + r * D, k + j * D, v + j * D);
        for (int d = 0; d < D; d++) wrong.got[r * D + d] = (float)(all.o[d] / all.l);
    }
    says("a walk over the keys with the numbers of the tile's own queries, i0 .. i0 + nq - 1, alone");
    wrong.extra[0] = wrong.extra[1] = 0;  // the file has tiles of its own
    is_among_what_fits("a walk over the keys with the numbers of the tile's own queries");
    release(NULL);
}

static void tiles_by_their_number_are_named(void **state) {
    (void)state;
    static const struct {
        int of;
        const char *says;
    } rows[] = {{1, "the tile's number, for K: tile t begins with key t * Bc"},
                {2, "the tile's number, for V: tile t begins"},
                {3, "the tile's number, for K and V: tile t begins"},
                {7, "the tile's number, for K and V: tile t begins"}};
    for (int causal = 0; causal < 2; causal++)
        for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
            by_number(&lab_tiled, causal ? CAUSAL : FULL, rows[i].of), says(rows[i].says);
            release(NULL);
        }
    by_number(&lab_flash, FULL, 3), says(rows[2].says);
    release(NULL);
    by_number(&lab_tiled, CAUSAL, 0);
    assert_int_equal(examine().verdict, LAB_PASSED);
}

// The keys that the tile of queries visits, in n parts, rounded up; each is divided by its own sum.
static void averaged(attn_shape s, int n) {
    begin_tiles(&lab_tiled, s);
    for (int r = 0; r < s.heads * s.seq_q; r++) {
        const int i = r % s.seq_q, size = (end_of(s, i) + n - 1) / n, seen = seen_by(s, i);
        const float *k = wrong.in[2] + r / s.seq_q * s.seq_kv * D, *v = wrong.in[3] + r / s.seq_q * s.seq_kv * D;
        double mean[D] = {0};
        int parts = 0;
        for (int from = 0; from < seen; from += size, parts++) {
            sums part = {0};
            for (int j = from; j < from + size && j < seen; j++)
                add_key(&part, wrong.in[1] + r * D, k + j * D, v + j * D);
            for (int d = 0; d < D; d++) mean[d] += part.o[d] / part.l;
        }
        for (int d = 0; d < D; d++) wrong.got[r * D + d] = (float)(mean[d] / parts);
    }
}

// The same of all claims, whatever else fits one of them; what makes one part of them is not the cure.
static void the_mean_of_the_parts_of_a_walk_is_named(void **state) {
    (void)state;
    for (int n = 2; n <= 4; n++)
        for (int causal = 0; causal < 2; causal++) {
            static lab_guesses fits;
            int found = 0;
            fits.n = 0, wrong.guesses = &fits;
            averaged(causal ? CAUSAL : FULL, n), examine();
            wrong.guesses = NULL;
            for (int i = 0; i < fits.n; i++)
                found |= strstr(fits.text[i], "parts of the keys that a tile of queries visits)") != NULL;
            assert_true(found);
            assert_int_equal(lab_cause_rules_out(fits.text[0]) & LAB_ONE_PIECE, LAB_ONE_PIECE);
            release(NULL);
        }
}

// A mask that takes places in the tiles, of queries or of keys, and that adds seq_kv - seq_q or does not. walk: over all keys
// (1), to the last that the tile of queries sees (2), or to the end of that tile of keys (3).
static void masked_by_places(const lab_op *op, attn_shape s, int of_query, int of_key, int shifted, int walk) {
    begin_tiles(op, s);
    if (op != &lab_tiled) wrong.extra[0] = wrong.extra[1] = 0;
    for (int r = 0; r < s.heads * s.seq_q; r++) {
        const int i = r % s.seq_q, end = end_of(s, i), whole = (end + BC - 1) / BC * BC,
                  last = walk == 2   ? end
                         : walk == 3 ? (whole < s.seq_kv ? whole : s.seq_kv)
                                     : s.seq_kv;
        const float *k = wrong.in[2] + r / s.seq_q * s.seq_kv * D, *v = wrong.in[3] + r / s.seq_q * s.seq_kv * D;
        sums all = {0};
        for (int j = 0; j < last; j++)
            if ((of_key ? j % BC : j) <= (of_query ? i % BR : i) + (shifted ? s.seq_kv - s.seq_q : 0))
                add_key(&all, wrong.in[1] + r * D, k + j * D, v + j * D);
        for (int d = 0; d < D; d++) wrong.got[r * D + d] = (float)(all.o[d] / all.l);
    }
}

// With one tile of keys, and as many keys as queries, too: what claims of other shapes show has to be among what fits these.
static void masks_of_places_in_tiles_are_named(void **state) {
    (void)state;
    static const char *const says[2][2][2] = {
        {{NULL, NULL}, {"and leaves seq_kv - seq_q out", "for the number of the key: key j0 + c"}},
        {{"without seq_kv - seq_q that takes a row's place in its tile", "mask that takes a row's place in its tile"},
         {"key c with query r", "key c with r + (seq_kv - seq_q)"}}};
    static const attn_shape shapes[] = {{1, 2, 33, 45, D, 1}, {1, 2, 40, 40, D, 1}, {1, 2, 33, 37, D, 1}};
    for (size_t of = 0; of < 3; of++)
        for (int n = 0; n < 3; n++)
            for (int shifted = 0; shifted < 2; shifted++)
                for (int walk = 1; walk <= 3; walk++)
                    for (int flash = 0; flash < 2; flash++) {
                        const int query = of != 1, key = of != 0;
                        masked_by_places(flash ? &lab_flash : &lab_tiled, shapes[n], query, key, shifted, walk);
                        const int none =
                            query && key && shifted && walk > 1 && shapes[n].seq_kv - shapes[n].seq_q >= BC - 1;
                        is_among_what_fits(none ? "hides nothing within a tile" : says[query][key][shifted]);
                        release(NULL);
                    }
    masked_by_places(&lab_tiled, CAUSAL, 0, 0, 1, 1);
    assert_int_equal(examine().verdict, LAB_PASSED);
    release(NULL);
}

// A mask that looks at tile y of keys alone for tile y of queries (0), or where j0 = i0 (1), j0 >= i0 (2), or at the last
// tile of keys (3). by: the numbers of key and query, their places in the tile, these and seq_kv - seq_q, that of the key
// alone, that of the query alone. there: the walk ends with tile y.
static void masked_in_some_tiles(const lab_op *op, attn_shape s, int which, int by, int there) {
    begin_tiles(op, s);
    if (op != &lab_tiled) wrong.extra[0] = wrong.extra[1] = 0;
    for (int r = 0; r < s.heads * s.seq_q; r++) {
        const int i = r % s.seq_q, y = i / BR;
        const float *k = wrong.in[2] + r / s.seq_q * s.seq_kv * D, *v = wrong.in[3] + r / s.seq_q * s.seq_kv * D;
        sums all = {0};
        for (int j = 0; j < (there && (y + 1) * BC < s.seq_kv ? (y + 1) * BC : s.seq_kv); j++) {
            const int j0 = j / BC * BC, looks = which == 0   ? j / BC == y
                                                : which == 1 ? j0 == y * BR
                                                : which == 2 ? j0 >= y * BR
                                                             : j0 + BC >= s.seq_kv;
            const int shift = by == 1 ? 0 : s.seq_kv - s.seq_q;
            const int key = by == 0 || by == 4 ? j : j % BC, query = by == 0 || by == 3 ? i : i % BR;
            if (looks && key > query + shift) continue;
            add_key(&all, wrong.in[1] + r * D, k + j * D, v + j * D);
        }
        for (int d = 0; d < D; d++) wrong.got[r * D + d] = (float)(all.o[d] / all.l);
    }
}

static void masks_that_look_at_some_tiles_alone_are_named(void **state) {
    (void)state;
    static const char *const says[] = {"looks at tile y of keys alone for tile y of queries, as where Br = Bc",
                                       "looks at tiles with j0 = i0 alone", "passes over tiles with j0 < i0,",
                                       "looks at the last tile of keys alone"};
    static const char *const hides[] = {"", ", and hides c > r where it looks",
                                        ", and hides c > r + (seq_kv - seq_q) where it looks",
                                        ", and hides c > i0 + r + (seq_kv - seq_q) where it looks",
                                        ", and hides j0 + c > r + (seq_kv - seq_q) where it looks"};
    static const attn_shape shapes[] = {{1, 2, 36, 39, D, 1}, {1, 2, 40, 40, D, 1}};
    for (int n = 0; n < 8; n++)
        for (int by = 0; by < 5; by++)
            for (int flash = 0; flash < 2; flash++) {
                masked_in_some_tiles(flash ? &lab_flash : &lab_tiled, shapes[n / 4], n % 4, by, n % 4 == 0);
                if (n % 4 == 2 && !by)
                    assert_int_equal(examine().verdict, LAB_PASSED);
                else if (n % 4 == 0 && !by)  // it passes over nothing that is walked over
                    is_among_what_fits("ends with tile y of keys for tile y of queries");
                else
                    is_among_what_fits(says[n % 4]);
                if (by) is_among_what_fits(hides[by]);
                if (by && n % 4 == 0) is_among_what_fits(", a walk that ends there");
                release(NULL);
            }
}

// More keys than a tile has, before the first query: what other claims show has to be among what fits this one.
static void a_mask_in_some_tiles_that_hides_nothing_here_is_among_what_fits(void **state) {
    (void)state;
    masked_in_some_tiles(&lab_tiled, (attn_shape){1, 2, 36, 36 + BC, D, 1}, 0, 2, 0);
    is_among_what_fits("alone for tile y of queries, as where Br = Bc, seq_q = seq_kv, and hides c > r + (seq_kv");
    is_among_what_fits("attention without the causal mask");
}

static void one_tile_of_keys_does_not_tell_places_apart(void **state) {
    (void)state;
    masked_by_places(&lab_tiled, (attn_shape){1, 2, 40, 45, D, 1}, 1, 0, 1, 1);
    wrong.extra[1] = 64;
    is_among_what_fits("key c with r + (seq_kv - seq_q)");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(masks_of_places_in_tiles_are_named, release),
        cmocka_unit_test_teardown(masks_that_look_at_some_tiles_alone_are_named, release),
        cmocka_unit_test_teardown(a_mask_in_some_tiles_that_hides_nothing_here_is_among_what_fits, release),
        cmocka_unit_test_teardown(one_tile_of_keys_does_not_tell_places_apart, release),
        cmocka_unit_test(a_walk_over_the_queries_own_numbers_is_named),
        cmocka_unit_test_teardown(tiles_by_their_number_are_named, release),
        cmocka_unit_test_teardown(the_mean_of_the_parts_of_a_walk_is_named, release),
    };
    return cmocka_run_group_tests_name("explain_walks", tests, NULL, NULL);
}
