// time_device.c: rounds of timed requests to CUDA stages.
//
//     make inputs, flush caches | record a graph, if asked | run ... wait | copy out | compare
//                               |                          |<-- timed -->|
//
// A request holds as many calls as make the boundary between the processes small, each on tensors of its own that no
// cache holds. We time an empty stage with as many calls and subtract it.
#define _GNU_SOURCE
#include "time_device.h"

#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "device.h"
#include "rows.h"
#include "time_host.h"

enum { MOST_SETS = 512, ROWS_AT_FIRST = 16, ROWS_LATER = 3, WINDOW = 1 << 20 };
static const double LEAST_SECONDS = 4e-3;          // of a timed request
static const size_t MOST_BYTES = (size_t)6 << 30;  // of a request with more than one set
static const lab_budget budget = {.sure = 3, .usual = 7, .most = 30, .seconds = 0.3, .longest = 0.6, .spread = 0.02};

typedef struct {
    lab_experiment e, nothing;  // nothing: what the null stage is asked
    lab_contender *c;
    uint64_t seed;
    int sets[LAB_MOST_CONTENDERS];
    double least[LAB_MOST_CONTENDERS];  // of the null stage with as many sets: a disturbance can only add to it
} point;

// ---- One round

// Asks for one step of a request. Returns 1, or 0 with a verdict in t.
static int ask(lab_contender *c, lab_request *r, uint32_t steps, lab_timing *t) {
    attn_status status = ATTN_OK;
    r->steps = steps;
    t->verdict = lab_stage_call(&c->process, r, 60, &status, t->why, sizeof t->why);
    if (t->verdict != LAB_PASSED || status == ATTN_OK) return t->verdict == LAB_PASSED;
    t->verdict = lab_judge_status(status, r->symbol[0], c->process.process.text, NULL, t->why, sizeof t->why);
    if (steps & LAB_CAPTURE && status >= LAB_DEVICE)
        snprintf(t->why, sizeof t->why, "cannot be recorded in a CUDA graph: all work goes on `stream` (error %d)",
                 status - LAB_DEVICE);
    return 0;
}

// We choose the checked part only after the run, so that it cannot be anticipated: all of set 0 (whole), or a window
// that is drawn.
static void choose_part(const lab_experiment *e, int sets, int whole, uint64_t key, uint64_t part[3]) {
    const size_t rows = lab_row_count(e), width = lab_row_width(e), most = WINDOW / width + 1;
    const size_t have = whole || rows < most ? rows : most;
    part[0] = whole ? 0 : lab_bits(key, 0) % sets;
    part[1] = lab_bits(key, 1) % (rows - have + 1) * width;
    part[2] = have * width;
}

// The part in the arena is finite everywhere, and right in some rows. Gives the arena's pages back.
static int outputs_are_right(lab_contender *c, const lab_experiment *e, const lab_request *r, int rows, uint64_t key) {
    const uint64_t *part = r->part, width = lab_row_width(e);
    const float *out = (const float *)(c->process.arena + r->offset[0] + part[0] * r->stride) + part[1];
    const int right = lab_all_finite(out, part[2]) &&
                      lab_rows_are_right(e, r->key, (int)part[0], out, part[1] / width, part[2] / width, rows, key);
    fallocate(c->process.arena_fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, 0, c->process.arena_bytes);
    return right;
}

// A request of this experiment, with a key for every input, so that the device makes it.
static lab_request request_of(const lab_contender *c, const lab_experiment *e, int sets, uint64_t seed, int round) {
    const lab_op *op = lab_does(&c->is, e->op);
    lab_request r = lab_request_of(op, e->shape, sets, 0);
    r.extra[1] = e->op == &lab_tokens ? e->shape.seq_kv - e->shape.seq_q : e->shape.seq_kv;
    for (int t = 1; t < op->n_tensors; t++)
        if (t != op->scratch && t != op->lengths) r.key[t] = lab_key(seed, e->name, t, round) | 1;
    return r;
}

// Returns the seconds of one request; 0 on failure.
static double timed_request(lab_contender *c, const lab_experiment *e, int sets, uint64_t seed, int round,
                            int checked_rows, lab_timing *t) {
    lab_request r = request_of(c, e, sets, seed, round);
    const uint64_t key = lab_key(seed, "rows", sets, round);
    if (!ask(c, &r, LAB_FILL, t) || (e->graph && round > 1 && !ask(c, &r, LAB_CAPTURE, t))) return 0;
    c->process.process.spin = 1;
    const double start = lab_now();
    const int ran = ask(c, &r, LAB_RUN, t);
    const double seconds = lab_now() - start;
    c->process.process.spin = 0;
    if (!ran) return 0;
    choose_part(e, sets, round == 0, key, r.part);
    if (!ask(c, &r, LAB_STORE, t)) return 0;
    if (!checked_rows || outputs_are_right(c, e, &r, checked_rows, key)) return seconds;
    t->verdict = LAB_WRONG_ANSWER;
    snprintf(t->why, sizeof t->why, "a row of a timed call's output is wrong");
    return 0;
}

static double time_round(void *context, int i, int round, lab_timing *t) {
    point *p = context;
    lab_timing null = {0};
    const double none = timed_request(&p->c[0], &p->nothing, p->sets[i], p->seed, round + 2, 0, &null);
    p->least[i] = round == 0 || none < p->least[i] ? none : p->least[i];
    return timed_request(&p->c[i], &p->e, p->sets[i], p->seed, round + 2, ROWS_LATER, t);
}

// ---- A point

static int usable(lab_contender *c, const lab_experiment *e, lab_timing *t) {
    *t = (lab_timing){.verdict = LAB_SKIPPED, .extra_bytes = -1};
    if (!lab_does(&c->is, e->op) || !lab_series_wanted(c->is.series, e->series)) {
        t->rounds = -1;  // it has no place in this point
        return 0;
    }
    if (lab_contender_start(c)) return 1;
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

// What the null stage is asked: as many calls, on next to nothing.
static lab_experiment nothing_like(const lab_experiment *e) {
    lab_experiment small = *e;
    small.shape = e->op == &lab_tokens ? (attn_shape){1, 1, e->shape.seq_q, e->shape.seq_kv, 8, 0}
                                       : (attn_shape){1, 1, 16, 16, 8, 0};
    return small;
}

// Warms up, and chooses how many calls a timed request of contender i holds.
static int sets_for(const point *p, int i, double boundary, lab_timing *t) {
    lab_contender *c = &p->c[i];
    const size_t each = needed(c, &p->e), room = MOST_BYTES < c->device_bytes ? MOST_BYTES : c->device_bytes;
    if (each > c->device_bytes) {
        t->verdict = LAB_SKIPPED;
        snprintf(t->why, sizeof t->why, "needs %.1f GB of device memory", each * 1e-9);
        return 0;
    }
    timed_request(c, &p->e, 1, p->seed, 0, ROWS_AT_FIRST, t);  // loads what is loaded lazily
    if (t->verdict != LAB_PASSED) return 0;
    const double cost = fmax(timed_request(c, &p->e, 1, p->seed, 1, 0, t) - boundary, 1e-6);
    return (int)fmax(1, fmin(MOST_SETS, fmin(floor((double)room / each), ceil(LEAST_SECONDS / cost))));
}

void lab_time_device(lab_contender *c, int n, const lab_experiment *e, uint64_t seed, int *batch, lab_timing *timings) {
    point p = {.e = *e, .c = c, .seed = seed};
    lab_samples samples[LAB_MOST_CONTENDERS] = {0};
    const lab_timer timer = {&p, NULL, time_round};
    while (p.e.shape.batch > 1 && needed(&c[1], &p.e) > c[1].device_bytes) p.e.shape.batch /= 2;
    *batch = p.e.shape.batch;
    p.nothing = nothing_like(&p.e);
    double boundary = 0;
    if (usable(&c[0], &p.nothing, &timings[0]))
        for (int i = 0; i < 2; i++) boundary = timed_request(&c[0], &p.nothing, 1, seed, i, 0, &timings[0]);
    timings[0].verdict = LAB_SKIPPED;  // timed beside each of the others
    for (int i = 1; i < n; i++)
        if (usable(&c[i], &p.e, &timings[i])) p.sets[i] = sets_for(&p, i, boundary, &timings[i]);
    lab_clock(&timer, n, &budget, samples, timings);
    for (int i = 1; i < n; i++) {
        for (int k = 0; k < timings[i].rounds; k++)
            samples[i].seconds[k] = fmax(samples[i].seconds[k] - p.least[i], 1e-9) / p.sets[i];
        lab_summarise(&timings[i], samples[i].seconds, e->op == &lab_tokens ? e->shape.seq_q : 1);
    }
}
