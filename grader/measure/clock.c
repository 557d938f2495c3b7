// clock.c: rounds of timed calls.
//
// A round draws fresh inputs, gives every implementation the same ones, and times one request of as many calls as make
// the boundary between the processes small. The clock stops after the outputs have been copied out, so that work
// left to another thread is either in the time or not in the output. A runner is frozen while another is measured:
// idle threads of a library that spin would be paid for by the next one.
#define _GNU_SOURCE
#include "clock.h"

#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "resident.h"
#include "sizes.h"

enum { CHECKED_ROWS = 4 };                  // rows of each call's output that are compared with the oracle
static const double LEAST_SECONDS = 0.02;   // of one timed request
static const size_t MOST_BYTES = 96 << 20;  // of the tensors of one timed request

typedef struct {
    attn_shape shape;
    int sets;
    lab_layout layout;
    size_t n[4];
    float *in[4];  // of all sets
    float *out;
} round_data;

// ---- one request

static int allocate(round_data *d, attn_shape shape, int sets) {
    *d = (round_data){.shape = shape, .sets = sets, .layout = lab_layout_of(&lab_sdpa, shape, sets)};
    int ok = 1;
    for (int t = 0; t < 4; t++) {
        d->n[t] = lab_sdpa.elements(shape, t);
        d->in[t] = malloc(sizeof(float) * d->n[t] * sets);
        ok = ok && d->in[t];
    }
    d->out = d->in[0];
    return ok;
}

static void release(round_data *d) {
    for (int t = 0; t < 4; t++) free(d->in[t]);
}

static void draw(round_data *d, uint64_t seed, int round) {
    for (int t = 1; t < 4; t++)
        lab_fill(d->in[t], d->n[t] * d->sets, d->shape.head_dim, LAB_NORMAL, lab_key(seed, "timing", t, round));
}

static double timed_request(round_data *d, lab_implementation *im, const int tiles[2], double limit, lab_verdict *v,
                            char *why, size_t size) {
    char *arena = im->process.arena;
    lab_request request = lab_request_of(im->op, d->shape, d->sets, LAB_TEST);
    memcpy(request.extra, tiles, sizeof request.extra);
    for (int i = 0; i < d->sets; i++)
        for (int t = 0; t < 4; t++) {
            float *at = (float *)(arena + d->layout.offset[t] + i * d->layout.stride);
            if (t == 0)
                lab_poison(at, d->n[0]);
            else
                memcpy(at, d->in[t] + i * d->n[t], d->n[t] * sizeof(float));
        }
    attn_status status = ATTN_OK;
    kill(-im->process.process.pid, SIGCONT);
    const double start = lab_now();
    *v = lab_stage_call(&im->process, &request, limit, &status, why, size);
    if (*v == LAB_PASSED)
        for (int i = 0; i < d->sets; i++)
            memcpy(d->out + i * d->n[0], arena + d->layout.offset[0] + i * d->layout.stride, d->n[0] * sizeof(float));
    const double seconds = lab_now() - start;
    if (im->process.alive) kill(-im->process.process.pid, SIGSTOP);
    if (*v == LAB_PASSED && status != ATTN_OK) {
        *v = status < 0 ? LAB_MISSING : status == ATTN_NO_MEMORY ? LAB_OUT_OF_MEMORY : LAB_WRONG_ANSWER;
        snprintf(why, size, status < 0 ? "TODO %d.%d is not written yet" : "returned status %d",
                 status < 0 ? -status / 100 : status, -status % 100);
    }
    return seconds;
}

// Rows drawn at random, a few of each call, against the oracle; and every element written.
static int outputs_are_right(const round_data *d, uint64_t key) {
    const int D = d->shape.head_dim;
    const size_t rows = d->n[0] / D;
    double *want = malloc(sizeof *want * (D + d->shape.seq_kv));
    int right = want != NULL;
    for (int i = 0; i < d->sets && right; i++) {
        const float *out = d->out + i * d->n[0];
        for (size_t e = 0; e < d->n[0] && right; e++) right = lab_is_finite(out[e]);
        for (int k = 0; k < CHECKED_ROWS && right; k++) {
            const size_t r = lab_bits(key, (uint64_t)i * CHECKED_ROWS + k) % rows, q = r % d->shape.seq_q,
                         bh = r / d->shape.seq_q;
            lab_oracle_row(want, d->in[1] + i * d->n[1], d->in[2] + i * d->n[2], d->in[3] + i * d->n[3], d->shape,
                           (int)(bh / d->shape.heads), (int)(bh % d->shape.heads), (int)q, LAB_NO_MISTAKE, want + D);
            right = lab_compare(out + r * D, want, D, LAB_TOLERANCE).verdict == LAB_PASSED;
        }
    }
    free(want);
    return right;
}

// ---- a point

static int by_value(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double quantile(const double *sorted, int n, double q) {
    const double at = q * (n - 1);
    const int low = (int)at;
    return low + 1 < n ? sorted[low] + (at - low) * (sorted[low + 1] - sorted[low]) : sorted[low];
}

void lab_summarise(lab_timing *t, double *seconds, double calls) {
    if (t->rounds < 1) return;
    qsort(seconds, t->rounds, sizeof *seconds, by_value);
    t->median_s = quantile(seconds, t->rounds, 0.5) / calls;
    t->iqr_s = (quantile(seconds, t->rounds, 0.75) - quantile(seconds, t->rounds, 0.25)) / calls;
}

int lab_implementation_open(lab_implementation *im, int threads, size_t arena_bytes) {
    const lab_stage_options options = {im->runner, im->stage, threads, arena_bytes, 60};
    im->why[0] = 0;
    im->seconds_per_flop = 0;
    lab_verdict v = lab_stage_open(&im->process, &options, im->why, sizeof im->why);
    if (v != LAB_PASSED) return 0;
    // A first small call loads what a library loads lazily, so that it is not taken for working memory.
    round_data d;
    const attn_shape small = {1, 1, 64, 64, 64, 0};
    const int tiles[2] = {0, 0};
    if (allocate(&d, small, 1)) {
        draw(&d, 1, 0);
        timed_request(&d, im, tiles, 20, &v, im->why, sizeof im->why);
    }
    release(&d);
    im->resident_bytes = lab_private_bytes(im->process.process.pid, "VmRSS:");
    return v == LAB_PASSED;
}

void lab_implementation_close(lab_implementation *im) { lab_stage_close(&im->process); }

// The warm-up call: is it right, what will a call cost, how much memory does it take?
static double warm_up(round_data *one, lab_implementation *im, const int tiles[2], uint64_t seed, lab_budget budget,
                      int checked, lab_timing *t) {
    const pid_t pid = im->process.process.pid;
    t->extra_bytes = -1;
    t->verdict = LAB_SKIPPED;
    if (*im->why || !im->process.alive) {
        snprintf(t->why, sizeof t->why, "%s", *im->why ? im->why : "its process has ended");
        return 0;
    }
    if (im->seconds_per_flop * lab_flops(one->shape) > budget.longest) {
        snprintf(t->why, sizeof t->why, "would take about %.0f s, the limit is %.0f s",
                 im->seconds_per_flop * lab_flops(one->shape), budget.longest);
        return 0;
    }
    lab_reset_peak(pid);
    const double seconds = timed_request(one, im, tiles, 4 * budget.longest, &t->verdict, t->why, sizeof t->why);
    if (t->verdict != LAB_PASSED) return 0;
    const long peak = lab_private_bytes(pid, "VmHWM:");
    if (peak >= 0) t->extra_bytes = peak > im->resident_bytes ? peak - im->resident_bytes : 0;
    im->seconds_per_flop = seconds / lab_flops(one->shape);
    if (checked && !outputs_are_right(one, seed)) t->verdict = LAB_WRONG_ANSWER;
    return seconds;
}

static int sets_for(double seconds, attn_shape shape, size_t arena_bytes) {
    const double wanted = seconds > 0 ? ceil(LEAST_SECONDS / seconds) : 1;
    const size_t room = arena_bytes < MOST_BYTES ? arena_bytes : MOST_BYTES;
    const double most = (double)room / lab_layout_of(&lab_sdpa, shape, 1).bytes;
    return (int)fmax(1, fmin(wanted, floor(most)));
}

void lab_measure(lab_implementation *impls, int n, attn_shape shape, const int tiles[2], uint64_t seed,
                 lab_budget budget, lab_timing *timings) {
    double cost[LAB_MAX_IMPLEMENTATIONS] = {0}, seconds[LAB_MAX_IMPLEMENTATIONS][LAB_MAX_ROUNDS], fastest = 0;
    round_data d;
    memset(timings, 0, n * sizeof *timings);
    if (!allocate(&d, shape, 1)) return;
    draw(&d, seed, 0);
    for (int i = 0; i < n; i++) {
        cost[i] = warm_up(&d, &impls[i], tiles, lab_key(seed, "rows", i, 0), budget, i > 0, &timings[i]);
        if (i > 0 && cost[i] > 0 && (fastest == 0 || cost[i] < fastest)) fastest = cost[i];
    }
    release(&d);
    for (int i = 0; i < n; i++)  // one call is all that a slow one can afford
        if (timings[i].verdict == LAB_PASSED && cost[i] > budget.per_point) seconds[i][timings[i].rounds++] = cost[i];

    const int sets = sets_for(fastest, shape, impls[0].process.arena_bytes);
    if (!allocate(&d, shape, sets)) return;
    for (int round = 0; round < LAB_MAX_ROUNDS; round++) {
        draw(&d, seed, round + 1);
        for (int i = 0; i < n; i++) {
            lab_timing *t = &timings[i];
            const int affordable = (round + 1) * cost[i] * sets <= budget.per_point || t->rounds == 0;
            if (t->verdict != LAB_PASSED || !affordable) continue;
            const double s =
                timed_request(&d, &impls[i], tiles, 4 * budget.longest * sets, &t->verdict, t->why, sizeof t->why);
            if (t->verdict == LAB_PASSED && i > 0 && !outputs_are_right(&d, lab_key(seed, "rows", i, round + 1)))
                t->verdict = LAB_WRONG_ANSWER;
            if (t->verdict == LAB_PASSED) seconds[i][t->rounds++] = s / sets;
        }
    }
    for (int i = 0; i < n; i++) lab_summarise(&timings[i], seconds[i], 1);
    for (int i = 1; i < n; i++)  // less what the boundary costs
        if (timings[i].rounds && timings[0].rounds)
            timings[i].median_s = fmax(timings[i].median_s - timings[0].median_s, 1e-9);
    release(&d);
}
