// unit_explain_blocks.c: products that are made block by block with rows too close to each other, sums of a block or of a
// thread that go on or begin anew, an edge that begins again, blocks that overlap. grader/core: diagnose/block_steps.c,
// block_places.c, gemm_batches.c, thread_sums.c, probes.
#include "unit.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "symptom.h"

enum { PAD = 5 };

// TODO 3.6 (rows = 0) and 3.12: C of a claim again, with rows of A and B, or of all, as far apart as they are long.
static void dense(const char *claim, int rows, int cols, int of_c) {
    begin_claim("task3", claim);
    const int R = wrong.shape.seq_q, E = wrong.shape.head_dim, n = wrong.shape.seq_kv, step = E + PAD;
    const float *A = wrong.in[1], *B = wrong.in[2];
    if (!rows) rows = R, cols = E;
    memcpy(wrong.got, wrong.in[3], wrong.n * sizeof *wrong.got);
    for (int r0 = 0; r0 < R; r0 += rows)
        for (int c0 = 0; c0 < E; c0 += cols) {
            const int whole = r0 + rows <= R && c0 + cols <= E, is = of_c && whole ? E : step;
            for (int r = 0; r < rows && r0 + r < R; r++)
                for (int c = 0; c < cols && c0 + c < E; c++)
                    for (int k = 0; k < n; k++)
                        wrong.got[r0 * step + c0 + r * is + c] +=
                            A[r0 * (n + PAD) + r * (whole ? n : n + PAD) + k] * B[c0 + k * (whole ? E : step) + c];
        }
}

static void rows_that_are_too_close_are_named(void **state) {
    (void)state;
    for (int of_c = 0; of_c < 2; of_c++) {
        const char *words =
            of_c ? "matches rows of A, B and C that are taken to lie" : "matches rows of A and B that are taken to lie";
        dense("a_product_is_added", 0, 0, of_c), says(words), release(NULL);
        dense("a_block_is_added", 8, 32, of_c), says(words), release(NULL);
        dense("nothing_beside_a_block_is_touched", 4, 16, of_c), says(words), release(NULL);
    }
}

// B, or B and C, are taken for blocks that are packed. Of B alone, 16 would be a_step.
static void rows_as_close_as_those_of_a_block_are_named(void **state) {
    (void)state;
    enum { ROWS = 8, WIDEST = 32 };
    const char *const claims[] = {"a_block_is_added", "nothing_beside_a_block_is_touched"};
    for (int of_c = 0; of_c < 4; of_c++) {
        begin_claim("task3", claims[of_c % 2]);
        const int cols = of_c > 1 ? 16 : WIDEST, R = wrong.shape.seq_q, E = wrong.shape.head_dim,
                  n = wrong.shape.seq_kv, step = E + PAD;
        memcpy(wrong.got, wrong.in[3], wrong.n * sizeof *wrong.got);
        for (int r0 = 0; r0 < R; r0 += ROWS)
            for (int c0 = 0; c0 < E; c0 += cols) {
                const int whole = r0 + ROWS <= R && c0 + cols <= E, b = whole ? cols : step, c = of_c > 1 ? b : step;
                float sum[ROWS][WIDEST];
                for (int i = 0; i < ROWS * cols; i++) {
                    const int r = i / cols, x = i % cols;
                    if (r0 + r >= R || c0 + x >= E) continue;
                    sum[r][x] = wrong.got[r0 * step + c0 + r * c + x];
                    for (int k = 0; k < n; k++)
                        sum[r][x] += wrong.in[1][(r0 + r) * (n + PAD) + k] * wrong.in[2][c0 + k * b + x];
                }
                for (int i = 0; i < ROWS * cols; i++) {
                    const int r = i / cols, x = i % cols;
                    if (r0 + r < R && c0 + x < E) wrong.got[r0 * step + c0 + r * c + x] = sum[r][x];
                }
            }
        says(of_c > 1 ? "matches rows of B and C that are taken to lie as far apart as those of one block"
                      : "matches rows of B that are taken to lie as far apart as those of one block");
        release(NULL);
    }
}

static void sums_that_go_on_from_row_to_row_of_a_block_are_named(void **state) {
    (void)state;
    begin_claim("task3", "a_block_is_added");
    const int E = wrong.shape.head_dim, step = E + PAD;
    for (int r = 0; r < wrong.shape.seq_q; r++)
        for (int c = 0; c < E && r % 8; c++)
            wrong.got[r * step + c] += wrong.got[(r - 1) * step + c] - wrong.in[3][r * step + c];
    says("matches sums of a block that go on from row to row");
}

static void one_sum_of_all_l_is_named(void **state) {
    (void)state;
    begin_claim("task3", "each_row_is_divided_by_its_sum");
    float all = 0;
    for (int r = 0; r < wrong.shape.seq_q; r++) all += wrong.in[2][r];
    for (int i = 0; i < wrong.shape.seq_q * wrong.shape.head_dim; i++) wrong.got[i] = wrong.in[1][i] / all;
    says(", the sum of all l: row r has a sum of its own");
}

static void an_edge_that_begins_again_is_named(void **state) {
    (void)state;
    begin_claim("task2", "outside_of_the_matrix_are_zeros");
    const int rows = wrong.shape.seq_q, cols = wrong.shape.seq_kv, wide = cols + 5;
    for (size_t i = 0; i < wrong.n; i++) wrong.got[i] = wrong.in[1][i / wide % rows * cols + i % wide % cols];
    says("outside the matrix begins again, with r % rows and c % cols");
}

// Each of 128 threads goes through its columns with a maximum of its own; what all have is joined as it should be.
static void sums_of_threads_that_begin_anew_are_named(void **state) {
    (void)state;
    enum { THREADS = 128, COLS = 700, ROWS = 5 };
    for (int way = 0; way < 3; way++) {
        const int kept = way > 0, plain = way == 2;  // nor where they are joined
        begin(&lab_softmax_batched, (attn_shape){1, 1, ROWS, COLS, 8, 0});
        for (int r = 0; r < ROWS; r++) {
            const float *s = wrong.in[1] + r * COLS;
            float m[THREADS], l[THREADS] = {0}, top = -INFINITY, sum = 0;
            for (int t = 0; t < THREADS; t++) m[t] = -INFINITY;
            for (int c = 0; c < COLS; c++) {
                float *max = &m[c % THREADS], *mine = &l[c % THREADS];
                if (s[c] > *max)
                    *max = s[c], *mine = (kept ? *mine : 0) + 1;
                else
                    *mine += expf(s[c] - *max);
                top = fmaxf(top, s[c]);
            }
            for (int t = 0; t < THREADS; t++) sum += l[t] * (plain ? 1 : expf(m[t] - top));
            for (int c = 0; c < COLS; c++) wrong.got[r * COLS + c] = expf(s[c] - top) / sum;
        }
        says(plain  ? "matches sums that are rescaled nowhere"
             : kept ? "matches sums of threads that are not rescaled"
                    : "matches sums of threads that begin anew");
        if (!plain) says("(each of 128 threads)");
        release(NULL);
    }
}

// 16 threads join 16 numbers each, from t on, or from 15 t on; the largest of 0 .. 30 may be that of the first warp.
static void pieces_that_overlap_are_named(void **state) {
    (void)state;
    enum { THREADS = 256, SHARE = 16 };
    for (int apart = 1; apart < SHARE; apart += SHARE - 2)  // of those 15 apart hardly a maximum is left out
        for (int max = 0; max < (apart == 1 ? 2 : 1); max++) {
            begin_claim("task2", max ? "a_block_agrees_on_its_max" : "a_block_agrees_on_its_sum");
            for (int r = 0; r < wrong.shape.seq_q; r++) {
                float all = max ? -INFINITY : 0;
                for (int t = 0; t < THREADS / SHARE; t++)
                    for (int j = t * apart; j < t * apart + SHARE; j++) {
                        const float x = wrong.in[1][r * THREADS + j];
                        all = max ? fmaxf(all, x) : all + x;
                    }
                for (int t = 0; t < THREADS; t++) wrong.got[r * THREADS + t] = all;
            }
            assert_true(sentences_that_fit(apart == 1 ? "which are 16 long and begin 1 apart"
                                                      : "which are 16 long and begin 15 apart"));
            wrong.extra[0] = 0;
            release(NULL);
        }
}

// ---- The whole products of task 2

// A row of B is taken to have k numbers, and what is behind them to be 0; or the sum goes on to the end of a tile of 16.
static void multiply(attn_shape s, int square) {
    const int m = s.seq_q, n = s.seq_kv, k = s.head_dim;
    begin(&lab_gemm_nn, s);
    for (int e = 0; e < s.batch * m * n; e++) {
        const int g = e / n / m, i = e / n % m, j = e % n;
        float sum = 0;
        for (int l = 0; l < (square ? k : (k + 15) / 16 * 16); l++) {
            const int a = g * m * k + i * k + l, b = g * k * n + (square ? l * k : l * n) + j;
            const int is_there = a < s.batch * m * k && b < s.batch * k * n;
            if (!square || j < k) sum += is_there ? wrong.in[1][a] * wrong.in[2][b] : NAN;
        }
        wrong.got[e] = sum;
    }
}

static void a_matrix_that_is_taken_for_a_square_is_named(void **state) {
    (void)state;
    static const attn_shape of[] = {{3, 1, 65, 33, 97, 0}, {1, 1, 17, 31, 13, 0}};
    for (int i = 0; i < 2; i++) {
        multiply(of[i], 1);
        assert_true(sentences_that_fit("matches B taken for a square matrix: it has k rows of n numbers"));
        release(NULL);
    }
}

static void sums_that_go_on_to_the_end_of_a_tile_are_named(void **state) {
    (void)state;
    multiply((attn_shape){2, 1, 20, 24, 25, 0}, 0);
    says("matches sums that go on behind product k - 1 to the end of a tile of k");
}

// Blocks of two tiles of 16 columns, or rows, that begin 16 apart; and blocks of one tile that begin 32 apart.
static void blocks_that_begin_elsewhere_are_named(void **state) {
    (void)state;
    const attn_shape s = {2, 1, 64, 64, 8, 0};
    for (int rows = 0; rows < 2; rows++)
        for (int gaps = 0; gaps < 2; gaps++) {
            char words[100];
            begin(&lab_gemm_nt, s);
            for (size_t e = 0; e < wrong.n; e++) {
                const size_t at = rows ? e / 64 % 64 : e % 64;
                if (gaps ? at % 32 >= 16 : at >= 48) memcpy(&wrong.got[e], &(uint32_t){LAB_POISON}, sizeof(float));
            }
            snprintf(words, sizeof words, "matches blocks that make %s of %s and begin %s apart",
                     gaps ? "one tile" : "several tiles", rows ? "rows" : "columns",
                     gaps ? "several tiles" : "one tile");
            assert_true(sentences_that_fit(words));
            release(NULL);
        }
}

// 40 and 90, in tiles of 16: with x and y of the grid exchanged no row and no column from 48 on is written.
static void a_grid_that_is_turned_is_named(void **state) {
    (void)state;
    static const attn_shape of[] = {{2, 1, 40, 90, 8, 0}, {1, 1, 90, 40, 8, 0}};
    for (int i = 0; i < 2; i++) {
        const int m = of[i].seq_q, n = of[i].seq_kv;
        begin(&lab_gemm_nt, of[i]);
        for (size_t e = 0; e < wrong.n; e++)
            if (e % n >= 48 || e / n % m >= 48) memcpy(&wrong.got[e], &(uint32_t){LAB_POISON}, sizeof(float));
        assert_true(sentences_that_fit("matches a grid whose x and y are exchanged"));
        release(NULL);
    }
}

int main(void) {
    const struct CMUnitTest claims[] = {
        cmocka_unit_test(rows_that_are_too_close_are_named),
        cmocka_unit_test(rows_as_close_as_those_of_a_block_are_named),
        CLAIM(sums_that_go_on_from_row_to_row_of_a_block_are_named),
        CLAIM(one_sum_of_all_l_is_named),
        CLAIM(an_edge_that_begins_again_is_named),
        cmocka_unit_test(pieces_that_overlap_are_named),
        cmocka_unit_test(a_matrix_that_is_taken_for_a_square_is_named),
        CLAIM(sums_that_go_on_to_the_end_of_a_tile_are_named),
        cmocka_unit_test(blocks_that_begin_elsewhere_are_named),
        cmocka_unit_test(a_grid_that_is_turned_is_named),
        cmocka_unit_test(sums_of_threads_that_begin_anew_are_named),
    };
    return cmocka_run_group_tests_name("explain_blocks", claims, NULL, release);
}
