// unit_explain_begun.c: what a TODO's loops have done with some of the numbers, or in another order: other trees, layouts,
// ends of loops, parts of a maximum, of a mask and of a register tile.
// grader/core: probes_taskN.c, diagnose/trees.c, max_parts.c, sum_ends.c, moved.c, masks.c, tile_gates.c, joined.c.
#include "unit.h"

#include <math.h>
#include <string.h>

#include "heuristics.h"
#include "pointwise.h"
#include "symptom.h"

static void what_each_warp_has_alone_is_named(void **state) {
    (void)state;
    begin_claim("task2", "a_block_agrees_on_its_sum");
    for (size_t t = 0; t < wrong.n; t++) {
        wrong.got[t] = 0;
        for (size_t lane = 0; lane < 32; lane++) wrong.got[t] += wrong.in[1][t / 32 * 32 + lane];
    }
    says("matches what each warp has alone");
}

// half = 1, 2, 4 ... with t < half.
static void add_as_it_grows(void) {
    enum { THREADS = 256 };
    for (int r = 0; r < wrong.shape.seq_q; r++) {
        double part[THREADS];
        for (int t = 0; t < THREADS; t++) part[t] = wrong.in[1][r * THREADS + t];
        for (int half = 1; half < THREADS; half *= 2)
            for (int t = 0; t < half; t++) part[t] += part[t + half];
        for (int t = 0; t < THREADS; t++) wrong.got[r * THREADS + t] = (float)part[0];
    }
}

static void a_tree_that_grows_is_named(void **state) {
    (void)state;
    begin_claim("task2", "a_block_agrees_on_its_sum");
    add_as_it_grows();
    says("matches the x of threads 0, 1, 2, 4, 8, ... alone: half goes down");  // so does one without barriers
    begin_claim("task2", "a_block_agrees_on_its_max");
    add_as_it_grows();
    says("within the loop (and the max is asked for, not the sum)");  // that it adds up is another mistake
}

static void another_tensors_axes_are_named(void **state) {
    (void)state;
    begin_claim("task1", "a_small_tensor_is_split");
    const int B = wrong.shape.batch, H = wrong.shape.heads, S = wrong.shape.seq_q, D = wrong.shape.head_dim;
    for (int b = 0; b < B; b++)
        for (int h = 0; h < H; h++)
            for (int i = 0; i < S * D; i++)
                wrong.got[(h * B + b) * S * D + i] = (float)wrong.want[(b * H + h) * S * D + i];
    says("matches Y as [H, B, S, D]: it is [B, H, S, D]");
}

static void an_offset_of_tiles_is_named(void **state) {
    (void)state;
    begin_claim("task2", "matrices_lie_one_behind_the_other");
    for (int z = 0; z < wrong.shape.batch; z++) wrong.got[2 * z] = 0, wrong.got[2 * z + 1] = (float)(1024 * z);
    says("matches blockIdx.z * TILE * TILE");
}

static void ends_of_loops_that_change_places_are_named(void **state) {
    (void)state;
    begin_claim("task3", "a_product_is_added");
    const int rows = wrong.shape.seq_q, n = wrong.shape.seq_kv, cols = wrong.shape.head_dim, pad = 5;
    memcpy(wrong.got, wrong.in[3], wrong.n * sizeof *wrong.got);
    for (int r = 0; r < n; r++)
        for (int k = 0; k < rows; k++)
            for (int c = 0; c < cols; c++)
                wrong.got[r * (cols + pad) + c] += wrong.in[1][r * (n + pad) + k] * wrong.in[2][k * (cols + pad) + c];
    says("matches loops whose ends are exchanged: r runs to rows, and k to n");
    release(NULL);
    begin_claim("task1", "values_are_summed_with_their_weights");
    for (int i = wrong.shape.seq_kv * wrong.shape.head_dim; i < (int)wrong.n; i++) wrong.got[i] = NAN;
    if (wrong.shape.seq_kv < wrong.shape.seq_q) says("matches a loop over i < Sk: it runs to Sq");
}

// Of the eight threads of a row each takes its first key, or all but that.
static void some_scores_in_place_of_all_are_named(void **state) {
    (void)state;
    static const char *const words[] = {"the first 8 of 24 scores", "all but the first 8 of 24 scores"};
    for (int behind = 0; behind < 2; behind++) {
        begin_claim("task4", "all_threads_of_a_row_have_its_max");
        for (int i = 0; i < (int)wrong.n; i++) {
            double m = wrong.in[2][i / 8];
            for (int c = 0; c < 24; c++)
                if (behind == (c >= 8)) m = fmax(m, wrong.in[1][i / 8 * 24 + c]);
            wrong.got[i] = isfinite(m) ? (float)m : -100;
        }
        says(words[behind]);
        release(NULL);
    }
    begin_claim("task3", "the_row_max_counts_earlier_tiles");
    for (int r = 0; r < wrong.shape.seq_q; r++) {
        double m = wrong.in[2][r];
        for (int c = 0; c < 64; c++) m = fmax(m, wrong.in[1][r * wrong.shape.seq_kv + c]);
        wrong.got[r] = isfinite(m) ? (float)m : -1e30f;
    }
    says("the first 64 of 131 scores");
}

// Both claims have the same sentence, whatever else fits one of them.
static void a_maximum_of_whole_groups_is_named_in_both_claims(void **state) {
    (void)state;
    static const char *const claim[] = {"the_row_max_counts_earlier_tiles", "masked_scores_do_not_raise_the_max"};
    for (int k = 0; k < 4; k++) {
        static lab_guesses guesses;
        int found = 0;
        guesses.n = 0;
        begin_claim("task3", claim[k % 2]);
        const int nk = wrong.shape.seq_kv, group = k < 2 ? 4 : 32;
        for (int r = 0; r < wrong.shape.seq_q; r++) {
            float m = wrong.in[2][r];
            for (int c = 0; c < nk / group * group; c++) m = fmaxf(m, wrong.in[1][r * nk + c]);
            wrong.got[r] = isfinite(m) ? m : -1e30f;
        }
        wrong.guesses = &guesses;
        examine();
        wrong.guesses = NULL;
        for (int i = 0; i < guesses.n; i++)
            found |= strstr(guesses.text[i], k < 2 ? "max of whole groups alone" : "max of whole groups of 32 alone") !=
                     NULL;
        assert_true(found);
        release(NULL);
    }
}

// Scores in tiles of Br x Bc, of which the mask looks at some alone.
static void mask_tiles(int Br, int Bc, int which, int by_places) {
    const int Sq = wrong.shape.seq_q, Sk = wrong.shape.seq_kv, shift = Sk - Sq;
    wrong.extra[0] = Br, wrong.extra[1] = Bc;
    for (int n = 0; n < (int)wrong.n; n++) {
        const int r = n / Sk % Br, c = n % Sk % Bc, i0 = n / Sk - r, j0 = n % Sk - c;
        const int looks = which == 0   ? j0 == i0
                          : which == 1 ? j0 == i0 + shift
                          : which == 2 ? j0 >= i0 + shift
                          : which == 3 ? j0 > i0 + shift
                          : which == 4 ? (j0 + Bc < Sk ? j0 + Bc : Sk) > (i0 + Br < Sq ? i0 + Br : Sq) + shift
                                       : j0 + Bc >= Sk;
        const int hides = looks && (by_places ? c > r : j0 + c > i0 + r + shift);
        wrong.got[n] = hides ? (float)LAB_HIDDEN : wrong.in[1][n];
    }
}

static void a_mask_of_some_tiles_is_named(void **state) {
    (void)state;
    static const char *const words[] = {"looks at tiles with j0 = i0 alone",
                                        "looks at tiles with j0 = i0 + (seq_kv - seq_q) alone",
                                        "passes over tiles with j0 < i0 + (seq_kv - seq_q)",
                                        "passes over tiles with j0 <= i0 + (seq_kv - seq_q)",
                                        "passes over tiles that the last query sees to the end",
                                        "looks at the last tile of keys alone"};
    for (int k = 0; k < 12; k++) {
        begin_claim("task3", k / 2 ? "the_mask_is_aligned_bottom_right" : "later_keys_are_hidden_whatever_the_tiles");
        mask_tiles(k / 2 == 1 ? 4 : k / 2 ? 3 : 5, k / 2 == 1 ? 2 : k / 2 ? 8 : 5, k / 2, k % 2);
        says(words[k / 2]);
        assert_true((strstr(wrong.text, "hides c > r where it looks") != NULL) == k % 2 || k < 4);
        release(NULL);
    }
}

// A tile has fewer keys than there are more keys than queries: nothing is hidden, as by many a plain mistake.
static void a_mask_of_some_tiles_is_among_what_hides_nothing(void **state) {
    (void)state;
    static lab_guesses guesses;
    int found = 0;
    guesses.n = 0;
    begin_claim("task3", "the_mask_is_aligned_bottom_right");
    wrong.extra[0] = 3, wrong.extra[1] = 8;
    for (size_t n = 0; n < wrong.n; n++) wrong.got[n] = wrong.in[1][n];
    wrong.guesses = &guesses;
    examine();
    wrong.guesses = NULL;
    for (int i = 0; i < guesses.n; i++)
        found |= strstr(guesses.text[i],
                        "j0 = i0 alone: the diagonal goes through others, too, and hides j0 + c > r") != NULL;
    assert_true(found);
    assert_null(strstr(wrong.text, "looks at tiles"));
}

// The offset of the block (2, 3) of each matrix, and what is added to it. without: of matrix 0 for all.
static void offset_with(uint64_t more, int without) {
    for (int z = 0; z < wrong.shape.batch; z++) {
        const uint64_t offset = (without ? 0 : (uint64_t)z * wrong.extra[0] * wrong.extra[1]) + more;
        wrong.got[2 * z] = (float)(offset / 65536), wrong.got[2 * z + 1] = (float)(offset % 65536);
    }
}

static void a_tile_that_is_added_to_the_offset_of_its_matrix_is_named(void **state) {
    (void)state;
    static const char *const claims[] = {"matrices_lie_one_behind_the_other", "an_offset_beyond_an_int"};
    static const char *const words[] = {
        "matches blockIdx.z * rows * cols + blockIdx.y * TILE * cols + blockIdx.x * TILE: which tile",
        "matches blockIdx.z * rows * cols + blockIdx.y * TILE * cols: which tile",
        "matches blockIdx.y * TILE + blockIdx.x * TILE * cols: it is blockIdx.z * rows * cols; which tile"};
    for (int k = 0; k < 6; k++) {
        begin_claim("task2", claims[k / 3]);
        const uint64_t cols = wrong.extra[1];
        const uint64_t more[] = {3 * 32 * cols + 2 * 32, 3 * 32 * cols, 2 * 32 * cols + 3 * 32};
        offset_with(more[k % 3], k % 3 == 2);
        says(words[k % 3]);
        release(NULL);
    }
}

// Dims t, t + 8, ... of all keys, which all threads write: the probe adds 1000 then.
static void a_threads_own_dims_of_all_keys_are_named(void **state) {
    (void)state;
    begin_claim("task4", "scores_are_scaled_dot_products");
    const int D = wrong.shape.head_dim;
    for (int i = 0; i < (int)wrong.n; i++) {
        double sum = 0;
        for (int d = i % 24 % 8; d < D; d += 8) sum += wrong.in[1][i / 24 * D + d] * wrong.in[2][i % 24 * D + d];
        wrong.got[i] = (float)(sum / sqrt(D) + 1000);
    }
    says("matches sums over the dims t, t + 8, ... of all keys");
}

static void cosines_of_a_register_tile_are_named(void **state) {
    (void)state;
    begin_claim("task4", "a_register_tile_of_scores");
    const int D = wrong.shape.head_dim, columns = (int)(wrong.n / wrong.shape.seq_q);
    for (size_t i = 0; i < wrong.n; i++) {
        const float *q = wrong.in[1] + i / columns * D, *k = wrong.in[2] + i % columns * D;
        double of_q = 0, of_k = 0;
        for (int d = 0; d < D; d++) of_q += q[d] * q[d], of_k += k[d] * k[d];
        wrong.got[i] = (float)(wrong.want[i] * sqrt(D) / sqrt(of_q * of_k));
    }
    says("matches scores that are cosines");
}

// Columns over the length of their key in place of sqrt(D); rows end with numbers that are nobody's.
static void divide_by_lengths(const float *K, int rows) {
    const int D = wrong.shape.head_dim, nk = wrong.shape.seq_kv, Bc = (int)wrong.n / rows;
    for (int i = 0; i < (int)wrong.n; i++) {
        if (i % Bc >= nk) continue;
        double square = 0;
        for (int d = 0; d < D; d++) square += K[i % Bc * D + d] * K[i % Bc * D + d];
        wrong.got[i] = (float)(wrong.want[i] * sqrt(D) / sqrt(square));
    }
}

static void keys_of_length_one_are_named_in_both_claims(void **state) {
    (void)state;
    begin_claim("task3", "scores_are_scaled_dot_products");
    divide_by_lengths(wrong.in[2], wrong.shape.seq_q);
    says("matches q . k divided by the length of k");
    release(NULL);
    begin_claim("task3", "keys_lie_side_by_side");
    divide_by_lengths(wrong.in[1], wrong.shape.head_dim);
    says("matches keys divided by their lengths");
}

static void a_sum_that_is_joined_once_more_is_named(void **state) {
    (void)state;
    begin_claim("task2", "all_columns_are_divided_by_the_sum");
    for (size_t i = 0; i < wrong.n; i++) wrong.got[i] = (float)(wrong.want[i] / 256);
    says("l is not to be added up over the threads once more");
}

static void rows_of_a_register_tile_are_named(void **state) {
    (void)state;
    begin_claim("task4", "a_register_tile_of_values");
    const int D = wrong.shape.head_dim;
    for (int i = 0; i < (int)wrong.n; i++) {
        const int r = i / D, first = r - r % 4;
        wrong.got[i] = wrong.in[3][i];
        for (int c = 0; c < 24; c++) wrong.got[i] += wrong.in[1][first * 24 + c] * wrong.in[2][c * D + i % D];
    }
    says("matches the probabilities of row 0 for all rows");
    release(NULL);
    begin_claim("task4", "a_register_tile_of_values");
    for (int i = 0; i < (int)wrong.n; i++)
        if (i / D % 4) wrong.got[i] = wrong.in[3][i];
    says("only row 0 of the register tile is added to");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(a_maximum_of_whole_groups_is_named_in_both_claims, release),
        cmocka_unit_test_teardown(what_each_warp_has_alone_is_named, release),
        cmocka_unit_test_teardown(a_tree_that_grows_is_named, release),
        cmocka_unit_test_teardown(another_tensors_axes_are_named, release),
        cmocka_unit_test_teardown(an_offset_of_tiles_is_named, release),
        cmocka_unit_test_teardown(ends_of_loops_that_change_places_are_named, release),
        cmocka_unit_test_teardown(some_scores_in_place_of_all_are_named, release),
        cmocka_unit_test_teardown(a_mask_of_some_tiles_is_named, release),
        cmocka_unit_test_teardown(a_mask_of_some_tiles_is_among_what_hides_nothing, release),
        cmocka_unit_test_teardown(a_tile_that_is_added_to_the_offset_of_its_matrix_is_named, release),
        cmocka_unit_test_teardown(a_threads_own_dims_of_all_keys_are_named, release),
        cmocka_unit_test_teardown(cosines_of_a_register_tile_are_named, release),
        cmocka_unit_test_teardown(keys_of_length_one_are_named_in_both_claims, release),
        cmocka_unit_test_teardown(a_sum_that_is_joined_once_more_is_named, release),
        cmocka_unit_test_teardown(rows_of_a_register_tile_are_named, release),
    };
    return cmocka_run_group_tests_name("explain_begun", tests, NULL, NULL);
}
