// unit_explain_pieces.c: a softmax that goes over its row in pieces: each normalised by itself, averaged, or with a factor
// missing where the maximum grows. grader/core/diagnose: pieces.c.
#include "unit.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "rules_out.h"
#include "symptom.h"

enum { ROWS = 9, COLS = 70 };

static void begin_rows(void) { begin(&lab_softmax_rows, (attn_shape){1, 1, ROWS, COLS, 8, 0}); }

static float largest(const float *s, int from, int to) {
    float m = -INFINITY;
    for (int c = from; c < to; c++) m = fmaxf(m, s[c]);
    return m;
}

// Divided by `by`, too. own: each piece has a maximum of its own, and a sum; otherwise p is over the right l.
static void in_pieces(int width, float by, int own_sum) {
    for (int r = 0; r < ROWS; r++) {
        const float *s = wrong.in[1] + r * COLS, all = largest(s, 0, COLS);
        float sum = 0, l;
        for (int c = 0; c < COLS; c++) sum += expf(s[c] - all);
        for (int from = 0; from < COLS; from += width) {
            const int to = from + width < COLS ? from + width : COLS;
            const float m = largest(s, from, to);
            l = 0;
            for (int c = from; c < to; c++) l += expf(s[c] - m);
            for (int c = from; c < to; c++) wrong.got[r * COLS + c] = expf(s[c] - m) / (own_sum ? l : sum) / by;
        }
    }
}

static void pieces_that_sum_to_one_are_named(void **state) {
    (void)state;
    for (int width = 8; width <= 64; width *= 2) {
        char words[80];
        begin_rows();
        in_pieces(width, 1, 1);
        says("so that each piece sums to 1");
        snprintf(words, sizeof words, "(pieces of %d columns)", width);
        says(words);
        assert_int_equal(lab_cause_rules_out(wrong.text) & LAB_ANY_CHANGE, LAB_ANY_CHANGE);
    }
}

// Of a row of few columns, which each warp normalises by itself: of a longer one a warp has several pieces.
static void a_piece_may_be_what_a_warp_has(void **state) {
    (void)state;
    static lab_guesses all;
    int found = 0;
    begin(&lab_softmax_batched, (attn_shape){1, 1, ROWS, COLS, 8, 0});
    in_pieces(32, 1, 1);
    all.n = 0, wrong.guesses = &all, examine(), wrong.guesses = NULL;
    for (int i = 0; i < all.n; i++) found += strstr(all.text[i], "each warp has its own") != NULL;
    assert_int_equal(found, 1);
    assert_says(wrong.text, "(pieces of 32 columns)");
}

// Each of 32 threads divides by its own sum, as far as it has come; of fewer columns each is 1.
static void sums_so_far_of_threads_are_named(void **state) {
    (void)state;
    for (int cols = 17; cols <= 97; cols += 80) {
        begin(&lab_softmax_batched, (attn_shape){1, 1, ROWS, cols, 8, 0});
        for (int i = 0; i < ROWS * cols; i++) {
            const float *s = wrong.in[1] + i / cols * cols, m = largest(s, 0, cols);
            float sum = 0;
            for (int c = i % cols % 32; c <= i % cols; c += 32) sum += expf(s[c] - m);
            wrong.got[i] = expf(s[i % cols] - m) / sum;
        }
        says("matches exponentials divided by what their own thread has added up so far");
    }
}

static void a_piece_that_is_half_a_row_may_be_one_of_two(void **state) {
    (void)state;
    begin_rows();
    in_pieces(35, 1, 1);
    says("complete before the first division (2 pieces)");
}

static void the_mean_of_pieces_is_named(void **state) {
    (void)state;
    begin_rows();
    in_pieces(16, 5, 1);
    says("and by the number of pieces: a plain mean");
}

static void exponentials_of_a_pieces_own_maximum_are_named(void **state) {
    (void)state;
    begin_rows();
    in_pieces(16, 1, 0);
    says("as the piece's own maximum gave them, over the right l");
}

// The maximum as far as each piece has come, with an l that is rescaled.
static void exponentials_that_are_not_rescaled_are_named(void **state) {
    (void)state;
    begin_rows();
    for (int r = 0; r < ROWS; r++) {
        const float *s = wrong.in[1] + r * COLS, all = largest(s, 0, COLS);
        float sum = 0;
        for (int c = 0; c < COLS; c++) sum += expf(s[c] - all);
        for (int c = 0; c < COLS; c++) {
            const int to = (c / 8 + 1) * 8 < COLS ? (c / 8 + 1) * 8 : COLS;
            wrong.got[r * COLS + c] = expf(s[c] - largest(s, 0, to)) / sum;
        }
    }
    says("and exponentials that are not");
    says("(pieces of 8 columns)");
}

static void the_sum_of_the_last_piece_is_named(void **state) {
    (void)state;
    begin_rows();
    for (int r = 0; r < ROWS; r++) {
        double last = 0;
        for (int c = 64; c < COLS; c++) last += wrong.want[r * COLS + c];
        for (int c = 0; c < COLS; c++) wrong.got[r * COLS + c] /= (float)last;
    }
    says("by the sum of the row's last piece alone");
}

static void pieces_of_given_exponentials_are_named(void **state) {
    (void)state;
    begin_claim("task1", "probabilities_sum_to_1");
    const int cols = wrong.shape.seq_kv;
    for (int r = 0; r < wrong.shape.seq_q; r++)
        for (int from = 0; from < cols; from += 4) {
            const float *e = wrong.in[1] + r * cols;
            const int to = from + 4 < cols ? from + 4 : cols;
            float l = 0;
            for (int c = from; c < to; c++) l += e[c];
            for (int c = from; c < to; c++) wrong.got[r * cols + c] = e[c] / l;
        }
    says("so that each piece sums to 1");
}

static void a_right_softmax_of_other_numbers_is_none_of_pieces(void **state) {
    (void)state;
    begin_rows();
    for (int i = 0; i < ROWS * COLS; i++) wrong.got[i] *= 1.5f;
    examine();
    assert_null(strstr(wrong.text, "piece"));
}

int main(void) {
    const struct CMUnitTest claims[] = {
        CLAIM(pieces_that_sum_to_one_are_named),
        CLAIM(a_piece_may_be_what_a_warp_has),
        CLAIM(sums_so_far_of_threads_are_named),
        CLAIM(a_piece_that_is_half_a_row_may_be_one_of_two),
        CLAIM(the_mean_of_pieces_is_named),
        CLAIM(exponentials_of_a_pieces_own_maximum_are_named),
        CLAIM(exponentials_that_are_not_rescaled_are_named),
        CLAIM(the_sum_of_the_last_piece_is_named),
        CLAIM(pieces_of_given_exponentials_are_named),
        CLAIM(a_right_softmax_of_other_numbers_is_none_of_pieces),
    };
    return cmocka_run_group_tests_name("explain_pieces", claims, NULL, release);
}
