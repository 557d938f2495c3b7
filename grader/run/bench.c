// bench.c: measures one task's stage next to the baselines: a table for people, JSON lines for the grader.
//
//     bench TASK STAGE.so [--series seq,heads,...] [--json FILE]        LAB_SEED: the inputs' seed
//     bench ceilings [--json FILE]
//
// Run from the lab's root; LAB_BUILD (default build) holds the runner and the baselines. A line of the JSON file is an
// element of results.json's "timings", or its "machine" ceilings.
#include <math.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <jansson.h>

#include "ceilings.h"
#include "clock.h"
#include "experiments.h"
#include "seed.h"
#include "sizes.h"
#include "tasks.h"

enum { N = 5, ARENA_BYTES = 160 << 20 };  // null, yours, task 1, OpenBLAS chain, PyTorch

static const lab_budget usual = {.per_point = 0.8, .longest = 20}, quick = {.per_point = 0.25, .longest = 20};

static struct {
    const char *task, *stage, *series, *json_path;
    uint64_t seed;
    FILE *json;
    char runner[512], null[512], task1[512], openblas[512], torch[512];
    int failed;  // the student's implementation gave a wrong answer, or none
} b;

static int exists(const char *path) {
    struct stat st;
    return stat(path, &st) == 0;
}

static void define(lab_implementation *im, const char *name, char *stage, lab_op op) {
    memset(im, 0, sizeof *im);
    im->name = name, im->stage = stage, im->op = op;
    im->runner[0] = b.runner, im->runner[1] = stage;
}

static void open_implementations(lab_implementation impls[N], int threads, int baselines) {
    const char *python = getenv("LAB_TORCH_PYTHON");
    define(&impls[0], "null", b.null, LAB_SDPA);
    define(&impls[1], "yours", (char *)b.stage, strcmp(b.task, "task1") == 0 ? LAB_SDPA : LAB_TILED);
    define(&impls[2], "task 1", b.task1, LAB_SDPA);
    define(&impls[3], "OpenBLAS chain", b.openblas, LAB_SDPA);
    define(&impls[4], "PyTorch", b.torch, LAB_SDPA);
    impls[1].chain = impls[1].op == LAB_SDPA, impls[2].chain = impls[3].chain = 1;
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

// ---- output

static json_t *real_or_null(double x) { return x >= 0 ? json_real(x) : json_null(); }

static void write_timing(const lab_experiment *e, int threads, const char *point, const lab_implementation *im,
                         const lab_timing *t, double yours) {
    if (!b.json) return;
    const attn_shape s = e->shape;
    const int known = t->rounds > 0;
    json_t *o =
        json_pack("{s:s, s:s, s:{s:i, s:i, s:i, s:i, s:i, s:b}, s:i, s:o, s:s, s:s, s:i, s:o, s:o, s:f, s:f, s:o, s:o}",
                  "series", e->series, "case", point, "shape", "batch", s.batch, "heads", s.heads, "seq_q", s.seq_q,
                  "seq_kv", s.seq_kv, "head_dim", s.head_dim, "causal", s.causal, "threads", threads, "tiles",
                  e->tiles[0] ? json_pack("[i,i]", e->tiles[0], e->tiles[1]) : json_null(), "implementation", im->name,
                  "verdict", lab_verdict_name(t->verdict), "runs", t->rounds, "median_s",
                  real_or_null(known ? t->median_s : -1), "iqr_s", real_or_null(known ? t->iqr_s : -1), "flops",
                  lab_flops(s), "bytes", im->chain ? lab_chain_bytes(s) : lab_least_bytes(s), "extra_bytes",
                  t->extra_bytes >= 0 ? json_integer(t->extra_bytes) : json_null(), "speedup",
                  real_or_null(known && yours > 0 ? t->median_s / yours : -1));
    if (o && *t->why) json_object_set_new(o, "why", json_string_nocheck(t->why));
    if (!o || json_dumpf(o, b.json, JSON_COMPACT | JSON_REAL_PRECISION(6)) || fputc('\n', b.json) == EOF) exit(2);
    json_decref(o);
    fflush(b.json);
}

static void print_timing(const lab_experiment *e, const char *point, const lab_implementation *im, const lab_timing *t,
                         double yours, int first) {
    printf("  %-8s %-16s %-16s", first ? e->series : "", first ? point : "", im->name);
    if (!t->rounds) {
        printf("%s: %s\n", lab_verdict_name(t->verdict), t->why);
        return;
    }
    printf("%10.3f ms +-%4.1f %%  %8.1f GFLOP/s", t->median_s * 1e3, 50 * t->iqr_s / t->median_s,
           lab_flops(e->shape) / t->median_s * 1e-9);
    if (!first && yours > 0)
        printf("  yours is %.2fx %s", fmax(t->median_s, yours) / fmin(t->median_s, yours),
               t->median_s >= yours ? "faster" : "slower");
    putchar('\n');
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
        write_timing(e, threads, point, &impls[i], &timings[i], yours);
        print_timing(e, point, &impls[i], &timings[i], yours, i == 1);
    }
}

// ---- series

static int wanted(const lab_experiment *e) {
    if (strcmp(e->task, b.task)) return 0;
    const size_t length = strlen(e->series);
    for (const char *s = b.series; s && *s; s += strcspn(s, ","), s += *s == ',')
        if (strncmp(s, e->series, length) == 0 && (s[length] == ',' || !s[length])) return 1;
    return !b.series;
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

static int run_ceilings(void) {
    lab_ceiling found[LAB_MAX_CEILINGS];
    const int all = omp_get_num_procs(), n = lab_measure_ceilings(all, found);
    json_t *peaks = json_array(), *bandwidths = json_array();
    double peak = 0, bandwidth = 0;
    for (int i = 0; i < n; i++) {
        const lab_ceiling *c = &found[i];
        printf("  %-9s %3d thread%s %8.1f %s\n", c->isa ? c->isa : "bandwidth", c->threads, c->threads > 1 ? "s" : " ",
               c->rate, c->isa ? "GFLOP/s" : "GB/s");
        if (c->isa)
            json_array_append_new(
                peaks, json_pack("{s:s, s:i, s:f}", "isa", c->isa, "threads", c->threads, "gflop_s", c->rate));
        else
            json_array_append_new(bandwidths, json_pack("{s:i, s:f}", "threads", c->threads, "gb_s", c->rate));
        if (c->isa && c->rate > peak) peak = c->rate;
        if (!c->isa && c->rate > bandwidth) bandwidth = c->rate;
    }
    json_t *o = json_pack("{s:{s:f, s:f}, s:o, s:o}", "ceilings", "bandwidth_gb_s", bandwidth, "gflop_s", peak,
                          "fma_peaks", peaks, "bandwidths", bandwidths);
    const int written =
        !b.json || (json_dumpf(o, b.json, JSON_COMPACT | JSON_REAL_PRECISION(6)) == 0 && fputc('\n', b.json) != EOF);
    json_decref(o);
    return written ? 0 : 2;
}

static int usage(void) {
    fprintf(stderr, "usage: bench TASK STAGE.so [--series LIST] [--json FILE]\n       bench ceilings [--json FILE]\n");
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
        else
            return usage();
    }
    if (i != argc || !b.task || (b.stage && !lab_task_find(b.task))) return usage();
    if (b.json_path && !(b.json = fopen(b.json_path, "w"))) {
        perror(b.json_path);
        return 2;
    }
    setvbuf(stdout, NULL, _IOLBF, 0);
    if (b.stage && !lab_has_experiments(b.task)) {
        printf("  SKIP     the speed of %s is not measured yet: its claims are\n", b.task);
        return 0;
    }
    if (!b.stage) return strcmp(b.task, "ceilings") ? usage() : run_ceilings();

    const char *build = getenv("LAB_BUILD"), *solution = getenv("LAB_TASK1");
    if (!build) build = "build";
    snprintf(b.runner, sizeof b.runner, "%s/bin/runner", build);
    snprintf(b.null, sizeof b.null, "%s/baselines/null.so", build);
    snprintf(b.openblas, sizeof b.openblas, "%s/baselines/openblas_chain.so", build);
    snprintf(b.torch, sizeof b.torch, "grader/baselines/torch_sdpa.py");
    if (solution)
        snprintf(b.task1, sizeof b.task1, "%s", solution);
    else
        snprintf(b.task1, sizeof b.task1, "%s/stage/grader+solutions/task1.so", build);

    const int all = omp_get_num_procs();
    printf("%s  %s: median of up to %d rounds, fresh inputs\n", b.task, lab_task_find(b.task)->title, LAB_MAX_ROUNDS);
    run_all(1, all, 0);
    if (all > 1) run_all(all, all, 0);
    for (int t = 1; t <= all; t = doubled(t, all)) run_all(t, all, 1);
    return b.failed;
}
