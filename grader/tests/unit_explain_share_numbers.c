// unit_explain_share_numbers.c: O is right, and a split has more keys than its share: by which formula they are shared out.
// grader/core: splits.c, diagnose/cache/shares.c.
#include "unit.h"

#include <math.h>
#include <string.h>

#include "inputs.h"
#include "splits.h"
#include "symptom.h"

enum { SPLITS = 8, D = 16, SLOTS = 2048 };
static const uint64_t SECRET = 12345;

static int half(int left, int s) { return s + 1 == SPLITS ? left : (left + 1) / 2; }
static int nth(int left, int s) { return s + 1 == SPLITS ? left : left / SPLITS; }
static int all_to_the_first(int left, int s) { return s ? 0 : left; }

static void leaves(int (*take)(int left, int s), const char *words) {
    static float work[SPLITS * (D + 1)];
    const attn_shape a = {1, 1, 1, SLOTS, D, 0};
    const int extra[2] = {SPLITS};
    char text[500] = "";
    begin(&lab_decode_split, a);
    const int length = lab_int_at(wrong.in[4], 0);
    assert_true(length > 600);  // behind it lies NaN
    lab_group_keys(a, SECRET, wrong.in);
    for (int s = 0, j = 0, left = length; s < SPLITS; s++) {
        const int end = j + take(left, s);
        double l = 0, o[D] = {0};
        for (left -= end - j; j < end; j++) {
            double score = 0;
            for (int d = 0; d < D; d++) score += (double)wrong.in[1][d] * wrong.in[2][j * D + d] / sqrt(D);
            l += exp(score);
            for (int d = 0; d < D; d++) o[d] += exp(score) * wrong.in[3][j * D + d];
        }
        for (int d = 0; d < D; d++) work[s * D + d] = l > 0 ? (float)(o[d] / l) : 0;
        work[SPLITS * D + s] = (float)log(l);
    }
    assert_true(lab_splits_left(a, extra, (const float *const *)wrong.in, work, SECRET, text, sizeof text));
    assert_says(text, words);
    release(NULL);
}

static void shares_of_the_rest_are_named_by_how_many_keys_each_split_has(void **state) {
    (void)state;
    leaves(half, "rounded up; that matches splits which take half of what the splits before them have left");
    leaves(nth, "rounded up; that matches splits which take the n-th part of what the splits before them have left");
    leaves(all_to_the_first, "keys: are the keys shared out? No split gets more");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(shares_of_the_rest_are_named_by_how_many_keys_each_split_has, release),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
