// unit_explain_rows.c: threads that take what belongs to another row or thread, and keys that do not count once each.
// grader/core/diagnose: neighbours.c, key_counts.c; columns that repeat: wrong_rows.c; numbers that are right elsewhere:
// displaced.c, hidden_tiles.c; rows that are left over: left_rows.c.
#include "unit.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common_cause.h"
#include "symptom.h"
#include "wrong_rows.h"

enum { ROWS = 16, KEYS = 20, D = 64, HEADS = 2 };

typedef struct {
    double p[KEYS], l, max;  // exp(s - max) of its keys, and their sum
} row;

static row row_of(int r, int query_of) {
    const float *q = wrong.in[1] + query_of * D, *k = wrong.in[2] + r / ROWS * KEYS * D;
    row x = {.l = 0, .max = -INFINITY};
    for (int j = 0; j < KEYS; j++) {
        x.p[j] = 0;
        for (int d = 0; d < D; d++) x.p[j] += q[d] * k[j * D + d] / sqrt(D);
        x.max = fmax(x.max, x.p[j]);
    }
    for (int j = 0; j < KEYS; j++) x.l += x.p[j] = exp(x.p[j] - x.max);
    return x;
}

static double value(int r, int j, int d) { return wrong.in[3][(r / ROWS * KEYS + j) * D + d]; }

static double right(int r, int d) {
    const row x = row_of(r, r);
    double o = 0;
    for (int j = 0; j < KEYS; j++) o += x.p[j] * value(r, j, d);
    return o / x.l;
}

static double query_of_first(int r, int d) {
    const row x = row_of(r, r - r % 4);
    double o = 0;
    for (int j = 0; j < KEYS; j++) o += x.p[j] * value(r, j, d);
    return o / x.l;
}

static double own_keys(int r, int d) {
    const row x = row_of(r, r);
    double o = 0;
    for (int j = d % 2; j < KEYS; j += 2) o += x.p[j] * value(r, j, d);
    return o / x.l;
}

static double own_sums(int r, int d) {
    const row x = row_of(r, r);
    double l = 0;
    for (int j = d % 2; j < KEYS; j += 2) l += x.p[j];
    return own_keys(r, d) * x.l / l;
}

static double own_probability(int r, int d) {
    const row x = row_of(r, r);
    double o = 0;
    for (int j = 0; j < KEYS; j++) o += (j / 8 * 8 + d % 8 < KEYS ? x.p[j / 8 * 8 + d % 8] : 0) * value(r, j, d);
    return o / x.l;
}

static double sum_of_another(int r, int d) { return right(r, d) * row_of(r, r).l / row_of(r, r - r % 8 + d % 8).l; }

// The factor of a tile of 8 keys is that of another row.
static double factor_of_another(int r, int d) {
    const row x = row_of(r, r), other = row_of(r, r - r % 8 + d % 8);
    double o = 0, m = 0, m_other = 0;
    for (int from = 0; from < KEYS; from += 8) {
        double now = m, now_other = m_other;  // exp(s - max), not s
        for (int j = from; j < KEYS && j < from + 8; j++)
            now = fmax(now, x.p[j]), now_other = fmax(now_other, other.p[j]);
        o *= m_other / now_other, m = now, m_other = now_other;
        for (int j = from; j < KEYS && j < from + 8; j++) o += x.p[j] / m * value(r, j, d);
    }
    return o * m / x.l;
}

static double counted(int r, int d, int (*times)(int j)) {
    const row x = row_of(r, r);
    double o = 0, l = 0;
    for (int j = 0; j < KEYS; j++) o += times(j) * x.p[j] * value(r, j, d), l += times(j) * x.p[j];
    return o / l;
}
static int later_twice(int j) { return j < 8 ? 1 : 2; }
static int not_every_fifth(int j) { return j % 5 != 4; }
static double keys_twice(int r, int d) { return counted(r, d, later_twice); }
static double keys_missing(int r, int d) { return counted(r, d, not_every_fifth); }

static double zeros_from_16(int r, int d) {
    const row x = row_of(r, r);
    double o = 0, l = (KEYS - 16) * exp(-x.max);
    for (int j = 0; j < 16; j++) o += x.p[j] * value(r, j, d), l += x.p[j];
    return o / l;
}

static double repeats(int r, int d) { return right(r, d % 32); }

static void it_is_named(double (*element)(int r, int d), const char *words) {
    begin(&lab_flash, (attn_shape){1, HEADS, ROWS, KEYS, D, 0});
    for (int r = 0; r < HEADS * ROWS; r++)
        for (int d = 0; d < D; d++) wrong.got[r * D + d] = (float)element(r, d);
    examine();
    assert_says(wrong.text, words);
}

// All 8 weights of a group come to each thread, which has the value of its own key.
static double own_value(int r, int d) {
    const row x = row_of(r, r);
    double o = 0;
    for (int j = 0; j < KEYS; j++) o += x.p[j] * (j / 8 * 8 + d % 8 < KEYS ? value(r, j / 8 * 8 + d % 8, d) : 0);
    return o / x.l;
}

static void what_belongs_to_another_row_is_named(void **state) {
    (void)state;
    it_is_named(query_of_first, "the query of the first of 4 rows");
    it_is_named(sum_of_another, "divided by l of another row: of row d % 8");
    it_is_named(factor_of_another, "multiplied by exp(m_old - m_new) of another row: of row d % 8");
}

static void threads_that_keep_to_their_keys_are_named(void **state) {
    (void)state;
    it_is_named(own_keys, "P V over the thread's own keys alone, every 2. one");
    it_is_named(own_sums, "threads of even and of odd number whose parts are not joined");
    it_is_named(own_value, "P V with the value of the thread's own key for all keys of its 8");
    it_is_named(own_probability, "the probability of the thread's own key for all keys of its 8");
}

static void keys_that_do_not_count_once_are_named(void **state) {
    (void)state;
    it_is_named(keys_twice,
                "keys that do not count once each (in row 0, of 20 keys, keys 0 .. 7 once, keys 8 .. 19 2 t");
    it_is_named(keys_missing, "keys that do not count once each");
    it_is_named(zeros_from_16, "keys from number 16 on whose K and V are 0: that is seq_q");
}

static void columns_that_repeat_are_named(void **state) {
    (void)state;
    it_is_named(repeats, "columns from 32 on that repeat columns 0 .. 31");
}

// ---- Numbers that are right elsewhere

static void elements_that_are_moved_are_named(void **state) {
    (void)state;
    begin(&lab_gemm_nt, (attn_shape){1, 1, 32, 32, 16, 0});
    for (int i = 0; i < 32 * 32; i++) {
        const int r = i / 32, c = i % 32;
        wrong.got[(7 * r + 1) % 32 * 32 + 5 * c % 32] = (float)wrong.want[i];
    }
    examine();
    assert_says(wrong.text, "matches elements in other places: row 0, column 0 holds what belongs to row 9, column 0");
    for (int i = 0; i < 32 * 32; i++) wrong.got[i] += 0.3f;
    examine();
    assert_null(strstr(wrong.text, "other places"));
}

// Exponentials with the maximum of the first `most` scores at most, up to their own column.
static void subtract_so_far(int most, float more) {
    begin(&lab_softmax_rows, (attn_shape){1, 1, 6, 40, 8, 0});
    for (int r = 0; r < 6; r++) {
        const float *x = wrong.in[1] + r * 40;
        double max = -INFINITY, sum = 0;
        for (int c = 0; c < 40; c++) {
            if (c < most) max = fmax(max, x[c]);
            sum += wrong.got[r * 40 + c] = (float)exp(x[c] - max);
        }
        for (int c = 0; c < 40; c++) wrong.got[r * 40 + c] /= (float)sum;
        wrong.got[r * 40 + 7] += more;
    }
    examine();
}

static void exponentials_with_the_maximum_so_far_are_named(void **state) {
    (void)state;
    static const char so_far[] = "matches exponentials taken with the largest score so far";
    subtract_so_far(40, 0);
    assert_says(wrong.text, so_far);
    subtract_so_far(40, 0.01f);  // one column of each row is off besides
    assert_null(strstr(wrong.text, so_far));
    subtract_so_far(8, 0);  // the maximum of the first eight
    assert_null(strstr(wrong.text, so_far));
}

static void rows_with_a_hidden_tile_are_named(void **state) {
    (void)state;
    for (int all = 0; all < 2; all++) {
        begin(&lab_flash, (attn_shape){1, 2, 64, 64, 32, 1});
        for (int row = 0; row < 128; row++)
            for (int d = 0; d < 32 && (all ? row % 3 : row % 64 / 16 % 2 == 0); d++) wrong.got[row * 32 + d] = NAN;
        examine();
        if (all)
            assert_null(strstr(wrong.text, "a whole tile of keys is hidden"));
        else
            assert_says(wrong.text, "matches NaN in the rows for which a whole tile of keys is hidden");
        assert_null(strstr(wrong.text, "begins with key 0"));  // it may walk from the back
    }
}

// Tiles of 48 queries and 20 keys, which a claim of task 3 asks for; the last tile has one query.
static void rows_with_a_hidden_tile_of_the_claims_own_are_named(void **state) {
    (void)state;
    begin(&lab_tiled, (attn_shape){1, 2, 97, 97, 8, 1});
    wrong.extra[0] = 48, wrong.extra[1] = 20;
    for (size_t r = 0; r < wrong.n / 8; r++) {
        const int i = (int)r % 97, end = i / 48 * 48 + 48 < 97 ? i / 48 * 48 + 48 : 97;
        for (int d = 0; d < 8 && (end - 1) / 20 > i / 20; d++) wrong.got[r * 8 + d] = NAN;
    }
    says("matches NaN in the rows for which a whole tile of keys is hidden");
}

// ---- The keys of the first tile, of 8, in every tile

static double keys_of_first_tile(int r, int d) {
    const row x = row_of(r, r);
    double o = 0, l = 0;
    for (int j = 0; j < KEYS; j++) o += x.p[j % 8] * value(r, j, d), l += x.p[j % 8];
    return o / l;
}

// Whether the lab knows the tile or not, the words are the same: one cause explains both claims.
static void keys_of_the_first_tile_are_one_cause_whoever_chose_the_tile(void **state) {
    (void)state;
    begin(&lab_tiled, (attn_shape){1, HEADS, ROWS, KEYS, D, 0});
    for (int r = 0; r < HEADS * ROWS; r++)
        for (int d = 0; d < D; d++) wrong.got[r * D + d] = (float)keys_of_first_tile(r, d);
    for (int tile = 0; tile <= 8; tile += 8) {
        lab_guesses all = {.n = 0};
        const lab_comparison cmp = lab_compare(wrong.got, wrong.want, wrong.n, LAB_TOLERANCE);
        const lab_symptom s = {wrong.op,     wrong.shape, (const float *const *)wrong.in,
                               wrong.got,    wrong.want,  cmp,
                               {tile, tile}, &all,        NULL};
        lab_diagnose(&s, wrong.text, sizeof wrong.text);
        int found = 0;
        for (int i = 0; i < all.n; i++) found |= lab_same_cause(all.text[i], lab_of_first_tile(1, 0));
        assert_true(found);
    }
}

// Rows from `first` on are 0, in tiles of `tile` queries.
static void rows_are_0_from(int first, int rows, int tile) {
    begin(&lab_tiled, (attn_shape){1, 1, rows, 20, 8, 0});
    wrong.extra[0] = tile, wrong.extra[1] = 64;
    for (int e = first * 8; e < rows * 8; e++) wrong.got[e] = 0;
    examine();
    memset(wrong.extra, 0, sizeof wrong.extra);
}

static void rows_that_are_left_over_are_named(void **state) {
    (void)state;
    static const char last[] = "only the last rows of a tile of queries are 0", groups[] = "whole groups of ",
                      lost[] = "what was added to O is lost";
    rows_are_0_from(32, 33, 64);
    assert_says(wrong.text, "only the last rows of a tile of queries are 0");
    assert_says(wrong.text, "(whole groups of 2, 4 or 8 rows are done: is there a loop behind them for");
    rows_are_0_from(36, 39, 64);
    assert_says(wrong.text, "(whole groups of 4 rows are done");
    rows_are_0_from(32, 33, 16);  // the last tile alone
    assert_says(wrong.text, last);
    assert_null(strstr(wrong.text, groups));
    rows_are_0_from(32, 33, 0);  // or maybe so
    assert_null(strstr(wrong.text, groups));
    rows_are_0_from(20, 33, 64);
    assert_null(strstr(wrong.text, last));
    assert_null(strstr(wrong.text, lost));  // the others see no more keys
    rows_are_0_from(0, 33, 64);
    assert_null(strstr(wrong.text, last));
    assert_says(wrong.text, lost);
}

int main(void) {
    const struct CMUnitTest claims[] = {
        CLAIM(what_belongs_to_another_row_is_named),
        CLAIM(threads_that_keep_to_their_keys_are_named),
        CLAIM(keys_that_do_not_count_once_are_named),
        CLAIM(columns_that_repeat_are_named),
        CLAIM(elements_that_are_moved_are_named),
        CLAIM(exponentials_with_the_maximum_so_far_are_named),
        CLAIM(rows_that_are_left_over_are_named),
        CLAIM(keys_of_the_first_tile_are_one_cause_whoever_chose_the_tile),
        CLAIM(rows_with_a_hidden_tile_are_named),
        CLAIM(rows_with_a_hidden_tile_of_the_claims_own_are_named),
    };
    return cmocka_run_group_tests_name("explain_rows", claims, NULL, release);
}
