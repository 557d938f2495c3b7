// rubric.c: points.
#include "rubric.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "criterion.h"

static int read_criterion(const json_t *c, lab_criterion *r, json_error_t *error) {
    *r = (lab_criterion){0};
    return json_unpack_ex((json_t *)c, error, JSON_STRICT,
                          "{s:s, s:s, s:F, s?s, s?b, s?s, s?s, s?s, s?F, s?F, s?{s:s, s:F, s:F}, s?{s:s, s:F, s:F}}",
                          "name", &r->name, "kind", &r->kind, "points", &r->points, "evidence", &r->evidence, "bonus",
                          &r->bonus, "baseline", &r->baseline, "series", &r->series, "case", &r->point, "from",
                          &r->from, "to", &r->to, "traffic", "case", &r->traffic.point, "from", &r->traffic.from, "to",
                          &r->traffic.to, "shared", "case", &r->shared.point, "from", &r->shared.from, "to",
                          &r->shared.to) == 0;
}

// Full points must need more than no points: a larger speed-up, a smaller ratio of bytes.
static int bounds_are_right(const lab_criterion *c) {
    if (strcmp(c->kind, "speed")) return 1;
    if (c->traffic.point && !(c->traffic.from > c->traffic.to && c->traffic.to >= 1)) return 0;
    if (c->shared.point && !(c->shared.from > c->shared.to && c->shared.to > 0)) return 0;
    return c->series && c->point && c->baseline && c->to > c->from;
}

// Why the task's row is wrong, or "".
static void check_task(json_t *task, char *why, size_t size) {
    const char *id;
    json_t *criteria, *one;
    json_error_t error;
    lab_criterion c;
    double points, sum = 0;
    size_t i;
    *why = 0;
    if (json_unpack_ex(task, &error, JSON_STRICT, "{s:s, s:F, s:o}", "id", &id, "points", &points, "criteria",
                       &criteria))
        snprintf(why, size, "a task: %s", error.text);
    else
        json_array_foreach(criteria, i, one) {
            if (!read_criterion(one, &c, &error))
                snprintf(why, size, "%s: %s", id, error.text);
            else if (!bounds_are_right(&c))
                snprintf(why, size, "%s, %s: full points must need more than no points", id, c.name);
            else if (c.shared.point && !c.traffic.point)
                snprintf(why, size, "%s, %s: shared needs traffic: who uses no shared memory has the best count", id,
                         c.name);
            if (*why) return;
            sum += c.bonus ? 0 : c.points;
        }
    if (!*why && fabs(sum - points) > 1e-9)
        snprintf(why, size, "the criteria of %s add up to %g, not to its %g points", id, sum, points);
}

// What is not about one task: what people add by hand, and what a day late costs (manual.h).
static void check_head(json_t *rubric, char *why, size_t size) {
    const char *unit = "points", *name;
    json_t *tasks, *manual = NULL, *late = NULL, *one;
    json_error_t error;
    double number = 0;
    int schema;
    size_t i;
    if (json_unpack_ex(rubric, &error, JSON_STRICT, "{s?i, s:o, s?o, s?o}", "schema", &schema, "tasks", &tasks,
                       "manual", &manual, "late", &late))
        snprintf(why, size, "%s", error.text);
    else if (late && json_unpack_ex(late, &error, JSON_STRICT, "{s:s, s:F, s?F, s?F}", "unit", &unit, "per_day",
                                    &number, "free_days", &number, "most", &number))
        snprintf(why, size, "late: %s", error.text);
    else if (strcmp(unit, "points") && strcmp(unit, "percent"))
        snprintf(why, size, "late: unit must be points or percent, not %s", unit);
    json_array_foreach(manual, i, one) {
        if (json_unpack_ex(one, &error, JSON_STRICT, "{s:s, s?F}", "name", &name, "points", &number))
            snprintf(why, size, "manual: %s", error.text);
    }
}

json_t *lab_rubric_load(const char *path, char *why, size_t size) {
    json_error_t error;
    json_t *rubric = json_load_file(path, JSON_REJECT_DUPLICATES, &error), *task;
    char wrong[400] = "";
    size_t i;
    if (!rubric) {
        snprintf(why, size, "%s:%d: %s", path, error.line, error.text);
        return NULL;
    }
    check_head(rubric, wrong, sizeof wrong);
    if (*wrong) {
        snprintf(why, size, "%s: %s", path, wrong);
        json_decref(rubric);
        return NULL;
    }
    json_array_foreach(json_object_get(rubric, "tasks"), i, task) {
        check_task(task, wrong, sizeof wrong);
        if (!*wrong) continue;
        snprintf(why, size, "%s: %s", path, wrong);
        json_decref(rubric);
        return NULL;
    }
    return rubric;
}

// ---- Points

static const char *text(const json_t *o, const char *key) {
    const char *s = json_string_value(json_object_get(o, key));
    return s ? s : "";
}

static int is(const json_t *o, const char *key, const char *value) { return strcmp(text(o, key), value) == 0; }

static const json_t *criteria_of(const json_t *rubric, const char *id) {
    json_t *task;
    size_t i;
    json_array_foreach(json_object_get(rubric, "tasks"), i, task) {
        if (is(task, "id", id)) return json_object_get(task, "criteria");
    }
    return NULL;
}

int lab_rubric_is_bonus(const json_t *rubric, const char *id, const char *name) {
    json_t *c;
    size_t i;
    json_array_foreach(criteria_of(rubric, id), i, c) {
        if (is(c, "name", name)) return json_is_true(json_object_get(c, "bonus"));
    }
    return 0;
}

int lab_rubric_requires(const json_t *rubric, const char *id, const char *name) {
    return strcmp(name, "todo") && !lab_rubric_is_bonus(rubric, id, name);
}

static int all_passed(const json_t *rubric, const char *task, const json_t *cases) {
    size_t i;
    json_t *o;
    json_array_foreach(cases, i, o) {
        if (!is(o, "verdict", "PASSED") && lab_rubric_requires(rubric, task, text(o, "criterion"))) return 0;
    }
    return json_array_size(cases) > 0;
}

json_t *lab_rubric_score(const json_t *rubric, const char *id, const lab_evidence *evidence, double *score,
                         double *max_score, double *bonus) {
    const int all_right = all_passed(rubric, id, evidence->cases);
    json_t *one, *result = json_array();
    size_t i;
    *score = *max_score = *bonus = 0;
    json_array_foreach(criteria_of(rubric, id), i, one) {
        lab_criterion c;
        json_error_t error;
        char why[1024] = "";
        lab_measured m = {NAN, NAN, NAN, NULL};
        if (!read_criterion(one, &c, &error)) continue;
        const double share = lab_share_of(&c, all_right, evidence, &m, why, sizeof why), max = share < 0 ? 0 : c.points,
                     points = share < 0 ? 0 : round(100 * share * max) / 100;
        json_t *row = json_pack("{s:s, s:s, s:f, s:f, s:s+}", "name", c.name, "kind", c.kind, "points", points,
                                "max_points", max, "why", c.bonus ? "bonus: " : "", why);
        if (!isnan(m.value)) {
            json_object_set_new(row, "value", json_real(m.value));
            json_object_set_new(row, "from", json_real(m.from)), json_object_set_new(row, "to", json_real(m.to));
            json_object_set_new(row, "unit", json_string(m.unit));
        }
        json_array_append_new(result, row);
        *(c.bonus ? bonus : score) += points;
        if (!c.bonus) *max_score += max;
    }
    return result;
}
