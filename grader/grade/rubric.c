// rubric.c: points.
#include "rubric.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const char *text(const json_t *o, const char *key) {
    const char *s = json_string_value(json_object_get(o, key));
    return s ? s : "";
}

static double number(const json_t *o, const char *key) { return json_number_value(json_object_get(o, key)); }

static int is(const json_t *o, const char *key, const char *value) { return strcmp(text(o, key), value) == 0; }

json_t *lab_rubric_load(const char *path, char *why, size_t size) {
    json_error_t error;
    json_t *rubric = json_load_file(path, JSON_REJECT_DUPLICATES, &error), *task, *c;
    size_t i, k;
    if (!rubric) {
        snprintf(why, size, "%s:%d: %s", path, error.line, error.text);
        return NULL;
    }
    json_array_foreach(json_object_get(rubric, "tasks"), i, task) {
        double sum = 0;
        json_array_foreach(json_object_get(task, "criteria"), k, c) {
            sum += json_is_true(json_object_get(c, "bonus")) ? 0 : number(c, "points");
            if (is(c, "kind", "speed") && !(number(c, "to") > number(c, "from"))) {
                snprintf(why, size, "%s: %s, %s: full points must need more than no points", path, text(task, "id"),
                         text(c, "name"));
                json_decref(rubric);
                return NULL;
            }
        }
        if (fabs(sum - number(task, "points")) > 1e-9) {
            snprintf(why, size, "%s: the criteria of %s add up to %g, not to its %g points", path, text(task, "id"),
                     sum, number(task, "points"));
            json_decref(rubric);
            return NULL;
        }
    }
    return rubric;
}

static double correctness(const json_t *c, const json_t *cases, char *why, size_t size) {
    int passed = 0, all = 0;
    size_t i;
    json_t *o;
    json_array_foreach(cases, i, o) {
        if (!is(o, "criterion", text(c, "name"))) continue;
        all++;
        passed += is(o, "verdict", "PASSED");
    }
    snprintf(why, size, "%d of %d claims hold", passed, all);
    return all && passed == all ? 1 : 0;
}

// The student's speed-up over the criterion's baseline; negative when there is none.
static double speedup_of(const json_t *c, const json_t *timings) {
    size_t i;
    json_t *t;
    json_array_foreach(timings, i, t) {
        const int same_point = is(t, "series", text(c, "series")) && is(t, "case", text(c, "case"));
        if (same_point && is(t, "implementation", "yours") && is(t, "verdict", "TIMING_SUSPECT")) return 0;
    }
    json_array_foreach(timings, i, t) if (is(t, "series", text(c, "series")) && is(t, "case", text(c, "case")) &&
                                          is(t, "implementation", text(c, "baseline")) &&
                                          json_is_number(json_object_get(t, "speedup"))) return number(t, "speedup");
    return -1;
}

static int all_passed(const json_t *cases) {
    size_t i;
    json_t *o;
    json_array_foreach(cases, i, o) if (!is(o, "verdict", "PASSED")) return 0;
    return json_array_size(cases) > 0;
}

static double speed(const json_t *c, double speedup, char *why, size_t size) {
    const double from = number(c, "from"), to = number(c, "to");
    snprintf(why, size, "%.2fx; points from %gx, all of them from %gx", speedup, from, to);
    return fmax(0, fmin(1, (speedup - from) / (to - from)));
}

json_t *lab_rubric_score(const json_t *rubric, const char *id, const json_t *cases, const json_t *timings, int measured,
                         double *score, double *max_score, double *bonus) {
    json_t *task, *c, *result = json_array();
    size_t i, k;
    *score = *max_score = *bonus = 0;
    json_array_foreach(json_object_get(rubric, "tasks"), i, task) {
        if (!is(task, "id", id)) continue;
        json_array_foreach(json_object_get(task, "criteria"), k, c) {
            char why[256];
            double max = number(c, "points"), share = 0;
            if (is(c, "kind", "correctness"))
                share = correctness(c, cases, why, sizeof why);
            else if (!measured)
                max = 0, snprintf(why, sizeof why, "not counted: this run did not measure speed");
            else if (!all_passed(cases))
                snprintf(why, sizeof why, "not measured: the answers are not all right");
            else {
                const double s = speedup_of(c, timings);
                if (s >= 0)
                    share = speed(c, s, why, sizeof why);
                else
                    max = 0,
                    snprintf(why, sizeof why, "not counted: %s was not measured on this machine", text(c, "baseline"));
            }
            const double points = round(100 * share * max) / 100;
            const int is_bonus = json_is_true(json_object_get(c, "bonus"));
            json_array_append_new(result, json_pack("{s:s, s:s, s:f, s:f, s:s}", "name", text(c, "name"), "kind",
                                                    text(c, "kind"), "points", points, "max_points",
                                                    is_bonus ? 0.0 : max, "why", why));
            if (is_bonus) {
                *bonus += points;
                continue;
            }
            *score += points;
            *max_score += max;
        }
    }
    return result;
}

int lab_rubric_is_bonus(const json_t *rubric, const char *id, const char *criterion) {
    json_t *task, *c;
    size_t i, k;
    json_array_foreach(json_object_get(rubric, "tasks"), i, task) {
        if (!is(task, "id", id)) continue;
        json_array_foreach(json_object_get(task, "criteria"), k, c) {
            if (is(c, "name", criterion)) return json_is_true(json_object_get(c, "bonus"));
        }
    }
    return 0;
}
