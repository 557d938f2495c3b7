// unit_explain_reads.c: what is said of a loop or a thread that reads another part of its row or matrix than it should.
// grader/core: probes_task1_softmax.c, diagnose/thread_columns.c, diagnose/tile_loads.c, diagnose/chain.c.
#include "unit.h"

#include <math.h>
#include <string.h>

#include "symptom.h"

enum { THREADS = 256, TILE = 32 };

// l is the sum of p with p[c] once more, or once less; or all of exp(s) / exp(m).
static void exponentials_of(const char *claim, int c, int more, int divided, const char *words) {
    begin_claim("task1", claim);
    const int cols = wrong.shape.seq_kv, row = cols + 1;
    for (int r = 0; r < wrong.shape.seq_q; r++) {
        float *p = wrong.got + r * row, m = -INFINITY;
        for (int k = 0; k < cols; k++) m = fmaxf(m, wrong.in[1][r * cols + k]);
        for (int k = 0; k < cols && divided; k++) p[k] = expf(wrong.in[1][r * cols + k]) / expf(m);
        for (int k = 0; k < cols && divided; k++) p[cols] = k ? p[cols] + p[k] : p[k];
        p[cols] += (float)more * p[c];
    }
    says(words);
}

static void other_exponentials_are_named(void **state) {
    (void)state;
    exponentials_of("exponentials_and_their_sum", 0, 0, 0, "");
    exponentials_of("exponentials_and_their_sum", 0, 1, 0, "matches a sum in which p[0] counts twice");
    exponentials_of("exponentials_and_their_sum", 5, -1, 0, "matches a sum without p[5]");
    exponentials_of("exponentials_and_their_sum", 0, 0, 1, "");
    exponentials_of("exponentials_of_large_scores", 0, 0, 1, "exp overflows where scores are large");
}

// The tile of B is loaded from A's place. Where k0 is 0, other begins are 0, too: those of both claims are said.
static void a_tile_from_the_place_of_the_other_is_named(void **state) {
    (void)state;
    static const char *const claims[] = {"the_first_tiles_of_a_and_b", "ragged_tiles_of_a_and_b"};
    for (int c = 0; c < 2; c++) {
        static lab_guesses fits;
        begin_claim("task2", claims[c]);
        const int n = wrong.shape.seq_kv, k = wrong.shape.head_dim, k0 = wrong.extra[0], across = (n + TILE - 1) / TILE;
        int found = 0;
        for (size_t i = 0; i < wrong.n; i++) {
            const int at = (int)(i % (TILE * TILE)), half = (int)(i / (TILE * TILE) % 2);
            const int row = (int)(i / (2 * TILE * TILE)) / across * TILE, r = row + at / TILE, l = k0 + at % TILE;
            if (half) wrong.got[i] = r < k && l < n ? wrong.in[2][r * n + l] : 0;
        }
        fits.n = 0, wrong.guesses = &fits, examine(), wrong.guesses = NULL;
        for (int f = 0; f < fits.n; f++)
            found += !strcmp(fits.text[f], "matches Bs[ty][tx] = B[row + ty][k0 + tx]: it is B[k0 + ty][col + tx]");
        if (found != 1) fail_msg("%s: %d fit, %s", claims[c], fits.n, fits.text[0]);
        memset(wrong.extra, 0, sizeof wrong.extra);
    }
}

// Query i sees the keys up to begin + slope * i.
static void mask_up_to(int begin, int slope, const char *words) {
    begin_claim("task1", "the_mask_is_aligned_bottom_right");
    const int cols = wrong.shape.seq_kv;
    for (int i = 0; i < wrong.shape.seq_q * cols; i++)
        wrong.got[i] = i % cols > begin + slope * (i / cols) ? -12345 : wrong.in[1][i];
    says(words);
}

static void a_mask_of_another_slope_is_named(void **state) {
    (void)state;
    mask_up_to(11 - 5, 1, "");
    mask_up_to(10, -1, "sees the keys up to Sk - 1 - i: each query sees one key more");
    mask_up_to(6, 0, "sees the keys up to Sk - Sq: each query");
}

static void sums_of_which_some_are_scaled_are_named(void **state) {
    (void)state;
    begin_claim("task1", "scores_are_scaled_dot_products");
    for (size_t i = 0; i < wrong.n; i++)
        if (i % wrong.shape.seq_kv) wrong.got[i] *= sqrtf(wrong.shape.head_dim);
    says("matches sums that are not scaled, where they are wrong: each S is multiplied by");
}

// The columns from..to-1 in steps are looked at, and s[0] where m begins with it.
static void maxima_of(int from, int to, int step, const char *words) {
    begin_claim("task1", "each_row_has_its_own_maximum");
    const int cols = wrong.shape.seq_kv;
    for (int r = 0; r < wrong.shape.seq_q; r++) {
        float m = wrong.in[1][r * cols];
        for (int c = from; c < to; c += step) m = fmaxf(m, wrong.in[1][r * cols + c]);
        wrong.got[r] = m;
    }
    says(words);
}

static void columns_that_no_maximum_has_looked_at_are_named(void **state) {
    (void)state;
    maxima_of(1, 23, 1, "");
    maxima_of(2, 23, 1, "s[1] is not looked at, alone");
    maxima_of(1, 22, 1, "the last score is not looked at");
    maxima_of(1, 20, 1, "s[20 .. 22] are not looked at");
    maxima_of(2, 23, 2, "every second score is not looked at");
}

// Thread t takes begin(t), begin(t) + step, ... below the end.
static void thread_maxima(int own, int begin, int step, int end, const char *words) {
    begin_claim("task2", "a_thread_has_the_max_of_its_columns");
    const int cols = wrong.shape.seq_kv;
    for (int i = 0; i < wrong.shape.seq_q * THREADS; i++) {
        float m = -100;
        for (int c = own * (i % THREADS) + begin; c < cols + end; c += step)
            m = fmaxf(m, wrong.in[1][i / THREADS * cols + c]);
        wrong.got[i] = m;
    }
    says(words);
}

// Thread t joins s[t + half], as in a tree; or it looks at its neighbour's columns, too.
static void thread_trees(int all, const char *words) {
    begin_claim("task2", "a_thread_has_the_max_of_its_columns");
    const int cols = wrong.shape.seq_kv;
    for (int i = 0; i < wrong.shape.seq_q * THREADS; i++) {
        const float *row = wrong.in[1] + i / THREADS * cols;
        const int t = i % THREADS;
        float m = row[t];
        for (int half = THREADS / 2; half > 0; half /= 2)
            if ((all || t < half) && t + half < cols) m = fmaxf(m, row[t + half]);
        wrong.got[i] = m;
    }
    says(words);
}

static void thread_neighbours(const char *words) {
    begin_claim("task2", "a_thread_has_the_max_of_its_columns");
    const int cols = wrong.shape.seq_kv;
    for (int i = 0; i < wrong.shape.seq_q * THREADS; i++) {
        const float *row = wrong.in[1] + i / THREADS * cols;
        float m = -100;
        for (int c = i % THREADS; c < cols; c += THREADS) m = fmaxf(m, fmaxf(row[c], row[c ? c - 1 : 0]));
        wrong.got[i] = m;
    }
    says(words);
}

static void a_thread_that_looks_at_the_columns_of_others_is_named(void **state) {
    (void)state;
    thread_trees(0, "matches the steps of a tree on the row itself");
    thread_trees(1, "matches the steps of a tree on the row itself");
    thread_neighbours("matches columns of other threads: the m of thread ");
}

static void the_columns_that_a_thread_takes_are_named(void **state) {
    (void)state;
    thread_maxima(1, 0, THREADS, 0, "");
    thread_maxima(0, 0, THREADS, 0, "matches columns that begin at 0, in steps of THREADS");
    thread_maxima(1, THREADS, THREADS, 0, "matches columns that begin at t + THREADS, in steps of THREADS");
    thread_maxima(1, 0, 2 * THREADS, 0, "matches columns that begin at t, in steps of 2 THREADS");
    thread_maxima(1, 0, THREADS / 2, 0, "matches columns that begin at t, in steps of THREADS / 2");
    thread_maxima(1, 0, THREADS, -1, "in steps of THREADS, without the row's last one");
}

static float at(const float *M, int r, int c, int rows, int cols) { return r < rows && c < cols ? M[r * cols + c] : 0; }

// As[ty][tx] = A[a * row + ty][k0 + tx], Bs[ty][tx] = B[b * col + (ty or 0)][k0 + tx]
static void tiles(int a, int b, int one_row, const char *words) {
    begin_claim("task2", "ragged_tiles_of_a_and_b_transposed");
    const int m = wrong.shape.seq_q, n = wrong.shape.seq_kv, k = wrong.shape.head_dim, across = (n + TILE - 1) / TILE;
    for (size_t i = 0; i < wrong.n; i++) {
        const int block = (int)i / (2 * TILE * TILE), row = block / across * TILE, col = block % across * TILE;
        const int ty = (int)i / TILE % TILE, x = wrong.extra[0] + (int)i % TILE;
        wrong.got[i] = i / (TILE * TILE) % 2 ? at(wrong.in[2], b * col + (one_row ? 0 : ty), x, n, k)
                                             : at(wrong.in[1], a * row + ty, x, m, k);
    }
    says(words);
}

static void the_element_that_a_thread_loads_is_named(void **state) {
    (void)state;
    tiles(1, 1, 0, "");
    tiles(TILE, TILE, 0,
          "matches As of A[row * TILE + ty][k0 + tx] and Bs of B[col * TILE + ty][k0 + tx]: they are A[row + ty]");
    tiles(1, 0, 0, "matches Bs[ty][tx] = B[ty][k0 + tx]: it is B[col + ty][k0 + tx]");
    tiles(1, 1, 1, "matches Bs[ty][tx] = B[col][k0 + tx]: it is B[col + ty][k0 + tx]");
}

// As of A as if it were [k, m], if a, and Bs of B as if it were [n, k], if b: both are turned round on their way.
static void turned(int a, int b, const char *words) {
    static const char *const claims[] = {"the_first_tiles_of_a_and_b", "ragged_tiles_of_a_and_b"};
    for (int claim = 0; claim < 2; claim++) {
        begin_claim("task2", claims[claim]);
        const int m = wrong.shape.seq_q, n = wrong.shape.seq_kv, k = wrong.shape.head_dim,
                  across = (n + TILE - 1) / TILE;
        for (size_t i = 0; i < wrong.n; i++) {
            const int block = (int)i / (2 * TILE * TILE), row = block / across * TILE, col = block % across * TILE;
            const int ty = (int)i / TILE % TILE, x = (int)i % TILE, k0 = wrong.extra[0];
            if (i / (TILE * TILE) % 2)
                wrong.got[i] = b ? at(wrong.in[2], col + x, k0 + ty, n, k) : at(wrong.in[2], k0 + ty, col + x, k, n);
            else
                wrong.got[i] = a ? at(wrong.in[1], k0 + x, row + ty, k, m) : at(wrong.in[1], row + ty, k0 + x, m, k);
        }
        says(words);
        memset(wrong.extra, 0, sizeof wrong.extra);
    }
}

static void a_matrix_that_is_taken_as_stored_the_other_way_round_is_named(void **state) {
    (void)state;
    turned(0, 0, "");
    turned(1, 1,
           "matches As of A[k0 + tx][row + ty], as if A were [k, m], and Bs of B[col + tx][k0 + ty], as if B were "
           "[n, k]: they are A[row + ty][k0 + tx] and B[k0 + ty][col + tx]");
    turned(1, 0, "matches As[ty][tx] = A[k0 + tx][row + ty], as if A were [k, m]: it is A[row + ty][k0 + tx]");
    turned(0, 1, "matches Bs[ty][tx] = B[col + tx][k0 + ty], as if B were [n, k]: it is B[k0 + ty][col + tx]");
}

// Where some elements are 0 and others are not, the loop over k has run.
static void zeros_in_some_rows_are_no_loop_that_never_ran(void **state) {
    (void)state;
    begin(&lab_gemm_nt, (attn_shape){1, 1, 40, 8, 3, 0});
    for (size_t i = 32 * 8; i < wrong.n; i++) wrong.got[i] = 0;
    examine();
    assert_null(strstr(wrong.text, "ragged tile of k"));
    for (size_t i = 0; i < wrong.n; i++) wrong.got[i] = 0;
    examine();
    assert_says(wrong.text, "matches sums over the first 0 of k = 3 products");
}

// scores = Q K^T / sqrt(D), under the mask; a softmax of the first `rows` rows; scores V.
static void softmax_of(int rows, const char *words) {
    begin_claim("task2", "the_chain_of_causal_heads");
    const attn_shape z = wrong.shape;
    const int D = z.head_dim, Sk = z.seq_kv, all = z.batch * z.heads * z.seq_q;
    for (int r = rows; r < all; r++) {
        const int seen = r % z.seq_q + Sk - z.seq_q + 1;
        const float *q = wrong.in[1] + r * D;
        for (int d = 0; d < D; d++) {
            double o = 0;
            for (int j = 0; j < Sk; j++) {
                const size_t key = (size_t)(r / z.seq_q * Sk + j) * D;
                double dot = 0;
                for (int i = 0; i < D; i++) dot += q[i] * wrong.in[2][key + i];
                o += (j < seen ? dot / sqrt(D) : -INFINITY) * wrong.in[3][key + d];
            }
            wrong.got[r * D + d] = (float)o;
        }
    }
    says(words);
}

static void a_softmax_that_does_not_reach_all_rows_is_named(void **state) {
    (void)state;
    softmax_of(6 * 20, "");
    softmax_of(20, "matches attn_softmax_batched called with rows = Sq: it is B * H * Sq");
    softmax_of(3 * 20, "matches attn_softmax_batched called with rows = H * Sq: it is B * H * Sq");
    softmax_of(50, "matches scores used as weights in the rows that are wrong alone: the softmax does not reach them");
    begin_claim("task2", "the_chain_of_causal_heads");  // what nobody has written agrees with everything
    const uint32_t nobody = LAB_POISON;
    for (size_t i = wrong.n / 6; i < wrong.n; i++) memcpy(wrong.got + i, &nobody, sizeof nobody);
    examine();
    assert_null(strstr(wrong.text, "called with"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(columns_that_no_maximum_has_looked_at_are_named, release),
        cmocka_unit_test_teardown(other_exponentials_are_named, release),
        cmocka_unit_test_teardown(a_tile_from_the_place_of_the_other_is_named, release),
        cmocka_unit_test_teardown(a_mask_of_another_slope_is_named, release),
        cmocka_unit_test_teardown(sums_of_which_some_are_scaled_are_named, release),
        cmocka_unit_test_teardown(the_columns_that_a_thread_takes_are_named, release),
        cmocka_unit_test_teardown(a_thread_that_looks_at_the_columns_of_others_is_named, release),
        cmocka_unit_test_teardown(the_element_that_a_thread_loads_is_named, release),
        cmocka_unit_test_teardown(a_matrix_that_is_taken_as_stored_the_other_way_round_is_named, release),
        cmocka_unit_test_teardown(a_softmax_that_does_not_reach_all_rows_is_named, release),
        cmocka_unit_test_teardown(zeros_in_some_rows_are_no_loop_that_never_ran, release),
    };
    return cmocka_run_group_tests_name("explain_reads", tests, NULL, NULL);
}
