// unit_explain_tile_rows.c: a tile of queries whose rows are given the factor, the sum or the maximum of another one of
// them, or what all of them share. grader/core/diagnose: tile_rows.c, tile_shared.c, even_tiles.c.
#include "unit.h"

#include <math.h>
#include <string.h>

#include "rules_out.h"
#include "symptom.h"

enum { BR = 8, BC = 16, D = 24, KEYS = 77 };
static const attn_shape FULL = {1, 2, 20, KEYS, D, 0}, CAUSAL = {1, 2, 33, KEYS, D, 1};

// What is wrong; 0 is right for each. of: whose row it is, 1 the last one's, 2 the first one's. all_o, all_l: they are
// multiplied by the factors of all rows. added: to one l, which is multiplied by the first row's factor. hidden: hidden
// scores raise the maximum, too, and neither O nor l is multiplied.
typedef struct {
    int of, o, l, over, one_m, one_l, all_o, all_l, added, hidden;
} misread;

static int least(int a, int b) { return a < b ? a : b; }

static void tile(misread w, attn_shape s, int first, const float *Q, const float *K, const float *V, float *O) {
    const int n = least(BR, s.seq_q - first), more = s.seq_kv - s.seq_q;
    const int end = s.causal ? first + n + more : s.seq_kv, of = w.of == 1 ? n - 1 : 0;
    float m[BR], l[BR] = {0}, one_m = -INFINITY, one_l = 0;
    for (int r = 0; r < n; r++) m[r] = -INFINITY;
    for (int e = 0; e < n * D; e++) O[e] = 0;
    for (int from = 0; from < end; from += BC) {
        const int to = least(from + BC, end);
        float p[BR][BC], a[BR], sum[BR], all = 1, sums = 0;
        for (int r = 0; r < n; r++) {
            float top = w.one_m ? one_m : m[r];
            for (int j = from; j < to; j++) {
                float dot = 0;
                for (int d = 0; d < D; d++) dot += Q[r * D + d] * K[j * D + d];
                p[r][j - from] = s.causal && j > first + r + more ? -INFINITY : dot / sqrtf(D);
                top = fmaxf(top, w.hidden ? dot / sqrtf(D) : p[r][j - from]);
            }
            a[r] = w.hidden ? 1 : expf((w.one_m ? one_m : m[r]) - top), sum[r] = 0;
            for (int j = from; j < to; j++) sum[r] += p[r][j - from] = expf(p[r][j - from] - top);
            m[r] = one_m = top;
            if (w.one_l) one_l = a[r] * one_l + sum[r];
            all *= a[r], sums += sum[r];
        }
        if (w.added) one_l = a[0] * one_l + sums;
        for (int r = 0; r < n; r++) {
            l[r] = (w.all_l ? all : a[w.l ? of : r]) * l[r] + sum[r];
            for (int d = 0; d < D; d++) {
                O[r * D + d] *= w.all_o ? all : a[w.o ? of : r];
                for (int j = from; j < to; j++) O[r * D + d] += p[r][j - from] * V[j * D + d];
            }
        }
    }
    for (int e = 0; e < n * D; e++) O[e] /= w.one_l || w.added ? one_l : l[w.over ? of : e / D];
}

static void attend(attn_shape s, misread w) {
    begin(&lab_tiled, s);
    wrong.extra[0] = BR, wrong.extra[1] = BC;
    for (int h = 0; h < s.batch * s.heads; h++)
        for (int i = 0; i < s.seq_q; i += BR) {
            const size_t q = ((size_t)h * s.seq_q + i) * D, kv = (size_t)h * s.seq_kv * D;
            tile(w, s, i, wrong.in[1] + q, wrong.in[2] + kv, wrong.in[3] + kv, wrong.got + q);
        }
}

#define SAYS(words, ...)                                                                                               \
    do {                                                                                                               \
        attend(FULL, (misread){__VA_ARGS__});                                                                          \
        says(words);                                                                                                   \
        release(NULL);                                                                                                 \
        attend(CAUSAL, (misread){__VA_ARGS__});                                                                        \
        says(words);                                                                                                   \
        release(NULL);                                                                                                 \
    } while (0)

static void rows_with_their_own_state_are_right(void **state) {
    (void)state;
    attend(CAUSAL, (misread){0});
    assert_int_equal(examine().verdict, LAB_PASSED);
}

static void the_factor_of_another_row_is_named(void **state) {
    (void)state;
    SAYS("O of all rows rescaled by the factor of the last row", .of = 1, .o = 1);
    SAYS("O and l of all rows rescaled by the factor of the last row", .of = 1, .o = 1, .l = 1);
    SAYS("matches l of all rows rescaled by the factor of the last row", .of = 1, .l = 1);
    SAYS("O of all rows rescaled by the factor of the first row", .of = 2, .o = 1);
    SAYS("O and l of all rows rescaled by the factor of the first row", .of = 2, .o = 1, .l = 1);
}

static void the_sum_of_another_row_is_named(void **state) {
    (void)state;
    SAYS("divided by the l of the last row of their tile", .of = 1, .over = 1);
    SAYS("divided by the l of the first row of their tile", .of = 2, .over = 1);
    for (int last = 0; last < 2; last++) {  // all keys are one tile
        attend((attn_shape){1, 2, 21, BC, D, 0}, (misread){.of = last ? 1 : 2, .over = 1});
        says(last ? "divided by the l of the last row of their tile"
                  : "divided by the l of the first row of their tile");
        release(NULL);
    }
}

static void one_state_for_all_rows_is_named(void **state) {
    (void)state;
    SAYS("one m for all rows of a tile", .one_m = 1);
    SAYS("one l for all rows of a tile", .one_l = 1);
    SAYS("one m and one l for all rows", .one_m = 1, .one_l = 1);
}

// The factors of many rows are nearly 0 together: some rows may look as if O began anew with each tile.
static void what_is_done_to_all_rows_is_named(void **state) {
    (void)state;
    static const struct {
        misread w;
        const char *words;
    } all[] = {{{.all_o = 1}, "matches O of each row multiplied by the factors of all rows"},
               {{.all_o = 1, .all_l = 1}, "matches O and l of each row multiplied by the factors of all rows"},
               {{.all_l = 1}, "matches l of each row multiplied by the factors of all rows"},
               {{.added = 1}, "one l for all rows of a tile of queries, to which each adds"}};
    for (int i = 0; i < 8; i++) {
        attend(i % 2 ? CAUSAL : FULL, all[i / 2].w);
        assert_true(sentences_that_fit(all[i / 2].words));
        release(NULL);
    }
}

static void a_maximum_of_hidden_scores_too_is_seen(void **state) {
    (void)state;
    SAYS("matches O and l that are not rescaled by exp(m_old - m_new)", .hidden = 1);
}

// In one claim the last row's factor is 1 all the way: that no factor is taken comes first.
static void a_factor_of_1_fits_too(void **state) {
    (void)state;
    const attn_shape s = {1, 1, BR, 64, D, 0};
    begin(&lab_tiled, s);
    wrong.extra[0] = BR, wrong.extra[1] = BC;
    for (int d = 0; d < D; d++) wrong.in[1][(BR - 1) * D + d] = 3 * wrong.in[2][d];
    tile((misread){.of = 1, .o = 1}, s, 0, wrong.in[1], wrong.in[2], wrong.in[3], wrong.got);
    assert_true(lab_tiled.oracle(s, wrong.extra, (const float *const *)wrong.in, LAB_NO_MISTAKE, wrong.want));
    assert_true(sentences_that_fit("by the factor of the last row"));
    says("matches O that is not rescaled by exp(m_old - m_new)");
    release(NULL);
}

// 29 keys are 4 tiles of at most 8, each 7 wide; 63 are 4 of at most 16, which nobody has said, each 15 wide.
static void tiles_of_the_same_width_are_named(void **state) {
    (void)state;
    enum { ROWS = 7, HEADS = 2 };
    for (int own = 0; own < 2; own++) {
        const attn_shape s = {1, HEADS, ROWS, own ? 63 : 29, D, 0}, fewer = {1, 1, ROWS, own ? 60 : 28, D, 0};
        double o[ROWS * D];
        begin(&lab_tiled, s);
        wrong.extra[0] = own ? 0 : 4, wrong.extra[1] = own ? 0 : 8;
        for (int h = 0; h < HEADS; h++) {
            const size_t q = (size_t)h * ROWS * D, kv = (size_t)h * s.seq_kv * D;
            const float *const in[LAB_MAX_TENSORS] = {NULL, wrong.in[1] + q, wrong.in[2] + kv, wrong.in[3] + kv};
            assert_true(lab_sdpa.oracle(fewer, wrong.extra, in, LAB_NO_MISTAKE, o));
            for (int e = 0; e < ROWS * D; e++) wrong.got[q + e] = (float)o[e];
        }
        assert_true(sentences_that_fit(LAB_EVEN_TILES));
        release(NULL);
    }
}

// TODO 4.6: a row has 24 probabilities, and then 8 parts of l.
static void probabilities_that_are_divided_are_named(void **state) {
    (void)state;
    enum { P = 24, ROW = P + 8 };
    for (int so_far = 0; so_far < 2; so_far++) {
        begin_claim("task4", "scores_become_probabilities_and_l_their_sum");
        for (float *p = wrong.got; p < wrong.got + wrong.n; p += ROW) {
            float sum = 0;
            for (int c = so_far ? P : 0; c < (so_far ? ROW : P); c++) sum += p[c];
            for (int c = 0; c < P; c++) p[c] /= sum;
        }
        says(so_far ? "that are divided by l: they stay" : "that are divided by this tile's sum: they stay");
        release(NULL);
    }
}

// TODO 3.5: rows of 37 scores, and l; TODO 4.6: of 24, and 8 parts of l. Some scores are -INFINITY.
static void tiles_that_take_their_own_maximum_are_named(void **state) {
    (void)state;
    for (int gpu = 0; gpu < 2; gpu++)
        for (int own = 0; own < 2 + gpu; own++) {  // the tile's maximum; with its own sum; each thread's maximum
            begin_claim(gpu ? "task4" : "task3", "scores_become_probabilities_and_l_their_sum");
            const int n = gpu ? 24 : 37, parts = gpu ? 8 : 1, rows = (int)wrong.n / (n + parts);
            for (int r = 0; r < rows; r++) {
                const float *s = wrong.in[1] + r * n, *old = wrong.in[2] + r * parts;
                float *p = wrong.got + r * (n + parts), *l = p + n, sum = 0;
                for (int t = 0; t < parts; t++) l[t] = old[t];
                for (int c = 0; c < n; c++) {
                    float m = -INFINITY;
                    for (int k = own == 2 ? c % parts : 0; k < n; k += own == 2 ? parts : 1) m = fmaxf(m, s[k]);
                    sum += p[c] = expf(s[c] - m), l[c % parts] += p[c];
                }
                for (int c = 0; c < n && own == 1; c++) p[c] /= sum;
            }
            says(own == 0   ? "exp(s - the largest score of this tile alone): subtract m"
                 : own == 1 ? "a whole softmax of this tile, with a maximum and a sum of its own"
                            : "the largest score of this thread's own keys");
            release(NULL);
        }
}

// TODO 4.9, of tiles of 16 queries and 24 keys.
static void keys_that_are_counted_in_tiles_are_named(void **state) {
    (void)state;
    begin_claim("task4", "hidden_keys_are_not_visited_where_causal");
    for (size_t last = 0; last < wrong.n; last++)
        wrong.got[last] = fminf((float)(last / 16 + 1) * 24, (float)wrong.shape.seq_kv);
    says("matches as many tiles of keys as there are tiles of queries");
    release(NULL);
    begin_claim("task4", "the_walk_ends_bottom_right");
    for (size_t last = 0; last < wrong.n; last++)
        wrong.got[last] = fminf((float)(last / 16 + 1) * 24, (float)wrong.shape.seq_kv);
    says("`last`, and not the seq_kv - seq_q keys before them");
    release(NULL);
    begin_claim("task4", "hidden_keys_are_not_visited_where_causal");
    for (size_t last = 3; last < wrong.n; last++) wrong.got[last] = wrong.want[last] / 3;
    says(
        "keys_to_visit(last = 3) gives 1, where seq_q = 50 and seq_kv = 50: query `last` sees keys 0 .. 3, so it is 4");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(rows_with_their_own_state_are_right, release),
        cmocka_unit_test(the_factor_of_another_row_is_named),
        cmocka_unit_test(the_sum_of_another_row_is_named),
        cmocka_unit_test(one_state_for_all_rows_is_named),
        cmocka_unit_test(what_is_done_to_all_rows_is_named),
        cmocka_unit_test(a_maximum_of_hidden_scores_too_is_seen),
        cmocka_unit_test(a_factor_of_1_fits_too),
        cmocka_unit_test(tiles_of_the_same_width_are_named),
        cmocka_unit_test(probabilities_that_are_divided_are_named),
        cmocka_unit_test(tiles_that_take_their_own_maximum_are_named),
        cmocka_unit_test_teardown(keys_that_are_counted_in_tiles_are_named, release),
    };
    return cmocka_run_group_tests_name("explain_tile_rows", tests, NULL, NULL);
}
