// rubric.c: points.
#include "rubric.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "process.h"

// One criterion of rubric.json.
typedef struct {
    const char *name, *kind, *evidence, *baseline, *series, *point;  // point: "case" in the file
    double points, from, to;                                         // of a speed-up
    int bonus;
    struct {
        const char *point;
        double from, to;  // of bytes moved over the minimum
    } traffic;            // where there is no GPU; point is NULL if it has none
} criterion;

static int read_criterion(const json_t *c, criterion *r, json_error_t *error) {
    *r = (criterion){0};
    return json_unpack_ex(
               (json_t *)c, error, JSON_STRICT, "{s:s, s:s, s:F, s?s, s?b, s?s, s?s, s?s, s?F, s?F, s?{s:s, s:F, s:F}}",
               "name", &r->name, "kind", &r->kind, "points", &r->points, "evidence", &r->evidence, "bonus", &r->bonus,
               "baseline", &r->baseline, "series", &r->series, "case", &r->point, "from", &r->from, "to", &r->to,
               "traffic", "case", &r->traffic.point, "from", &r->traffic.from, "to", &r->traffic.to) == 0;
}

// Full points must need more than no points: a larger speed-up, a smaller ratio of bytes.
static int bounds_are_right(const criterion *c) {
    if (strcmp(c->kind, "speed")) return 1;
    if (c->traffic.point && !(c->traffic.from > c->traffic.to && c->traffic.to >= 1)) return 0;
    return c->series && c->point && c->baseline && c->to > c->from;
}

// Why the task's row is wrong, or "".
static void check_task(json_t *task, char *why, size_t size) {
    const char *id;
    json_t *criteria, *one;
    json_error_t error;
    criterion c;
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

// ---- Rows of results.json

static const char *text(const json_t *o, const char *key) {
    const char *s = json_string_value(json_object_get(o, key));
    return s ? s : "";
}

static double number(const json_t *o, const char *key) { return json_number_value(json_object_get(o, key)); }

static int is(const json_t *o, const char *key, const char *value) { return strcmp(text(o, key), value) == 0; }

// The share of c's points, from 0 to 1; negative when c does not count. why: what it is for. What did not run has not
// failed; and what a busy machine did not let end costs no points.
static double correctness(const criterion *c, const lab_evidence *e, char *why, size_t size) {
    int passed = 0, all = 0, not_run = 0, ours = 0;
    size_t i;
    json_t *o;
    json_array_foreach(e->cases, i, o) {
        if (!is(o, "criterion", c->name)) continue;
        all++;
        passed += is(o, "verdict", "PASSED");
        not_run += is(o, "verdict", "SKIPPED");
        ours += strncmp(text(o, "diagnosis"), LAB_TOO_BUSY, strlen(LAB_TOO_BUSY)) == 0;
    }
    if (all == 0 || all == not_run)
        snprintf(why, size, "not run");
    else if (ours && passed + ours == all)
        snprintf(why, size, "not counted: " LAB_TOO_BUSY " for %d of %d claims", ours, all);
    else if (not_run)
        snprintf(why, size, "%d of %d claims hold, %d not run", passed, all - not_run, not_run);
    else
        snprintf(why, size, "%d of %d claims hold", passed, all);
    if (ours && passed + ours == all) return -1;
    return all && passed == all;
}

// The demo's questions: answered as often as with the lab's kernels?
static double recall(const lab_evidence *e, char *why, size_t size) {
    const json_t *r = json_object_get(e->demo, "recall");
    const double asked = number(r, "asked"), yours = number(r, "yours"), reference = number(r, "reference");
    if (json_array_size(e->cases) == 0) {
        snprintf(why, size, "nothing to run");
        return 0;
    }
    if (!r || reference <= 0) {
        snprintf(why, size, "not counted: the demo could not be run; log.txt says why");
        return -1;
    }
    snprintf(why, size, "recall %.0f/%.0f, reference %.0f/%.0f", yours, asked, reference, asked);
    return yours >= reference;
}

// The first of its own timings that failed, or NULL. What the lab skipped is no failure.
static const json_t *failure(const json_t *timings) {
    size_t i;
    json_t *t;
    json_array_foreach(timings, i, t) {
        const int fair = is(t, "verdict", "PASSED") || is(t, "verdict", "SKIPPED") || is(t, "verdict", "GRADER_ERROR");
        if (is(t, "implementation", "yours") && !fair) return t;
    }
    return NULL;
}

// The speed-up over the baseline. 0, with the reason in why, where the submission's own call failed when it was timed,
// there or before (then the rest is not measured), or was too slow for it: who refuses to be timed is not better off than
// who is slow. Below 0 where the lab has no baseline here.
static double speedup_of(const criterion *c, const json_t *timings, char *why, size_t size) {
    const json_t *const failed = failure(timings);
    double speedup = -1;
    int baseline = 0, yours = 0, skipped = 0;
    size_t i;
    json_t *t;
    json_array_foreach(timings, i, t) {
        if (!is(t, "series", c->series) || !is(t, "case", c->point)) continue;
        const int mine = is(t, "implementation", "yours"), passed = is(t, "verdict", "PASSED");
        if (mine && !passed && !is(t, "verdict", "SKIPPED") && !is(t, "verdict", "GRADER_ERROR")) {
            snprintf(why, size, "%s when it was timed%s%s", text(t, "verdict"), *text(t, "why") ? ": " : "",
                     text(t, "why"));
            return 0;
        }
        yours |= mine;
        skipped |= mine && is(t, "verdict", "SKIPPED");
        if (!is(t, "implementation", c->baseline)) continue;
        baseline |= passed;
        if (json_is_number(json_object_get(t, "speedup"))) speedup = number(t, "speedup");
    }
    if (speedup >= 0) return speedup;
    if (!yours && failed) {
        snprintf(why, size, "not timed: %s when %s was", text(failed, "verdict"), text(failed, "case"));
        return 0;
    }
    if (!baseline || (yours && !skipped)) return -1;
    snprintf(why, size, skipped ? "too slow to be timed, as %s was" : "it gave no time, although %s did", c->baseline);
    return 0;
}

static double between(double x, double none, double all) { return fmax(0, fmin(1, (x - none) / (all - none))); }

// What points for speed are about: a speed-up, or (from > to: less is better) bytes over the minimum.
typedef struct {
    double value, from, to;
} measured;

static double speed(const criterion *c, double speedup, measured *m, char *why, size_t size) {
    *m = (measured){speedup, c->from, c->to};
    if (!*why) snprintf(why, size, "%.2fx; points from %gx, all of them from %gx", speedup, c->from, c->to);
    return between(speedup, c->from, c->to);
}

// Where there is no GPU: the bytes moved, in sectors of 32, over the minimum.
static double traffic(const criterion *c, const json_t *counts, measured *m, char *why, size_t size) {
    const char *point = c->traffic.point ? c->traffic.point : "", *finding = NULL, *found_in = "";
    double moved = 0, least = 0;
    int ours = 0;  // the lab's own fault
    size_t i;
    json_t *o;
    json_array_foreach(counts, i, o) {
        const int mine = *point && is(o, "case", point);
        if (json_object_get(o, "finding") && (mine || is(o, "case", "all")) && !finding)
            finding = text(o, "finding"), found_in = mine ? point : "", ours = is(o, "verdict", "GRADER_ERROR");
        if (mine) moved += 32 * number(o, "sectors"), least += number(o, "least_bytes");
    }
    if (finding && !ours) {
        snprintf(why, size, "from counted traffic: %s%s%s", found_in, *found_in ? ": " : "", finding);
        return 0;
    }
    if (least <= 0) {
        snprintf(why, size, "not counted: %s was not measured on this machine%s%s", c->baseline, finding ? "; " : "",
                 finding ? finding : "");
        return -1;
    }
    snprintf(why, size,
             "from counted traffic, not from time (no GPU): %s moves %.2f times the least bytes; points below %gx, all "
             "of them up to %gx",
             point, moved / least, c->traffic.from, c->traffic.to);
    *m = (measured){moved / least, c->traffic.from, c->traffic.to};
    return between(moved / least, c->traffic.from, c->traffic.to);
}

// ---- Points

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

static double share_of(const criterion *c, int all_right, const lab_evidence *e, measured *m, char *why, size_t size) {
    if (c->evidence && strcmp(c->evidence, "recall") == 0) return recall(e, why, size);
    if (strcmp(c->kind, "correctness") == 0) return correctness(c, e, why, size);
    if (!e->measured) {
        snprintf(why, size, "not counted: this run did not measure speed");
        return -1;
    }
    if (!all_right) {
        snprintf(why, size, "not measured: the answers are not all right");
        return 0;
    }
    const double s = speedup_of(c, e->timings, why, size);
    return s >= 0 ? speed(c, s, m, why, size) : traffic(c, e->counts, m, why, size);
}

json_t *lab_rubric_score(const json_t *rubric, const char *id, const lab_evidence *evidence, double *score,
                         double *max_score, double *bonus) {
    const int all_right = all_passed(rubric, id, evidence->cases);
    json_t *one, *result = json_array();
    size_t i;
    *score = *max_score = *bonus = 0;
    json_array_foreach(criteria_of(rubric, id), i, one) {
        criterion c;
        json_error_t error;
        char why[1024] = "";
        measured m = {NAN, NAN, NAN};
        if (!read_criterion(one, &c, &error)) continue;
        const double share = share_of(&c, all_right, evidence, &m, why, sizeof why), max = share < 0 ? 0 : c.points,
                     points = share < 0 ? 0 : round(100 * share * max) / 100;
        json_t *row = json_pack("{s:s, s:s, s:f, s:f, s:s+}", "name", c.name, "kind", c.kind, "points", points,
                                "max_points", max, "why", c.bonus ? "bonus: " : "", why);
        if (!isnan(m.value)) {
            json_object_set_new(row, "value", json_real(m.value));
            json_object_set_new(row, "from", json_real(m.from)), json_object_set_new(row, "to", json_real(m.to));
        }
        json_array_append_new(result, row);
        *(c.bonus ? bonus : score) += points;
        if (!c.bonus) *max_score += max;
    }
    return result;
}
