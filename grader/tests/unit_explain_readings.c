// unit_explain_readings.c: products whose matrices are read another way: row and column exchanged, whole or in tiles, or a tile
// of another step. grader/core/diagnose/sums/gemm_strides.c.
#include "unit.h"

#include <math.h>
#include <string.h>

#include "symptom.h"

enum { TILE = 16 };

static float at(const float *x, int all, int place) { return place < all ? x[place] : NAN; }

// A tile of B of 32 x 32 that is read the wrong way round: where all of B is in one, it is B^T.
static void a_turned_tile_may_be_all_of_a_matrix(void **state) {
    (void)state;
    static lab_guesses fits;
    int tile = 0, all = 0;
    begin(&lab_gemm_nt, (attn_shape){1, 1, 8, 8, 8, 0});
    for (int e = 0; e < 64; e++) {
        wrong.got[e] = 0;
        for (int l = 0; l < 8; l++) wrong.got[e] += wrong.in[1][e / 8 * 8 + l] * wrong.in[2][l * 8 + e % 8];
    }
    fits.n = 0, wrong.guesses = &fits;
    says("matches A B in place of A B^T");
    wrong.guesses = NULL;
    for (int f = 0; f < fits.n; f++) {
        all += !strncmp(fits.text[f], "matches A B in place", 20);
        tile += !strncmp(fits.text[f], "matches tiles of B (", 20);
    }
    assert_int_equal(all, 1), assert_int_equal(tile, 1);
}

// M[c][r] for M[r][c], with rows of the right length; 0 outside of the matrix, or what lies there.
static void rows_for_columns_are_named(void **state) {
    (void)state;
    enum { SIDE = 66 };
    static const attn_shape shape = {2, 1, SIDE, SIDE + 4, SIDE + 8, 0};
    static const char *const words[] = {"matches A[l][i] in place of A[i][l]", "matches B[j][l] in place of B[l][j]",
                                        "matches B[l][j] in place of B[j][l]"};
    for (int of = 0; of < 3; of++)
        for (int zeros = 0; zeros < 2; zeros++) {
            begin(of == 2 ? &lab_gemm_nt : &lab_gemm_nn, shape);
            const int m = SIDE, n = SIDE + 4, k = SIDE + 8, all[] = {2 * m * k, 2 * n * k};
            for (int e = 0; e < 2 * m * n; e++) {
                const int g = e / n / m, i = e / n % m, j = e % n;
                float sum = 0;
                for (int l = 0; l < k; l++) {
                    int a = i * k + l, b = of == 2 ? j * k + l : l * n + j, outside = 0;
                    if (of == 0) a = l * k + i, outside = l >= m || i >= k;
                    if (of == 1) b = j * n + l, outside = j >= k || l >= n;
                    if (of == 2) b = l * k + j, outside = l >= n || j >= k;
                    if (!outside || !zeros)
                        sum += at(wrong.in[1], all[0], g * m * k + a) * at(wrong.in[2], all[1], g * n * k + b);
                }
                wrong.got[e] = sum;
            }
            says(words[of]);
        }
}

// A as if it were stored [k, m]: all reads are within it.
static void a_matrix_of_columns_is_named(void **state) {
    (void)state;
    enum { M = 66, N = 40, K = 72 };
    for (int nt = 0; nt < 2; nt++) {
        begin(nt ? &lab_gemm_nt : &lab_gemm_nn, (attn_shape){2, 1, M, N, K, 0});
        for (int e = 0; e < 2 * M * N; e++) {
            const int g = e / N / M, i = e / N % M, j = e % N;
            wrong.got[e] = 0;
            for (int l = 0; l < K; l++)
                wrong.got[e] +=
                    wrong.in[1][g * M * K + l * M + i] * wrong.in[2][g * N * K + (nt ? j * K + l : l * N + j)];
        }
        says("matches A taken as [k, m]: it is stored [m, k]");
    }
}

// Both by columns, all within them; or both with rows as long as the matrix has rows.
static void two_matrices_that_are_read_alike_are_named(void **state) {
    (void)state;
    enum { M = 40, N = 42, K = 72 };
    static const char *const words[] = {"matches A and B read by columns, A[i + l * m] and B[l + j * k]",
                                        "matches A and B read by columns, A[i + l * m] and B[j + l * n]",
                                        "matches rows of A that begin every m numbers, and rows of B every k",
                                        "matches rows of A that begin every m numbers, and rows of B every n"};
    for (int of = 0; of < 4; of++) {
        const int nt = of % 2, columns = of < 2, all[] = {2 * M * K, 2 * N * K};
        begin(nt ? &lab_gemm_nt : &lab_gemm_nn, (attn_shape){2, 1, M, N, K, 0});
        for (int e = 0; e < 2 * M * N; e++) {
            const int g = e / N / M, i = e / N % M, j = e % N;
            float sum = 0;
            for (int l = 0; l < K; l++) {
                const int a = columns ? l * M + i : i * M + l;
                const int b = columns ? (nt ? l * N + j : j * K + l) : nt ? j * N + l : l * K + j;
                sum += at(wrong.in[1], all[0], g * M * K + a) * at(wrong.in[2], all[1], g * N * K + b);
            }
            wrong.got[e] = sum;
        }
        says(words[of]);
    }
}

// A tile is loaded in the first step along k alone, and in the last one there are 0 behind k.
static void a_tile_of_the_first_step_is_named(void **state) {
    (void)state;
    for (int of = 0; of < 2; of++) {
        begin(&lab_gemm_nn, (attn_shape){2, 1, 20, 30, 50, 0});
        for (int e = 0; e < 2 * 20 * 30; e++) {
            wrong.got[e] = 0;
            for (int l = 0; l < 50; l++)
                wrong.got[e] += wrong.in[1][e / 30 * 50 + (of ? l : l % TILE)] *
                                wrong.in[2][(e / 600 * 50 + (of ? l % TILE : l)) * 30 + e % 30];
        }
        says(of ? "matches the first tile of B in every step along k"
                : "matches the first tile of A in every step along");
        assert_says(wrong.text, "(tiles of 16)");
    }
}

// The first tile along k is never multiplied.
static void a_tile_that_is_left_out_is_named(void **state) {
    (void)state;
    enum { K = 50 };
    begin(&lab_gemm_nn, (attn_shape){2, 1, 20, 30, K, 0});
    for (int e = 0; e < 2 * 20 * 30; e++) {
        wrong.got[e] = 0;
        for (int l = TILE; l < K; l++)
            wrong.got[e] += wrong.in[1][e / 30 * K + l] * wrong.in[2][(e / 600 * K + l) * 30 + e % 30];
    }
    says("matches sums without the first 16 products");
}

// A tile of 16 along k begins at the block's row or column, in blocks of 32, where it should begin at k0.
static void a_tile_that_begins_at_exchanged_places_is_named(void **state) {
    (void)state;
    enum { M = 70, N = 90, K = 72, BLOCK = 32 };
    for (int way = 0; way < 3; way++) {  // A, and B of both products
        begin(way == 1 ? &lab_gemm_nt : &lab_gemm_nn, (attn_shape){1, 1, M, N, K, 0});
        for (int e = 0; e < M * N; e++) {
            const int i = e / N, j = e % N;
            wrong.got[e] = 0;
            for (int l = 0; l < K; l++) {
                const int k0 = l / TILE * TILE, in = l % TILE;
                const int row = way ? i : k0 + i % BLOCK, al = way ? l : i / BLOCK * BLOCK + in;
                const int col = way ? k0 + j % BLOCK : j, bl = way ? j / BLOCK * BLOCK + in : l;
                if (row >= M || al >= K || col >= N || bl >= K) continue;
                wrong.got[e] += wrong.in[1][row * K + al] * wrong.in[2][way == 1 ? col * K + bl : bl * N + col];
            }
        }
        assert_true(sentences_that_fit(
            way ? "matches tiles of B whose row and column are exchanged where they begin: a tile begins at"
                : "matches tiles of A whose row and column are exchanged where they begin: a tile begins at"));
        release(NULL);
    }
}

int main(void) {
    const struct CMUnitTest claims[] = {
        CLAIM(a_turned_tile_may_be_all_of_a_matrix),
        CLAIM(rows_for_columns_are_named),
        CLAIM(a_matrix_of_columns_is_named),
        CLAIM(two_matrices_that_are_read_alike_are_named),
        CLAIM(a_tile_of_the_first_step_is_named),
        CLAIM(a_tile_that_is_left_out_is_named),
        cmocka_unit_test(a_tile_that_begins_at_exchanged_places_is_named),
    };
    return cmocka_run_group_tests_name("explain_readings", claims, NULL, release);
}
