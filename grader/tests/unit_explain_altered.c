// unit_explain_altered.c: an oracle with one thing altered. grader/core/diagnose: rows/seen_keys.c, rows/divisor.c,
// online/online.c, softmax/own_parts.c, sums/product_counts.c.
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
        CLAIM(parts_that_are_not_joined_are_named),
        CLAIM(a_max_of_the_tile_that_is_kept_is_named),
        CLAIM(a_wrong_sum_of_one_warp_is_no_m_of_its_own),
    };
    return cmocka_run_group_tests_name("explain_altered", claims, NULL, release);
}
