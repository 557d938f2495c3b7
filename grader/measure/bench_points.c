// bench_points.c: measures a task's points, next to what else computes the same.
#include "bench.h"

#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backend.h"
#include "bench_row.h"
#include "time_device.h"
#include "time_host.h"

static const size_t HOST_ARENA = 160 << 20, DEVICE_ARENA = (size_t)72 << 30;

typedef struct {
    const lab_bench *b;
    char runner[512], fill[512], file[LAB_MOST_CONTENDERS][512];
    lab_contender c[LAB_MOST_CONTENDERS];  // [0]: null, [1]: the student's
    int n, failed;
} field;

// ---- Who takes part

// Half of what is free: a small GPU measures smaller batches.
static size_t device_bytes(void) {
    long free_mib = 0;
    FILE *f = popen("nvidia-smi --query-gpu=memory.free --format=csv,noheader,nounits 2>/dev/null", "r");
    if (!f || fscanf(f, "%ld", &free_mib) != 1) free_mib = 4096;
    if (f) pclose(f);
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
}

static void define_all(field *f, const lab_bench *b, lab_method method) {
    lab_implementation is[LAB_MAX_IMPLEMENTATIONS];
    const int on_host = method == LAB_ON_HOST;
    *f = (field){.b = b};
    lab_runner_of(b->task, b->build, f->runner, sizeof f->runner);
    snprintf(f->fill, sizeof f->fill, "%s/baselines/device_fill.so", b->build);
    f->n = 1 + lab_implementations(b->task->id, method, is);
    for (int i = 0; i < f->n; i++) define(f, i ? &is[i - 1] : &lab_null_implementation, i, on_host);
}

static void stop_all(field *f) {
    for (int i = 0; i < f->n; i++) lab_contender_stop(&f->c[i]);
}

// ---- Points

// One point that fails says little about the others, which may carry points (a graph that cannot be captured). A stage
// that fails again and again costs a time limit each time.
enum { MOST_FAILURES = 4 };

// threads: 0 on the GPU.
static void measure(field *f, const lab_experiment *e, int threads) {
    lab_timing timings[LAB_MOST_CONTENDERS];
    lab_experiment actual = *e;
    char point[64];
    const int n = e->alone ? 2 : f->n;
    lab_experiment_name(e, threads, point, sizeof point);
    for (int i = 0; threads && i < n; i++)
        if (!f->c[i].process.alive) lab_host_start(&f->c[i]);
    if (threads)
        lab_time_host(f->c, n, e, f->b->seed, timings);
    else
        lab_time_device(f->c, n, e, f->b->seed, &actual.shape.batch, timings);
    const double yours = timings[1].rounds > 0 ? timings[1].median_s : 0;
    for (int i = 1; i < n; i++) {
        lab_timing *t = &timings[i];
        if (t->rounds < 0) continue;
        if (t->rounds && actual.shape.batch != e->shape.batch)
            snprintf(t->why, sizeof t->why, "batch %d instead of %d: more does not fit into the GPU's memory",
                     actual.shape.batch, e->shape.batch);
        const lab_row row = {.series = e->series,
                             .point = point,
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
        lab_row_write(&row, f->b->json);
    }
    f->failed += timings[1].rounds >= 0 && timings[1].verdict != LAB_PASSED && timings[1].verdict != LAB_SKIPPED;
}

static int wanted(const field *f, const lab_experiment *e, lab_method method) {
    return f->failed < MOST_FAILURES && e->method == method && strcmp(e->task, f->b->task->id) == 0 &&
           lab_series_wanted(f->b->series, e->series);
}

// Points on the same number of threads share their processes: PyTorch takes seconds to start.
static void run_on_threads(field *f, int threads, int all, int scaling) {
    for (int i = 0; i < f->n; i++) f->c[i].threads = threads, f->c[i].why[0] = 0;
    for (int i = 0; i < lab_n_experiments; i++) {
        const lab_experiment *e = &lab_experiments[i];
        const int is_scaling = strcmp(e->series, "threads") == 0, own = e->one_thread ? 1 : all;
        if (wanted(f, e, LAB_ON_HOST) && is_scaling == scaling && (scaling || own == threads)) measure(f, e, threads);
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
            if (!wanted(&f, e, LAB_ON_GPU) || e->sweep != sweep) continue;
            if (!sweep)
                measure(&f, e, 0);
            else if (b->source)
                f.failed += lab_bench_tiles(b, e, &f.c[0], &f.c[1]);
        }
        stop_all(&f);  // before a sweep: compilers must not inherit our descriptors
    }
    return f.failed > 0;
}
