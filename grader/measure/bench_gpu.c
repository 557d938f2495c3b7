// bench_gpu.c: measures a CUDA task on the GPU, next to what else computes the same.
#include "bench_gpu.h"

#include <stdlib.h>
#include <string.h>

#include "bench_row.h"
#include "bench_tiles.h"
#include "gpu_clock.h"
#include "gpu_experiments.h"

static const size_t ARENA_BYTES = (size_t)72 << 30;

int lab_series_wanted(const char *list, const char *series) {
    const size_t length = strlen(series);
    for (const char *s = list; s && *s; s += strcspn(s, ","), s += *s == ',')
        if (strncmp(s, series, length) == 0 && (s[length] == ',' || !s[length])) return 1;
    return !list;
}

// Half of what is free: a small GPU measures smaller batches.
static size_t device_bytes(void) {
    long free_mib = 0;
    FILE *f = popen("nvidia-smi --query-gpu=memory.free --format=csv,noheader,nounits 2>/dev/null", "r");
    if (!f || fscanf(f, "%ld", &free_mib) != 1) free_mib = 4096;
    if (f) pclose(f);
    const char *most = getenv("LAB_GPU_MIB");
    const size_t bytes = ((size_t)free_mib << 20) / 2, wanted = most && *most ? (size_t)atol(most) << 20 : bytes;
    return wanted < ARENA_BYTES ? wanted : ARENA_BYTES;
}

typedef struct {
    char runner[512], fill[512], file[LAB_MAX_GPU_IMPLEMENTATIONS][512];
    lab_gpu_runner of[LAB_MAX_GPU_IMPLEMENTATIONS + 1];  // [0]: null
    int n;
} field;

static void define(field *f, const lab_gpu_bench *b, const lab_gpu_implementation *is, int i) {
    lab_gpu_runner *im = &f->of[i];
    im->is = *is;
    im->stage = f->file[i - 1];
    if (!is->file)
        snprintf(f->file[i - 1], sizeof f->file[0], "%s", b->stage);
    else if (strncmp(is->file, "$TREE/", 6) == 0)
        snprintf(f->file[i - 1], sizeof f->file[0], "%s/%s", b->tree, is->file + 6);
    else
        snprintf(f->file[i - 1], sizeof f->file[0], "%s/%s", is->argument ? "grader/baselines" : b->build, is->file);
    const char *python = getenv("LAB_TORCH_PYTHON");
    char *const compiled[] = {f->runner, f->file[i - 1], NULL}, *const script[] = {
                                                                    (char *)(python && *python ? python : "python3"),
                                                                    f->file[i - 1],
                                                                    "cuda",
                                                                    (char *)is->argument,
                                                                    f->fill,
                                                                    NULL};
    if (is->argument)
        memcpy(im->runner, script, sizeof script);
    else
        memcpy(im->runner, compiled, sizeof compiled);
}

static void define_all(field *f, const lab_gpu_bench *b) {
    static const lab_gpu_implementation null = {
        "null",
        "baselines/null.so",
        NULL,
        {&lab_flash, &lab_softmax_batched, &lab_gemm_nt, &lab_gemm_nn, &lab_decode, &lab_tokens},
        NULL};
    lab_gpu_implementation is[LAB_MAX_GPU_IMPLEMENTATIONS];
    memset(f, 0, sizeof *f);
    snprintf(f->runner, sizeof f->runner, "%s/bin/runner_cuda", b->build);
    snprintf(f->fill, sizeof f->fill, "%s/baselines/device_fill.so", b->build);
    f->n = 1 + lab_gpu_implementations(b->task, is);
    define(f, b, &null, f->n);  // takes the last place for its names, then moves to the front
    f->of[0] = f->of[f->n];
    for (int i = 1; i < f->n; i++) define(f, b, &is[i - 1], i);
    const size_t device = device_bytes();
    for (int i = 0; i < f->n; i++) f->of[i].arena_bytes = ARENA_BYTES, f->of[i].device_bytes = device;
}

static int measure(field *f, const lab_gpu_bench *b, const lab_gpu_experiment *e) {
    lab_timing timings[LAB_MAX_GPU_IMPLEMENTATIONS + 1];
    lab_gpu_experiment actual = *e;
    lab_gpu_measure(f->of, f->n, e, b->seed, &actual.shape.batch, timings);
    const double yours = timings[1].rounds > 0 ? timings[1].median_s : 0;
    for (int i = 1; i < f->n; i++) {
        lab_timing *t = &timings[i];
        if (t->rounds < 0) continue;
        if (t->rounds && actual.shape.batch != e->shape.batch)
            snprintf(t->why, sizeof t->why, "batch %d instead of %d: more does not fit into the GPU's memory",
                     actual.shape.batch, e->shape.batch);
        const int chain = f->of[i].is.op[e->kind] == &lab_naive;
        const lab_row row = {.series = e->series,
                             .point = e->name,
                             .shape = actual.shape,
                             .implementation = f->of[i].is.name,
                             .timing = t,
                             .flops = lab_gpu_flops(&actual),
                             .bytes = lab_gpu_bytes(&actual, chain),
                             .yours = yours,
                             .first = i == 1};
        lab_row_print(&row);
        lab_row_write(&row, b->json);
    }
    return timings[1].rounds >= 0 && timings[1].verdict != LAB_PASSED;
}

static void close_all(field *f) {
    for (int i = 0; i < f->n; i++)
        if (f->of[i].started) lab_stage_close(&f->of[i].process), f->of[i].started = 0;
}

int lab_bench_gpu(const lab_gpu_bench *b) {
    static field f;
    int failed = 0;
    define_all(&f, b);
    for (int i = 0; i < lab_n_gpu_experiments && !failed; i++) {
        const lab_gpu_experiment *e = &lab_gpu_experiments[i];
        if (strcmp(e->task, b->task) == 0 && lab_series_wanted(b->series, e->series)) failed |= measure(&f, b, e);
    }
    close_all(&f);  // the sweep starts compilers side by side, which are to inherit nothing
    if (b->source && strcmp(b->task, "task4") == 0 && lab_series_wanted(b->series, "tiles") && !failed)
        failed |= lab_bench_tiles(lab_task_find(b->task), b->source, b->build, &f.of[0], f.of[1], b->seed, b->json);
    close_all(&f);
    return failed;
}
