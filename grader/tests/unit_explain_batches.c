// unit_explain_batches.c: products of a batch whose matrices are others, sums that go on, an index that is held at the end; a
// softmax of the chain that is called with other rows. grader/core/diagnose: sums/gemm_batches.c,
// sums/product_counts.c, heads/chain.c.
#include "unit.h"

#include <math.h>
#include <string.h>

#include "symptom.h"

enum { B = 4, M = 35, N = 21, K = 18, TILE = 16 };
static const attn_shape SHAPE = {B, 1, M, N, K, 0};

typedef struct {
    int goes_on, one_apart, plus_row, by_block, turned, held, interleaved, of_first, groups, as_c, side_by_side;
} file;

static float at(const float *x, int all, int place) { return place < all ? x[place] : NAN; }

static void multiply(int nt, file w) {
    begin(nt ? &lab_gemm_nt : &lab_gemm_nn, SHAPE);
    for (int e = 0; e < B * M * N; e++) {
        const int row = e / N, g = w.of_first ? 0 : w.side_by_side ? row % B : row / M, j = e % N;
        const int i = w.side_by_side ? row / B : row % M, tiles = (M + TILE - 1) / TILE;
        float sum = 0;
        for (int from = w.goes_on ? 0 : g; from <= g; from++)
            for (int l = 0; l < (w.held ? 32 : K); l++) {
                const int matrix = w.plus_row ? from + i / TILE : w.by_block ? from * tiles + i / TILE : from;
                const int held = l < K ? l : K - 1, a = w.one_apart ? g : w.as_c ? g * M * N : matrix * M * K;
                const int b = (w.as_c ? g * M * N : from * N * K) + (nt         ? j * K + held
                                                                     : w.turned ? l * K + j
                                                                                : held * N + j);
                if (w.groups && (l >= K / 4 * 4 || (!nt && j >= N / 4 * 4))) continue;
                if (!nt && w.turned && (l >= N || j >= K)) continue;
                if (w.interleaved) {
                    sum +=
                        wrong.in[1][(i * B + g) * K + l] * wrong.in[2][nt ? (j * B + g) * K + l : (l * B + g) * N + j];
                    continue;
                }
                sum += at(wrong.in[1], B * M * K, a + i * K + held) * at(wrong.in[2], B * N * K, b);
            }
        wrong.got[e] = sum;
    }
}

static void sums_that_go_on_from_matrix_to_matrix_are_named(void **state) {
    (void)state;
    multiply(1, (file){.goes_on = 1}), says("matches sums that go on from one matrix of the batch to the next");
    multiply(0, (file){.goes_on = 1}), says("matches sums that go on from one matrix of the batch to the next");
}

static void matrices_that_begin_elsewhere_are_named(void **state) {
    (void)state;
    multiply(1, (file){.one_apart = 1}), says("matches matrices of A that begin one number apart");
    multiply(0, (file){.plus_row = 1}), says("the number of the row of tiles is added to the matrix's number");
    multiply(0, (file){.as_c = 1});
    says(
        "matches matrices A and B of a batch that begin every m * n numbers: each of A has m * k, and each of B n * k");
    begin(&lab_gemm_nt, (attn_shape){2, 1, 9, 30, 8, 0});  // the second one lies outside of both
    for (size_t e = wrong.n / 2; e < wrong.n; e++) wrong.got[e] = NAN;
    static lab_guesses fits;
    int found = 0;
    fits.n = 0, wrong.guesses = &fits;
    says("NaN: a read beyond the matrix");
    wrong.guesses = NULL;
    for (int f = 0; f < fits.n; f++)
        found += strstr(fits.text[f], "matrices A and B of a batch that begin every m * n numbers") != NULL;
    assert_int_equal(found, 1);
    multiply(1, (file){.by_block = 1}), says("the number of the block in y and z takes the place");
}

// Blocks of 16 x 8 elements of C.
static void a_tile_of_the_other_matrix_is_named(void **state) {
    (void)state;
    for (int way = 0; way < 4; way++) {
        const int nt = way / 2, m = 40, n = 21, k = 5;
        begin(nt ? &lab_gemm_nt : &lab_gemm_nn, (attn_shape){1, 1, m, n, k, 0});
        for (int e = 0; e < m * n; e++) {
            const int i = e / n, j = e % n, row = way % 2 ? i : j / 8 * 16 + i % 16,
                      col = way % 2 ? i / 16 * 8 + j % 8 : j;
            wrong.got[e] = 0;
            for (int l = 0; l < k && row < m && col < n; l++)
                wrong.got[e] += wrong.in[1][row * k + l] * wrong.in[2][nt ? col * k + l : l * n + col];
        }
        says(way % 2 ? "matches a tile of B that begins where the block's tile of A does, at its rows of C"
                     : "matches a tile of A that begins where the block's tile of B does, at its columns of C");
    }
}

// Rows of 18 and 21 numbers, read four by four.
static void rows_in_whole_groups_are_named(void **state) {
    (void)state;
    for (int nt = 0; nt < 2; nt++) {
        static lab_guesses fits;
        fits.n = 0, wrong.guesses = &fits;
        multiply(nt, (file){.groups = 1});
        says(nt ? "matches sums over the first 16 of k = 18" : "matches rows of A and B that are read in whole groups");
        wrong.guesses = NULL;
        assert_int_equal(fits.n, nt ? 7 : 1);  // of A B^T steps of 8 or 16, too, or larger ones that multiply 16
    }
}

// 32 threads with 70 / 32 columns each.
static void columns_in_even_pieces_are_named(void **state) {
    (void)state;
    begin(&lab_softmax_batched, (attn_shape){1, 1, 5, 70, 8, 0});
    for (int r = 0; r < 5; r++) {
        double sum = 0;
        for (int c = 0; c < 64; c++) sum += wrong.want[r * 70 + c];
        for (int c = 0; c < 70; c++)
            if (c < 64)
                wrong.got[r * 70 + c] = (float)(wrong.want[r * 70 + c] / sum);
            else
                memcpy(&wrong.got[r * 70 + c], &(uint32_t){LAB_POISON}, sizeof(float));
    }
    says("matches threads with columns / threads each, rounded down");
}

static void matrices_of_the_first_batch_are_named(void **state) {
    (void)state;
    multiply(1, (file){.of_first = 1}), says("matches the A and B of batch 0 for every batch");
    multiply(0, (file){.of_first = 1}), says("matches the A and B of batch 0 for every batch");
}

static void matrices_that_are_taken_row_by_row_are_named(void **state) {
    (void)state;
    multiply(1, (file){.interleaved = 1}), says("matches A and B read as [rows, batch, columns]");
    multiply(0, (file){.interleaved = 1}), says("matches A and B read as [rows, batch, columns]");
    multiply(1, (file){.interleaved = 1, .side_by_side = 1}),
        says("matches A, B and C taken as [rows, batch, columns]");
    multiply(0, (file){.interleaved = 1, .side_by_side = 1}),
        says("matches A, B and C taken as [rows, batch, columns]");
    multiply(0, (file){.side_by_side = 1}), says("matches C taken as [rows, batch, columns]");
}

static void a_matrix_with_its_sides_exchanged_is_named(void **state) {
    (void)state;
    multiply(0, (file){.turned = 1}), says("matches B taken for a matrix of n rows of k numbers: it has k rows of n");
}

static void an_index_that_is_held_is_named(void **state) {
    (void)state;
    multiply(1, (file){.held = 1}), says("matches an index that is held at the last of k = 18");
    multiply(0, (file){.held = 1}), says("product k - 1 counts 15 times in all");
}

// In a claim that is not small, too. As many blocks of the mask as such rows leave most scores as they are.
static void a_softmax_of_other_rows_is_named(void **state) {
    (void)state;
    for (int blocks = 0; blocks < 2; blocks++) {
        begin(&lab_naive, (attn_shape){2, 1, 40, 40, 64, 0});
        for (int h = 0; h < 2; h++) {
            double p[40 * 40], sum = 0, max = -INFINITY;
            for (int e = 0; e < 40 * 40; e++) {
                p[e] = 0;
                for (int d = 0; d < 64; d++)
                    p[e] += (double)wrong.in[1][(h * 40 + e / 40) * 64 + d] * wrong.in[2][(h * 40 + e % 40) * 64 + d];
                if (!blocks || h * 40 + e / 40 < 2) p[e] /= 8;
                max = fmax(max, p[e]);
            }
            for (int e = 0; e < 40 * 40; e++) sum += p[e] = exp(p[e] - max);
            for (int i = 0; i < 40 * 64; i++) {
                double o = 0;
                for (int j = 0; j < 40; j++) o += p[i / 64 * 40 + j] / sum * wrong.in[3][(h * 40 + j) * 64 + i % 64];
                wrong.got[h * 40 * 64 + i] = (float)o;
            }
        }
        says(blocks ? "called with B * H rows of Sq * Sk columns, and scale_and_causal_mask with a block for each"
                    : "matches attn_softmax_batched called with B * H rows of Sq * Sk columns: P has");
        release(NULL);
    }
}

int main(void) {
    const struct CMUnitTest claims[] = {
        CLAIM(sums_that_go_on_from_matrix_to_matrix_are_named),
        CLAIM(matrices_that_begin_elsewhere_are_named),
        CLAIM(a_tile_of_the_other_matrix_is_named),
        CLAIM(rows_in_whole_groups_are_named),
        CLAIM(columns_in_even_pieces_are_named),
        CLAIM(matrices_of_the_first_batch_are_named),
        CLAIM(matrices_that_are_taken_row_by_row_are_named),
        CLAIM(a_matrix_with_its_sides_exchanged_is_named),
        CLAIM(an_index_that_is_held_is_named),
        CLAIM(a_softmax_of_other_rows_is_named),
    };
    return cmocka_run_group_tests_name("explain_batches", claims, NULL, release);
}
