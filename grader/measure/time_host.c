// time_host.c: rounds of timed requests to stages in C.
//
// A round draws fresh inputs, gives every contender the same ones, and times one request of as many calls as make the
// boundary between the processes small. The clock stops after the outputs have been copied out: work that is still
// unfinished then is either timed or missing from the output, so it fails. The checker freezes every process that it is
// not timing: a library's idle threads spin, and would slow down the next contender. A process that goes on gets its inputs
// once all of its threads sleep: threads that spin wake together, some of them on one processor, and a call waits for these.
#define _GNU_SOURCE
#include "time_host.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "check.h"
#include "device.h"
#include "resident.h"
#include "rows.h"
#include "sizes.h"

enum { CHECKED_ROWS = 16, FEW_ROWS = 4 };   // rows of a request's outputs that are compared; of each call at least
static const double LEAST_SECONDS = 8e-3;   // of one timed request
static const double MOST_OVERUSE = 1.25;    // processor seconds over those that the threads have
static const double LONGEST_CALL = 20;      // a point predicted to take longer is skipped
static const double LONGEST_GLANCE = 3;     // the same for a baseline where no points hang on it
static const double LONGEST_REST = 0.1;     // until idle threads sleep: OpenMP's spin for milliseconds
static const double ASLEEP = 1e-4;          // of a processor, at most, while inputs are written
static const size_t MOST_BYTES = 96 << 20;  // of the tensors of one timed request
static const size_t NULL_BYTES = 16 << 20;  // of the null stage's, which takes as many calls as there is room for
static const lab_budget usual = {.sure = 1, .usual = 7, .most = 25, .seconds = 0.2, .longest = 0.8, .spread = 0.02},
                        quick = {.sure = 1, .usual = 7, .most = 7, .longest = 0.25},
                        glance = {.sure = 1, .usual = 3, .most = 3, .longest = 0.25};

typedef struct {
    const lab_experiment *e;
    lab_contender *c;
    uint64_t seed, key[LAB_MAX_TENSORS], large;
    int sets[LAB_MOST_CONTENDERS], most;  // calls in a request of each contender; the largest of them
    size_t n[4];                          // elements of O, Q, K, V
    float *tensor[4];                     // of `most` sets: inputs that no other process can reach; the output
} point;

// ---- One request

static int allocate(point *p, int sets) {
    int ok = 1;
    p->most = sets;
    for (int t = 0; t < 4; t++) {
        p->n[t] = lab_sdpa.elements(p->e->shape, t);
        p->tensor[t] = malloc(sizeof(float) * p->n[t] * sets);
        ok = ok && p->tensor[t];
    }
    return ok;
}

static void release(point *p) {
    for (int t = 0; t < 4; t++) free(p->tensor[t]), p->tensor[t] = NULL;
}

// Everything that is drawn depends on the point, on who is timed, and on the round. Rows do not follow from inputs.
static uint64_t drawn(const point *p, const char *what, int t, int round) {
    char name[256];
    snprintf(name, sizeof name, "%s of %s, %s, %s, %d threads", what, p->e->series, p->e->name ? p->e->name : "",
             p->c->name, p->c->threads);
    return lab_key(p->seed, name, t, round);
}

static void draw(void *context, int round) {
    point *p = context;
    for (int t = 1; t < 4; t++) {
        p->key[t] = drawn(p, "inputs", t, round);
        lab_fill_quick(p->tensor[t], p->n[t] * p->most, p->key[t], 0);
    }
    p->large = drawn(p, "the large query", 0, round) | 1;
    const size_t D = p->e->shape.head_dim;
    for (int i = 0; i < p->most; i++)
        lab_make_large(p->tensor[1] + i * p->n[1] + lab_large_row(p->e->shape, p->large, i) * D, D);
}

// Processor time of a process and its children, of all threads.
static double processor_seconds(pid_t pid) {
    lab_usage u;
    lab_usage_read(pid, &u);
    return u.total;
}

// A time on one thread is not one of many. used: processor time within `seconds`, which are a little more than the
// call's: threads that wait for work may spin until they are frozen.
int lab_uses_more(int threads, long processors, double used, double seconds) {
    return threads < processors && used > MOST_OVERUSE * threads * seconds + 2e-3;
}

double lab_fair_seconds(int threads, long processors, double used, double seconds) {
    return threads < processors ? fmax(seconds, used / threads) : seconds;
}

static void count_threads(const lab_contender *c, double used, double seconds, lab_timing *t) {
    if (!lab_uses_more(c->threads, sysconf(_SC_NPROCESSORS_ONLN), used, seconds)) return;
    t->verdict = LAB_TIMING_SUSPECT;
    snprintf(t->why, sizeof t->why, "used %.1f processors where it may use %d thread%s: OMP_NUM_THREADS says how many",
             used / seconds, c->threads, c->threads > 1 ? "s" : "");
}

// Nobody may know inputs before the clock starts: if the process runs while they are written, the clock runs, too.
double lab_clock_starts(double before, double written, double used) { return used > ASLEEP ? before : written; }

static void write_tensors(const point *p, char *arena, const lab_request *request, int sets) {
    for (int i = 0; i < sets; i++)
        for (int k = 0; k < 4; k++) {
            float *at = (float *)(arena + request->offset[k] + i * request->stride);
            if (k == 0)
                lab_poison(at, p->n[0]);
            else
                memcpy(at, p->tensor[k] + i * p->n[k], p->n[k] * sizeof(float));
        }
}

static double timed_request(const point *p, lab_contender *c, int sets, lab_timing *t) {
    char *arena = c->process.arena;
    const pid_t pid = c->process.process.pid;
    lab_request request = lab_request_of(lab_does(&c->is, p->e->op), p->e->shape, sets, LAB_TEST);
    memcpy(request.extra, p->e->tiles, sizeof request.extra);
    attn_status status = ATTN_OK;
    lab_process_freeze(&c->process.process, 0);
    lab_process_rest(&c->process.process, LONGEST_REST);
    const double used = processor_seconds(pid), before = lab_now();
    write_tensors(p, arena, &request, sets);
    const double start = lab_clock_starts(before, lab_now(), processor_seconds(pid) - used);
    t->verdict = lab_stage_call(&c->process, &request, 4 * LONGEST_CALL * sets, &status, t->why, sizeof t->why);
    if (t->verdict == LAB_PASSED)
        for (int i = 0; i < sets; i++)
            memcpy(p->tensor[0] + i * p->n[0], arena + request.offset[0] + i * request.stride, p->n[0] * sizeof(float));
    double seconds = lab_now() - start;
    if (c->process.alive) lab_process_freeze(&c->process.process, 1);
    if (t->verdict == LAB_PASSED && c->threads && !c->is.file) {
        const double more = processor_seconds(pid) - used;
        count_threads(c, more, lab_now() - before, t);
        seconds = lab_fair_seconds(c->threads, sysconf(_SC_NPROCESSORS_ONLN), more, seconds);
    }
    if (t->verdict == LAB_PASSED && status != ATTN_OK)
        t->verdict = lab_judge_status(status, request.symbol[0], c->process.process.text, NULL, t->why, sizeof t->why);
    return seconds;
}

static int inputs_are_unchanged(const point *p, const lab_contender *c, int sets) {
    const lab_request request = lab_request_of(lab_does(&c->is, p->e->op), p->e->shape, sets, LAB_TEST);
    int same = 1;
    for (int i = 0; i < sets; i++)
        for (int k = 1; k < 4; k++)
            same = same && !memcmp(c->process.arena + request.offset[k] + i * request.stride,
                                   p->tensor[k] + i * p->n[k], p->n[k] * sizeof(float));
    return same;
}

// No input has changed; every element is written, and a few rows of each call, drawn at random,
// equal the oracle's. A student's are as exact as float32, too.
static lab_verdict judge(const point *p, const lab_contender *c, int sets, uint64_t key, lab_timing *t) {
    const int rows = CHECKED_ROWS / sets > FEW_ROWS ? CHECKED_ROWS / sets : FEW_ROWS;
    if (!inputs_are_unchanged(p, c, sets)) {
        snprintf(t->why, sizeof t->why, "an input was changed");
        return LAB_INPUT_MODIFIED;
    }
    int right = lab_all_finite(p->tensor[0], p->n[0] * sets);
    double rms = 0;
    for (int i = 0; i < sets && right; i++) {
        const lab_made made = {.key = p->key, .set = i, .large = 1 + lab_large_row(p->e->shape, p->large, i)};
        const float *const out = p->tensor[0] + i * p->n[0];
        right = lab_large_row_is_right(p->e, &made, out, 0) &&
                lab_rows_are_right(p->e, &made, out, 0, lab_row_count(p->e), rows, lab_bits(key, i), &rms);
    }
    const int exact = right && (c->is.file || !lab_is_inexact(rms, t->why, sizeof t->why));
    return exact ? LAB_PASSED : LAB_WRONG_ANSWER;
}

static int is_null(const lab_contender *c) { return !c->is.does[0].what; }

static double time_round(void *context, int i, int round, lab_timing *t) {
    point *p = context;
    const double seconds = timed_request(p, &p->c[i], p->sets[i], t);
    if (t->verdict != LAB_PASSED || is_null(&p->c[i])) return seconds;
    t->verdict = judge(p, &p->c[i], p->sets[i], drawn(p, "rows", i, round), t);
    return seconds;
}

// ---- A point

int lab_host_start(lab_contender *c) {
    const lab_experiment small = {.series = "start", .name = "start", .op = &lab_sdpa, .shape = {1, 1, 64, 64, 64, 0}};
    point p = {.e = &small, .c = c};
    lab_timing t = {.verdict = LAB_GRADER_ERROR};
    if (!lab_contender_start(c)) return 0;
    if (allocate(&p, 1)) {
        draw(&p, 0);
        timed_request(&p, c, 1, &t);
    }
    release(&p);
    c->seconds_per_flop = 0;
    c->resident_bytes = lab_private_bytes(c->process.process.pid, "VmRSS:");
    if (t.verdict != LAB_PASSED) snprintf(c->why, sizeof c->why, "%s", t.why);
    return t.verdict == LAB_PASSED;
}

// The warm-up call: is it right, what will a call cost, how much memory does it take? Returns its seconds.
static double warm_up(point *p, int i, lab_timing *t) {
    lab_contender *c = &p->c[i];
    const double flops = lab_flops(p->e->shape), predicted = c->seconds_per_flop * flops;
    const double longest = c->glance ? LONGEST_GLANCE : LONGEST_CALL;
    const pid_t pid = c->process.process.pid;
    *t = (lab_timing){.verdict = LAB_SKIPPED, .extra_bytes = -1};
    if (*c->why || !c->process.alive)
        snprintf(t->why, sizeof t->why, "%s", *c->why ? c->why : "its process has ended");
    else if (predicted > longest)
        snprintf(t->why, sizeof t->why, "would take about %.0f s, the limit is %.0f s", predicted, longest);
    if (*t->why) return 0;
    lab_reset_peak(pid);
    const double seconds = timed_request(p, c, 1, t);
    if (t->verdict != LAB_PASSED) return 0;
    const long peak = lab_private_bytes(pid, "VmHWM:");
    if (peak >= 0) t->extra_bytes = peak > c->resident_bytes ? peak - c->resident_bytes : 0;
    c->seconds_per_flop = seconds / flops;
    if (!is_null(c)) t->verdict = judge(p, c, 1, drawn(p, "rows", i, -1), t);
    return seconds;
}

// Calls in a request: as many as take LEAST_SECONDS, if there is room for their tensors.
static int sets_for(const point *p, int i, double seconds) {
    const size_t most = is_null(&p->c[i]) ? NULL_BYTES : MOST_BYTES;
    const size_t arena = p->c[i].process.arena_bytes, room = arena < most ? arena : most;
    const double fit = (double)room / lab_layout_of(&lab_sdpa, p->e->shape, 1).bytes;
    return (int)fmax(1, fmin(ceil(LEAST_SECONDS / fmax(seconds, 1e-6)), floor(fit)));
}

void lab_time_host(lab_contender *c, int n, const lab_experiment *e, double none_s, uint64_t seed,
                   lab_timing *timings) {
    const lab_budget *budget = c->glance ? &glance : e->alone || is_null(c) ? &quick : &usual;
    point p = {.e = e, .c = c, .seed = seed};
    lab_samples samples[LAB_MOST_CONTENDERS] = {0};
    const lab_timer timer = {&p, draw, time_round};
    int most = 1;
    memset(timings, 0, n * sizeof *timings);
    if (!allocate(&p, 1)) return;
    draw(&p, -1);
    for (int i = 0; i < n; i++) {
        const double seconds = warm_up(&p, i, &timings[i]);
        p.sets[i] = sets_for(&p, i, seconds);
        if (timings[i].verdict == LAB_PASSED && p.sets[i] > most) most = p.sets[i];
        if (timings[i].verdict == LAB_PASSED && seconds > budget->longest)  // one call is all that it can afford
            samples[i].seconds[timings[i].rounds++] = samples[i].used = seconds, p.sets[i] = 1;
    }
    release(&p);
    if (allocate(&p, most)) lab_clock(&timer, n, budget, samples, timings);
    for (int i = 0; i < n; i++) {
        lab_summarise(&timings[i], samples[i].seconds, p.sets[i]);
        // What disturbs the null stage only adds to it, and would be a gift to whoever is compared with it.
        if (timings[i].rounds && is_null(&c[i])) timings[i].median_s = samples[i].seconds[0] / p.sets[i];
        if (timings[i].rounds) timings[i].median_s = fmax(timings[i].median_s - none_s, 1e-9);
    }
    release(&p);
}
