// time_device.c: rounds of timed requests (window.c) to CUDA stages.
//
// A request holds as many calls as make the boundary between the processes small, each on tensors of its own that no
// cache holds. We subtract the time of the null stage's request, which makes the same inputs. What a stage could still
// gain by doing the lab's part of the window itself is at most that.
#include "time_device.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "backend.h"
#include "stage.h"
#include "time_host.h"
#include "window.h"

enum { MOST_SETS = 512, NOTHING_ROUNDS = 9, MOST_NOTHING_ROUNDS = LAB_MOST_ROUNDS };
static const double LEAST_SECONDS = 4e-3;           // of a timed request's calls, on a fast GPU
static const double MOST_SECONDS = 0.25;            // of those of a slow stage
static const size_t MOST_BYTES = (size_t)20 << 30;  // of a request with more than one set
static const double LEAST_CALL = 0.5e-6;  // an empty kernel in a graph, on an H200; grade_all measures its own GPU's
static const lab_budget usual = {
    .sure = 3, .usual = 7, .most = 30, .seconds = 0.3, .longest = 0.6, .spread = 0.02, .settles = 1};
static const double NOTHING_BASE = -1e-3;  // 0.1 ms of making inputs need not be the same within 5 us

typedef struct {
    lab_contender *c;
    const lab_device_point *at;
    int sets;
    uint64_t seed;
} turn;

static double time_round(void *context, int i, int round, lab_timing *t) {
    const turn *r = context;
    (void)i;
    return lab_window(r->c, &r->at->e, r->sets, r->seed, round + 2, t);
}

// ---- A point

static int usable(lab_contender *c, const lab_experiment *e, lab_timing *t) {
    *t = (lab_timing){.verdict = LAB_SKIPPED, .extra_bytes = -1};
    if (!lab_does(&c->is, e->op) || !lab_series_wanted(c->is.series, e->series)) {
        t->rounds = -1;  // it has no place in this point
        return 0;
    }
    if (lab_contender_start(c)) return 1;
    if (c->verdict == LAB_GRADER_ERROR) t->verdict = c->verdict;  // the GPU has gone: it is measured again some day
    snprintf(t->why, sizeof t->why, "%s", c->why);
    return 0;
}

// Bytes of a request on the device. On fp32 PyTorch's math backend materialises scores: as much as the chain, twice.
static size_t needed(const lab_contender *c, const lab_experiment *e) {
    size_t bytes = lab_layout_of(lab_does(&c->is, e->op), e->shape, 1).bytes;
    if (c->is.argument && strcmp(c->is.argument, "math") == 0 && e->op == &lab_sdpa)
        bytes += 3 * sizeof(float) * (size_t)e->shape.batch * e->shape.heads * e->shape.seq_q * e->shape.seq_kv;
    return bytes;
}

// What a call takes on a fast GPU, roughly. How many calls a request holds must not depend on who is timed.
static double guess(const lab_experiment *e) {
    const double calls = e->op == &lab_tokens ? e->shape.seq_q : 1;
    return calls * (fmax(lab_experiment_flops(e) / 40e12, lab_experiment_bytes(e, 0) / 4e12) + 5e-6);
}

lab_device_point lab_device_point_of(const lab_contender *c, int n, const lab_experiment *e) {
    lab_device_point p = {.e = *e};
    const size_t have = c[0].device_bytes, room = MOST_BYTES < have ? MOST_BYTES : have;
    size_t most = 1;
    while (p.e.shape.batch > 1 && needed(&c[1], &p.e) > have) p.e.shape.batch /= 2;
    for (int i = 1; i < n; i++) {
        const size_t bytes = lab_does(&c[i].is, e->op) ? needed(&c[i], &p.e) : 0;
        if (bytes > most && bytes <= have) most = bytes;
    }
    p.sets = (int)fmax(1, fmin(MOST_SETS, fmin(floor((double)room / most), ceil(LEAST_SECONDS / guess(&p.e)))));
    return p;
}

int lab_time_nothing(lab_contender *null, lab_device_point *p, uint64_t seed, lab_timing *t) {
    if (!usable(null, &p->e, t)) return 0;
    for (int k = 0; k < 2; k++) {
        double seconds[MOST_NOTHING_ROUNDS];
        const int sets = k ? p->sets : 1;
        int n = 0;
        for (int round = 0; n < NOTHING_ROUNDS || (n < MOST_NOTHING_ROUNDS && !lab_settled(seconds, n, NOTHING_BASE));
             round++) {
            const double s = lab_window(null, &p->e, sets, seed, round, t);
            if (t->verdict != LAB_PASSED) return 0;
            if (round >= 2) seconds[n++] = s;  // the first two warm up
        }
        p->none_s[k] = lab_quantile(seconds, lab_undisturbed(seconds, n, NOTHING_BASE), 0.5);
    }
    lab_window_free(null, &p->e);
    return 1;
}

static double none(const lab_device_point *p, int sets) {
    return p->none_s[0] + (p->sets > 1 ? (p->none_s[1] - p->none_s[0]) * (sets - 1) / (p->sets - 1) : 0);
}

// Warms up, and chooses how many calls a timed request holds.
static int sets_for(const turn *r, lab_timing *t) {
    lab_contender *c = r->c;
    const lab_experiment *e = &r->at->e;
    if (needed(c, e) > c->device_bytes) {
        t->verdict = LAB_SKIPPED;
        snprintf(t->why, sizeof t->why, "needs %.1f GB of device memory", needed(c, e) * 1e-9);
        return 0;
    }
    lab_window(c, e, 1, r->seed, 0, t);  // loads what is loaded lazily
    if (t->verdict != LAB_PASSED) return 0;
    const double cost = fmax(lab_window(c, e, 1, r->seed, 1, t) - none(r->at, 1), 1e-6);
    return (int)fmax(1, fmin(r->at->sets, ceil(MOST_SECONDS / cost)));
}

// What is left of a request's time must be possible.
static void subtract(const lab_device_point *p, int sets, lab_samples *s, lab_timing *t) {
    const double calls = p->e.op == &lab_tokens ? p->e.shape.seq_q : 1, nothing = none(p, sets);
    for (int k = 0; k < t->rounds; k++) s->seconds[k] = fmax(s->seconds[k] - nothing, 1e-9) / sets;
    if (t->rounds > 0) t->rounds = lab_undisturbed(s->seconds, t->rounds, 0);
    lab_summarise(t, s->seconds, calls);
    if (!lab_backend()->on_gpu || t->rounds < 1 || t->median_s >= LEAST_CALL) return;
    t->verdict = LAB_TIMING_SUSPECT, t->rounds = 0;
    snprintf(
        t->why, sizeof t->why,
        "%d calls on fresh inputs took hardly longer than making the inputs does (%.3g ms): no GPU computes so fast",
        sets, 1e3 * nothing);
}

// One after the other, so that their memory need not be there at once.
void lab_time_device(lab_contender *c, int n, const lab_device_point *p, uint64_t seed, lab_timing *timings) {
    for (int i = 0; i < n; i++) {
        turn r = {&c[i], p, 0, seed};
        lab_samples samples = {0};
        const lab_timer timer = {&r, NULL, time_round};
        if (!usable(&c[i], &p->e, &timings[i])) continue;
        r.sets = sets_for(&r, &timings[i]);
        lab_budget budget = usual;
        budget.base = none(p, r.sets);
        lab_clock(&timer, 1, &budget, &samples, &timings[i]);
        lab_window_free(&c[i], &p->e);
        subtract(p, r.sets, &samples, &timings[i]);
    }
}
