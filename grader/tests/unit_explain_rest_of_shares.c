// unit_explain_rest_of_shares.c: keys that are shared out in equal parts, rounded down, with splits and without.
// grader/core: diagnose/rest_of_shares.c.
#include "unit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "symptom.h"

enum { D = 40, SLOTS = 155 };
static const attn_shape CACHE = {4, 2, 1, SLOTS, D, 0}, ONE = {1, 2, 1, 1, D, 0}, FEW = {1, 2, 1, 5, D, 0};

// Each of n splits, keys length * s / n and up, leaves out what is behind whole groups of `workers`.
static void decode_with(const lab_op *op, attn_shape s, int n, int workers, const char *words) {
    begin(op, s);
    for (int head = 0; head < s.batch * s.heads; head++) {
        const int length = lab_int_at(wrong.in[4], head / s.heads);
        const float *q = wrong.in[1] + head * D, *K = wrong.in[2] + head * s.seq_kv * D,
                    *V = wrong.in[3] + head * s.seq_kv * D;
        double o[D] = {0}, l = 0;
        for (int j = 0; j < length; j++) {
            double dot = 0;
            int split = 0;
            while (length * (split + 1) / n <= j) split++;
            const int first = length * split / n, keys = length * (split + 1) / n - first;
            for (int d = 0; d < D; d++) dot += (double)q[d] * K[j * D + d];
            if (j - first >= keys / workers * workers) continue;
            l += exp(dot / sqrt(D));
            for (int d = 0; d < D; d++) o[d] += exp(dot / sqrt(D)) * V[j * D + d];
        }
        for (int d = 0; d < D; d++) wrong.got[head * D + d] = l > 0 ? (float)(o[d] / l) : 0;
    }
    wrong.extra[0] = n;
    says(words);
}

static void keys_in_nobodys_share_are_named(void **state) {
    (void)state;
    decode_with(&lab_decode, CACHE, 1, 1, "");
    assert_string_equal(wrong.text, "");
    decode_with(&lab_decode, CACHE, 1, 8,
                "behind the last whole group of eight left out: are they shared out in so many");
    decode_with(&lab_decode, CACHE, 1, 16, "behind the last whole group of sixteen left out");
    decode_with(&lab_decode_split, CACHE, 3, 8, "behind the last whole group of eight left out");
    // Splits of 1 and 2 keys: no split lacks a rest and has others.
    decode_with(&lab_decode_split, FEW, 2, 2, "matches splits with a single key whose parts are left out");
    // Where no row has a key that is left, a NaN would give the same: other claims tell.
    static lab_guesses fits;
    wrong.guesses = &fits;
    decode_with(&lab_decode, ONE, 1, 8, "the wrong rows are 0, as if there were no keys");
    wrong.guesses = NULL;
    int found = 0;
    for (int i = 0; i < fits.n; i++) found |= strstr(fits.text[i], "the last whole group of eight left out") != NULL;
    assert_true(found);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test_teardown(keys_in_nobodys_share_are_named, release)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
