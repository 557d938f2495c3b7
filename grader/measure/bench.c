// bench.c: measures one task's stage next to the baselines: a table for people, JSON lines for the grader.
//
//     bench TASK STAGE.so [--series seq,heads,...] [--source FILE] [--json FILE]        LAB_SEED: the inputs' seed
//     bench ceilings [--json FILE]
//
// Run from the lab's root; LAB_BUILD (default build) holds the runner and the baselines. A line of the JSON file is an
// element of results.json's "timings", or its "machine" ceilings.
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <jansson.h>

#include "backend.h"
#include "clock.h"
#include "bench_gpu.h"
#include "bench_model.h"
#include "bench_row.h"
#include "experiments.h"
#include "gpu_experiments.h"
#include "seed.h"
#include "sizes.h"
#include "tasks.h"

enum { N = 5, ARENA_BYTES = 160 << 20 };  // null, yours, task 1, OpenBLAS chain, PyTorch

static const lab_budget usual = {.per_point = 0.8, .longest = 20}, quick = {.per_point = 0.25, .longest = 20};

static struct {
    const char *task, *stage, *series, *source, *json_path;
    uint64_t seed;
    FILE *json;
    char runner[512], null[512], task1[512], openblas[512], torch[512];
    int failed;  // the student's implementation gave a wrong answer, or none
} b;

static int exists(const char *path) {
    struct stat st;
    return stat(path, &st) == 0;
}

static void define(lab_implementation *im, const char *name, char *stage, const lab_op *op) {
    memset(im, 0, sizeof *im);
    im->name = name, im->stage = stage, im->op = op;
    im->runner[0] = b.runner, im->runner[1] = stage;
}

static void open_implementations(lab_implementation impls[N], int threads, int baselines) {
    const char *python = getenv("LAB_TORCH_PYTHON");
    define(&impls[0], "null", b.null, &lab_sdpa);
    define(&impls[1], "yours", (char *)b.stage, strcmp(b.task, "task1") == 0 ? &lab_sdpa : &lab_tiled);
    define(&impls[2], "task 1", b.task1, &lab_sdpa);
    define(&impls[3], "OpenBLAS chain", b.openblas, &lab_sdpa);
    define(&impls[4], "PyTorch", b.torch, &lab_sdpa);
    impls[1].chain = impls[1].op == &lab_sdpa, impls[2].chain = impls[3].chain = 1;
    impls[4].runner[0] = (char *)(python && *python ? python : "python3");
    for (int i = 0; i < (baselines ? N : 2); i++) {
        lab_implementation *im = &impls[i];
        if (i == 2 && strcmp(b.task, "task1") == 0) continue;  // it would be measured against itself
        if (i > 1 && !exists(im->stage))
            snprintf(im->why, sizeof im->why, "not built on this machine");
        else if (!lab_implementation_open(im, threads, ARENA_BYTES) && i == 4 && im->process.process.exit_status == 3)
            snprintf(im->why, sizeof im->why, "python3 has no torch");
    }
}

static void run_point(const lab_experiment *e, lab_implementation *impls, int threads) {
    lab_timing timings[N];
    char point[64];
    const int n = e->baselines ? N : 2;
    lab_experiment_name(e, threads, point, sizeof point);
    lab_measure(impls, n, e->shape, e->tiles, b.seed, e->baselines ? usual : quick, timings);
    const double yours = timings[1].rounds ? timings[1].median_s : 0;
    b.failed |= timings[1].verdict != LAB_PASSED;
    for (int i = 1; i < n; i++) {
        if (i == 2 && strcmp(b.task, "task1") == 0) continue;
        const lab_row row = {.series = e->series,
                             .point = point,
                             .shape = e->shape,
                             .threads = threads,
                             .tiles = {e->tiles[0], e->tiles[1]},
                             .implementation = impls[i].name,
                             .timing = &timings[i],
                             .flops = lab_flops(e->shape),
                             .bytes = impls[i].chain ? lab_chain_bytes(e->shape) : lab_least_bytes(e->shape),
                             .yours = yours,
                             .first = i == 1};
        lab_row_print(&row);
        lab_row_write(&row, b.json);
    }
}

// ---- series

static int wanted(const lab_experiment *e) {
    return strcmp(e->task, b.task) == 0 && lab_series_wanted(b.series, e->series);
}

static int doubled(int t, int all) { return t < all && 2 * t > all ? all : 2 * t; }

// Experiments on the same number of threads share their processes: PyTorch takes seconds to start.
static void run_all(int threads, int all, int scaling) {
    lab_implementation impls[N];
    int open = 0;
    for (int i = 0; i < lab_n_experiments && !b.failed; i++) {
        const lab_experiment *e = &lab_experiments[i];
        const int is_scaling = strcmp(e->series, "threads") == 0;
        if (!wanted(e) || is_scaling != scaling || (!scaling && (e->one_thread ? 1 : all) != threads)) continue;
        if (!open++) open_implementations(impls, threads, 1);
        run_point(e, impls, threads);
    }
    for (int i = 0; open && i < N; i++) lab_implementation_close(&impls[i]);
}

static int usage(void) {
    fprintf(stderr, "usage: bench TASK STAGE.so [--series LIST] [--source FILE] [--json FILE]\n       bench ceilings "
                    "[--json FILE]\n");
    return 2;
}

int main(int argc, char **argv) {
    int i = 1;
    b.seed = lab_take_seed(1);
    if (i < argc) b.task = argv[i++];
    if (b.task && strcmp(b.task, "ceilings") && i < argc) b.stage = argv[i++];
    for (; i + 1 < argc; i += 2) {
        if (strcmp(argv[i], "--series") == 0)
            b.series = argv[i + 1];
        else if (strcmp(argv[i], "--json") == 0)
            b.json_path = argv[i + 1];
        else if (strcmp(argv[i], "--source") == 0)
            b.source = argv[i + 1];
        else
            return usage();
    }
    if (i != argc || !b.task || (b.stage && !lab_task_find(b.task))) return usage();
    if (b.json_path && !(b.json = fopen(b.json_path, "w"))) {
        perror(b.json_path);
        return 2;
    }
    setvbuf(stdout, NULL, _IOLBF, 0);
    const char *build = getenv("LAB_BUILD"), *solution = getenv("LAB_TASK1"), *tree = getenv("LAB_TREE");
    if (!build) build = "build";
    if (!b.stage) return strcmp(b.task, "ceilings") ? usage() : lab_bench_ceilings(build, b.json);
    const lab_task *task = lab_task_find(b.task);
    if (task->language == LAB_CUDA && !(lab_has_gpu_experiments(b.task) && strcmp(lab_backend(), "cuda") == 0)) {
        printf("  SKIP     %s is timed on a GPU only\n", b.task);
        return 0;
    }
    printf("%s  %s: median of up to %d rounds, fresh inputs\n", b.task, task->title, LAB_MAX_ROUNDS);
    if (task->language == LAB_CUDA) {
        char solutions[512];
        snprintf(solutions, sizeof solutions, "%s/stage/grader+solutions", build);
        const lab_gpu_bench gpu = {b.task, b.stage, build, tree ? tree : solutions, b.source, b.series, b.seed, b.json};
        return strcmp(b.task, "task6") ? lab_bench_gpu(&gpu) : lab_bench_models(&gpu, lab_models, lab_n_models);
    }
    snprintf(b.runner, sizeof b.runner, "%s/bin/runner", build);
    snprintf(b.null, sizeof b.null, "%s/baselines/null.so", build);
    snprintf(b.openblas, sizeof b.openblas, "%s/baselines/openblas_chain.so", build);
    snprintf(b.torch, sizeof b.torch, "grader/baselines/torch_sdpa.py");
    if (solution)
        snprintf(b.task1, sizeof b.task1, "%s", solution);
    else
        snprintf(b.task1, sizeof b.task1, "%s/stage/grader+solutions/task1.so", build);

    const int all = omp_get_num_procs();
    run_all(1, all, 0);
    if (all > 1) run_all(all, all, 0);
    for (int t = 1; t <= all; t = doubled(t, all)) run_all(t, all, 1);
    return b.failed;
}
