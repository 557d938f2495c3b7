// bench_tiles.c: a sweep of tile sizes. Br and Bc are compile-time constants: one shared object for each pair.
#include "bench.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bench_best.h"
#include "bench_row.h"
#include "build.h"
#include "time_device.h"

static const int rows[] = {16, 32, 64, 128, 256}, columns[] = {16, 32, 64, 128};
enum { ROWS = 5, COLUMNS = 4, PAIRS = ROWS * COLUMNS };

typedef struct {
    int tiles[2];
    char object[512], name[32];
    lab_verdict verdict;  // of the compiler
    char why[640];
} pair;

static void name_all(pair pairs[PAIRS], const char *folder) {
    for (int i = 0; i < PAIRS; i++) {
        pair *p = &pairs[i];
        p->tiles[0] = rows[i / COLUMNS], p->tiles[1] = columns[i % COLUMNS];
        snprintf(p->name, sizeof p->name, "Br=%d Bc=%d", p->tiles[0], p->tiles[1]);
        snprintf(p->object, sizeof p->object, "%s/tile-%d-%d.so", folder, p->tiles[0], p->tiles[1]);
    }
}

// A child compiles every `children`-th pair and leaves the compiler's complaint beside the object.
static void compile_some(const lab_task *task, const char *source, pair pairs[PAIRS], int first, int children) {
    for (int i = first; i < PAIRS; i += children) {
        const lab_build_options options = {
            .lab = ".", .source = source, .output = pairs[i].object, .seconds = 120, .tiles = pairs[i].tiles};
        char path[600];
        pairs[i].verdict = lab_build(task, &options, pairs[i].why, sizeof pairs[i].why, NULL, 0);
        snprintf(path, sizeof path, "%s.why", pairs[i].object);
        FILE *f = fopen(path, "w");
        if (f) fprintf(f, "%d %s\n", pairs[i].verdict, pairs[i].why), fclose(f);
    }
}

static void compile_all(const lab_task *task, const char *source, pair pairs[PAIRS]) {
    const int processors = (int)sysconf(_SC_NPROCESSORS_ONLN), children = processors < PAIRS ? processors : PAIRS;
    fflush(NULL);
    for (int c = 0; c < children; c++)
        if (fork() == 0) {
            compile_some(task, source, pairs, c, children);
            _exit(0);
        }
    while (wait(NULL) > 0) {}
    for (int i = 0; i < PAIRS; i++) {
        char path[600];
        int verdict = LAB_GRADER_ERROR;
        snprintf(path, sizeof path, "%s.why", pairs[i].object);
        FILE *f = fopen(path, "r");
        if (!f || fscanf(f, "%d %639[^\n]", &verdict, pairs[i].why) < 1) verdict = LAB_GRADER_ERROR;
        if (f) fclose(f);
        unlink(path);
        pairs[i].verdict = verdict;
    }
}

// The device's reason for refusing a launch is lost; we report the minimum that the tiles need.
static void explain(const lab_experiment *e, const int tiles[2], lab_timing *t) {
    const long least = (long)(tiles[0] + 2 * tiles[1]) * e->shape.head_dim * (long)sizeof(float);
    if (t->verdict != LAB_LAUNCH_FAILURE) return;
    snprintf(t->why, sizeof t->why,
             "the launch was refused: its shared memory (tiles of Q, K and V alone: %ld KB), threads or registers are "
             "more than a block can have",
             least >> 10);
}

static void measure(const lab_bench *b, const lab_contender *like, const pair *p, lab_device_point at,
                    lab_timing *timing) {
    lab_contender c = *like;
    at.e.name = p->name;
    c.runner[1] = (char *)p->object, c.stage = p->object, c.why[0] = 0, c.started = 0;
    lab_time_device(&c, 1, &at, b->seed, timing);
    lab_contender_stop(&c);
    explain(&at.e, p->tiles, timing);
}

int lab_bench_tiles(const lab_bench *b, const lab_experiment *sweep, lab_contender *null, const lab_contender *like) {
    static pair pairs[PAIRS];
    static lab_best best;
    int ran = 0, missing = 0;
    printf("  compiling %d tile sizes\n", PAIRS);
    name_all(pairs, b->build);
    compile_all(b->task, b->source, pairs);
    const lab_contender both[2] = {*null, *like};
    lab_device_point at = lab_device_point_of(both, 2, sweep);
    lab_timing none;
    if (!lab_time_nothing(null, &at, b->seed, &none)) return 1;
    for (int i = 0; i < PAIRS; i++) {
        const pair *p = &pairs[i];
        lab_timing t = {.verdict = p->verdict, .extra_bytes = -1};
        if (p->verdict != LAB_PASSED)
            snprintf(t.why, sizeof t.why, "%s", p->why);
        else if (missing)
            t.verdict = LAB_MISSING;
        else
            measure(b, like, p, at, &t);
        unlink(p->object);
        const lab_row row = {.series = sweep->series,
                             .point = p->name,
                             .shape = at.e.shape,
                             .tiles = {p->tiles[0], p->tiles[1]},
                             .implementation = "yours",
                             .timing = &t,
                             .flops = lab_experiment_flops(sweep),
                             .bytes = lab_experiment_bytes(sweep, 0),
                             .first = 1};
        if (!missing) lab_row_print(&row);
        lab_best_note(&best, &row);
        lab_row_write(&row, b->json);
        ran += t.rounds > 0;
        missing |= t.verdict == LAB_MISSING;  // so it is with all sizes
    }
    lab_best_print(&best);
    return ran == 0;
}
