// unit_rubric.c: from cases and timings to points. grader/grade/rubric.c.
#include "rubric_text.h"

#include <math.h>

#define RUBRIC "{\"tasks\": [{\"id\": \"t\", \"points\": 3, \"criteria\": [" CORRECTNESS ", " SPEED "]}]}"

typedef struct {
    double score, max, bonus;
    double points[2], max_points[2];
    char why[2][256];
} outcome;

// verdict_a, verdict_b: of two cases, of criteria a and b. speedup < 0: there is no such timing.
static outcome score(const char *verdict_a, const char *verdict_b, const char *baseline, double speedup, int measured) {
    json_t *rubric = load(RUBRIC), *timings = json_array();
    json_t *cases = json_pack("[{s:s, s:s}, {s:s, s:s}]", "criterion", "a", "verdict", verdict_a, "criterion", "b",
                              "verdict", verdict_b);
    assert_non_null(rubric);
    if (speedup >= 0)
        json_array_append_new(timings, json_pack("{s:s, s:s, s:s, s:f}", "series", "seq", "case", "S=1",
                                                 "implementation", baseline, "speedup", speedup));
    outcome o;
    const lab_evidence evidence = {cases, timings, NULL, measured, NULL};
    json_t *criteria = lab_rubric_score(rubric, "t", &evidence, &o.score, &o.max, &o.bonus);
    assert_int_equal(json_array_size(criteria), 2);
    for (int i = 0; i < 2; i++) {
        const json_t *c = json_array_get(criteria, i);
        o.points[i] = json_number_value(json_object_get(c, "points"));
        o.max_points[i] = json_number_value(json_object_get(c, "max_points"));
        snprintf(o.why[i], sizeof o.why[i], "%s", json_string_value(json_object_get(c, "why")));
    }
    json_decref(criteria), json_decref(rubric), json_decref(cases), json_decref(timings);
    assert_true(fabs(o.points[0] + o.points[1] - o.score) < 1e-9 &&
                fabs(o.max_points[0] + o.max_points[1] - o.max) < 1e-9);
    return o;
}

static double speed_points(double speedup) { return score("PASSED", "PASSED", "base", speedup, 1).points[1]; }

static void speed_is_interpolated_between_its_bounds(void **state) {
    (void)state;
    const double rows[][2] = {{0, 0}, {1, 0}, {1.5, 0}, {2, 0.5}, {2.5, 1}, {3.49, 1.99}, {3.5, 2}, {100, 2}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (fabs(speed_points(rows[i][0]) - rows[i][1]) > 1e-9)
            fail_msg("%gx: %g", rows[i][0], speed_points(rows[i][0]));
}

static void points_have_two_decimals(void **state) {
    (void)state;
    assert_true(speed_points(1.5 + 1.0 / 3) == 0.33);
    assert_true(speed_points(1.504) == 0);
}

static void all_right_and_fast_gives_all_points(void **state) {
    (void)state;
    const outcome o = score("PASSED", "PASSED", "base", 9, 1);
    assert_true(o.score == 3 && o.max == 3);
    assert_says(o.why[0], "1 of 1 claim holds");
    assert_says(o.why[1], "9.00x");
}

static void a_wrong_case_gives_no_points_for_speed(void **state) {
    (void)state;
    outcome o = score("PASSED", "WRONG_ANSWER", "base", 9, 1);  // even of another criterion
    assert_true(o.points[0] == 1 && o.points[1] == 0 && o.max == 3);
    assert_says(o.why[1], "not all right");
    o = score("CRASH", "PASSED", "base", 9, 1);
    assert_true(o.score == 0 && o.max == 3);
}

static void a_missing_baseline_is_not_counted(void **state) {
    (void)state;
    outcome o = score("PASSED", "PASSED", "another", 9, 1);
    assert_true(o.score == 1 && o.max == 1 && o.max_points[1] == 0);
    assert_says(o.why[1], "base was not measured");
    o = score("PASSED", "PASSED", "base", -1, 1);
    assert_true(o.score == 1 && o.max == 1);
    o = score("PASSED", "PASSED", "base", 9, 0);  // --no-bench
    assert_true(o.score == 1 && o.max == 1);
}

static void what_did_not_run_is_no_failure_in_words(void **state) {
    (void)state;
    assert_string_equal(score("SKIPPED", "PASSED", "base", 9, 1).why[0], "not run");
    assert_true(score("SKIPPED", "PASSED", "base", 9, 1).score == 0);
    json_t *rubric = load(RUBRIC);
    json_t *cases = json_pack("[{s:s, s:s}, {s:s, s:s}]", "criterion", "a", "verdict", "TIMEOUT", "criterion", "a",
                              "verdict", "SKIPPED");
    double points, max, bonus;
    const lab_evidence evidence = {cases, NULL, NULL, 1, NULL};
    json_t *criteria = lab_rubric_score(rubric, "t", &evidence, &points, &max, &bonus);
    const char *said = json_string_value(json_object_get(json_array_get(criteria, 0), "why"));
    assert_string_equal(said, "0 of 1 claim holds, 1 not run");
    json_decref(criteria), json_decref(rubric), json_decref(cases);
}

static void a_busy_machine_takes_no_points(void **state) {
    (void)state;
    json_t *rubric = load(RUBRIC);
    json_t *cases = json_pack("[{s:s, s:s}, {s:s, s:s, s:s}]", "criterion", "a", "verdict", "PASSED", "criterion", "a",
                              "verdict", "GRADER_ERROR", "diagnosis", "the machine is too busy: it got nothing");
    double points, max, bonus;
    const lab_evidence evidence = {cases, NULL, NULL, 1, NULL};
    json_t *criteria = lab_rubric_score(rubric, "t", &evidence, &points, &max, &bonus);
    assert_true(points == 0 && max == 2);  // criterion a is not counted
    assert_says(json_string_value(json_object_get(json_array_get(criteria, 0), "why")), "not counted: the machine");
    json_decref(criteria);
    json_object_set_new(json_array_get(cases, 1), "diagnosis", json_string("another error of the lab's"));
    criteria = lab_rubric_score(rubric, "t", &evidence, &points, &max, &bonus);
    assert_true(points == 0 && max == 3);
    json_decref(criteria);
    // A file can print what looks like a report of simt's, and a diagnosis quotes it.
    json_object_set_new(json_array_get(cases, 1), "verdict", json_string("ILLEGAL_ACCESS"));
    json_object_set_new(json_array_get(cases, 1), "diagnosis", json_string("the machine is too busy: it got nothing"));
    criteria = lab_rubric_score(rubric, "t", &evidence, &points, &max, &bonus);
    assert_true(points == 0 && max == 3);
    json_decref(criteria), json_decref(rubric), json_decref(cases);
}

// Three lines of C make a call fail when it is timed: that must not take the points out of the count.
static void who_refuses_to_be_timed_gets_no_points_for_speed(void **state) {
    (void)state;
    static const char *const verdicts[] = {"CRASH",   "WRONG_ANSWER",   "TIMEOUT", "EARLY_EXIT",
                                           "SKIPPED", "TIMING_SUSPECT", NULL};
    json_t *rubric = load(RUBRIC), *cases = json_pack("[{s:s, s:s}]", "criterion", "a", "verdict", "PASSED");
    for (size_t i = 0; i < sizeof verdicts / sizeof *verdicts; i++) {
        json_t *timings = json_pack("[{s:s, s:s, s:s, s:s}]", "series", "seq", "case", "S=1", "implementation", "base",
                                    "verdict", "PASSED");
        if (verdicts[i])  // NULL: no row of its own at all
            json_array_append_new(timings, json_pack("{s:s, s:s, s:s, s:s}", "series", "seq", "case", "S=1",
                                                     "implementation", "yours", "verdict", verdicts[i]));
        const lab_evidence evidence = {cases, timings, NULL, 1, NULL};
        outcome o;
        json_t *criteria = lab_rubric_score(rubric, "t", &evidence, &o.score, &o.max, &o.bonus);
        if (o.score != 1 || o.max != 3) fail_msg("%s: %g of %g", verdicts[i] ? verdicts[i] : "no row", o.score, o.max);
        json_decref(criteria), json_decref(timings);
    }
    json_decref(rubric), json_decref(cases);
}

// A baseline that took 140 us for what takes 440 us at least: the null stage's time had been too long. The same number is
// taken off the submission's calls, which are suspect then, too.
static void what_the_lab_measured_wrongly_costs_nothing(void **state) {
    (void)state;
    json_t *rubric = load(RUBRIC), *cases = json_pack("[{s:s, s:s}]", "criterion", "a", "verdict", "PASSED");
    for (int wrong = 0; wrong < 2; wrong++) {
        json_t *timings = json_pack("[{s:s, s:s, s:s, s:s}, {s:s, s:s, s:s, s:s}]", "series", "seq", "case", "S=1",
                                    "implementation", "yours", "verdict", "TIMING_SUSPECT", "series", "seq", "case",
                                    "S=1", "implementation", "base", "verdict", wrong ? "TIMING_SUSPECT" : "PASSED");
        const lab_evidence evidence = {cases, timings, NULL, 1, NULL};
        outcome o;
        assert_int_equal(lab_baseline_is_impossible(timings), wrong);
        lab_excuse_points(timings);
        json_t *criteria = lab_rubric_score(rubric, "t", &evidence, &o.score, &o.max, &o.bonus);
        assert_true(o.score == 1 && o.max == (wrong ? 1 : 3));
        json_decref(criteria), json_decref(timings);
    }
    json_decref(rubric), json_decref(cases);
}

// A point that carries none comes first: its failure ends the measuring, before the baseline's turn.
static void who_refuses_an_earlier_point_gets_no_points_for_speed(void **state) {
    (void)state;
    json_t *rubric = load(RUBRIC), *cases = json_pack("[{s:s, s:s}]", "criterion", "a", "verdict", "PASSED");
    json_t *timings = json_pack("[{s:s, s:s, s:s, s:s}]", "series", "seq", "case", "S=2", "implementation", "yours",
                                "verdict", "OUT_OF_MEMORY");
    const lab_evidence evidence = {cases, timings, NULL, 1, NULL};
    outcome o;
    json_t *criteria = lab_rubric_score(rubric, "t", &evidence, &o.score, &o.max, &o.bonus);
    assert_true(o.score == 1 && o.max == 3);
    assert_says(json_string_value(json_object_get(json_array_get(criteria, 1), "why")), "OUT_OF_MEMORY when S=2 was");
    json_decref(criteria), json_decref(timings), json_decref(rubric), json_decref(cases);
}

static void no_cases_give_no_points(void **state) {
    (void)state;
    json_t *rubric = load(RUBRIC), *none = json_array();
    double points, max, bonus;
    const lab_evidence evidence = {none, none, NULL, 1, NULL};
    json_decref(lab_rubric_score(rubric, "t", &evidence, &points, &max, &bonus));
    assert_true(points == 0 && max == 3);
    json_decref(rubric), json_decref(none);
}

static void one_case_of_a_criterion_that_fails_takes_its_points(void **state) {
    (void)state;
    json_t *rubric = load(RUBRIC), *none = json_array();
    json_t *cases = json_pack("[{s:s,s:s},{s:s,s:s}]", "criterion", "a", "verdict", "PASSED", "criterion", "a",
                              "verdict", "SKIPPED");
    double points, max, bonus;
    const lab_evidence evidence = {cases, none, NULL, 1, NULL};
    json_decref(lab_rubric_score(rubric, "t", &evidence, &points, &max, &bonus));
    assert_true(points == 0);
    json_decref(rubric), json_decref(none), json_decref(cases);
}

// yours of 20, the reference answers 19; -1: there is no demo.
static outcome recall_score(int yours, int cases) {
    json_t *rubric = load("{\"tasks\": [{\"id\": \"t\", \"points\": 1, \"criteria\": [{\"name\": \"demo\", \"kind\": "
                          "\"correctness\", \"points\": 1, \"evidence\": \"recall\"}]}]}");
    json_t *some = json_pack("[{s:s, s:s}]", "criterion", "a", "verdict", "CRASH"), *none = json_array();
    json_t *demo = json_pack("{s:{s:i, s:i, s:i}}", "recall", "asked", 20, "yours", yours, "reference", 19);
    const lab_evidence evidence = {cases ? some : none, none, NULL, 0, yours < 0 ? NULL : demo};
    outcome o = {0};
    json_t *criteria = lab_rubric_score(rubric, "t", &evidence, &o.score, &o.max, &o.bonus);
    snprintf(o.why[0], sizeof o.why[0], "%s", json_string_value(json_object_get(json_array_get(criteria, 0), "why")));
    json_decref(criteria), json_decref(rubric), json_decref(some), json_decref(none), json_decref(demo);
    return o;
}

static void the_demo_gives_its_point_for_the_references_recall(void **state) {
    (void)state;
    outcome o = recall_score(19, 1);
    assert_true(o.score == 1 && o.max == 1);
    assert_says(o.why[0], "recall 19/20, reference 19/20");
    o = recall_score(20, 1);
    assert_true(o.score == 1 && o.max == 1);
    o = recall_score(18, 1);
    assert_true(o.score == 0 && o.max == 1);
    o = recall_score(-1, 1);  // the lab's fault
    assert_true(o.score == 0 && o.max == 0);
    o = recall_score(-1, 0);  // nothing was handed in
    assert_true(o.score == 0 && o.max == 1);
}

int main(void) {
    const struct CMUnitTest claims[] = {
        CLAIM(speed_is_interpolated_between_its_bounds),
        CLAIM(points_have_two_decimals),
        CLAIM(all_right_and_fast_gives_all_points),
        CLAIM(a_wrong_case_gives_no_points_for_speed),
        CLAIM(a_missing_baseline_is_not_counted),
        CLAIM(what_did_not_run_is_no_failure_in_words),
        CLAIM(a_busy_machine_takes_no_points),
        CLAIM(who_refuses_to_be_timed_gets_no_points_for_speed),
        CLAIM(what_the_lab_measured_wrongly_costs_nothing),
        CLAIM(who_refuses_an_earlier_point_gets_no_points_for_speed),
        CLAIM(no_cases_give_no_points),
        CLAIM(one_case_of_a_criterion_that_fails_takes_its_points),
        CLAIM(the_demo_gives_its_point_for_the_references_recall),
    };
    return cmocka_run_group_tests_name("rubric", claims, NULL, NULL);
}
