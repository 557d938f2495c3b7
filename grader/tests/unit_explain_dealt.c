// unit_explain_dealt.c: queries and scores that are taken by one rule and stored by another, and masks that come too late
// in tiles; an l of another row; a walk that ends at seq_q. grader/core/diagnose: dealt_rows.c, dealt_scores.c, fit.c,
// other_l.c, seen_keys.c.
#include "unit.h"

#include <math.h>
#include <string.h>

#include "symptom.h"

enum { D = 32, BR = 16, BC = 32, MOST = 160 };
static const attn_shape FULL = {1, 2, 40, 45, D, 0}, CAUSAL = {1, 2, 67, 75, D, 1}, SQUARE = {2, 1, 64, 64, D, 1},
                        SHORT = {2, 2, 5, 7, D, 0}, ONE = {1, 1, 1, 1, D, 0}, LONGER = {1, 1, 20, 21, D, 1};

static int seen_by(attn_shape s, int i) { return s.causal ? i + 1 + s.seq_kv - s.seq_q : s.seq_kv; }

// Behind the last query, or key, there are zeros.
static double score(attn_shape s, int head, int i, int j) {
    double sum = 0;
    if (i >= s.seq_q || j >= s.seq_kv) return 0;
    for (int d = 0; d < D; d++)
        sum += (double)wrong.in[1][(head * s.seq_q + i) * D + d] * wrong.in[2][(head * s.seq_kv + j) * D + d];
    return sum / sqrt(D);
}

// Row `row` by the scores at places 0 .. n - 1; those of -INFINITY do not count. l: the row sum, or 0: that of the weights.
static void put_row(attn_shape s, int head, int row, const double *at, int n, double l) {
    double o[D] = {0}, sum = 0;
    for (int j = 0; j < n; j++) {
        sum += exp(at[j]);
        for (int d = 0; d < D && j < s.seq_kv; d++) o[d] += exp(at[j]) * wrong.in[3][(head * s.seq_kv + j) * D + d];
    }
    for (int d = 0; d < D; d++) wrong.got[(head * s.seq_q + row) * D + d] = (float)(o[d] / (l > 0 ? l : sum));
}

// ---- Queries

// in_turn: stored in turn, and loaded side by side. by_row: the mask is that of the row that is stored.
static void deal_rows(attn_shape s, int in_turn, int by_row) {
    const int blocks = (s.seq_q + BR - 1) / BR;
    begin(&lab_flash, s);
    for (int n = 0; n < s.batch * s.heads * s.seq_q; n++) {
        const int head = n / s.seq_q, row = n % s.seq_q,
                  i = in_turn ? row % blocks * BR + row / blocks : row % BR * blocks + row / BR,
                  seen = seen_by(s, by_row || i >= s.seq_q ? row : i);
        double at[MOST];
        for (int j = 0; j < seen; j++) at[j] = score(s, head, i, j);
        put_row(s, head, row, at, seen, 0);
    }
}

static void queries_that_are_loaded_and_stored_by_two_rules_are_named(void **state) {
    (void)state;
    const attn_shape shapes[] = {FULL, CAUSAL, SQUARE};
    for (int n = 0; n < 3; n++)
        for (int by_row = 0; by_row < 2; by_row++) {
            deal_rows(shapes[n], 1, by_row), is_among_what_fits("takes Br queries side by side, from Br b on");
            release(NULL);
            deal_rows(shapes[n], 0, by_row), is_among_what_fits("takes queries b, b + n, b + 2 n");
            release(NULL);
        }
}

// ---- Scores

static int apart(int at, int tile, int each) {
    return at - at % tile + at % tile / each + at % tile % each * (tile / each);
}

enum { OF_SCORE, OF_PLACE, OF_BOTH };  // whose mask it is

// Place (r, c) of a tile of BC x BC has the score of row r / each + r % each * BC / each; of the key it is likewise.
static void deal_scores(attn_shape s, int rows, int keys, int mask) {
    begin(&lab_flash, s);
    for (int n = 0; n < s.batch * s.heads * s.seq_q; n++) {
        const int head = n / s.seq_q, row = n % s.seq_q, i = apart(row, BC, rows),
                  end = mask != OF_SCORE ? seen_by(s, row) : (s.seq_kv + BC - 1) / BC * BC;
        double at[MOST];
        for (int j = 0; j < end; j++) {
            const int key = apart(j, BC, keys);
            at[j] = mask != OF_PLACE && (key >= s.seq_kv || (s.causal && key >= seen_by(s, i)))
                        ? -INFINITY
                        : score(s, head, i, key);
        }
        put_row(s, head, row, at, end, 0);
    }
}

static void scores_that_a_thread_stores_elsewhere_are_named(void **state) {
    (void)state;
    const attn_shape shapes[] = {FULL, CAUSAL, SQUARE, SHORT};
    static const int each[][2] = {{2, 4}, {4, 2}, {2, 1}, {1, 8}};
    for (int n = 0; n < 4; n++)
        for (int of = 0; of < 4; of++)
            for (int mask = OF_SCORE; mask <= OF_BOTH; mask++) {
                if (n == 3 && each[of][1] == 1) continue;  // five queries: each has its own scores, or none
                deal_scores(shapes[n], each[of][0], each[of][1], mask);
                is_among_what_fits("matches scores that lie in other places of their tile");
                release(NULL);
            }
}

// ---- Masks behind the sum

// behind: of keys that are not there, too, the tile has scores of 0.
static void mask_late(attn_shape s, int behind) {
    begin(&lab_flash, s);
    for (int n = 0; n < s.batch * s.heads * s.seq_q; n++) {
        const int head = n / s.seq_q, row = n % s.seq_q, last = row / BR * BR + BR + s.seq_kv - s.seq_q,
                  walk = ((s.causal && last < s.seq_kv ? last : s.seq_kv) + BC - 1) / BC * BC;
        double at[MOST], l = 0;
        for (int j = 0; j < walk && (behind || j < s.seq_kv); j++) l += exp(at[j] = score(s, head, row, j));
        put_row(s, head, row, at, seen_by(s, row), l);
    }
}

static void what_a_mask_hides_too_late_is_named_in_tiles(void **state) {
    (void)state;
    static const char late[] = "scores of hidden keys, and of those behind the last one, are still in the row sum l";
    const attn_shape shapes[] = {FULL, CAUSAL, SQUARE, SHORT, ONE, LONGER};
    for (int n = 0; n < 6; n++) {
        mask_late(shapes[n], 1), is_among_what_fits(late);
        release(NULL);
        if (!shapes[n].causal) continue;
        mask_late(shapes[n], 0), is_among_what_fits("matches a mask applied after the softmax");
        if (n == 5) assert_int_equal(sentences_that_fit(late), 0);
        release(NULL);
    }
}

// ---- An l of another row

// Element (i, d) is divided by the l of a row that is `step` rows behind, and dims / 8 more; behind the last row by that
// of zeros.
static void divide_by_others(attn_shape s, int step, int by_dim) {
    begin(&lab_flash, s);
    for (int n = 0; n < s.heads * s.seq_q; n++) {
        const int head = n / s.seq_q, row = n % s.seq_q;
        double at[MOST], own = 0, sum[D] = {0}, top[MOST + 1];
        for (int i = 0; i < s.seq_q; i++) {
            double l = 0, max = -INFINITY;
            for (int j = 0; j < seen_by(s, i); j++) max = fmax(max, at[j] = score(s, head, i, j));
            for (int j = 0; j < seen_by(s, i); j++) l += exp(at[j] - max);
            top[i] = l;
            for (int j = 0; i == row && j < seen_by(s, i); j++)
                for (int d = 0; d < D; d++) sum[d] += exp(at[j] - max) * wrong.in[3][(head * s.seq_kv + j) * D + d];
        }
        top[s.seq_q] = s.seq_kv, own = top[row];
        for (int d = 0; d < D; d++) {
            const int of = (row * step + (by_dim ? d % 8 : 0)) % (s.seq_q + 1);
            wrong.got[n * D + d] = (float)(sum[d] / (step ? top[of] : own));
        }
    }
}

static void an_l_of_another_row_is_named(void **state) {
    (void)state;
    const attn_shape shapes[] = {FULL, CAUSAL, SQUARE, {1, 2, 1, 45, D, 0}};
    for (int n = 0; n < 4; n++) {
        divide_by_others(shapes[n], 8, 1),
            is_among_what_fits("divided by the l of other rows, of another one from dim");
        release(NULL);
        if (n == 3) break;  // of one query no other row is there
        divide_by_others(shapes[n], 3, 0),
            is_among_what_fits("matches rows of O that are divided by the l of other rows");
        release(NULL);
        divide_by_others(shapes[n], 0, 0);
        assert_int_equal(examine().verdict, LAB_PASSED);
        release(NULL);
    }
}

// ---- A walk that ends with as many keys as there are queries, in whole tiles

static void walk_to_seq_q(attn_shape s, int with_tile) {
    begin(&lab_flash, s);
    for (int n = 0; n < s.batch * s.heads * s.seq_q; n++) {
        const int row = n % s.seq_q, last = row / BR * BR + BR,
                  end = (s.causal && with_tile && last < s.seq_q ? last : s.seq_q) + BC - 1;
        double at[MOST];
        int seen = seen_by(s, row);
        for (int j = 0; j < seen; j++) at[j] = score(s, n / s.seq_q, row, j);
        put_row(s, n / s.seq_q, row, at, end / BC * BC < seen ? end / BC * BC : seen, 0);
    }
}

static void a_walk_to_the_number_of_queries_is_named_in_whole_tiles(void **state) {
    (void)state;
    const attn_shape shapes[] = {
        {1, 2, 20, 75, D, 0}, {1, 2, 40, 120, D, 1}, {1, 2, 17, 77, D, 1}, {2, 1, 64, 97, D, 0}};
    for (int n = 0; n < 4; n++)
        for (int with_tile = 0; with_tile < 2; with_tile++) {
            walk_to_seq_q(shapes[n], with_tile);
            is_among_what_fits("keys only: the loop over keys ends at seq_q, not seq_kv");
            release(NULL);
        }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(queries_that_are_loaded_and_stored_by_two_rules_are_named, release),
        cmocka_unit_test_teardown(scores_that_a_thread_stores_elsewhere_are_named, release),
        cmocka_unit_test_teardown(what_a_mask_hides_too_late_is_named_in_tiles, release),
        cmocka_unit_test_teardown(an_l_of_another_row_is_named, release),
        cmocka_unit_test_teardown(a_walk_to_the_number_of_queries_is_named_in_whole_tiles, release),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
