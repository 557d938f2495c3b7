// bench_points.c: measures a task's points, next to what else computes the same.
//
// Of each point the baselines come first, while no process of the student's is there: a stage that burns processors or
// fills a GPU with work slows down nobody but itself. What is known of them from an earlier run is kept (kept.h).
#define _GNU_SOURCE
#include "bench.h"

#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "backend.h"
#include "bench_best.h"
#include "bench_row.h"
#include "kept.h"
#include "scored.h"
#include "time_device.h"
#include "time_host.h"

static const size_t HOST_ARENA = 160 << 20, DEVICE_ARENA = (size_t)72 << 30;

typedef struct {
    const lab_bench *b;
    char runner[512], fill[512], file[LAB_MOST_CONTENDERS][512];
    lab_contender c[LAB_MOST_CONTENDERS];  // [0]: null, [1 .. mine]: the student's, then the baselines
    int n, mine, failed;
    lab_kept kept;
    lab_best best;  // of a sweep
    struct {        // on the host: the last time of the null stage. A sweep of tiles has one shape: one is enough.
        attn_shape shape;
        int threads;
        lab_timing timing;
    } none;
} field;

// ---- Who takes part

// Half of what is free: a small GPU measures smaller batches.
static size_t device_bytes(void) {
    char said[64];
    const long free_mib = lab_gpu_says("memory.free", said, sizeof said) ? atol(said) : 4096;
    const char *most = getenv("LAB_GPU_MIB");
    const size_t bytes = ((size_t)free_mib << 20) / 2, wanted = most && *most ? (size_t)atol(most) << 20 : bytes;
    return wanted < DEVICE_ARENA ? wanted : DEVICE_ARENA;
}

static void define(field *f, const lab_implementation *is, int i, int on_host) {
    const lab_bench *b = f->b;
    char *file = f->file[i];
    if (!is->file)
        snprintf(file, sizeof f->file[i], "%s", b->stage);
    else if (lab_task_find(is->file))
        snprintf(file, sizeof f->file[i], "%s/%s%s.so", b->tree, is->file, on_host ? "" : ".cuda");
    else
        snprintf(file, sizeof f->file[i], "%s/%s", is->argument ? "grader/baselines" : b->build, is->file);
    const char *python = getenv("LAB_TORCH_PYTHON");
    char *const compiled[8] = {f->runner, file}, *const script[8] = {(char *)(python && *python ? python : "python3"),
                                                                     file, (char *)is->argument, f->fill};
    f->c[i] = (lab_contender){.name = is->name,
                              .is = *is,
                              .stage = file,
                              .missing = is->argument ? "python3 has no torch that can be used here" : NULL,
                              .arena_bytes = on_host ? HOST_ARENA : DEVICE_ARENA,
                              .load_seconds = 90};
    memcpy(f->c[i].runner, is->argument ? script : compiled, sizeof script);
    if (!is->file || !lab_task_find(is->file) || access("grader/solutions", F_OK) == 0) return;
    lab_contender_without_answers(&f->c[i], is->file, b->stage);
    if (!*f->c[i].why) printf("  Note: %s is your own; points go by the lab's answer, which is not here\n", is->name);
}

static void define_all(field *f, const lab_bench *b, lab_method method) {
    lab_implementation is[LAB_MAX_IMPLEMENTATIONS];
    const int on_host = method == LAB_ON_HOST, n = lab_implementations(b->task->id, method, is);
    *f = (field){.b = b, .n = 1};
    lab_runner_of(b->task, b->build, f->runner, sizeof f->runner);
    snprintf(f->fill, sizeof f->fill, "%s/baselines/device_fill.so", b->build);
    define(f, &lab_null_implementation, 0, on_host);
    for (int i = 0; i < n; i++) {
        if ((b->scored || b->only) && is[i].argument) continue;  // PyTorch takes seconds to start, and gives no points
        f->mine += !is[i].file;
        define(f, &is[i], f->n++, on_host);
    }
    lab_kept_open(&f->kept, b->kept, b->build, b->tree, !on_host);
    if (b->anew) json_object_clear(json_object_get(f->kept.all, "points"));
}

static void stop_all(field *f) {
    for (int i = 0; i < f->n; i++) lab_contender_stop(&f->c[i]);
}

// ---- Points

typedef struct {
    const lab_experiment *e;
    char name[64], key[200];
    int threads, first, n;  // threads: 0 on the GPU; the baselines are c[first] .. c[n - 1]
    lab_device_point on_device;
    double none_s;  // on the host: of the null stage
    lab_timing timings[LAB_MOST_CONTENDERS];
} point;

static point point_of(const field *f, const lab_experiment *e, int threads) {
    point p = {.e = e, .threads = threads, .first = 1 + f->mine, .n = e->alone ? 1 + f->mine : f->n};
    lab_experiment_name(e, threads, p.name, sizeof p.name);
    if (!threads) p.on_device = lab_device_point_of(f->c, p.n, e);
    snprintf(p.key, sizeof p.key, "%s, %s, %s, batch %d, %d calls, %d threads", e->task, e->series, p.name,
             p.on_device.e.shape.batch, p.on_device.sets, threads);
    return p;
}

// From what is kept. Returns 0 if there is not all of it.
static int find_baselines(const field *f, point *p) {
    const json_t *o = lab_kept_find(&f->kept, p->key);
    lab_timing none[2];
    int found = o && lab_kept_get(o, "null, one call", &none[0]) && lab_kept_get(o, "null", &none[1]);
    for (int i = p->first; i < p->n && found; i++) found = lab_kept_get(o, f->c[i].name, &p->timings[i]);
    if (!found) return 0;
    for (int k = 0; k < 2; k++) p->on_device.none_s[k] = none[k].median_s;
    p->none_s = none[1].median_s;
    return 1;
}

static lab_timing time_none(field *f, const point *p) {
    if (f->none.threads != p->threads || memcmp(&f->none.shape, &p->e->shape, sizeof f->none.shape)) {
        lab_time_host(f->c, 1, p->e, 0, f->b->seed, &f->none.timing);
        f->none.threads = f->none.timing.rounds ? p->threads : 0, f->none.shape = p->e->shape;
    }
    return f->none.timing;
}

static void time_baselines(field *f, point *p) {
    lab_timing none[2] = {{.verdict = LAB_SKIPPED}};
    json_t *o = json_object();
    for (int i = 0; p->threads && i < p->n; i++)
        if ((i == 0 || i >= p->first) && !f->c[i].process.alive) lab_host_start(&f->c[i]);
    if (p->threads) {
        none[0] = none[1] = time_none(f, p);
        p->none_s = none[0].median_s;
        for (int i = p->first; i < p->n; i++) f->c[i].glance = !lab_is_scored(p->e->task, p->e->series, p->name);
        lab_time_host(f->c + p->first, p->n - p->first, p->e, p->none_s, f->b->seed, p->timings + p->first);
    } else if (lab_time_nothing(&f->c[0], &p->on_device, f->b->seed, &none[0])) {
        none[1] = none[0];
        for (int k = 0; k < 2; k++) none[k].rounds = 1, none[k].median_s = p->on_device.none_s[k];
        lab_time_device(f->c + p->first, p->n - p->first, &p->on_device, f->b->seed, p->timings + p->first);
    }
    lab_kept_set(o, "null, one call", &none[0]);
    lab_kept_set(o, "null", &none[1]);
    int whole = none[1].rounds > 0;
    for (int i = p->first; i < p->n; i++) {
        lab_kept_set(o, f->c[i].name, &p->timings[i]);
        whole &= p->timings[i].rounds != 0;  // what could not be measured now may be there the next time
    }
    if (whole)
        lab_kept_put(&f->kept, p->key, o);
    else
        json_decref(o);
}

static void time_yours(field *f, point *p) {
    for (int i = 1; i <= f->mine; i++) {
        if (p->threads) lab_host_start(&f->c[i]);
        if (p->threads)
            lab_time_host(&f->c[i], 1, p->e, p->none_s, f->b->seed, &p->timings[i]);
        else
            lab_time_device(&f->c[i], 1, &p->on_device, f->b->seed, &p->timings[i]);
        if (p->threads) lab_contender_stop(&f->c[i]);
    }
}

// The student's processes do not live on while a baseline is timed.
static void stop_yours(field *f) {
    for (int i = 1; i <= f->mine; i++) lab_contender_stop(&f->c[i]);
}

static void measure(field *f, const lab_experiment *e, int threads) {
    point p = point_of(f, e, threads);
    lab_experiment actual = *e;
    if (f->kept.check || !find_baselines(f, &p)) {
        stop_yours(f);
        time_baselines(f, &p);
    }
    time_yours(f, &p);
    const double yours = p.timings[1].rounds > 0 ? p.timings[1].median_s : 0;
    if (!threads) actual.shape.batch = p.on_device.e.shape.batch;
    for (int i = 1; i < p.n; i++) {
        lab_timing *t = &p.timings[i];
        if (t->rounds < 0) continue;
        if (t->rounds && actual.shape.batch != e->shape.batch)
            snprintf(t->why, sizeof t->why, "batch %d instead of %d: more does not fit into the GPU's memory",
                     actual.shape.batch, e->shape.batch);
        const lab_row row = {.series = e->series,
                             .point = p.name,
                             .shape = actual.shape,
                             .threads = threads,
                             .tiles = {e->tiles[0], e->tiles[1]},
                             .implementation = f->c[i].name,
                             .timing = t,
                             .flops = lab_experiment_flops(&actual),
                             .bytes = lab_experiment_bytes(&actual, f->c[i].is.chain),
                             .yours = yours,
                             .first = i == 1};
        lab_row_print(&row);
        lab_best_note(&f->best, &row);
        lab_row_write(&row, f->b->json);
    }
    f->failed += p.timings[1].rounds >= 0 && p.timings[1].verdict != LAB_PASSED && p.timings[1].verdict != LAB_SKIPPED;
}

// One point that fails says little about the others, which may carry points (a graph that cannot be captured). A stage
// that fails again and again costs a time limit each time.
enum { MOST_FAILURES = 4 };

static int wanted(const field *f, const lab_experiment *e, lab_method method, int threads) {
    char name[64];
    lab_experiment_name(e, threads, name, sizeof name);
    return f->failed < MOST_FAILURES && e->method == method && strcmp(e->task, f->b->task->id) == 0 &&
           lab_series_wanted(f->b->series, e->series) && lab_only_wanted(f->b->only, e->series, name) &&
           (!f->b->scored || lab_is_scored(e->task, e->series, name));
}

// Points on the same number of threads share their processes: PyTorch takes seconds to start.
static void run_on_threads(field *f, int threads, int all, int scaling) {
    for (int i = 0; i < f->n; i++) f->c[i].threads = threads, f->c[i].why[0] = 0;
    for (int i = 0; i < lab_n_experiments; i++) {
        const lab_experiment *e = &lab_experiments[i];
        const int is_scaling = strcmp(e->series, "threads") == 0, own = e->one_thread ? 1 : all;
        if (wanted(f, e, LAB_ON_HOST, threads) && is_scaling == scaling && (scaling || own == threads))
            measure(f, e, threads);
    }
    stop_all(f);
}

static int doubled(int t, int all) { return t < all && 2 * t > all ? all : 2 * t; }

int lab_bench_host(const lab_bench *b) {
    static field f;
    const int all = omp_get_num_procs();
    define_all(&f, b, LAB_ON_HOST);
    run_on_threads(&f, 1, all, 0);
    if (all > 1) run_on_threads(&f, all, all, 0);
    for (int t = 1; t <= all; t = doubled(t, all)) run_on_threads(&f, t, all, 1);
    lab_best_print(&f.best);
    lab_kept_close(&f.kept);
    return f.failed > 0;
}

int lab_bench_device(const lab_bench *b) {
    static field f;
    define_all(&f, b, LAB_ON_GPU);
    const size_t bytes = device_bytes();
    for (int i = 0; i < f.n; i++) f.c[i].device_bytes = bytes;
    for (int sweep = 0; sweep < 2; sweep++) {
        for (int i = 0; i < lab_n_experiments; i++) {
            const lab_experiment *e = &lab_experiments[i];
            if (!wanted(&f, e, LAB_ON_GPU, 0) || e->sweep != sweep) continue;
            if (!sweep)
                measure(&f, e, 0);
            else if (b->source)
                f.failed += lab_bench_tiles(b, e, &f.c[0], &f.c[1]);
        }
        stop_all(&f);  // before a sweep: compilers must not inherit our descriptors
    }
    lab_kept_close(&f.kept);
    return f.failed > 0;
}
