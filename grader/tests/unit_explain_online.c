// unit_explain_online.c: the online softmax as a student misremembers it: the factor at every key, or for the tile in
// place of what was before; tiles that are left out, or begin anew.
// grader/core: diagnose/online.c, diagnose/online_steps.c.
#include "unit.h"

#include <math.h>
#include <string.h>

#include "symptom.h"

enum { TILE = 16, D = 24 };
static const attn_shape FULL = {1, 2, 20, 45, D, 0}, CAUSAL = {1, 2, 33, 45, D, 1};

// What is wrong; 0 is right for each.
typedef struct {
    int of_scores;                      // l adds up 1: the scores, 2: s - m
    int each_divided;                   // O is divided by l after each tile, and in the end, too; 2: l is 1 then
    int group, of_o_alone, from_begin;  // keys behind whole groups are left out, or taken from the tile's begin
    int places;                         // the mask compares places within tiles of 8 queries
    int o_each, l_each;                 // the factor at every so many keys
    int of_o, of_l;                     // 1: the factor for the tile, not for what was before
    int late;                           // 1: the factor for both, when the tile's are added
    int but_first;                      // 1: it is 1 in the first tile
    int twice_o, twice_l;               // 1: the factor's square
    int unless_grown, anew, divided, tile_max, first_l, so_far, own_sum, scaled_again, within;
    int softmax;  // of each tile alone. 1: added to the rescaled O, 2: to O; 3, 4: divided by l in the end, too
    int moved_back, first_twice, last_twice, every_second;  // 1: of the tiles that are visited
    int k_before, v_before;                                 // 1: of the tile before, but in the first
    int by_column;  // the mask counts keys from the tile's first; the walk ends where that of so many queries does
} misread;

// The first key of the tile behind this one.
static int next(misread w, int from, int visited) {
    if (w.first_twice && visited == 1) return from;
    return from + (w.every_second ? 2 : 1) * TILE;
}

static void row(misread w, int query, const float *q, const float *K, const float *V, int seen, int keys, float *o) {
    const int own = seen, tile = w.places ? 8 : w.by_column ? w.by_column : 1, end = seen - query % tile - 1 + tile;
    if (w.by_column || w.places) seen = keys = end < keys ? end : keys;
    float m = -INFINITY, l = 0;
    for (int d = 0; d < D; d++) o[d] = 0;
    int visited = 0, last_again = w.last_twice;
    for (int at = 0; at < (w.moved_back ? keys : seen); at = next(w, at, visited)) {
        visited++;
        const int from = w.moved_back && at + TILE > keys ? keys - TILE : at;
        int to = from + TILE < keys ? from + TILE : keys;
        const int whole = w.group ? from + (to - from) / w.group * w.group : to;
        if (!w.of_o_alone) to = whole;
        if (from >= to) continue;
        if (from >= seen) break;
        if (at + TILE >= seen && last_again) last_again = 0, at -= TILE;
        float p[TILE], top = -INFINITY, sum = 0, kept = l;
        for (int j = from; j < to; j++) {
            float dot = 0;
            for (int d = 0; d < D; d++) dot += q[d] * K[(j - (w.k_before && from ? TILE : 0)) * D + d];
            p[j - from] = (w.places      ? j - from <= query % 8
                           : w.by_column ? j - from < own
                                         : j < seen)
                              ? dot / powf(sqrtf(D), w.scaled_again ? 1 + from / TILE : 1)
                              : -INFINITY;
            top = fmaxf(top, p[j - from]);
        }
        const float now = fmaxf(m, top);
        float a = m == -INFINITY ? 0 : expf(m - (w.tile_max ? top : now)), so_far = m, own = 0;
        if (w.but_first && m == -INFINITY) a = 1;
        if (w.within && m > -INFINITY) a = expf(m - fmaxf(m, p[0]));
        if (w.unless_grown && now == m) continue;
        if (w.anew && now > m) a = 0;
        for (int j = from; j < to; j++) {
            const float raw = p[j - from];
            own += expf(raw - top);
            so_far = fmaxf(so_far, p[j - from]);
            p[j - from] = expf(p[j - from] - (w.so_far || w.within ? so_far : now));
            if (w.l_each && (j - from) % w.l_each == 0 && j + w.l_each <= to) kept *= a;
            kept += p[j - from];
            sum += w.of_scores ? raw - (w.of_scores == 2 ? now : 0) : p[j - from];
        }
        const float fade = w.of_l ? 1 : w.twice_l ? a * a : a;
        if (!w.first_l || m == -INFINITY) l = w.l_each ? kept : fade * l + (w.of_l || w.late ? a : 1) * sum;
        for (int d = 0; d < D; d++) {
            if (!w.o_each) o[d] *= w.of_o || (w.softmax && w.softmax % 2 == 0) ? 1 : w.twice_o ? a * a : a;
            for (int j = from; j < to; j++) {
                if (w.o_each && (j - from) % w.o_each == 0 && j + w.o_each <= to) o[d] *= a;
                const int at_o = j < whole ? j : from + j - whole;
                if (j >= whole && !w.from_begin) continue;
                o[d] += p[at_o - from] * V[(at_o - (w.v_before && from ? TILE : 0)) * D + d] *
                        (w.of_o || w.late ? a : 1) /
                        (w.divided   ? l
                         : w.own_sum ? own
                         : w.softmax ? sum
                                     : 1);
            }
        }
        for (int d = 0; d < D && w.each_divided; d++) o[d] /= l;
        if (w.each_divided == 2) l = 1;
        m = now;
    }
    for (int d = 0; d < D && w.divided != 1 && w.own_sum != 1 && w.softmax != 1 && w.softmax != 2; d++) o[d] /= l;
}

static const lab_op *attention = &lab_tiled;

static void attend(attn_shape s, misread w) {
    begin(attention, s);
    wrong.extra[0] = 8, wrong.extra[1] = TILE;
    for (int r = 0; r < s.batch * s.heads * s.seq_q; r++) {
        const size_t head = (size_t)(r / s.seq_q) * s.seq_kv * D;
        const int seen = s.causal ? r % s.seq_q + s.seq_kv - s.seq_q + 1 : s.seq_kv;
        row(w, r % s.seq_q, wrong.in[1] + r * D, wrong.in[2] + head, wrong.in[3] + head, seen, s.seq_kv,
            wrong.got + r * D);
    }
}

#define SAYS(shape, words, ...)                                                                                        \
    do {                                                                                                               \
        attend(shape, (misread){__VA_ARGS__});                                                                         \
        says(words);                                                                                                   \
        release(NULL);                                                                                                 \
    } while (0)

static void the_steps_as_they_are_meant_are_right(void **state) {
    (void)state;
    attend(CAUSAL, (misread){0});
    assert_int_equal(examine().verdict, LAB_PASSED);
}

static void a_factor_at_every_key_is_named(void **state) {
    (void)state;
    SAYS(FULL, "O that is rescaled by exp(m_old - m_new) at every key of a tile", .o_each = 1);
    SAYS(CAUSAL, "O that is rescaled by exp(m_old - m_new) at every key of a tile", .o_each = 1);
    SAYS(CAUSAL, "at every 4 keys of a tile: it is meant once per tile", .o_each = 4);
    SAYS(FULL, "l that is rescaled by exp(m_old - m_new) at every key", .l_each = 1);
    SAYS(CAUSAL, "O and l that are rescaled by exp(m_old - m_new) at every key", .o_each = 1, .l_each = 1);
    SAYS(FULL, "l that is rescaled twice", .twice_l = 1);
    SAYS(FULL, "O and l that are rescaled twice", .twice_l = 1, .twice_o = 1);
}

// Where all rows see as many keys, those are the first ones alone, too: the sentence is among what fits.
static void guesses(attn_shape s, const char *words, misread w) {
    attend(s, w);
    is_among_what_fits(words);
    release(NULL);
}

static void an_l_of_scores_is_named(void **state) {
    (void)state;
    SAYS(FULL, "l that adds up the scores themselves", .of_scores = 1);
    SAYS(FULL, "l that adds up s - m", .of_scores = 2);
}

static void a_rest_behind_whole_groups_of_keys_is_named(void **state) {
    (void)state;
    guesses(FULL, "keys behind the last whole group of 8 are left out: they count, too", (misread){.group = 8});
    guesses(CAUSAL, "keys behind the last whole group of 8 are left out: they count, too", (misread){.group = 8});
    SAYS(FULL, "group of 8 are left out: they count, too, and l has them while O has not", .group = 8, .of_o_alone = 1);
    SAYS(FULL, "group of 4 are taken from the tile's begin again", .group = 4, .of_o_alone = 1, .from_begin = 1);
}

static void a_mask_of_places_within_tiles_is_named(void **state) {
    (void)state;
    SAYS(CAUSAL, "a mask that compares places within the tiles, key c with query r", .places = 1);
}

static void a_factor_of_the_wrong_one_of_both_is_named(void **state) {
    (void)state;
    SAYS(FULL, "this tile's sum and P V rescaled by", .of_o = 1, .of_l = 1);
    SAYS(FULL, "this tile's P V rescaled by exp(m_old - m_new): the factor belongs to what was there", .of_o = 1);
    SAYS(FULL, "this tile's sum rescaled by", .of_l = 1);
    SAYS(FULL, "O and l that are rescaled after this tile's are added", .late = 1);
    SAYS(FULL, "then add (in all tiles but the first)", .late = 1, .but_first = 1);
    SAYS(CAUSAL, "then add (in all tiles but the first)", .late = 1, .but_first = 1);
    SAYS(FULL,
         "this tile's sum and P V rescaled by exp(m_old - m_new): the factor belongs to what was there before (in",
         .of_o = 1, .of_l = 1, .but_first = 1);
    SAYS(FULL, "a factor exp(m_old - the tile's own max)", .tile_max = 1);
}

// The probe of the walk divides in the end: the file may do so, or not.
static void a_probe_that_divides_says_nothing_of_the_end(void **state) {
    (void)state;
    attention = &lab_walk_probe;
    SAYS(FULL, "O that is divided by l after every tile: divide once", .each_divided = 1);
    SAYS(FULL, "P V divided by the l so far: only the last", .divided = 2);
    SAYS(FULL, "added to the rescaled O", .softmax = 3);
    attend(FULL, (misread){.softmax = 3});
    examine();
    assert_null(strstr(wrong.text, "in the end"));
    release(NULL);
    attention = &lab_tiled;
}

static void tiles_that_are_joined_another_way_are_named(void **state) {
    (void)state;
    SAYS(FULL, "tiles that count only where they raise the row maximum", .unless_grown = 1);
    SAYS(CAUSAL, "P V divided by the l so far", .divided = 1);
    SAYS(FULL, "P V divided by the l so far, and O by l in the end, too", .divided = 2);
    SAYS(FULL, "O that is divided by l after every tile, and in the end, too", .each_divided = 1);
    SAYS(FULL, "O that is divided by l after every tile, and an l that is 1 again", .each_divided = 2);
    SAYS(CAUSAL, "O that is divided by l after every tile, and an l that is 1 again", .each_divided = 2);
    SAYS(FULL, "l of the first tile alone", .first_l = 1);
    SAYS(FULL, "largest score up to their own key", .so_far = 1);
    SAYS(FULL, "rescaled for its first key alone", .within = 1);
    SAYS(FULL, "divided by the tile's own sum: add it as it is", .own_sum = 1);
    SAYS(FULL, "divided by the tile's own sum, and O by l in the end", .own_sum = 2);
    SAYS(FULL, "scaled once more with every tile", .scaled_again = 1);
}

static void a_softmax_of_each_tile_is_named(void **state) {
    (void)state;
    SAYS(FULL, "whole softmax of each tile, whose weights sum to 1, added to the rescaled O: add", .softmax = 1);
    SAYS(CAUSAL, "outputs of the parts added as they are", .softmax = 2);
    SAYS(FULL, "added to the rescaled O, which is divided by l in the end, too", .softmax = 3);
    SAYS(CAUSAL, "added up and divided by l in the end", .softmax = 4);
}

static void tiles_that_are_visited_twice_or_not_at_all_are_named(void **state) {
    (void)state;
    SAYS(FULL, "a last, ragged tile that is moved back to be full", .moved_back = 1);
    SAYS(CAUSAL, "a last, ragged tile that is moved back to be full", .moved_back = 1);
    SAYS(FULL, "a first tile that is counted twice", .first_twice = 1);
    SAYS(FULL, "a last tile that is counted twice", .last_twice = 1);
    SAYS(CAUSAL, "a last tile that is counted twice", .last_twice = 1);
    SAYS(FULL, "every second tile left out", .every_second = 1);
    SAYS(CAUSAL, "a key's place in its tile for the number of the key", .by_column = 8);
}

// Where the lab does not know the tile, as in task 4.
static void the_tile_before_is_named_for_tiles_of_the_files_own(void **state) {
    (void)state;
    for (int k = 0; k < 2; k++)
        for (int v = !k; v < 2; v++) {
            attend(CAUSAL, (misread){.k_before = k, .v_before = v});
            wrong.op = &lab_flash, wrong.extra[0] = wrong.extra[1] = 0;
            says(!k  ? "t.V = V of the tile before"
                 : v ? "K of the tile before: it is K + j0 * D; V, too"
                     : "t.K = K of the tile");
            assert_says(wrong.text, "(tiles of 16 keys)");
            release(NULL);
        }
}

// Row by row it is attention to the last keys, and those begin where the largest score is.
static void rows_that_begin_anew_are_not_said_to_see_the_last_keys_alone(void **state) {
    (void)state;
    attend(FULL, (misread){.anew = 1});
    says("begin anew where the row maximum grows");
    assert_int_equal(sentences_that_fit("keys only"), 0);
}

static void an_output_that_begins_anew_with_each_key_is_named(void **state) {
    (void)state;
    begin(&lab_sdpa, FULL);
    for (int r = 0; r < FULL.heads * FULL.seq_q; r++) {
        const float *q = wrong.in[1] + r * D, *k = wrong.in[2] + r / FULL.seq_q * FULL.seq_kv * D;
        float p = 0, sum = 0;
        for (int j = 0; j < FULL.seq_kv; j++) {
            float dot = 0;
            for (int d = 0; d < D; d++) dot += q[d] * k[j * D + d];
            sum += p = expf(dot / sqrtf(D));
        }
        for (int d = 0; d < D; d++)
            wrong.got[r * D + d] = p / sum * wrong.in[3][(r / FULL.seq_q + 1) * FULL.seq_kv * D - D + d];
    }
    says("O of the last key alone");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(the_steps_as_they_are_meant_are_right, release),
        cmocka_unit_test(a_factor_at_every_key_is_named),
        cmocka_unit_test(an_l_of_scores_is_named),
        cmocka_unit_test(a_rest_behind_whole_groups_of_keys_is_named),
        cmocka_unit_test(a_mask_of_places_within_tiles_is_named),
        cmocka_unit_test(a_factor_of_the_wrong_one_of_both_is_named),
        cmocka_unit_test(tiles_that_are_joined_another_way_are_named),
        cmocka_unit_test(a_probe_that_divides_says_nothing_of_the_end),
        cmocka_unit_test(a_softmax_of_each_tile_is_named),
        cmocka_unit_test(tiles_that_are_visited_twice_or_not_at_all_are_named),
        cmocka_unit_test(the_tile_before_is_named_for_tiles_of_the_files_own),
        cmocka_unit_test_teardown(an_output_that_begins_anew_with_each_key_is_named, release),
        cmocka_unit_test_teardown(rows_that_begin_anew_are_not_said_to_see_the_last_keys_alone, release),
    };
    return cmocka_run_group_tests_name("explain_online", tests, NULL, NULL);
}
