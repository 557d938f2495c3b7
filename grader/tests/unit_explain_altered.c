// unit_explain_altered.c: an oracle with one thing altered, and right numbers in wrong places. grader/core/diagnose:
// seen_keys.c, divisor.c, online.c, own_parts.c, product_counts.c, displaced.c, tile_places.c.
#include "unit.h"

#include <math.h>
#include <string.h>

#include "symptom.h"

enum { ROWS = 40, KEYS = 50, D = 64, HEADS = 2 };

// Row r of attention to its first n keys, times f(l), l being the row sum.
static void attend(int r, int n, double (*f)(double l)) {
    const float *q = wrong.in[1] + r * D, *k = wrong.in[2] + r / ROWS * KEYS * D,
                *v = wrong.in[3] + r / ROWS * KEYS * D;
    double p[KEYS], max = -INFINITY, l = 0;
    for (int j = 0; j < n; j++) {
        p[j] = 0;
        for (int d = 0; d < D; d++) p[j] += q[d] * k[j * D + d] / sqrt(D);
        max = fmax(max, p[j]);
    }
    for (int j = 0; j < n; j++) l += p[j] = exp(p[j] - max);
    for (int d = 0; d < D; d++) {
        double o = 0;
        for (int j = 0; j < n; j++) o += p[j] * v[j * D + d];
        wrong.got[r * D + d] = (float)(o / l * f(l));
    }
}

static double once(double l) { return l / l; }
static double twice(double l) { return 1 / l; }

static void a_mask_of_whole_tiles_is_named(void **state) {
    (void)state;
    for (int by_rows = 0; by_rows < 2; by_rows++) {
        begin(&lab_flash, (attn_shape){1, HEADS, ROWS, KEYS, D, 1});
        for (int r = 0; r < HEADS * ROWS; r++) {
            const int query = by_rows ? r % ROWS / 16 * 16 + 15 : r % ROWS, seen = query + 1 + KEYS - ROWS;
            const int n = by_rows ? seen : (seen + 15) / 16 * 16;
            attend(r, n < KEYS ? n : KEYS, once);
        }
        examine();
        assert_says(wrong.text,
                    by_rows ? "the same for all queries of a tile (of 16)" : "hides whole tiles of 16 keys");
    }
}

static void a_mask_that_was_not_asked_for_is_named(void **state) {
    (void)state;
    begin(&lab_flash, (attn_shape){1, HEADS, ROWS, KEYS, D, 0});
    for (int r = 0; r < HEADS * ROWS; r++) attend(r, r % ROWS + 1 + KEYS - ROWS, once);
    examine();
    assert_says(wrong.text, "a causal mask that was not asked for");
}

// An offset of 0 for calls without a mask: of a square it is the mask that was not asked for, and the other claims tell.
static void a_mask_from_corner_to_corner_that_was_not_asked_for_is_named(void **state) {
    (void)state;
    begin(&lab_flash, (attn_shape){1, HEADS, ROWS, KEYS, D, 0});
    for (int r = 0; r < HEADS * ROWS; r++) attend(r, r % ROWS + 1, once);
    is_among_what_fits("as where seq_kv - seq_q is taken to be 0");
    begin(&lab_flash, (attn_shape){1, HEADS, ROWS, ROWS, D, 0});
    for (int h = 0; h < HEADS; h++)
        for (int i = 0; i < ROWS; i++) {
            float *const k = wrong.in[2], *const v = wrong.in[3];
            const size_t off = (size_t)h * (KEYS - ROWS) * D;
            wrong.in[2] = k - off, wrong.in[3] = v - off;
            attend(h * ROWS + i, i + 1, once);
            wrong.in[2] = k, wrong.in[3] = v;
        }
    is_among_what_fits("as where seq_kv - seq_q is taken to be 0");
}

// 50 keys without the last, ragged tile are no 20 for any size of tiles.
static void keys_beyond_an_array_are_named(void **state) {
    (void)state;
    begin(&lab_flash, (attn_shape){1, HEADS, ROWS, KEYS, D, 0});
    for (int r = 0; r < HEADS * ROWS; r++) attend(r, 20, once);
    says("matches attention to the first 20 keys only, however many there are");
}

// Tiles of 32 of all rows, of which the second one goes on into head 1.
static void a_tile_of_two_heads_is_named(void **state) {
    (void)state;
    begin(&lab_flash, (attn_shape){1, HEADS, ROWS, KEYS, D, 0});
    for (int r = ROWS; r < 64; r++) {
        float *const k = wrong.in[2], *const v = wrong.in[3];
        wrong.in[2] = k - KEYS * D, wrong.in[3] = v - KEYS * D;
        attend(r, KEYS, once);
        wrong.in[2] = k, wrong.in[3] = v;
    }
    is_among_what_fits("begins in one head and ends in the next");
}

// Tiles of 16 of all rows, with K and V of the head of the first query, or of the last one; a row sees what it is to see.
static void so_is_whose_keys_all_of_it_have(void **state) {
    (void)state;
    for (int last = 0; last < 2; last++) {
        begin(&lab_flash, (attn_shape){1, HEADS, ROWS, KEYS, D, 1});
        for (int r = 0; r < HEADS * ROWS; r++) {
            float *const k = wrong.in[2], *const v = wrong.in[3];
            const int end = r / 16 * 16 + 15 < HEADS * ROWS ? r / 16 * 16 + 15 : HEADS * ROWS - 1;
            const int head = (last ? end : r / 16 * 16) / ROWS, off = (head - r / ROWS) * KEYS * D;
            wrong.in[2] = k + off, wrong.in[3] = v + off;
            attend(r, r % ROWS + KEYS - ROWS + 1, once);
            wrong.in[2] = k, wrong.in[3] = v;
        }
        is_among_what_fits(last ? "with K and V of the last query's head" : "with K and V of the first query's head");
        is_among_what_fits("(tiles of 16 queries)");
    }
}

// Scores of 4 keys at a time, of tiles of 18: each has every fourth dim, of its own key or of the first one's; or all are the
// first one's. The last two keys of a tile have theirs.
static void scores_of_a_group_that_share_their_dims_are_named(void **state) {
    (void)state;
    static const struct {
        int own, all;
        const char *words;
    } ways[] = {{0, 0, "every fourth dim alone, and all of them are of the group's first key"},
                {1, 0, "each of the 4 scores has every fourth dim alone. Each"},
                {0, 1, "all of the 4 scores are those of the group's first key"}};
    for (int way = 0; way < 3; way++) {
        begin(&lab_tiled, (attn_shape){1, HEADS, ROWS, KEYS, D, 0});
        wrong.extra[0] = 16, wrong.extra[1] = 18;
        for (int r = 0; r < HEADS * ROWS; r++) {
            const float *q = wrong.in[1] + r * D, *k = wrong.in[2] + r / ROWS * KEYS * D;
            double p[KEYS], o[D] = {0}, l = 0;
            for (int j = 0; j < KEYS; j++) {
                const int i = j % 18, n = KEYS - j / 18 * 18 < 18 ? KEYS - j / 18 * 18 : 18, in = i < n / 4 * 4;
                const int of = in && !ways[way].own ? j - i % 4 : j;
                double dot = 0;
                for (int d = 0; d < D; d++)
                    if (!in || ways[way].all || d % 4 == i % 4) dot += q[d] * k[of * D + d] / sqrt(D);
                l += p[j] = exp(dot);
            }
            for (int j = 0; j < KEYS; j++)
                for (int d = 0; d < D; d++) o[d] += p[j] / l * wrong.in[3][(r / ROWS * KEYS + j) * D + d];
            for (int d = 0; d < D; d++) wrong.got[r * D + d] = (float)o[d];
        }
        says(ways[way].words);
    }
}

static void a_second_division_is_named(void **state) {
    (void)state;
    begin(&lab_flash, (attn_shape){1, HEADS, ROWS, KEYS, D, 0});
    for (int r = 0; r < HEADS * ROWS; r++) attend(r, KEYS, twice);
    examine();
    assert_says(wrong.text, "a division by the row sum l twice");
}

static void products_that_are_left_out_are_listed(void **state) {
    (void)state;
    enum { M = 33, N = 40, K = 64 };
    begin(&lab_gemm_nt, (attn_shape){1, 1, M, N, K, 0});
    for (int e = 0; e < M * N; e++)
        for (int l = 0; l < K; l++)
            if (l % 32 >= 8 && l % 32 < 20) wrong.got[e] -= wrong.in[1][e / N * K + l] * wrong.in[2][e % N * K + l];
    examine();
    assert_says(wrong.text, "of k = 64, l % 32 = 0 .. 7 once, l % 32 = 8 .. 19 not at all, l % 32 = 20 .. 31 once");
}

// One thread stores the whole row, out of the dims that it has itself: 0, 8, ...
static void columns_that_all_hold_one_of_their_group_are_named(void **state) {
    (void)state;
    for (int from = 0; from < 8; from += 7) {
        begin_claim("task4", "a_row_is_divided_by_its_sum_and_stored");
        for (size_t i = 0; i < wrong.n; i++) wrong.got[i] = (float)wrong.want[i / 8 * 8 + from];
        says(from
                 ? "in each group of 8, all hold what belongs to column 7 of the group"
                 : "in each group of 8, all hold what belongs to column 0 of the group: does one thread store for all");
        release(NULL);
    }
}

static void rows_and_columns_in_other_places_are_named(void **state) {
    (void)state;
    begin(&lab_flash, (attn_shape){1, HEADS, ROWS, KEYS, D, 0});
    for (int i = 0; i < HEADS * ROWS * D; i++) {
        const int row = i / D % ROWS, from = row < 16 ? row + 16 : row;
        wrong.got[i] = (float)wrong.want[i + (from - row) * D];
    }
    examine();
    assert_says(wrong.text, "head 0, row 0 holds what belongs to head 0, row 16");
    for (int i = 0; i < HEADS * ROWS * D; i++)
        wrong.got[i] = (float)wrong.want[i / D * D + i % 8 * (D / 8) + i % D / 8];
    examine();
    assert_says(wrong.text,
                "column 1 holds what belongs to column 8, and 2 what belongs to 16, so 8 x + y for x + 8 y");
    for (int i = 0; i < HEADS * ROWS * D; i++) {
        const int of = i % D % 4 * 32 + i % D / 4;
        wrong.got[i] = of < D ? (float)wrong.want[i / D * D + of] : 0;
    }
    examine();
    assert_says(wrong.text, "so 32 x + y for x + 4 y");
    for (int i = 0; i < HEADS * ROWS * D; i++) wrong.got[i] = (float)wrong.want[i / D * D + i % D % 8 * 8];
    examine();
    assert_says(wrong.text, "and 2 what belongs to 16, so 8 x for x + 8 y");
}

// A softmax of 97 columns by 64 threads: each has its own maximum, each warp has, or lanes have the sum of a warp in part.
static void parts_that_are_not_joined_are_named(void **state) {
    (void)state;
    enum { COLS = 97, THREADS = 64 };
    static const char *const says[] = {"each thread has its own", "each warp has its own"};
    for (int by_warp = 0; by_warp < 2; by_warp++) {
        begin(&lab_softmax_batched, (attn_shape){1, 1, 5, COLS, 8, 0});
        for (int r = 0; r < 5; r++) {
            const float *in = wrong.in[1] + r * COLS;
            double m[THREADS], l = 0;
            for (int t = 0; t < THREADS; t++) {
                m[t] = -INFINITY;
                for (int c = 0; c < COLS; c++)
                    if (by_warp ? c % THREADS / 32 == t / 32 : c % THREADS == t) m[t] = fmax(m[t], in[c]);
            }
            for (int c = 0; c < COLS; c++) l += exp(in[c] - m[c % THREADS]);
            for (int c = 0; c < COLS; c++) wrong.got[r * COLS + c] = (float)(exp(in[c] - m[c % THREADS]) / l);
        }
        examine();
        assert_says(wrong.text, says[by_warp]);
    }
}

// All columns belong to one warp, whose m is the row's: only the sum is wrong.
static void a_wrong_sum_of_one_warp_is_no_m_of_its_own(void **state) {
    (void)state;
    enum { COLS = 24 };
    begin(&lab_softmax_batched, (attn_shape){1, 1, 5, COLS, 8, 0});
    for (int i = 0; i < 5 * COLS; i++) wrong.got[i] = wrong.want[i] * (1.5f + 0.25f * (float)(i / COLS));
    examine();
    assert_null(strstr(wrong.text, "m that is not the row's"));
}

static void a_max_of_the_tile_that_is_kept_is_named(void **state) {
    (void)state;
    begin(&lab_flash, (attn_shape){1, HEADS, ROWS, KEYS, D, 0});
    for (int r = 0; r < HEADS * ROWS; r++) {
        const float *q = wrong.in[1] + r * D, *k = wrong.in[2] + r / ROWS * KEYS * D,
                    *v = wrong.in[3] + r / ROWS * KEYS * D;
        double m = -INFINITY, l = 0, o[D] = {0};
        for (int from = 0; from < KEYS; from += 16) {
            double s[16], top = -INFINITY;
            const int n = KEYS - from < 16 ? KEYS - from : 16;
            for (int j = 0; j < n; j++) {
                s[j] = 0;
                for (int d = 0; d < D; d++) s[j] += q[d] * k[(from + j) * D + d] / sqrt(D);
                top = fmax(top, s[j]);
            }
            const double m_new = fmax(m, top), keep = m == -INFINITY ? 0 : exp(m - m_new);
            l *= keep;
            for (int d = 0; d < D; d++) o[d] *= keep;
            for (int j = 0; j < n; j++) {
                l += exp(s[j] - m_new);
                for (int d = 0; d < D; d++) o[d] += exp(s[j] - m_new) * v[(from + j) * D + d];
            }
            m = top;
        }
        for (int d = 0; d < D; d++) wrong.got[r * D + d] = (float)(o[d] / l);
    }
    examine();
    assert_says(wrong.text, "the tile's own max kept as m");
}

// Computed for row x + apart * y of a tile, stored at row each * x + y; 0: the tiles behind the edge were 0.
static void store_in_order(int m, int n, int rows_each, int columns_each) {
    begin(&lab_gemm_nn, (attn_shape){2, 1, m, n, 16, 0});
    for (int i = 0; i < 2 * m * n; i++) {
        const int r = i / n % m, c = i % n, first = r / 64 * 64, from = c / 64 * 64, x = r - first, y = c - from;
        const int of_r = rows_each ? first + x / rows_each + x % rows_each * (64 / rows_each) : r,
                  of_c = columns_each ? from + y / columns_each + y % columns_each * (64 / columns_each) : c;
        wrong.got[i] = of_r < m && of_c < n ? (float)wrong.want[(i / n / m * m + of_r) * n + of_c] : 0;
    }
    examine();
}

// Of a matrix of 8 x 8 in a tile of 64 x 64 few elements are left, and some of them where they belong.
static void a_small_matrix_in_another_order_is_named_too(void **state) {
    (void)state;
    static lab_guesses all;
    int found = 0;
    wrong.guesses = &all, all.n = 0;
    store_in_order(8, 8, 16, 4);
    wrong.guesses = NULL;
    for (int i = 0; i < all.n; i++)
        found += strstr(all.text[i], "row 16 x + y holds what belongs to row x + 4 y, and column 4 x + y what belongs "
                                     "to column x + 16 y:") != NULL;
    assert_int_equal(found, 1);
    store_in_order(8, 8, 0, 0);
    for (int i = 0; i < 128; i++) wrong.got[i] = 0;
    examine();
    assert_null(strstr(wrong.text, "of a tile"));
}

static void a_tile_that_is_stored_in_another_order_is_named(void **state) {
    (void)state;
    store_in_order(128, 128, 4, 4);
    assert_says(wrong.text, "matches right numbers in other places of a tile: row 4 x + y holds what belongs to row "
                            "x + 16 y, and column 4 x + y what belongs to column x + 16 y");
    store_in_order(101, 67, 16, 4);
    assert_says(wrong.text, "row 16 x + y holds what belongs to row x + 4 y, and column 4 x + y what");
    store_in_order(128, 128, 0, 8);
    assert_says(wrong.text, "tile: column 8 x + y holds what belongs to column x + 8 y: store each");
    store_in_order(128, 128, 2, 0);
    assert_says(wrong.text, "tile: row 2 x + y holds what belongs to row x + 32 y: store each");
    wrong.got[5] += 1;
    examine();
    assert_null(strstr(wrong.text, "of a tile"));
}

int main(void) {
    const struct CMUnitTest claims[] = {
        CLAIM(a_mask_that_was_not_asked_for_is_named),
        CLAIM(a_mask_from_corner_to_corner_that_was_not_asked_for_is_named),
        CLAIM(keys_beyond_an_array_are_named),
        CLAIM(a_tile_of_two_heads_is_named),
        CLAIM(so_is_whose_keys_all_of_it_have),
        CLAIM(scores_of_a_group_that_share_their_dims_are_named),
        CLAIM(a_mask_of_whole_tiles_is_named),
        CLAIM(a_second_division_is_named),
        CLAIM(products_that_are_left_out_are_listed),
        CLAIM(rows_and_columns_in_other_places_are_named),
        CLAIM(columns_that_all_hold_one_of_their_group_are_named),
        CLAIM(a_tile_that_is_stored_in_another_order_is_named),
        CLAIM(a_small_matrix_in_another_order_is_named_too),
        CLAIM(parts_that_are_not_joined_are_named),
        CLAIM(a_max_of_the_tile_that_is_kept_is_named),
        CLAIM(a_wrong_sum_of_one_warp_is_no_m_of_its_own),
    };
    return cmocka_run_group_tests_name("explain_altered", claims, NULL, release);
}
