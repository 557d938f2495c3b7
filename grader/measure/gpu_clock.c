// gpu_clock.c: rounds of timed requests.
//
//     make inputs, flush caches | record a graph, if asked | run ... wait | copy out | compare
//                               |                          |<-- timed -->|
//
// A request holds as many calls as make the boundary between the processes small, each on tensors of its own that no cache
// holds. What the boundary still costs, a stage that does nothing says; it is subtracted.
#define _GNU_SOURCE
#include "gpu_clock.h"

#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bench_gpu.h"
#include "check.h"
#include "device.h"
#include "gpu_rows.h"

enum { MOST_SETS = 512, LEAST_ROUNDS = 3, ROWS_AT_FIRST = 16, ROWS_LATER = 3, WINDOW = 1 << 20 };
static const double LEAST_SECONDS = 4e-3,
                    MOST_SECONDS = 0.6;            // of a timed request; of all of a point, per implementation
static const size_t MOST_BYTES = (size_t)6 << 30;  // of a request with more than one set

static lab_request request_of(const lab_gpu_runner *im, const lab_gpu_experiment *e, int sets) {
    lab_request r = lab_request_of(im->is.op[e->kind], e->shape, sets, 0);
    r.extra[1] = e->kind == LAB_GPU_TOKENS ? e->shape.seq_kv - e->shape.seq_q : e->shape.seq_kv;
    return r;
}

// One step of a request. 0, or *v and why say what went wrong.
static int step(lab_gpu_runner *im, lab_request *r, uint32_t steps, lab_verdict *v, char *why, size_t size) {
    attn_status status = ATTN_OK;
    r->steps = steps;
    *v = lab_stage_call(&im->process, r, 60, &status, why, size);
    if (*v != LAB_PASSED || status == ATTN_OK) return *v == LAB_PASSED ? 0 : -1;
    if (status >= LAB_DEVICE && status < LAB_DEVICE + 1000) {
        *v = lab_judge_device(status - LAB_DEVICE, r->symbol[0], im->process.process.text, why, size);
        if (steps & LAB_CAPTURE)
            snprintf(why, size, "cannot be recorded in a CUDA graph: all work goes on `stream` (error %d)",
                     status - LAB_DEVICE);
    } else if (status < 0) {
        *v = LAB_MISSING;
        snprintf(why, size, "TODO %d.%d is not written yet", -status / 100, -status % 100);
    } else {
        *v = status == ATTN_NO_MEMORY ? LAB_OUT_OF_MEMORY : status == LAB_NO_SYMBOL ? LAB_MISSING : LAB_LAUNCH_FAILURE;
        snprintf(why, size, status == ATTN_NO_MEMORY ? "the device has too little memory for it" : "returned status %d",
                 status);
    }
    return -1;
}

// Which part of the output is looked at is decided when all of it has been computed: `rows` rows of set 0 and every
// element of it (whole), or of a window that is drawn.
static void choose_part(const lab_gpu_experiment *e, int sets, int whole, uint64_t key, uint64_t part[3]) {
    const size_t rows = lab_gpu_rows(e), width = lab_gpu_row_width(e), most = WINDOW / width + 1;
    const size_t have = whole || rows < most ? rows : most;
    part[0] = whole ? 0 : lab_bits(key, 0) % sets;
    part[1] = lab_bits(key, 1) % (rows - have + 1) * width;
    part[2] = have * width;
}

// The part lies in the arena: finite everywhere, right in some rows. Gives the arena's pages back.
static int outputs_are_right(lab_gpu_runner *im, const lab_gpu_experiment *e, const lab_request *r, int rows,
                             uint64_t key) {
    const uint64_t *part = r->part, width = lab_gpu_row_width(e);
    const float *out = (const float *)(im->process.arena + r->offset[0] + part[0] * r->stride) + part[1];
    const int right = lab_gpu_all_finite(out, part[2]) &&
                      lab_gpu_rows_are_right(e, r->key, (int)part[0], out, part[1] / width, part[2] / width, rows, key);
    fallocate(im->process.arena_fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, 0, im->process.arena_bytes);
    return right;
}

// Tensors 1 .. n of what is computed are inputs.
static int inputs_of(lab_gpu_kind kind) {
    static const int n[LAB_GPU_KINDS] = {3, 1, 2, 2, 3, 5};
    return n[kind];
}

// One round of one implementation. Returns its seconds, 0 on failure.
static double one_round(lab_gpu_runner *im, const lab_gpu_experiment *e, int sets, int graph, uint64_t seed, int round,
                        int checked_rows, lab_timing *t) {
    lab_request r = request_of(im, e, sets);
    const uint64_t key = lab_key(seed, "rows", sets, round);
    for (int i = 1; i <= inputs_of(e->kind); i++) r.key[i] = lab_key(seed, e->name, i, round) | 1;
    if (step(im, &r, LAB_FILL, &t->verdict, t->why, sizeof t->why)) return 0;
    if (graph && step(im, &r, LAB_CAPTURE, &t->verdict, t->why, sizeof t->why)) return 0;
    im->process.process.spin = 1;
    const double start = lab_now();
    const int failed = step(im, &r, LAB_RUN, &t->verdict, t->why, sizeof t->why);
    const double seconds = lab_now() - start;
    im->process.process.spin = 0;
    if (failed) return 0;
    choose_part(e, sets, round == 0, key, r.part);
    if (step(im, &r, LAB_STORE, &t->verdict, t->why, sizeof t->why)) return 0;
    if (checked_rows && !outputs_are_right(im, e, &r, checked_rows, key)) {
        t->verdict = LAB_WRONG_ANSWER;
        snprintf(t->why, sizeof t->why, "a row of a timed call's output is wrong");
        return 0;
    }
    return seconds;
}

static void start(lab_gpu_runner *im) {
    const lab_stage_options options = {im->runner, im->stage, 0, im->arena_bytes, 90};
    if (im->started) lab_stage_close(&im->process);
    im->started = 1;
    if (access(im->stage, R_OK))
        snprintf(im->why, sizeof im->why, "%.500s is not built on this machine", im->stage);
    else if (lab_stage_open(&im->process, &options, im->why, sizeof im->why) != LAB_PASSED &&
             im->process.process.exit_status == 3)
        snprintf(im->why, sizeof im->why, "python3 has no torch that can use this GPU");
}

static int usable(lab_gpu_runner *im, const lab_gpu_experiment *e, lab_timing *t) {
    t->verdict = LAB_SKIPPED;
    t->extra_bytes = -1;
    if (!im->is.op[e->kind] || !lab_series_wanted(im->is.series, e->series) ||
        (!e->baselines && im->is.file && strcmp(im->is.name, "null"))) {
        t->rounds = -1;  // it has no place in this point
        return 0;
    }
    if (!*im->why && !im->process.alive) start(im);  // at its first point, or after one that ended it
    snprintf(t->why, sizeof t->why, "%s", im->why);
    return !*im->why;
}

// PyTorch's call on fp32 materialises scores in its math backend: as much as the chain, twice.
static size_t needed(const lab_gpu_runner *im, const lab_gpu_experiment *e) {
    size_t bytes = lab_layout_of(im->is.op[e->kind], e->shape, 1).bytes;
    if (im->is.argument && strcmp(im->is.argument, "math") == 0 && e->kind == LAB_GPU_ATTENTION)
        bytes += 3 * sizeof(float) * (size_t)e->shape.batch * e->shape.heads * e->shape.seq_q * e->shape.seq_kv;
    return bytes;
}

// What the null stage is asked: as many calls, on next to nothing.
static lab_gpu_experiment nothing_like(const lab_gpu_experiment *e) {
    lab_gpu_experiment small = *e;
    small.shape = e->kind == LAB_GPU_TOKENS ? (attn_shape){1, 1, e->shape.seq_q, e->shape.seq_kv, 8, 0}
                                            : (attn_shape){1, 1, 16, 16, 8, 0};
    return small;
}

// Warms up, and chooses how many calls a timed request of this implementation holds.
static int sets_for(lab_gpu_runner *im, const lab_gpu_experiment *e, uint64_t seed, double boundary, lab_timing *t,
                    double *cost) {
    const size_t each = needed(im, e), room = MOST_BYTES < im->device_bytes ? MOST_BYTES : im->device_bytes;
    if (each > im->device_bytes) {
        t->verdict = LAB_SKIPPED;
        snprintf(t->why, sizeof t->why, "needs %.1f GB of device memory", each * 1e-9);
        return 0;
    }
    one_round(im, e, 1, 0, seed, 0, ROWS_AT_FIRST, t);  // loads what is loaded lazily
    if (t->verdict != LAB_PASSED) return 0;
    *cost = fmax(one_round(im, e, 1, 0, seed, 1, 0, t) - boundary, 1e-6);
    return (int)fmax(1, fmin(MOST_SETS, fmin(floor((double)room / each), ceil(LEAST_SECONDS / *cost))));
}

void lab_gpu_measure(lab_gpu_runner *runners, int n, const lab_gpu_experiment *nominal, uint64_t seed, int *batch,
                     lab_timing *timings) {
    double seconds[LAB_MAX_GPU_IMPLEMENTATIONS][LAB_MAX_ROUNDS], cost[LAB_MAX_GPU_IMPLEMENTATIONS] = {0};
    int sets[LAB_MAX_GPU_IMPLEMENTATIONS] = {0};
    lab_gpu_experiment e = *nominal;
    memset(timings, 0, n * sizeof *timings);
    while (e.shape.batch > 1 && needed(&runners[1], &e) > runners[1].device_bytes) e.shape.batch /= 2;
    *batch = e.shape.batch;
    const lab_gpu_experiment nothing = nothing_like(&e);
    double boundary = 0;
    if (usable(&runners[0], &nothing, &timings[0]))
        for (int i = 0; i < 2; i++) boundary = one_round(&runners[0], &nothing, 1, 0, seed, 0, 0, &timings[0]);
    for (int i = 1; i < n; i++)
        if (usable(&runners[i], &e, &timings[i]))
            sets[i] = sets_for(&runners[i], &e, seed, boundary, &timings[i], &cost[i]);
    double least[LAB_MAX_GPU_IMPLEMENTATIONS] = {0};  // what the boundary costs: a disturbance can only add to it
    for (int round = 0; round < LAB_MAX_ROUNDS; round++)
        for (int i = 1; i < n; i++) {
            lab_timing *t = &timings[i], null = {0};
            const int affordable = round < LEAST_ROUNDS || (round + 1) * cost[i] * sets[i] <= MOST_SECONDS;
            if (!sets[i] || t->verdict != LAB_PASSED || !affordable) continue;
            const double none = one_round(&runners[0], &nothing, sets[i], e.graph, seed, 0, 0, &null);
            const double s = one_round(&runners[i], &e, sets[i], e.graph, seed, round + 2, ROWS_LATER, t);
            least[i] = round == 0 || none < least[i] ? none : least[i];
            if (t->verdict == LAB_PASSED) seconds[i][t->rounds++] = s;
        }
    for (int i = 1; i < n; i++)
        for (int k = 0; k < timings[i].rounds; k++) seconds[i][k] = fmax(seconds[i][k] - least[i], 1e-9) / sets[i];
    for (int i = 1; i < n; i++) lab_summarise(&timings[i], seconds[i], e.kind == LAB_GPU_TOKENS ? e.shape.seq_q : 1);
}
