// unit_explain_first_rows.c: tiles of queries of which the first rows alone are done, batches without blocks, and keys
// that several warps count. grader/core: diagnose/first_rows.c, diagnose/grid.c, splits.c.
#include "unit.h"

#include <math.h>
#include <string.h>

#include "check.h"
#include "splits.h"
#include "symptom.h"

enum { D = 32 };

// Of each tile of queries the first `done` rows are right; the others were never written, or are NaN.
static void tiles(int Sq, int tile, int done, int written, const char *words) {
    begin(&lab_flash, (attn_shape){2, 3, Sq, 40, D, 0});
    for (size_t r = 0; r < wrong.n / D; r++)
        for (int d = 0; d < D && (int)r % Sq % tile >= done; d++)
            if (written)
                wrong.got[r * D + d] = NAN;
            else
                lab_poison(wrong.got + r * D + d, 1);
    const int said = sentences_that_fit(*words ? words : "alone are done");
    if (*words ? !said : said) fail_msg("%d of %d rows: %s", done, tile, wrong.text);
    release(NULL);
}

static void first_rows_alone_are_named(void **state) {
    (void)state;
    for (int written = 0; written < 2; written++) {
        tiles(64, 16, 4, written, "tiles of 16 queries of which the first 4 alone are done: there is a thread, warp");
        tiles(50, 16, 7, written, "tiles of 16 queries of which the first 7 alone are done, as where 4 warps");
        tiles(12, 16, 7, written, "tiles of 16 queries of which the first 7 alone are done, as where 4 warps");
        tiles(40, 16, 1, written, "tiles of 16 queries of which the first 1 alone are done");
        tiles(9, 16, 1, written, "");
        tiles(70, 32, 8, written, "tiles of 32 queries of which the first 8 alone are done: there is a thread, warp");
        tiles(100, 128, 64, written, "");  // the grid may lack a block
        tiles(100, 128, 96, written, "");
    }
}

static void unwritten_batches(int heads, int Sq, const char *words) {
    begin(&lab_flash, (attn_shape){2, heads, Sq, 40, D, 0});
    lab_poison(wrong.got + wrong.n / 2, wrong.n / 2);
    says(words);
    release(NULL);
}

static void batches_without_blocks_are_no_exchange(void **state) {
    (void)state;
    unwritten_batches(4, 64, "batches from 1 on have no block");
    unwritten_batches(2, 64, "batches from 1 on have no block");
}

// Two parts of the keys of one query, whose L is log(n) too large.
static void parts_counted(double times, const char *words) {
    const attn_shape s = {1, 1, 1, 20, D, 0};
    const int extra[2] = {2};
    float work[2 * (D + 1)];
    double out[D], score[20], whole = 0;
    char text[500] = "";
    begin(&lab_decode_split, s);
    const int n = lab_int_at(wrong.in[4], 0);
    for (int j = 0; j < n; j++) {
        score[j] = 0;
        for (int d = 0; d < D; d++) score[j] += wrong.in[1][d] * wrong.in[2][j * D + d] / sqrt(D);
        whole += exp(score[j]);
    }
    assert_true(lab_decode.oracle(s, extra, (const float *const *)wrong.in, 0, out));
    for (int i = 0; i < 2; i++) {
        work[2 * D + i] = (float)log(times * whole / 2);
        for (int d = 0; d < D; d++) work[i * D + d] = (float)out[d];
    }
    lab_splits_left(s, extra, (const float *const *)wrong.in, work, 0, text, sizeof text);
    if (*words)
        assert_says(text, words);
    else
        assert_null(strstr(text, "as where each key"));
    release(NULL);
}

static void keys_that_every_warp_counts_are_named(void **state) {
    (void)state;
    parts_counted(4,
                  "log(4) more, as where each key is counted 4 times, by warps or threads that all walk over the same");
    parts_counted(2.5, "");
    parts_counted(0.5, "");
    parts_counted(1, "");
}

// Sequence 1 has no keys.
static void an_output_that_no_keys_leave_unwritten_is_named(void **state) {
    (void)state;
    const attn_shape s = {3, 2, 1, 16, 8, 0};
    begin(&lab_decode_split, s);
    hand_in(wrong.want);
    const uint32_t poison = LAB_POISON;
    for (size_t i = wrong.n / 3; i < 2 * wrong.n / 3; i++) memcpy(wrong.got + i, &poison, sizeof poison);
    says("matches what is not written where a sequence or a split has no keys");
}

// Splits of 3 keys and fewer: those that have none leave what lay there, and make the outputs of their heads wrong.
static void parts_that_no_keys_leave_unwritten_are_named(void **state) {
    (void)state;
    enum { N = 7, D = 8, HEADS = 6 };
    static float work[HEADS * N * (D + 1)];
    const uint32_t poison = LAB_POISON;
    float lost;
    memcpy(&lost, &poison, sizeof lost);
    for (int right_too = 0; right_too < 2; right_too++) {
        wrong.extra[0] = N, wrong.work = work;
        begin(&lab_decode_split, (attn_shape){3, 2, 1, 16, D, 0});
        int missing = 0;
        for (int i = 0; i < HEADS * N; i++) {
            const int length = lab_int_at(wrong.in[4], i / N / 2), none = i % N * ((length + N - 1) / N) >= length;
            work[HEADS * N * D + i] = none ? lost : 1, missing += none;
            if (none || right_too) wrong.got[i / N * D] = wrong.want[i / N * D] + 1;
        }
        assert_true(missing > 0);
        if (right_too)
            assert_int_equal(sentences_that_fit("what is not written"), 0);  // another mistake
        else
            says("matches what is not written where a sequence or a split has no keys: O is 0 there, and L_s is "
                 "-INFINITY, so no block returns before it has stored (parts that nobody wrote: ");
        release(NULL);
        wrong.work = NULL;
    }
}

int main(void) {
    const struct CMUnitTest claims[] = {
        cmocka_unit_test_teardown(an_output_that_no_keys_leave_unwritten_is_named, release),
        cmocka_unit_test_teardown(parts_that_no_keys_leave_unwritten_are_named, release),
        CLAIM(first_rows_alone_are_named),
        CLAIM(batches_without_blocks_are_no_exchange),
        CLAIM(keys_that_every_warp_counts_are_named),
    };
    return cmocka_run_group_tests_name("explain_first_rows", claims, NULL, NULL);
}
