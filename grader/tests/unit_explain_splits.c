// unit_explain_splits.c: what is said of the parts that splits leave in the workspace.
// grader/core: splits.c, diagnose/workspace.c.
#include "unit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "heuristics.h"
#include "splits.h"
#include "symptom.h"

enum { B = 2, H = 2, KEYS = 60, D = 8, SPLITS = 4, ODD = 7, MANY = 50 };
static float work[B * H * KEYS * (D + 1)];

typedef struct {
    int log_sum, by_split;  // L_s = m + log(l); O_s lie split by split
    int of_count;           // L_s = 1: log(n), 2: n, 3: 0
    float of_m, of_log;     // L_s = of_m * m + of_log * log(l), unless both are 0
    int logs;               // L_s = m + the sum of log(l) of so many parts, which take keys in turn
    float base;             // what m is multiplied by; 0: nothing
    int beyond;             // no share ends at the last key
    float empty, more;      // what a split without keys leaves as its L_s; what each leaves more than the one before it
    enum {
        UP,
        DOWN,
        ONE_MORE,
        BEGIN_EARLY,
        BEGIN_AS_ITSELF
    } share;  // length / n rounded up, down, down and one more for the first
} leaves;

// The keys of split i of n: from *first on.
static int keys_of(const leaves *how, int length, int i, int n, int *first) {
    const int up = (length + n - 1) / n, down = length / n, extra = length % n;
    *first = how->share == UP ? up * i : down * i + (how->share == ONE_MORE ? i < extra ? i : extra : 0);
    if (how->share == BEGIN_AS_ITSELF) *first = i * (down + (i < extra));
    if (*first > length) *first = length;
    if (how->beyond && *first + up > length) return 0;
    if (how->share != UP) return down + (how->share != DOWN && i < extra);
    return length - *first < up ? length - *first : up;
}

// O_s of one split at o; returns its L_s.
static float part_of(const leaves *how, const float *q, const float *k, const float *v, int n, float *o) {
    double m = -INFINITY, l = 0, sum[D] = {0}, s[KEYS];
    for (int j = 0; j < n; j++) {
        s[j] = 0;
        for (int d = 0; d < D; d++) s[j] += (double)q[d] * k[j * D + d] / sqrt(D);
        m = fmax(m, s[j]);
    }
    for (int j = 0; j < n; j++) {
        l += exp(s[j] - m);
        for (int d = 0; d < D; d++) sum[d] += exp(s[j] - m) * v[j * D + d];
    }
    for (int d = 0; d < D; d++) o[d] = n ? (float)(sum[d] / l) : 0;
    double logs = 0;
    for (int p = 0; p < how->logs; p++) {
        double of_part = 0;
        for (int j = p; j < n; j += how->logs) of_part += exp(s[j] - m);
        if (of_part > 0) logs += log(of_part);
    }
    if (how->logs && n) return (float)(m + logs);
    if (how->base > 0) m *= how->base;
    if ((how->of_m != 0 || how->of_log != 0) && n) return (float)(how->of_m * m + how->of_log * log(l));
    if (how->of_count && n) return how->of_count == 1 ? logf((float)n) : how->of_count == 2 ? (float)n : 0;
    return n ? (float)(how->log_sum ? m + log(l) : m) : how->empty;
}

// Parts as they are left.
static void leave(const leaves *how, int splits) {
    float *const L = work + B * H * splits * D;
    for (int head = 0; head < B * H; head++) {
        const int length = lab_int_at(wrong.in[4], head / H);
        for (int i = 0; i < splits; i++) {
            int first;
            const int n = keys_of(how, length, i, splits, &first);
            const size_t at = (size_t)(how->by_split ? i * B * H + head : head * splits + i) * D;
            const size_t key = ((size_t)head * KEYS + first) * D;
            L[head * splits + i] = how->more * (float)i + part_of(how, wrong.in[1] + head * D, wrong.in[2] + key,
                                                                  wrong.in[3] + key, n, work + at);
        }
    }
}

// They are joined as task5.h says.
static void split(const leaves *how, int splits, const char *words) {
    wrong.extra[0] = splits, wrong.work = work;
    begin(&lab_decode_split, (attn_shape){B, H, 1, KEYS, D, 0});
    leave(how, splits);
    const float *const L = work + B * H * splits * D;
    for (int o = 0; o < B * H * D; o++) {
        double sum = 0, weights = 0;
        for (int i = 0; i < splits; i++) {
            const double weight = exp(L[o / D * splits + i]);
            sum += weight * work[(o / D * splits + i) * D + o % D], weights += weight;
        }
        wrong.got[o] = weights > 0 ? (float)(sum / weights) : 0;
    }
    says(words);
    wrong.work = NULL;
}

static void other_parts_of_a_split_are_named(void **state) {
    (void)state;
    split(&(leaves){.log_sum = 1, .empty = -INFINITY}, SPLITS, "");
    split(&(leaves){.empty = -INFINITY}, SPLITS, "matches L_s = m: it is m + log(l)");
    split(&(leaves){.logs = 4, .empty = -INFINITY}, SPLITS, "matches L_s = m + the sum of log(l) of its parts");
    split(&(leaves){.of_count = 1, .empty = -INFINITY}, SPLITS, "matches L_s = log(n), with n its number of keys");
    split(&(leaves){.of_count = 2, .empty = -INFINITY}, SPLITS, "matches L_s = n, its number of keys");
    split(&(leaves){.of_count = 3, .empty = -INFINITY}, SPLITS, "matches L_s = 0 for all splits, so that all count");
    split(&(leaves){.of_m = -1, .of_log = 1, .empty = -INFINITY}, SPLITS, "matches L_s = log(l) - m: it is m + log(l)");
    split(&(leaves){.of_m = -1, .of_log = -1, .empty = -INFINITY}, SPLITS, "matches L_s = -(m + log(l)): it is");
    split(&(leaves){.of_m = -1, .empty = -INFINITY}, SPLITS, "matches L_s = -m: it is m + log(l)");
    split(&(leaves){.of_m = 1.442695f, .empty = -INFINITY}, SPLITS, "matches L_s = m * log2(e): it is m + log(l)");
    split(&(leaves){.of_log = 1.442695f, .empty = -INFINITY}, SPLITS, "matches L_s = log2(l): it is m + log(l)");
    split(&(leaves){.log_sum = 1, .more = 0.5f, .empty = -INFINITY}, SPLITS, "is each L_s = m + log(l)");
    split(&(leaves){.log_sum = 1, .empty = 2}, MANY, "matches L_s = 2 of a split without keys: it is -INFINITY");
    split(&(leaves){.log_sum = 1, .by_split = 1, .empty = -INFINITY}, SPLITS,
          "matches O_s laid out [n_splits, batch, heads, head_dim]");
    split(&(leaves){.empty = -INFINITY, .share = ONE_MORE}, SPLITS, "matches L_s = m: it is m + log(l)");
}

// Of large scores L is near m, whatever l is: it is right as far as float32 goes, or nothing is said of it.
static void an_l_of_large_scores_that_is_only_near_is_not_said_to_be_right(void **state) {
    (void)state;
    for (int off = 0; off < 2; off++) {
        wrong.extra[0] = SPLITS, wrong.work = work;
        begin_kind(&lab_decode_split, (attn_shape){B, H, 1, KEYS, D, 0}, LAB_LARGE);
        for (int part = 0; part < B * H * SPLITS; part++) {
            const int head = part / SPLITS, length = lab_int_at(wrong.in[4], head / H);
            int first;
            const int n = keys_of(&(leaves){0}, length, part % SPLITS, SPLITS, &first);
            const size_t key = ((size_t)head * KEYS + first) * D;
            const float L = part_of(&(leaves){.log_sum = 1, .empty = -INFINITY}, wrong.in[1] + head * D,
                                    wrong.in[2] + key, wrong.in[3] + key, n, work + part * D);
            work[B * H * SPLITS * D + part] = off ? 1.0015f * L : L;
            for (int d = 0; d < D; d++) work[part * D + d] += 0.3f + 0.1f * (float)(d + part % 3);
        }
        for (int o = 0; o < B * H * D; o++) wrong.got[o] += 0.3f + 0.1f * (float)(o % 7);
        says(off ? "what a split finds over its own keys is wrong" : "the L_s in workspace are right");
        wrong.work = NULL;
    }
}

// Of a split with one key log(l) is 0.
static void all_that_the_parts_of_single_keys_may_be_is_kept(void **state) {
    (void)state;
    lab_guesses all = {.n = 0};
    int found = 0;
    wrong.guesses = &all;
    split(&(leaves){.log_sum = 1, .base = 1.442695f, .empty = -INFINITY}, KEYS, "");
    wrong.guesses = NULL;
    for (int i = 0; i < all.n; i++)
        found += !strncmp(all.text[i], "matches L_s = (m + log(l)) * log2(e)", 36) ||
                 !strncmp(all.text[i], "matches L_s = m * log2(e) + log(l)", 34);
    assert_int_equal(found, 2);
}

static void keys_in_two_splits_or_none_are_named(void **state) {
    (void)state;
    split(&(leaves){.log_sum = 1, .empty = -INFINITY, .share = ONE_MORE}, SPLITS, "");
    split(&(leaves){.log_sum = 1, .empty = -INFINITY, .share = BEGIN_EARLY}, ODD,
          "matches keys that are in two splits. Split s begins with key s * (length / n)");
    split(&(leaves){.log_sum = 1, .empty = -INFINITY, .share = BEGIN_AS_ITSELF}, ODD,
          "splits 2 and 3: split s begins with key s times its own number of keys");
    split(&(leaves){.log_sum = 1, .empty = -INFINITY, .share = DOWN}, ODD, "matches keys that are in no split");
    lab_guesses all = {.n = 0};
    int found = 0;
    wrong.guesses = &all;  // with fewer keys than splits none has any
    split(&(leaves){.log_sum = 1, .empty = -INFINITY, .share = DOWN}, MANY, "");
    wrong.guesses = NULL;
    for (int i = 0; i < all.n; i++)
        found += strstr(all.text[i], "matches keys that are in no split; length / n is rounded down before") != NULL;
    assert_int_equal(found, 1);
}

// A key of thousands does not move the output much: what the call leaves tells.
static void keys_in_no_split_are_named_where_the_output_is_right(void **state) {
    (void)state;
    const attn_shape a = {B, H, 1, KEYS, D, 0};
    const int extra[2] = {ODD};
    char text[500] = "";
    split(&(leaves){.log_sum = 1, .empty = -INFINITY}, ODD, "");
    lab_group_keys(a, 77, (float **)wrong.in);
    leave(&(leaves){.log_sum = 1, .empty = -INFINITY, .share = DOWN}, ODD);
    assert_true(lab_splits_left(a, extra, (const float *const *)wrong.in, work, 77, text, sizeof text));
    assert_says(text, "matches keys that are in no split; length / n is rounded down before it is multiplied");
    release(NULL);
}

// A split that reads a free slot finds NaN, and leaves what one without keys leaves; or it reads the next head.
static void shares_that_go_beyond_the_last_key_are_named(void **state) {
    (void)state;
    const char *says_so = "matches a split that reads slots from lengths[b] on, and finds NaN there";
    split(&(leaves){.log_sum = 1, .empty = -INFINITY, .beyond = 1}, SPLITS, says_so);
    split(&(leaves){.log_sum = 1, .empty = -INFINITY, .beyond = 1}, ODD, says_so);
    split(&(leaves){.log_sum = 1, .empty = -INFINITY, .share = DOWN}, ODD, "matches keys that are in no split");
}

// All of it in base 2: the O of a call is right, what it leaves is not, and other parts are joined to another O.
static void splits_that_count_in_base_2_are_named(void **state) {
    (void)state;
    const attn_shape a = {B, H, 1, KEYS, D, 0};
    const int extra[2] = {SPLITS};
    char text[500] = "";
    split(&(leaves){.log_sum = 1, .empty = -INFINITY}, SPLITS, "");
    float *const L = work + B * H * SPLITS * D;
    for (int i = 0; i < B * H * SPLITS; i++) L[i] *= 1.44269504f;
    assert_true(lab_splits_left(a, extra, (const float *const *)wrong.in, work, 0, text, sizeof text));
    assert_says(text, "matches splits that count in base 2: L_s is m + log(l), a natural logarithm");
    release(NULL);
    wrong.extra[0] = 6;
    begin(&lab_combine, (attn_shape){1, 3, 1, 1, 16, 0});
    for (int o = 0; o < 3 * 16; o++) {
        double sum = 0, weights = 0;
        for (int i = 0; i < 6; i++) {
            const double weight = exp2(wrong.in[2][o / 16 * 6 + i]);
            weights += weight, sum += weight * wrong.in[1][(o / 16 * 6 + i) * 16 + o % 16];
        }
        wrong.got[o] = weights > 0 ? (float)(sum / weights) : 0;
    }
    says("matches splits that count in base 2");
}

// Of each split the part of another query lies there, as it happens, and all take these.
static void room_for_the_parts_of_one_query_is_named(void **state) {
    (void)state;
    for (int splits = 1; splits <= SPLITS; splits += SPLITS - 1) {
        wrong.extra[0] = splits, wrong.work = work;
        begin(&lab_decode_split, (attn_shape){B, H, 1, KEYS, D, 0});
        memset(work, 0, sizeof work);
        for (int i = 0; i < splits; i++) {
            const int head = (i + 1) % (B * H);
            int first;
            const int n = keys_of(&(leaves){0}, lab_int_at(wrong.in[4], head / H), i, splits, &first);
            const size_t key = ((size_t)head * KEYS + first) * D;
            work[splits * D + i] = part_of(&(leaves){.log_sum = 1, .empty = -INFINITY}, wrong.in[1] + head * D,
                                           wrong.in[2] + key, wrong.in[3] + key, n, work + i * D);
        }
        for (int o = 0; o < B * H * D; o++) {
            double sum = 0, weights = 0;
            for (int i = 0; i < splits; i++) {
                const double weight = exp(work[splits * D + i]);
                sum += weight * work[i * D + o % D], weights += weight;
            }
            wrong.got[o] = (float)(sum / weights);
        }
        says("matches the parts of one query alone, [n_splits, head_dim] and [n_splits], which all");
        release(NULL);
        wrong.work = NULL;
    }
    wrong.extra[0] = SPLITS, wrong.work = work;  // that of a query without keys
    begin(&lab_decode_split, (attn_shape){B, H, 1, KEYS, D, 0});
    const int none = 0;
    memcpy(&wrong.in[4][B - 1], &none, sizeof none);
    for (int i = 0; i < SPLITS * (D + 1); i++) work[i] = i < SPLITS * D ? 0 : -INFINITY;
    for (int o = 0; o < B * H * D; o++) wrong.got[o] = 0, wrong.want[o] = o < H * D ? wrong.want[o] : 0;
    is_among_what_fits("matches the parts of one query alone");
    release(NULL);
    wrong.work = NULL, wrong.extra[0] = 3;
    begin(&lab_combine, (attn_shape){2, 3, 1, 1, 16, 0});
    for (int o = 0; o < 6 * 16; o++) {
        double sum = 0, weights = 0;
        for (int i = 0; i < 3; i++) {
            const double weight = exp(wrong.in[2][i]);
            sum += weight * wrong.in[1][i * 16 + o % 16], weights += weight;
        }
        wrong.got[o] = (float)(sum / weights);
    }
    says("matches the parts of one query alone");
}

// What a call leaves and what another one joins, by one rule, with the O of a call right.
static void an_l_with_the_splits_first_is_named(void **state) {
    (void)state;
    const attn_shape a = {B, H, 1, KEYS, D, 0};
    const int extra[2] = {SPLITS};
    char text[500] = "";
    float turned[B * H * SPLITS];
    split(&(leaves){.log_sum = 1, .empty = -INFINITY}, SPLITS, "");
    float *const L = work + B * H * SPLITS * D;
    for (int i = 0; i < B * H * SPLITS; i++) turned[i % SPLITS * B * H + i / SPLITS] = L[i];
    assert_false(lab_splits_left(a, extra, (const float *const *)wrong.in, work, 0, text, sizeof text));
    memcpy(L, turned, sizeof turned);
    assert_true(lab_splits_left(a, extra, (const float *const *)wrong.in, work, 0, text, sizeof text));
    assert_string_equal(text, LAB_L_SPLITS_FIRST);
}

// A file that guards the sum, or each L_s, against what is not above 0.
static void weights_that_are_l_itself_are_named(void **state) {
    (void)state;
    for (int above_0 = 0; above_0 < 2; above_0++) {
        wrong.extra[0] = 3;
        begin(&lab_combine, (attn_shape){4, 3, 1, 1, 16, 0});
        for (int o = 0; o < 12 * 16; o++) {
            double sum = 0, weights = 0;
            for (int i = 0; i < 3; i++) {
                const int part = o / 16 * 3 + i;
                const double L = wrong.in[2][part], weight = L == -INFINITY ? 0 : above_0 ? fmax(L, 0) : L;
                sum += weight * wrong.in[1][part * 16 + o % 16], weights += weight;
            }
            wrong.got[o] = weights > 0 ? (float)(sum / weights) : 0;
        }
        says("weighted by L_s itself");
        release(NULL);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(weights_that_are_l_itself_are_named, release),
        cmocka_unit_test_teardown(other_parts_of_a_split_are_named, release),
        cmocka_unit_test_teardown(all_that_the_parts_of_single_keys_may_be_is_kept, release),
        cmocka_unit_test_teardown(an_l_of_large_scores_that_is_only_near_is_not_said_to_be_right, release),
        cmocka_unit_test_teardown(room_for_the_parts_of_one_query_is_named, release),
        cmocka_unit_test_teardown(keys_in_two_splits_or_none_are_named, release),
        cmocka_unit_test_teardown(keys_in_no_split_are_named_where_the_output_is_right, release),
        cmocka_unit_test_teardown(shares_that_go_beyond_the_last_key_are_named, release),
        cmocka_unit_test_teardown(an_l_with_the_splits_first_is_named, release),
        cmocka_unit_test_teardown(splits_that_count_in_base_2_are_named, release),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
