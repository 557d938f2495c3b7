// evidence.c: what cases, times and counts give for one criterion.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "criterion.h"
#include "process.h"
#include "rubric.h"

static const char *text(const json_t *o, const char *key) {
    const char *s = json_string_value(json_object_get(o, key));
    return s ? s : "";
}

static double number(const json_t *o, const char *key) { return json_number_value(json_object_get(o, key)); }

static int is(const json_t *o, const char *key, const char *value) { return strcmp(text(o, key), value) == 0; }

static const char *claims_hold(int all) { return all == 1 ? "claim holds" : "claims hold"; }

// The share of c's points, from 0 to 1; negative when c does not count. why: what it is for. What did not run has not
// failed; and what a busy machine did not let end costs no points.
static double correctness(const lab_criterion *c, const lab_evidence *e, char *why, size_t size) {
    int passed = 0, all = 0, not_run = 0, ours = 0;
    size_t i;
    json_t *o;
    json_array_foreach(e->cases, i, o) {
        if (!is(o, "criterion", c->name)) continue;
        all++;
        passed += is(o, "verdict", "PASSED");
        not_run += is(o, "verdict", "SKIPPED");
        // The words alone are no excuse: a diagnosis may quote what the file has printed.
        ours +=
            is(o, "verdict", "GRADER_ERROR") && strncmp(text(o, "diagnosis"), LAB_TOO_BUSY, strlen(LAB_TOO_BUSY)) == 0;
    }
    if (all == 0 || all == not_run)
        snprintf(why, size, "not run");
    else if (ours && passed + ours == all)
        snprintf(why, size, "not counted: " LAB_TOO_BUSY " for %d of %d claim%s", ours, all, all == 1 ? "" : "s");
    else if (not_run)
        snprintf(why, size, "%d of %d %s, %d not run", passed, all - not_run, claims_hold(all - not_run), not_run);
    else
        snprintf(why, size, "%d of %d %s", passed, all, claims_hold(all));
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

// ---- A baseline that is faster than the machine can be: what was subtracted from it was not its own

static int is_own(const json_t *t) { return strncmp(text(t, "implementation"), "yours", 5) == 0; }

static int same_point(const json_t *a, const json_t *b) {
    return is(a, "series", text(b, "series")) && is(a, "case", text(b, "case"));
}

static int wrong_baseline(const json_t *t) { return !is_own(t) && is(t, "verdict", "TIMING_SUSPECT"); }

int lab_baseline_is_impossible(const json_t *timings) {
    size_t i;
    json_t *t;
    json_array_foreach(timings, i, t) if (wrong_baseline(t)) return 1;
    return 0;
}

void lab_excuse_points(json_t *timings) {
    size_t i, k;
    json_t *t, *own;
    json_array_foreach(timings, i, t) {
        if (!wrong_baseline(t)) continue;
        json_array_foreach(timings, k, own) {
            if (!is_own(own) || !same_point(own, t)) continue;
            json_object_set_new(own, "verdict", json_string("GRADER_ERROR"));
            json_object_set_new(
                own, "why",
                json_sprintf("not counted: %s seemed faster than this machine can be", text(t, "implementation")));
        }
    }
}

// ---- Speed

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
static double speedup_of(const lab_criterion *c, const json_t *timings, char *why, size_t size) {
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

static double speed(const lab_criterion *c, double speedup, lab_measured *m, char *why, size_t size) {
    *m = (lab_measured){speedup, c->from, c->to, "x"};
    if (!*why) snprintf(why, size, "%.2fx; points from %gx, all of them from %gx", speedup, c->from, c->to);
    return between(speedup, c->from, c->to);
}

// ---- Where there is no GPU

// Sums over the buffers of a counted case.
typedef struct {
    double moved, least, wavefronts, multiply_adds;
} sums;

static sums sums_of(const json_t *counts, const char *point) {
    sums s = {0, 0, 0, 0};
    size_t i;
    json_t *o;
    json_array_foreach(counts, i, o) {
        if (!point || !is(o, "case", point)) continue;
        s.moved += 32 * number(o, "sectors"), s.least += number(o, "least_bytes");
        s.wavefronts += number(o, "wavefronts"), s.multiply_adds += number(o, "multiply_adds");
    }
    return s;
}

// What was found to be wrong with the cases of c. ours: the lab could not count.
static const json_t *finding_of(const lab_criterion *c, const json_t *counts) {
    const char *const points[] = {"all", c->traffic.point, c->shared.point};
    size_t i;
    json_t *o;
    json_array_foreach(counts, i, o) {
        for (int k = 0; k < 3; k++)
            if (json_object_get(o, "finding") && points[k] && is(o, "case", points[k])) return o;
    }
    return NULL;
}

typedef struct {
    lab_bounds bounds;
    double value;  // NAN: not counted
    const char *unit, *says;
} counted;

// Of both counts the one that gives less: who saves the one by spending the other has saved nothing.
static double from_counts(const lab_criterion *c, const json_t *counts, lab_measured *m, char *why, size_t size) {
    const sums bytes = sums_of(counts, c->traffic.point), on_chip = sums_of(counts, c->shared.point);
    const counted both[] = {{c->traffic, bytes.least > 0 ? bytes.moved / bytes.least : NAN, "times the least bytes",
                             "from counted traffic, not from time (no GPU): %s moves %.2f times the least bytes; "
                             "points below %gx, all of them "
                             "up to %gx"},
                            {c->shared,
                             on_chip.multiply_adds > 0 ? 32 * on_chip.wavefronts / on_chip.multiply_adds : NAN,
                             "numbers from and to shared memory per multiply-add",
                             "from counts, not from time (no GPU): %s takes %.2f numbers from and to shared memory per "
                             "multiply-add; points below "
                             "%g, all of them up to %g"}};
    const json_t *const finding = finding_of(c, counts);
    const char *const found = finding ? text(finding, "finding") : "";
    double share = -1;
    if (finding && !is(finding, "verdict", "GRADER_ERROR")) {
        const int all = is(finding, "case", "all");
        snprintf(why, size, "from counted traffic: %s%s%s", all ? "" : text(finding, "case"), all ? "" : ": ", found);
        return 0;
    }
    for (int i = 0; i < 2; i++) {
        const counted *one = &both[i];
        const double gives = between(one->value, one->bounds.from, one->bounds.to);
        if (isnan(one->value) || !one->bounds.point || (share >= 0 && gives >= share)) continue;
        share = gives;
        *m = (lab_measured){one->value, one->bounds.from, one->bounds.to, one->unit};
        snprintf(why, size, one->says, one->bounds.point, one->value, one->bounds.from, one->bounds.to);
    }
    if (share < 0)
        snprintf(why, size, "not counted: %s was not measured on this machine%s%s", c->baseline, *found ? "; " : "",
                 found);
    return share;
}

double lab_share_of(const lab_criterion *c, int all_right, const lab_evidence *e, lab_measured *m, char *why,
                    size_t size) {
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
    return s >= 0 ? speed(c, s, m, why, size) : from_counts(c, e->counts, m, why, size);
}
