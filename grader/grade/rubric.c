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

// Full points must need more than no points: a larger speed-up, a smaller ratio of bytes.
static int bounds_are_right(const json_t *c) {
    const json_t *traffic = json_object_get(c, "traffic");
    if (!is(c, "kind", "speed")) return 1;
    if (traffic && !(number(traffic, "from") > number(traffic, "to") && number(traffic, "to") >= 1)) return 0;
    return number(c, "to") > number(c, "from");
}

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
            if (!bounds_are_right(c)) {
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

// A bonus that is not written, or not right, costs nothing else; nor do claims about single TODOs.
static int all_passed(const json_t *rubric, const char *task, const json_t *cases) {
    size_t i;
    json_t *o;
    json_array_foreach(cases, i, o) {
        if (!is(o, "verdict", "PASSED") && lab_rubric_requires(rubric, task, text(o, "criterion"))) return 0;
    }
    return json_array_size(cases) > 0;
}

static double speed(const json_t *c, double speedup, char *why, size_t size) {
    const double from = number(c, "from"), to = number(c, "to");
    snprintf(why, size, "%.2fx; points from %gx, all of them from %gx", speedup, from, to);
    return fmax(0, fmin(1, (speedup - from) / (to - from)));
}

// ---- Counted traffic, where there is no GPU

static const json_t *finding_of(const json_t *c, const json_t *counts) {
    const char *name = text(json_object_get(c, "traffic"), "case");
    size_t i;
    json_t *o;
    json_array_foreach(counts, i, o) {
        if (json_object_get(o, "finding") && (is(o, "case", name) || is(o, "case", "all"))) return o;
    }
    return NULL;
}

// Bytes moved, in sectors of 32, over the least bytes; negative when the case was not counted.
static double ratio_of(const json_t *c, const json_t *counts) {
    const char *name = text(json_object_get(c, "traffic"), "case");
    double moved = 0, least = 0;
    size_t i;
    json_t *o;
    json_array_foreach(counts, i, o) {
        if (!*name || !is(o, "case", name)) continue;
        moved += 32 * number(o, "sectors");
        least += number(o, "least_bytes");
    }
    return least > 0 ? moved / least : -1;
}

// The share of c's points; negative when c does not count.
static double traffic(const json_t *c, const json_t *counts, char *why, size_t size) {
    const json_t *rule = json_object_get(c, "traffic"), *finding = finding_of(c, counts);
    const double ratio = ratio_of(c, counts), from = number(rule, "from"), to = number(rule, "to");
    if (finding && !is(finding, "verdict", "GRADER_ERROR")) {
        const int all = is(finding, "case", "all");
        snprintf(why, size, "from counted traffic: %s%s%s", all ? "" : text(finding, "case"), all ? "" : ": ",
                 text(finding, "finding"));
        return 0;
    }
    if (ratio < 0) {
        snprintf(why, size, "not counted: %s was not measured on this machine%s%s", text(c, "baseline"),
                 finding ? "; " : "", finding ? text(finding, "finding") : "");
        return -1;
    }
    snprintf(why, size,
             "from counted traffic, not from time (no GPU): %s moves %.2f times the least bytes; points below %gx, all "
             "of them up to %gx",
             text(rule, "case"), ratio, from, to);
    return fmax(0, fmin(1, (from - ratio) / (from - to)));
}

// ----

// The share of c's points; negative when c does not count.
static double share_of(const json_t *rubric, const char *task, const json_t *c, const lab_evidence *e, char *why,
                       size_t size) {
    if (is(c, "evidence", "recall")) return recall(e, why, size);
    if (is(c, "kind", "correctness")) return correctness(c, e->cases, why, size);
    if (!e->measured) {
        snprintf(why, size, "not counted: this run did not measure speed");
        return -1;
    }
    if (!all_passed(rubric, task, e->cases)) {
        snprintf(why, size, "not measured: the answers are not all right");
        return 0;
    }
    const double s = speedup_of(c, e->timings);
    return s >= 0 ? speed(c, s, why, size) : traffic(c, e->counts, why, size);
}

json_t *lab_rubric_score(const json_t *rubric, const char *id, const lab_evidence *evidence, double *score,
                         double *max_score, double *bonus) {
    json_t *task, *c, *result = json_array();
    size_t i, k;
    *score = *max_score = *bonus = 0;
    json_array_foreach(json_object_get(rubric, "tasks"), i, task) {
        if (!is(task, "id", id)) continue;
        json_array_foreach(json_object_get(task, "criteria"), k, c) {
            const int is_bonus = json_is_true(json_object_get(c, "bonus"));
            char why[1024] = "bonus: ";
            const size_t used = is_bonus ? strlen(why) : 0;
            const double share = share_of(rubric, id, c, evidence, why + used, sizeof why - used);
            const double max = share < 0 ? 0 : number(c, "points");
            const double points = share < 0 ? 0 : round(100 * share * max) / 100;
            json_array_append_new(result, json_pack("{s:s, s:s, s:f, s:f, s:s}", "name", text(c, "name"), "kind",
                                                    text(c, "kind"), "points", points, "max_points", max, "why", why));
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

int lab_rubric_requires(const json_t *rubric, const char *id, const char *criterion) {
    return strcmp(criterion, "todo") && !lab_rubric_is_bonus(rubric, id, criterion);
}
