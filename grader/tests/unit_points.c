// unit_points.c: points without a GPU, from counted traffic; and a bonus. grader/grade/rubric.c.
#include "unit.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "rubric.h"

static const char RUBRIC[] =
    "{'tasks': [{'id': 't', 'points': 3, 'criteria': [{'name': 'a', 'kind': 'correctness', 'points': 1},"
    "{'name': 'b', 'kind': 'correctness', 'points': 2, 'bonus': true},"
    "{'name': 'fast', 'kind': 'speed', 'points': 2, 'baseline': 'base', 'series': 'seq', 'case': 'S=1', 'from': 1.5,"
    " 'to': 3.5, 'traffic': {'case': 'small', 'from': 8, 'to': 3},"
    " 'shared': {'case': 'large', 'from': 2, 'to': 0.5}}]}]}";
enum { A, BONUS, FAST };

typedef struct {
    double score, max, bonus, points[3], max_points[3];
    char why[3][256];
} outcome;

// a, b: verdicts of the cases of the correctness criteria. speedup < 0: nothing was timed. counts is taken over.
static outcome score(const char *a, const char *b, double speedup, json_t *counts) {
    char text[sizeof RUBRIC];
    for (size_t i = 0; i < sizeof text; i++) text[i] = RUBRIC[i] == '\'' ? '"' : RUBRIC[i];
    json_t *rubric = json_loads(text, 0, NULL), *timings = json_array();
    json_t *cases =
        json_pack("[{s:s, s:s}, {s:s, s:s}]", "criterion", "a", "verdict", a, "criterion", "b", "verdict", b);
    assert_non_null(rubric);
    if (speedup >= 0)
        json_array_append_new(timings, json_pack("{s:s, s:s, s:s, s:f}", "series", "seq", "case", "S=1",
                                                 "implementation", "base", "speedup", speedup));
    outcome o;
    const lab_evidence evidence = {cases, timings, counts, 1, NULL};
    json_t *criteria = lab_rubric_score(rubric, "t", &evidence, &o.score, &o.max, &o.bonus);
    assert_int_equal(json_array_size(criteria), 3);
    for (int i = 0; i < 3; i++) {
        const json_t *c = json_array_get(criteria, i);
        o.points[i] = json_number_value(json_object_get(c, "points"));
        o.max_points[i] = json_number_value(json_object_get(c, "max_points"));
        snprintf(o.why[i], sizeof o.why[i], "%s", json_string_value(json_object_get(c, "why")));
    }
    json_decref(criteria), json_decref(rubric), json_decref(cases), json_decref(timings), json_decref(counts);
    return o;
}

// Two buffers of the counted case, 1000 bytes at least, so many sectors moved; and another case's.
static json_t *moved(int sectors) {
    return json_pack("[{s:s, s:s, s:i, s:i}, {s:s, s:s, s:i, s:i}, {s:s, s:s, s:i, s:i}]", "case", "small", "buffer",
                     "K", "sectors", sectors - 40, "least_bytes", 1000, "case", "small", "buffer", "other", "sectors",
                     40, "least_bytes", 0, "case", "large", "buffer", "K", "sectors", 9999, "least_bytes", 1);
}

static json_t *found(json_t *counts, const char *name, const char *verdict) {
    json_array_append_new(
        counts, json_pack("{s:s, s:s, s:s}", "case", name, "verdict", verdict, "finding", "it hides a matrix"));
    return counts;
}

static void without_a_time_traffic_is_interpolated_between_its_bounds(void **state) {
    (void)state;
    const struct {
        int sectors;
        double points;
    } rows[] = {{60, 2}, {93, 2}, {125, 1.6}, {200, 0.64}, {250, 0}, {9000, 0}};  // ratio = sectors * 32 / 1000
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const outcome o = score("PASSED", "PASSED", -1, moved(rows[i].sectors));
        if (fabs(o.points[FAST] - rows[i].points) > 1e-9 || o.max_points[FAST] != 2)
            fail_msg("%d sectors: %g", rows[i].sectors, o.points[FAST]);
        assert_says(o.why[FAST], "from counted traffic, not from time");
    }
    assert_says(score("PASSED", "PASSED", -1, moved(125)).why[FAST], "moves 4.00 times the least bytes");
}

// wavefronts of 32 numbers for 32000 multiply-adds of the other case.
static json_t *on_chip(json_t *counts, double per_multiply_add) {
    json_array_append_new(counts, json_pack("{s:s, s:s, s:i, s:i}", "case", "large", "buffer", "shared", "wavefronts",
                                            (int)(per_multiply_add * 1000), "multiply_adds", 32000));
    return counts;
}

static void of_two_counts_the_one_that_gives_less_decides(void **state) {
    (void)state;
    const struct {
        double shared;
        int sectors;
        double points;
        const char *says;
    } rows[] = {{0.4, 60, 2, "least bytes"},
                {0.5, 60, 2, "least bytes"},
                {1.25, 60, 1, "1.25 numbers from and to shared memory"},
                {2.5, 60, 0, "2.50 numbers from and to shared memory"},
                {0.4, 125, 1.6, "least bytes"},
                {1.25, 250, 0, "least bytes"},
                {1.7, 125, 0.4, "numbers from and to shared memory per multiply-add"}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const outcome o = score("PASSED", "PASSED", -1, on_chip(moved(rows[i].sectors), rows[i].shared));
        if (fabs(o.points[FAST] - rows[i].points) > 1e-9 || !strstr(o.why[FAST], rows[i].says))
            fail_msg("row %zu: %g, %s", i, o.points[FAST], o.why[FAST]);
    }
}

static void a_time_counts_where_there_is_one(void **state) {
    (void)state;
    outcome o = score("PASSED", "PASSED", 3.5, moved(9000));
    assert_true(o.points[FAST] == 2);
    assert_says(o.why[FAST], "3.50x");
    o = score("PASSED", "PASSED", 1, moved(60));
    assert_true(o.points[FAST] == 0 && o.max_points[FAST] == 2);
}

static void traffic_of_wrong_answers_gives_no_points(void **state) {
    (void)state;
    const outcome o = score("WRONG_ANSWER", "PASSED", -1, moved(60));
    assert_true(o.points[FAST] == 0 && o.max_points[FAST] == 2);
}

static void a_finding_takes_the_points_of_its_case(void **state) {
    (void)state;
    outcome o = score("PASSED", "PASSED", -1, found(moved(60), "small", "WRONG_ANSWER"));
    assert_true(o.points[FAST] == 0 && o.max_points[FAST] == 2);
    assert_says(o.why[FAST], "small: it hides a matrix");
    o = score("PASSED", "PASSED", -1, found(moved(60), "another", "WRONG_ANSWER"));
    assert_true(o.points[FAST] == 2);
    o = score("PASSED", "PASSED", -1, found(moved(60), "large", "WRONG_ANSWER"));
    assert_true(o.points[FAST] == 0);
    o = score("PASSED", "PASSED", -1, found(moved(60), "all", "LOAD_ERROR"));
    assert_true(o.points[FAST] == 0 && o.max_points[FAST] == 2);
}

static void the_labs_own_failure_to_count_costs_nothing(void **state) {
    (void)state;
    const outcome o = score("PASSED", "PASSED", -1, found(json_array(), "all", "GRADER_ERROR"));
    assert_true(o.points[FAST] == 0 && o.max_points[FAST] == 0 && o.max == 1);
    assert_says(o.why[FAST], "it hides a matrix");
}

static void an_open_bonus_costs_nothing_and_shows_what_it_is_worth(void **state) {
    (void)state;
    for (int solved = 0; solved < 2; solved++) {
        const outcome o = score("PASSED", solved ? "PASSED" : "MISSING", -1, moved(60));
        assert_true(o.score == 3 && o.max == 3 && o.bonus == 2 * solved);
        assert_true(o.points[BONUS] == 2 * solved && o.max_points[BONUS] == 2);
        assert_says(o.why[BONUS], "bonus: ");
    }
}

int main(void) {
    const struct CMUnitTest claims[] = {
        CLAIM(without_a_time_traffic_is_interpolated_between_its_bounds),
        CLAIM(of_two_counts_the_one_that_gives_less_decides),
        CLAIM(a_time_counts_where_there_is_one),
        CLAIM(traffic_of_wrong_answers_gives_no_points),
        CLAIM(a_finding_takes_the_points_of_its_case),
        CLAIM(the_labs_own_failure_to_count_costs_nothing),
        CLAIM(an_open_bonus_costs_nothing_and_shows_what_it_is_worth),
    };
    return cmocka_run_group_tests_name("points", claims, NULL, NULL);
}
