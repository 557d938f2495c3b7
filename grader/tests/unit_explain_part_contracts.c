// unit_explain_part_contracts.c: task 5, TODOs whose numbers are those of another share, factor, maximum or place.
// grader/core: probes_task5_parts.c, diagnose: shares, joined_factors, left_parts.
#include "unit.h"

#include <math.h>
#include <string.h>

#include "joined.h"
#include "symptom.h"

// ---- 5.8

static void share(int (*first)(int length, int s, int n), const char *words) {
    begin_claim("task5", "each_key_is_in_one_split");
    const int length = wrong.shape.seq_kv, n = wrong.extra[0];
    float *const beyond = wrong.got + length;
    memset(wrong.got, 0, wrong.n * sizeof *wrong.got);
    for (int s = 0; s < n; s++) {
        const int end = first(length, s + 1, n), begins = first(length, s, n), most = (length + n - 1) / n;
        for (int j = begins; j < end && j < length; j++) wrong.got[j]++;
        beyond[s] = (float)(end > length ? -end : end - begins > most ? end - begins - most : 0);
    }
    for (int s = 0; s <= n; s++) beyond[64 + s] = (float)first(length, s, n) + 1;
    says(words);
}
static int rounded_down(int length, int s, int n) { return length / n * s; }
static int rest_to_last(int length, int s, int n) { return s == n ? length : length / n * s; }
static int one_for_all(int length, int s, int n) { return length / n * s + (s < length % n); }
static int in_turn(int length, int s, int n) {
    (void)n;
    return s < length ? s : length;
}
static int in_turn_up_to_length(int length, int s, int n) { return s < n ? in_turn(length, s, n) : length; }
static int nth_of_rest(int length, int s, int n) {
    int left = length;
    for (int i = 0; i < s; i++) left -= left / n;
    return s == n ? length : length - left;
}
static int half_of_rest(int length, int s, int n) {
    int begin = 0;
    for (int i = 0; i < s && i < n; i++) begin += (length - begin + 1) / 2;
    return begin;
}
static int one_more_in_the_rest(int length, int s, int n) {
    int begin = 0;
    for (int i = 0; i < s && i < n; i++) begin += (length - begin + n - i) / (n - i + 1);
    return begin;
}
static int unknown(int length, int s, int n) {
    (void)length;
    (void)n;
    return 3 + s;
}

static int from_end(int length, int s, int n) { return length - s * length / n; }

static void another_share_of_keys_is_named(void **state) {
    (void)state;
    share(rounded_down, "key 238 is in 0 of them, not in one; length / n is rounded down");
    share(rest_to_last, "the last split gets all that is left over");
    share(one_for_all, "split s begins min(s, length % n) keys later, not 1");
    share(in_turn, "key 7 is in 0 of them, not in one; that matches splits which take keys in turn, s, s + n");
    share(in_turn_up_to_length,
          "has 200 more than its share, which is 35 keys; that matches splits which take keys in turn");
    share(nth_of_rest,
          "has 63 more than its share, which is 35 keys; that matches splits which take the n-th part of what");
    share(half_of_rest, "that matches splits which take half of what the splits before them have left");
    share(one_more_in_the_rest, "that matches splits which take of what is left one part in n - s + 1");
    share(from_end, "that counts from the end: split 0 begins at key 0");
    share(unknown, "first_key(241, 0, 7) is 3: it must be 0");
}

// ---- 5.7 and 5.10: rows of [m, l, o]

static void joined(const char *claim, double (*factor)(double m, double top, double first),
                   double (*most)(double, double), const char *words) {
    begin_claim("task5", claim);
    const int width = 2 + wrong.shape.head_dim;
    const float *const x = wrong.in[1];
    double top = x[0];
    for (int j = 1; j < wrong.shape.seq_kv; j++) top = most(top, x[j * width]);
    memset(wrong.got, 0, wrong.n * sizeof *wrong.got);
    wrong.got[0] = (float)top;
    for (int j = 0; j < wrong.shape.seq_kv; j++)
        for (int i = 1; i < width; i++) wrong.got[i] += (float)(factor(x[j * width], top, x[0]) * x[j * width + i]);
    says(words);
}
static double due(double m, double top, double first) {
    (void)first;
    return exp(m - top);
}
static double swapped(double m, double top, double first) {
    (void)first;
    return exp(top - m);
}
static double from_first(double m, double top, double first) {
    (void)top;
    return exp(m - first);
}
static double later(double a, double b) {
    (void)a;
    return b;
}

static void another_factor_or_maximum_is_named(void **state) {
    (void)state;
    joined("splits_are_weighed_and_joined", swapped, fmax, "the arguments of weight are exchanged");
    joined("warps_are_joined", from_first, fmax, "exp(m - m of the first warp)");
    joined("warps_are_joined", due, later, "all.m = the m of the last warp alone");
    joined("splits_are_weighed_and_joined", due, fmin, "all.m = the smallest L");
    begin_claim("task5", "splits_are_weighed_and_joined");
    for (size_t i = 2; i < wrong.n; i++) wrong.got[i] = NAN;
    says("all.m and all.l are right, and all.o is NaN or Inf: O is read outside of its rows");
}

// Who reads and stores what is the first one's in its place leaves the same numbers as who leaves out the others.
static void the_first_alone_may_be_what_all_store(void **state) {
    (void)state;
    for (int way = 0; way < 3; way++) {  // sequence 0 alone, head 0 of each, heads 0 and 1 of each
        begin_claim("task5", "a_token_lands_in_its_slot");
        const size_t H = wrong.shape.heads, head = wrong.n / wrong.shape.batch / H;
        for (size_t i = 0; i < wrong.n; i++)
            if (way ? i / head % H >= (size_t)way : i / head >= H) wrong.got[i] = wrong.in[1][i];
        says(way == 2 ? "matches the heads from 2 on left out"
             : way    ? "matches offsets without h, both where a number is read and where it is stored"
                      : "matches offsets without b, both where a number is read and where it is stored");
    }
}

static void what_a_warp_does_not_leave_is_named(void **state) {
    (void)state;
    begin_claim("task5", "all_see_what_a_warp_has_found");
    const size_t width = 2 + wrong.shape.head_dim;
    for (size_t i = 0; i < wrong.n; i++)
        if (i % width >= 2 && (i % width - 2) % 32) wrong.got[i] = NAN;
    says("matches the dims of lane 0 alone");
    begin_claim("task5", "all_see_what_a_warp_has_found");
    for (size_t i = 2 + 96; i < wrong.n; i += i % width == width - 1 ? 2 + 96 + 1 : 1) wrong.got[i] = NAN;
    says("matches dims 96 .. 103 that are not left: D / WARP rounds down");
    begin_claim("task5", "all_see_what_a_warp_has_found");
    for (size_t i = 1; i < wrong.n; i += width) wrong.got[i] = (float)wrong.want[i - 1];
    says("matches l that holds m");
    for (int by_t = 0; by_t < 2; by_t++) {
        begin_claim("task5", "all_see_what_a_warp_has_found");
        for (int r = 0; r < wrong.shape.seq_kv; r++)
            for (int d = 0; d < wrong.shape.head_dim; d++) {
                const int of = d / 4 + d % 4 * 32;
                float *const o = wrong.got + r * width + 2;
                if (!by_t) o[d] = of < wrong.shape.head_dim ? (float)wrong.want[r * width + 2 + (size_t)of] : 0;
                if (by_t) o[d] = NAN;
            }
        for (size_t i = 0; by_t && i < wrong.n; i++)  // a later lane leaves over an earlier one
            if (i % width >= 2 && i % width < 2 + 31 + 12 + 1) {
                const int d = (int)(i % width) - 2, t = d > 31 ? (d - 31 + 3) / 4 : 0;
                wrong.got[i] = (float)wrong.want[i - i % width + 2 + (size_t)(d - 4 * t + 32 * t)];
            }
        says(by_t ? "matches o[t] of a lane that is left at lane + t * DIMS: it is dim lane + t * WARP"
                  : "matches o[t] of a lane that is left at lane * DIMS + t: it is dim lane + t * WARP");
    }
    begin_claim("task5", "all_see_what_a_warp_has_found");
    for (size_t i = 0; i < wrong.n; i++)
        if (i % width >= 2) wrong.got[i] = (float)wrong.want[i - (i % width - 2) % 32];
    says("matches lane 0 leaving all dims, from its own registers");
}

static void sums_kept_in_an_int_are_named(void **state) {
    (void)state;
    begin_claim("task5", "a_lane_multiplies_its_own_dims");
    for (size_t i = 0; i < wrong.n; i++) wrong.got[i] = truncf(wrong.got[i]);
    says("every element is a whole number");
    release(NULL);
    begin_claim("task3", "keys_lie_side_by_side");
    for (size_t i = 0; i < wrong.n; i++) wrong.got[i] = 5;  // nobody has written any
    examine();
    assert_null(strstr(wrong.text, "whole number"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(another_share_of_keys_is_named, release),
        cmocka_unit_test_teardown(another_factor_or_maximum_is_named, release),
        cmocka_unit_test_teardown(the_first_alone_may_be_what_all_store, release),
        cmocka_unit_test_teardown(what_a_warp_does_not_leave_is_named, release),
        cmocka_unit_test_teardown(sums_kept_in_an_int_are_named, release),
    };
    return cmocka_run_group_tests_name("explain_part_contracts", tests, NULL, NULL);
}
