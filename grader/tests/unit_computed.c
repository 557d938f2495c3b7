// unit_computed.c: which line of a file computes which step of attention, and the first step that none does (grader/values).
#include "unit.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "computed.h"

enum { N = 6 };  // lines

static struct {
    lab_trial t;
    lab_right right[LAB_N_STEPS];
    lab_line line[N];
    float value[N][4096];
    lab_lines lines;
} world;

static int by_value(const void *a, const void *b) {
    const float x = *(const float *)a, y = *(const float *)b;
    return (x > y) - (x < y);
}

// Line k has the numbers of a step, times a factor, but for each `without`th: 0: all of them.
static void has(int k, lab_step step, double factor, size_t without) {
    const lab_right *r = &world.right[step];
    lab_line *l = &world.line[k];
    *l = (lab_line){.line = 10 * (k + 1), .value = world.value[k]};
    snprintf(l->function, sizeof l->function, "f%d", k);
    for (size_t i = 0; i < r->n; i++)
        if (!without || i % without) l->value[l->n++] = (float)(factor * r->number[i]);
    qsort(l->value, l->n, sizeof *l->value, by_value);
}

// A file that is right. `cache`: of decoding.
static void prepare(const lab_op *op, attn_shape shape) {
    static lab_case c;
    c = (lab_case){.claim = "a_claim", .op = op, .shape = shape, .kind = LAB_NORMAL};
    world.t = (lab_trial){.c = &c, .op = op, .layout = lab_layout_of(op, shape, 1)};
    assert_true(lab_trial_prepare(&world.t, 7));
    assert_true(lab_right_numbers(&world.t, world.right));
    has(0, LAB_STEP_SCORES, 1, 0), has(1, LAB_STEP_MAXIMA, 1, 0), has(2, LAB_STEP_SUMS, 1, 0);
    has(3, LAB_STEP_WEIGHTED, 1, 0), has(4, LAB_STEP_OUTPUTS, 1, 0);
    world.line[5] = (lab_line){.line = 60, .value = world.value[5]};
    world.lines = (lab_lines){.line = world.line, .n = N};
}

static void expect(const char *sentence) {
    lab_computed found[LAB_N_STEPS];
    char text[700];
    lab_computed_find(&world.lines, world.right, found);
    lab_computed_say(world.right, found, text, sizeof text);
    assert_string_equal(text, sentence);
}

static void test_the_maxima_of_parts_are_doubted(void **state) {
    (void)state;
    lab_computed found[LAB_N_STEPS];
    prepare(&lab_flash, (attn_shape){1, 2, 12, 12, 16, 0});
    lab_computed_find(&world.lines, world.right, found);
    lab_computed_doubt("matches a mask that is off by one", found);
    assert_non_null(found[LAB_STEP_MAXIMA].line);
    lab_computed_doubt("each part's O and l are relative to its own maximum", found);
    assert_null(found[LAB_STEP_MAXIMA].line);
    assert_non_null(found[LAB_STEP_SCORES].line);
}

static int release(void **state) {
    (void)state;
    lab_right_free(world.right), lab_trial_discard(&world.t);
    return 0;
}

static const attn_shape heads = {2, 2, 7, 9, 8, 1}, cache = {3, 2, 1, 12, 8, 0};

// exp(s - m) V, divided by the sums, are what the oracle gives.
static void test_steps_lead_to_the_oracle(void **state) {
    (void)state;
    prepare(&lab_sdpa, heads);
    const lab_right *l = &world.right[LAB_STEP_SUMS], *w = &world.right[LAB_STEP_WEIGHTED],
                    *o = &world.right[LAB_STEP_OUTPUTS];
    assert_int_equal(l->n, 28), assert_int_equal(w->n, 28 * 8), assert_int_equal(o->n, 28 * 8);
    for (size_t i = 0; i < o->n; i++) assert_true(fabs(w->number[i] / l->number[i / 8] - o->number[i]) < 1e-9);
    assert_int_equal(world.right[LAB_STEP_SCORES].n, 2 * 2 * (3 + 4 + 5 + 6 + 7 + 8 + 9));  // those that are seen
}

static void test_of_a_cache_the_slots_in_use_count(void **state) {
    (void)state;
    prepare(&lab_decode, cache);
    size_t used = 0;
    for (int b = 0; b < 3; b++) used += 2 * (size_t)lab_int_at(world.t.in[4], (size_t)b);
    assert_int_equal(world.right[LAB_STEP_SCORES].n, used);
}

static void test_right_lines_leave_the_place_of_the_outputs(void **state) {
    (void)state;
    prepare(&lab_sdpa, heads);
    expect("the scores (line 10, in f0), the maxima over all keys (line 20, in f1), the sums of exp(s - m) (line 30, "
           "in f2), the "
           "sums "
           "of exp(s - m) V (line 40, in f3) and the outputs (line 50, in f4) are right: what is wrong is where the "
           "outputs are stored, or what is stored there later");
}

// Without the scale, for exp2, and with probabilities in place of sums that are divided at the end.
static void test_other_ways_are_right(void **state) {
    (void)state;
    prepare(&lab_sdpa, heads);
    has(0, LAB_STEP_SCORES, sqrt(8), 0), has(1, LAB_STEP_MAXIMA, 1.4426950408889634, 0);
    has(3, LAB_STEP_PROBABILITIES, 1, 0), has(4, LAB_STEP_OUTPUTS, 1, 3);
    expect("the scores (line 10, in f0), the maxima over all keys (line 20, in f1), the sums of exp(s - m) (line 30, "
           "in f2) and the "
           "probabilities (line 40, in f3) are right; the outputs are not: line 50, in f4, has 66 % of them");
}

// q . k is no score yet: that it is right without the scale holds only where the exponentials have the scale.
static void test_scores_without_the_scale_are_not_called_right(void **state) {
    (void)state;
    prepare(&lab_sdpa, heads);
    has(0, LAB_STEP_SCORES, sqrt(8), 0), has(1, LAB_STEP_MAXIMA, sqrt(8), 0);
    for (int k = 2; k < 5; k++) has(k, LAB_STEP_SUMS + k - 2, 1.01, 0);
    has(4, LAB_STEP_OUTPUTS, 1.01, 0);
    expect(
        "q . k (line 10, in f0) is right; the scores are q . k / sqrt(D), which no line has: do the exponentials take "
        "q . k times 1/sqrt(D)? The sums of exp(s - m) are not right");
    has(1, LAB_STEP_MAXIMA, 1, 0);  // of scores that are scaled: a call is handed these
    expect(
        "the scores (line 10, in f0) and the maxima over all keys (line 20, in f1) are right; the sums of exp(s - m) "
        "are not: no line has them");
    has(1, LAB_STEP_MAXIMA, sqrt(8), 0);
    has(2, LAB_STEP_UNSCALED_SUMS, 1, 0);
    expect("q . k (line 10, in f0) is right, and the sums of exp(s - m) (line 30, in f2) are those of q . k as it is: "
           "the scores are q . k / sqrt(D), and no line divides before the exponentials");
    has(5, LAB_STEP_SCORES, 1, 0);  // a line has the scale
    expect(
        "the scores (line 60, in f5) and the maxima over all keys (line 20, in f1) are right; the sums of exp(s - m) "
        "are not: no line has them");
    has(5, LAB_STEP_SUMS, 1, 2);  // of some rows the exponentials have it
    expect(
        "the scores (line 10, in f0) and the maxima over all keys (line 20, in f1) are right; the sums of exp(s - m) "
        "are not: line 60, in f5, has 50 % of them");
}

static void test_the_first_wrong_step_is_said(void **state) {
    (void)state;
    prepare(&lab_sdpa, heads);
    has(2, LAB_STEP_SUMS, 1, 2);
    expect("the scores (line 10, in f0) and the maxima over all keys (line 20, in f1) are right; the sums of exp(s - "
           "m) are not: "
           "line "
           "30, in f2, has 50 % of them");
    has(2, LAB_STEP_SUMS, 1.01, 0);
    expect("the scores (line 10, in f0) and the maxima over all keys (line 20, in f1) are right; the sums of exp(s - "
           "m) are not: no "
           "line has them");
}

// All but one of 28 may be all, but for rounding: it is neither right nor wrong.
static void test_what_is_nearly_right_is_not_blamed(void **state) {
    (void)state;
    prepare(&lab_sdpa, heads);
    has(2, LAB_STEP_SUMS, 1, 27), has(3, LAB_STEP_WEIGHTED, 1.01, 0), has(4, LAB_STEP_OUTPUTS, 1.01, 0);
    expect(
        "the scores (line 10, in f0) and the maxima over all keys (line 20, in f1) are right; the sums of exp(s - m) V "
        "are not: no line has them");
}

// A few wrong outputs among many right ones: that they are stored in the wrong place does not follow.
static void test_outputs_that_are_nearly_right_are_not_the_place(void **state) {
    (void)state;
    prepare(&lab_sdpa, heads);
    has(3, LAB_STEP_WEIGHTED, 1.01, 0), has(4, LAB_STEP_OUTPUTS, 1, 27);
    expect(
        "the scores (line 10, in f0), the maxima over all keys (line 20, in f1) and the sums of exp(s - m) (line 30, "
        "in f2) are right");
}

static void test_wrong_scores_come_first(void **state) {
    (void)state;
    prepare(&lab_sdpa, heads);
    has(0, LAB_STEP_SCORES, 1.01, 0);
    expect(
        "no line has the scores q . k, with the scale or without it: look at the lines that load and multiply q and k, "
        "and at those that add up their products");
}

// A line with values everywhere has each sum, too: nobody knows whether they are right.
static void test_what_is_met_by_chance_does_not_count(void **state) {
    (void)state;
    prepare(&lab_sdpa, heads);
    static float many[1 << 20];
    lab_line *const l = &world.line[5];
    has(2, LAB_STEP_SUMS, 1.01, 0), has(3, LAB_STEP_WEIGHTED, 1.01, 0), has(4, LAB_STEP_OUTPUTS, 1.01, 0);
    l->value = many;
    for (l->n = 0; l->n < sizeof many / sizeof *many; l->n++) many[l->n] = (float)l->n / (1 << 16);  // 0 to 16
    expect(
        "the scores (line 10, in f0) and the maxima over all keys (line 20, in f1) are right; the sums of exp(s - m) V "
        "are not: no line has them");
}

// A sum has all its values in one line, and only the last of them in another one.
static void test_the_line_with_less_besides_is_named(void **state) {
    (void)state;
    prepare(&lab_sdpa, heads);
    lab_line *const all = &world.line[5];
    for (int k = 0; k < 3; k++)
        for (size_t i = 0; i < world.line[k].n; i++) all->value[all->n++] = world.line[k].value[i];
    qsort(all->value, all->n, sizeof *all->value, by_value);
    world.line[2].n = 0, world.line[4].n = 0, world.line[3].n = 0;
    expect("the scores (line 10, in f0), the maxima over all keys (line 20, in f1) and the sums of exp(s - m) (line "
           "60, in ) are "
           "right; the sums of exp(s - m) V are not: no line has them");
}

// Each maximum is one of the scores: a line with all of them tells nothing of it. Where the sums are right, m is, too, and
// where no other line has any, nobody knows.
static void test_a_line_of_scores_has_no_maxima(void **state) {
    (void)state;
    prepare(&lab_sdpa, heads);
    has(1, LAB_STEP_SCORES, 1, 0), has(2, LAB_STEP_SUMS, 1.01, 0);
    expect("the scores (line 10, in f0) are right; the sums of exp(s - m) are not: no line has them");
    has(1, LAB_STEP_MAXIMA, 1, 2);
    expect("the scores (line 10, in f0) are right; the maxima over all keys are not: line 20, in f1, has 50 % of them");
    has(1, LAB_STEP_SCORES, 1, 0);
    has(2, LAB_STEP_SUMS, 1, 0), has(3, LAB_STEP_WEIGHTED, 1.01, 0), has(4, LAB_STEP_OUTPUTS, 1.01, 0);
    expect("the scores (line 10, in f0) and the sums of exp(s - m) (line 30, in f2) are right; the sums of exp(s - m) "
           "V are "
           "not: no line has them");
}

// Two keys at a time: each of two lines has half of the scores.
static void test_scores_of_two_lines_are_not_blamed(void **state) {
    (void)state;
    prepare(&lab_sdpa, heads);
    lab_line *const other = &world.line[5];
    const lab_right *r = &world.right[LAB_STEP_SCORES];
    has(0, LAB_STEP_SCORES, 1, 2), has(2, LAB_STEP_SUMS, 1.01, 0);
    for (size_t i = 0; i < r->n; i += 2) other->value[other->n++] = (float)r->number[i];
    qsort(other->value, other->n, sizeof *other->value, by_value);
    expect("the scores are not: line 10, in f0, has 50 % of them");  // those of another function are another matter
    strcpy(other->function, "f0");
    expect("the maxima over all keys (line 20, in f1) are right; the sums of exp(s - m) are not: no line has them");
}

// Beside a cause no line that has a part of the numbers is named.
static void test_beside_a_cause_no_line_is_blamed(void **state) {
    (void)state;
    char note[] =
        "line by line, in a: the scores (line 10, in f) are right; the maxima are not: line 20, in g, has 50 % of "
        "them",
         none[] = "line by line, in a: the scores are not: line 86, in h, has 65 % of them",
         stays[] = "line by line, in a: the sums are not: no line has them";
    lab_computed_leave_line_out(note);
    assert_string_equal(note, "line by line, in a: the scores (line 10, in f) are right; the maxima are not");
    lab_computed_leave_line_out(none);
    assert_string_equal(none, "");
    lab_computed_leave_line_out(stays);
    assert_string_equal(stays, "line by line, in a: the sums are not: no line has them");
}

static void test_a_product_has_no_steps(void **state) {
    (void)state;
    static const lab_case c = {.claim = "a_claim", .op = &lab_gemm_nt, .shape = {1, 1, 4, 4, 4, 0}};
    world.t = (lab_trial){.c = &c, .op = c.op, .layout = lab_layout_of(c.op, c.shape, 1)};
    assert_true(lab_trial_prepare(&world.t, 7));
    assert_false(lab_right_numbers(&world.t, world.right));
}

int main(void) {
#define TEST(f) cmocka_unit_test_teardown(test_##f, release)
    const struct CMUnitTest tests[] = {
        TEST(steps_lead_to_the_oracle),
        TEST(of_a_cache_the_slots_in_use_count),
        TEST(right_lines_leave_the_place_of_the_outputs),
        TEST(other_ways_are_right),
        TEST(scores_without_the_scale_are_not_called_right),
        TEST(the_first_wrong_step_is_said),
        TEST(what_is_nearly_right_is_not_blamed),
        TEST(the_maxima_of_parts_are_doubted),
        TEST(outputs_that_are_nearly_right_are_not_the_place),
        TEST(wrong_scores_come_first),
        TEST(what_is_met_by_chance_does_not_count),
        TEST(the_line_with_less_besides_is_named),
        TEST(a_line_of_scores_has_no_maxima),
        TEST(scores_of_two_lines_are_not_blamed),
        cmocka_unit_test(test_beside_a_cause_no_line_is_blamed),
        TEST(a_product_has_no_steps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
