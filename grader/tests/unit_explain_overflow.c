// unit_explain_overflow.c: rows that overflow, as what is subtracted before exp is no maximum of all keys so far: which
// rows are NaN tells what it is; a row of 0, a value that is scaled. grader/core/diagnose: online, heuristics.c,
// rows/attention.c.
#include "unit.h"

#include <math.h>
#include <string.h>

#include "symptom.h"

enum { D = 64, ROWS = 65, KEYS = 129, BC = 16 };

// The rows are NaN in which a score is 88 above the largest of the first `first` keys; 0: above 0.
static void overflows(int first) {
    begin_kind(&lab_tiled, (attn_shape){1, 2, ROWS, KEYS, D, 1}, LAB_LARGE);
    wrong.extra[0] = 32, wrong.extra[1] = BC;
    for (int r = 0; r < 2 * ROWS; r++) {
        const int seen = r % ROWS + 1 + KEYS - ROWS;
        const float *q = wrong.in[1] + r * D, *K = wrong.in[2] + r / ROWS * KEYS * D;
        float begin = first ? -INFINITY : 0, all = -INFINITY;
        for (int j = 0; j < seen; j++) {
            float dot = 0;
            for (int d = 0; d < D; d++) dot += q[d] * K[j * D + d];
            all = fmaxf(all, dot / sqrtf(D));
            if (j < first) begin = all;
        }
        for (int d = 0; d < D && all - begin > 88; d++) wrong.got[r * D + d] = NAN;
    }
}

static void the_maximum_of_the_first_tile_is_named(void **state) {
    (void)state;
    overflows(BC);
    says("matches the maximum of the first tile of keys that is kept");
    memset(wrong.extra, 0, sizeof wrong.extra);
}

static void the_first_score_is_named(void **state) {
    (void)state;
    overflows(1);
    says("matches the first score of a row that is subtracted from all");
    memset(wrong.extra, 0, sizeof wrong.extra);
}

static void without_a_maximum_neither_is(void **state) {
    (void)state;
    overflows(0);
    says("exp overflows where scores are large: subtract the row maximum, of all keys so far");
    memset(wrong.extra, 0, sizeof wrong.extra);
}

// The rows are NaN that are 104 below the largest score of `tile` rows of a head; of all heads with tile 0.
static void underflows(int tile, int spared) {
    static float own[2 * ROWS];
    begin_kind(&lab_tiled, (attn_shape){1, 2, ROWS, KEYS, D, 0}, LAB_LARGE);
    wrong.extra[0] = 32, wrong.extra[1] = BC;
    for (int r = 0; r < 2 * ROWS; r++) {
        const float *q = wrong.in[1] + r * D, *K = wrong.in[2] + r / ROWS * KEYS * D;
        own[r] = -INFINITY;
        for (int j = 0; j < KEYS; j++) {
            float dot = 0;
            for (int d = 0; d < D; d++) dot += q[d] * K[j * D + d];
            own[r] = fmaxf(own[r], dot / sqrtf(D));
        }
    }
    for (int r = 0, lost = 0; r < 2 * ROWS; r++) {
        const int head = r / ROWS * ROWS, first = tile ? head + (r - head) / tile * tile : 0;
        const int end = tile && first + tile < head + ROWS ? first + tile : tile ? head + ROWS : 2 * ROWS;
        float all = -INFINITY;
        for (int i = first; i < end; i++) all = fmaxf(all, own[i]);
        for (int d = 0; d < D && all - own[r] > 90 && lost >= spared; d++) wrong.got[r * D + d] = NAN;
        lost += all - own[r] > 104;
    }
}

static void one_maximum_for_several_rows_is_named(void **state) {
    (void)state;
    underflows(32, 0);
    says("matches one maximum for all rows of a tile of queries");
    underflows(ROWS, 0);
    says("matches one maximum for all rows of a matrix of scores");
    underflows(0, 0);
    says("matches one maximum for the rows of all heads");
    underflows(32, 1);
    assert_int_equal(sentences_that_fit("matches one maximum for"), 0);
    memset(wrong.extra, 0, sizeof wrong.extra);
}

// Every row subtracts the maximum of the first one of its matrix: what is far above it overflows, what is far below is
// 0 / 0. Where a row far above is right, it is another mistake.
static void the_maximum_of_the_first_row_is_named(void **state) {
    (void)state;
    enum { COLS = 20, N = 12 };
    for (int spared = 0; spared < 2; spared++) {
        begin(&lab_softmax_rows, (attn_shape){1, 1, N, COLS, 8, 0});
        for (int r = 0; r < N; r++)
            for (int c = 0; c < COLS; c++) {
                wrong.in[1][r * COLS + c] += (float)(r % 3 == 1 ? 200 : r % 3 == 2 ? -200 : 0);
                if (r % 3 && !(spared && r == 4)) wrong.got[r * COLS + c] = NAN;
            }
        examine();
        assert_true((strstr(wrong.text, "that of its first row") != NULL) == !spared);
    }
}

// Of a row of -1000 all exponentials are 0, and 0 / 0 is NaN in every column: where one alone is NaN it is no such row.
static void a_row_of_zeros_is_nan_throughout(void **state) {
    (void)state;
    enum { COLS = 20 };
    for (int one = 0; one < 2; one++) {
        begin(&lab_softmax_batched, (attn_shape){1, 1, 4, COLS, 8, 0});
        for (size_t i = 0; i < wrong.n; i++)
            wrong.in[1][i] -= 1000, wrong.got[i] = one && i % COLS ? wrong.got[i] : NAN;
        examine();
        assert_true((strstr(wrong.text, "every exponential of a row is 0") != NULL) == !one);
    }
}

// Rows of -1000 and of 1000. A maximum that begins with 0 is too large for all of the first; one that is too large for
// some of them is that of another row.
static void a_maximum_that_begins_with_0_is_named(void **state) {
    (void)state;
    enum { COLS = 20 };
    for (int another = 0; another < 2; another++) {
        begin(&lab_softmax_batched, (attn_shape){1, 1, 4, COLS, 8, 0});
        for (size_t i = 0; i < wrong.n; i++) {
            const size_t row = i / COLS;
            wrong.in[1][i] += row < 2 ? -1000 : 1000;
            if (row < 2 - (size_t)another) wrong.got[i] = NAN;
        }
        examine();
        assert_non_null(strstr(wrong.text, "every exponential of a row is 0"));
        assert_true((strstr(wrong.text, "its maximum begins with 0") != NULL) == !another);
    }
}

// Of one key 1/sqrt(D) behind the softmax is a factor of its value: it is among what fits, and said of more keys.
static void a_scaled_value_may_be_scaled_behind_the_softmax(void **state) {
    (void)state;
    static lab_guesses all;
    for (int keys = 1; keys < 3; keys++) {
        int found = 0;
        begin(&lab_naive, (attn_shape){1, 2, 1, keys, 64, 0});
        for (size_t i = 0; i < wrong.n; i++) wrong.got[i] /= 8;
        all.n = 0, wrong.guesses = &all, examine(), wrong.guesses = NULL;
        for (int i = 0; i < all.n; i++) found += strstr(all.text[i], "1/sqrt(D) applied after the softmax") != NULL;
        assert_int_equal(found, keys == 1);
    }
}

int main(void) {
    const struct CMUnitTest claims[] = {
        CLAIM(the_maximum_of_the_first_tile_is_named), CLAIM(the_first_score_is_named),
        CLAIM(without_a_maximum_neither_is),           CLAIM(one_maximum_for_several_rows_is_named),
        CLAIM(the_maximum_of_the_first_row_is_named),  CLAIM(a_row_of_zeros_is_nan_throughout),
        CLAIM(a_maximum_that_begins_with_0_is_named),  CLAIM(a_scaled_value_may_be_scaled_behind_the_softmax),
    };
    return cmocka_run_group_tests_name("explain_overflow", claims, NULL, release);
}
